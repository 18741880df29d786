"""Other attention with the same output: it is far, it is attention, and a second run agrees."""

import numpy as np
import pytest
import torch
from scipy.spatial.distance import jensenshannon

from model.config import Norm
from model.interpret.calculation.numbers import softmax
from model.interpret.experiments.changed import capture_changed
from model.interpret.experiments.other_attention import (
    AIM,
    CANDIDATES,
    MOST,
    STEPS,
    divergence_of,
    search,
    total_variation,
)
from model.interpret.experiments.plan import plan
from tests.model.interpret.experiments.samples import PAIRS, captured, model_of
from tests.model.samples import letters_tokenizer


@pytest.mark.parametrize(("norm", "layer", "target"), [("post", 0, 0), ("pre", 1, 3)])
def test_a_second_run_with_the_found_rows_has_that_output(
    norm: Norm, layer: int, target: int
) -> None:
    model = model_of(norm)
    original = captured(model, PAIRS[0])
    found = [*search(model, original, layer, target)]
    assert len(found) == STEPS
    best = found[-1]
    changes = best.changes(layer, target)
    again = capture_changed(model, letters_tokenizer(), plan(model, original, changes))
    row = again.weights("cross", layer)[:, target]
    np.testing.assert_allclose(row, best.rows, atol=1e-4)
    np.testing.assert_allclose(row.sum(-1), 1, atol=1e-5)
    p, q = (softmax(run.logits[target].astype(float)) for run in (original, again))
    assert total_variation(p, q) == pytest.approx(best.output, abs=2e-4)
    assert best.output <= AIM * MOST
    before = original.weights("cross", layer)[:, target]
    assert divergence_of(before, row) == pytest.approx(best.distance, abs=1e-3)
    assert best.distance > 0.1
    distances = [one.distance for one in found]
    assert distances == sorted(distances)


def test_where_every_other_row_changes_the_output_nothing_is_found(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("model.interpret.experiments.other_attention.MOST", 0.0)
    monkeypatch.setattr("model.interpret.experiments.other_attention.STEPS", 10)
    model = model_of("pre")
    original = captured(model, PAIRS[0])
    *_, best = search(model, original, 0, 1)
    assert best.distance == 0
    np.testing.assert_allclose(best.rows, original.weights("cross", 0)[:, 1], atol=1e-7)


def test_the_same_seed_finds_the_same(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("model.interpret.experiments.other_attention.STEPS", 20)
    model = model_of("pre")
    original = captured(model, PAIRS[1])
    first, second, other = ([*search(model, original, 1, 2, seed)][-1] for seed in (0, 0, 1))
    np.testing.assert_array_equal(first.rows, second.rows)
    assert not np.array_equal(first.rows, other.rows)


def test_distances_are_those_of_scipy_and_known_ones() -> None:
    p, q = np.random.default_rng(0).dirichlet(np.ones(6), (2, 3))
    expected = np.mean([jensenshannon(a, b, 2) ** 2 for a, b in zip(p, q, strict=True)])
    assert divergence_of(p, q) == pytest.approx(expected)
    assert divergence_of(np.eye(2), np.eye(2)[::-1].copy()) == pytest.approx(1)
    assert divergence_of(p, p) == pytest.approx(0)
    assert total_variation(np.array([1.0, 0]), np.array([0, 1.0])) == 1
    assert total_variation(p[0], p[0]) == 0


def test_each_step_reads_one_token_on_one_thread(monkeypatch: pytest.MonkeyPatch) -> None:
    """A search took 50 s on a busy machine: all tokens were read, and threads waited in line."""
    seen = list[tuple[tuple[int, ...], int]]()
    model = model_of("pre")
    step = type(model).decode_step

    def watched(self: object, tokens: torch.Tensor, *more: object, **named: object) -> torch.Tensor:
        seen.append((tuple(tokens.shape), torch.get_num_threads()))
        return step(self, tokens, *more, **named)  # type: ignore[arg-type]

    monkeypatch.setattr(type(model), "decode_step", watched)
    threads = torch.get_num_threads()
    next(search(model, captured(model, PAIRS[0]), 0, 3))
    assert seen == [((CANDIDATES, 1), 1)]
    assert torch.get_num_threads() == threads
