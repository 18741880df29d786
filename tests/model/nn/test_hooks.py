"""Hooks watch or change a call, under full names, and leave the model alone."""

from __future__ import annotations

import numpy as np
import pytest
import torch
from torch import Tensor

from model.nn.hooks import NO_HOOK, Chain, Intervention, Recorder
from tests.model.samples import tiny_model

SRC, TGT = torch.tensor([[5, 6, 7, 2]]), torch.tensor([[1, 8, 9]])


def test_no_hook_gives_back_the_very_tensor() -> None:
    tensor = torch.zeros(1)
    assert NO_HOOK("x", tensor) is tensor
    assert NO_HOOK.at("a").at("b")("x", tensor) is tensor


def test_scopes_make_the_full_name() -> None:
    recorder = Recorder()
    recorder.at("encoder.0").at("self_attn")("q", torch.zeros(1))
    recorder("memory", torch.zeros(1))
    assert list(recorder.arrays) == ["encoder.0.self_attn.q", "memory"]


def test_recorder_copies() -> None:
    recorder, tensor = Recorder(), torch.zeros(2)
    recorder("x", tensor)
    tensor += 1
    assert recorder.arrays["x"].tolist() == [0, 0]


def test_recorder_refuses_the_same_name_twice() -> None:
    recorder = Recorder()
    recorder("x", torch.zeros(1))
    with pytest.raises(AssertionError, match="x was recorded twice"):
        recorder("x", torch.zeros(1))


def test_a_recorder_joins_the_steps_of_a_loop_and_nothing_else() -> None:
    recorder = Recorder()
    below = recorder.at("decoder.0")
    for t in range(3):
        below.step(t).at("attn")("q", torch.full((1, 2, 1, 4), float(t)))
    (name,) = recorder.arrays
    assert name == "decoder.0.attn.q"
    assert recorder.arrays[name].shape == (1, 2, 3, 4)
    assert recorder.arrays[name][0, 1, :, 0].tolist() == [0, 1, 2]
    with pytest.raises(AssertionError, match=r"decoder\.0\.attn\.q was recorded twice"):
        below.at("attn")("q", torch.zeros(1, 2, 1, 4))


def test_an_intervention_changes_each_step() -> None:
    recorder = Recorder()
    hook = Intervention({"a.x": lambda x: x + 1}, then=recorder).at("a")
    made = [hook.step(t)("x", torch.tensor([[float(t)]])) for t in range(2)]
    assert [float(x) for x in made] == [1, 2]
    assert recorder.arrays["a.x"].ravel().tolist() == [1, 2]
    assert NO_HOOK.step(3)("x", made[0]) is made[0]


def test_the_second_hook_of_a_chain_gets_what_the_first_made() -> None:
    recorder = Recorder()
    hook = Chain(Intervention({"a.x": lambda x: x + 1}), recorder).at("a")
    made = [hook.step(t)("x", torch.tensor([[float(t)]])) for t in range(2)]
    assert [float(x) for x in made] == [1, 2]
    assert recorder.arrays["a.x"].ravel().tolist() == [1, 2]


@torch.no_grad()
def test_ablating_a_head_equals_removing_its_rows_of_w_o() -> None:
    model, recorder = tiny_model(), Recorder()

    def ablate(context: Tensor) -> Tensor:  # (B, H, T, d_k)
        keep = torch.tensor([1.0, 0.0])[:, None, None]
        return context * keep

    hook = Intervention({"encoder.0.self_attn.context": ablate}, then=recorder)
    changed = model(SRC, TGT, hook)
    assert not recorder.arrays["encoder.0.self_attn.context"][0, 1].any()
    model.encoder[0].self_attn.w_o.weight[:, model.config.d_k :] = 0
    torch.testing.assert_close(changed, model(SRC, TGT), atol=1e-5, rtol=1e-5)


@torch.no_grad()
def test_removing_the_mask_lets_the_decoder_see_the_future() -> None:
    model, recorder, seen = tiny_model(), Recorder(), {}

    def keep(scaled: Tensor) -> Tensor:
        seen["scaled"] = scaled
        return scaled

    scope = "decoder.0.self_attn"
    hook = Intervention(
        {f"{scope}.scaled": keep, f"{scope}.masked": lambda _: seen["scaled"]}, then=recorder
    )
    changed = model(SRC, TGT, hook)
    weights = recorder.arrays[f"{scope}.weights"][0]  # (H, T, T)
    assert (weights > 0).all()
    np.testing.assert_allclose(weights.sum(-1), 1, atol=1e-6)
    assert not torch.equal(changed[:, 0], model(SRC, TGT)[:, 0])


@torch.no_grad()
def test_edited_weights_are_what_the_rest_is_computed_from() -> None:
    model, recorder = tiny_model(), Recorder()

    def look_at_first(weights: Tensor) -> Tensor:
        return torch.zeros_like(weights).index_fill_(-1, torch.tensor([0]), 1.0)

    hook = Intervention({"decoder.1.cross_attn.weights": look_at_first}, then=recorder)
    model(SRC, TGT, hook)
    context = recorder.arrays["decoder.1.cross_attn.context"][0]  # (H, T, d_k)
    first = recorder.arrays["decoder.1.cross_attn.v"][0, :, :1]  # (H, 1, d_k)
    np.testing.assert_allclose(context, np.broadcast_to(first, context.shape), atol=1e-6)


@torch.no_grad()
def test_an_intervention_lasts_one_call_and_no_longer() -> None:
    model = tiny_model()
    before = model(SRC, TGT)
    model(SRC, TGT, Intervention({"memory": torch.zeros_like}))
    assert torch.equal(before, model(SRC, TGT))
