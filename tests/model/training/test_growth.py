"""A run that starts from a model begins with its weights, with more layers if they are wanted."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import torch

from model.errors import UserError
from model.training.growth import check_growth, grow
from tests.model.samples import tiny_config, tiny_model


def test_new_layers_change_nothing_until_they_learn() -> None:
    small = tiny_model(norm="pre", n_encoder_layers=1, n_decoder_layers=1).eval()
    shape = replace(small.config, n_encoder_layers=3, n_decoder_layers=2, dropout=0.3)
    large = grow(small, shape)
    assert large.config == shape
    src, tgt = torch.tensor([[4, 5, 6]]), torch.tensor([[1, 7, 8, 9]])
    logits = large.eval()(src, tgt)
    assert torch.equal(logits, small(src, tgt))
    torch.nn.functional.cross_entropy(logits[0], tgt[0]).backward()
    for name, p in large.named_parameters():
        if name.endswith("w_2.weight"):
            assert p.grad is not None
            assert p.grad.any(), f"{name} would never learn"


@pytest.mark.parametrize(
    "change", [{"d_model": 32}, {"n_encoder_layers": 1}, {"norm": "post"}], ids=str
)
def test_what_would_be_another_model_is_refused(change: dict[str, Any]) -> None:
    small = tiny_config(norm="pre", n_encoder_layers=2)
    with pytest.raises(UserError) as refused:
        check_growth(small, replace(small, **change))
    assert [refused.value.field] == list(change)


def test_a_model_with_post_norm_gets_no_layers() -> None:
    """x + 0 is normalised once more: that is another vector."""
    small = tiny_config(norm="post", n_encoder_layers=1)
    with pytest.raises(UserError, match="pre-norm"):
        check_growth(small, replace(small, n_encoder_layers=2))
