"""Nobody sees the future, nobody sees padding."""

from typing import Any

import pytest
import torch
from torch import Tensor

from model.config import Arch, Norm
from model.nn.masks import causal_mask, padding_mask, target_mask
from tests.model.samples import RECURRENT, tiny_model, tiny_translator

NORMS: tuple[Norm, ...] = ("post", "pre")


def padded(tokens: Tensor, n: int) -> Tensor:
    return torch.cat((tokens, torch.zeros(len(tokens), n, dtype=torch.long)), dim=1)


def test_values() -> None:
    tokens = torch.tensor([[5, 6, 0]])
    assert padding_mask(tokens, 0).tolist() == [[[[True, True, False]]]]
    assert causal_mask(3)[0, 0].tolist() == [
        [True, False, False],
        [True, True, False],
        [True, True, True],
    ]
    assert target_mask(tokens, 0)[0, 0].tolist() == [
        [True, False, False],
        [True, True, False],
        [True, True, False],
    ]


@pytest.mark.parametrize("norm", NORMS)
@torch.no_grad()
def test_a_later_token_changes_no_bit_of_earlier_logits(norm: Norm) -> None:
    model = tiny_model(norm=norm)
    src, tgt = torch.tensor([[5, 6, 7, 2]]), torch.tensor([[1, 8, 9, 10, 11, 12]])
    before = model(src, tgt)
    for position in range(1, tgt.shape[1]):
        changed = tgt.clone()
        changed[0, position] = 20
        after = model(src, changed)
        assert torch.equal(before[:, :position], after[:, :position])
        assert not torch.equal(before[:, position:], after[:, position:])


@pytest.mark.parametrize(
    ("arch", "settings"),
    [
        *(("transformer", {"norm": norm}) for norm in NORMS),
        *((arch, {"cell": cell}) for arch in RECURRENT for cell in ("gru", "tanh")),
    ],
)
@torch.no_grad()
def test_a_sentence_does_not_depend_on_its_batch_and_its_padding(
    arch: Arch, settings: dict[str, Any]
) -> None:
    model = tiny_translator(arch, **settings)
    src, tgt = torch.tensor([[5, 6, 7, 2]]), torch.tensor([[1, 8, 9]])
    other_src, other_tgt = torch.tensor([[9, 9, 9, 9, 9, 2]]), torch.tensor([[1, 4, 4, 4, 4]])
    both = model(torch.cat((padded(src, 2), other_src)), torch.cat((padded(tgt, 2), other_tgt)))
    torch.testing.assert_close(both[:1, :3], model(src, tgt), atol=1e-6, rtol=1e-6)
    torch.testing.assert_close(both[1:], model(other_src, other_tgt), atol=1e-6, rtol=1e-6)


@torch.no_grad()
def test_no_row_is_ever_all_masked() -> None:
    """A row without a key would make NaN of everything: padding looks back at <bos>."""
    model = tiny_model()
    logits = model(torch.tensor([[5, 2, 0, 0]]), torch.tensor([[1, 0, 0, 0]]))
    assert logits.isfinite().all()
