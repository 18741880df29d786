"""Gradients with respect to attention, against small steps of the loss itself."""

import copy
from itertools import count
from typing import Any

import numpy as np
import pytest
import torch

from model.interpret.calculation.attention import attention_scopes
from model.interpret.calculation.target import losses, next_tokens
from model.interpret.experiments.interventions import attention_gradients
from model.nn.hooks import Intervention
from tests.model.interpret.calculation.cases import Case, case


def ids(made: Case) -> tuple[list[int], list[int], tuple[int, ...]]:
    capture = made.capture
    return capture.src_ids, capture.tgt_ids, next_tokens(capture)


@pytest.mark.parametrize(
    ("variant", "frozen"),
    [({"norm": "post"}, True), ({"norm": "pre"}, False), ({"arch": "rnnsearch"}, False)],
)
def test_gradients_are_the_slope_of_the_loss(variant: dict[str, Any], frozen: bool) -> None:
    made = case(**variant)
    model = copy.deepcopy(made.model).double().requires_grad_(not frozen)
    src, tgt, targets = ids(made)
    done = attention_gradients(model, src, tgt, targets, smoothing=0.1)
    step = 1e-5

    def loss(name: str, delta: float) -> float:
        steps = count()

        def nudge(scores: torch.Tensor) -> torch.Tensor:
            n = scores.shape[2]
            moved, row = scores.clone(), 2 - (next(steps) if n == 1 else 0)  # a recurrent one's
            if row in range(n):
                moved[0, -1, row, 1] += delta
            return moved

        with torch.inference_mode():
            hook = Intervention({name: nudge})
            logits = model(torch.tensor([src]), torch.tensor([tgt]), hook)[0].numpy()
        return losses(logits, targets, 0.1).total

    for scope in attention_scopes(model.config):
        name = f"{scope}.scores"
        slope = (loss(name, step) - loss(name, -step)) / (2 * step)
        assert done.arrays[name][-1, 2, 1] == pytest.approx(slope, rel=1e-4, abs=1e-8)
    assert done.loss == pytest.approx(loss("none", 0))


def test_the_future_has_no_gradient() -> None:
    made = case()
    with torch.inference_mode():  # a page may call it from within
        done = attention_gradients(made.model, *ids(made))
    assert set(done.arrays) == {f"{s}.scores" for s in attention_scopes(made.model.config)}
    assert all(p.grad is None for p in made.model.parameters()), "the model was touched"
    future = np.triu(np.ones((4, 4), dtype=bool), 1)
    for name, gradient in done.arrays.items():
        assert gradient.shape == made.capture.arrays[name].shape
        assert np.isfinite(gradient).all()
        if "decoder" in name and "self_attn" in name:
            assert (gradient[:, future] == 0).all()
        assert gradient.sum(-1) == pytest.approx(0, abs=1e-5)  # a softmax only shares out


def test_one_position_sees_only_its_past() -> None:
    made = case()
    done = attention_gradients(made.model, *ids(made), position=1)
    gradient = done.arrays["decoder.0.cross_attn.scores"]
    assert (gradient[:, 2:] == 0).all()
    assert (gradient[:, :2] != 0).any()
    each = [attention_gradients(made.model, *ids(made), position=i).loss for i in range(4)]
    assert sum(each) == pytest.approx(attention_gradients(made.model, *ids(made)).loss)


def test_what_cannot_be_is_refused() -> None:
    made = case()
    src, tgt, targets = ids(made)
    with pytest.raises(ValueError, match="do not go with"):
        attention_gradients(made.model, src, tgt, targets[1:])
    with pytest.raises(ValueError, match="no position 4"):
        attention_gradients(made.model, src, tgt, targets, position=4)
