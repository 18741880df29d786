"""Both sinusoidal layouts against their formulas, number by number."""

import math
from itertools import product

import pytest
import torch

from model.config import Positions
from model.nn.positional import positional_encoding

LENGTH, D = 9, 8


def test_each_layout_is_its_formula() -> None:
    """The paper's, sines and cosines by turns; Tensor2Tensor's, in two halves; and none."""
    papers, halves = (positional_encoding(LENGTH, D, kind) for kind in ("interleaved", "half"))
    for pos, i in product(range(LENGTH), range(D // 2)):
        angle = pos / 10_000 ** (2 * i / D)
        assert papers[pos, 2 * i] == pytest.approx(math.sin(angle), abs=1e-6)
        assert papers[pos, 2 * i + 1] == pytest.approx(math.cos(angle), abs=1e-6)
        angle = pos / 10_000 ** (i / (D // 2 - 1))
        assert halves[pos, i] == pytest.approx(math.sin(angle), abs=1e-6)
        assert halves[pos, D // 2 + i] == pytest.approx(math.cos(angle), abs=1e-6)
    assert not positional_encoding(LENGTH, D, "none").any()


def test_far_positions_stay_exact_and_the_smallest_width_is_finite() -> None:
    """Position 5000, the last of the usual tables, is still right to float32."""
    layouts: tuple[Positions, ...] = ("interleaved", "half")
    for layout in layouts:
        p = positional_encoding(5001, 4, layout)
        assert p[5000, 0] == pytest.approx(math.sin(5000), abs=1e-6)
        assert positional_encoding(3, 2, layout).isfinite().all()


def test_a_shift_is_the_same_rotation_everywhere() -> None:
    """What the paper chose sinusoids for: p(pos + k) is a linear function of p(pos)."""
    p = positional_encoding(40, D, "interleaved").double()
    pairs = torch.view_as_complex(p.view(40, D // 2, 2))  # sin + i cos
    turn = pairs[7:] / pairs[:-7]
    torch.testing.assert_close(turn, turn[:1].expand_as(turn), atol=1e-5, rtol=0)
