"""Hooks watch or change a call, under full names, and leave the model alone."""

import pytest
import torch

from model.nn.hooks import NO_HOOK, Chain, Intervention, Recorder
from tests.model.samples import tiny_model

SRC, TGT = torch.tensor([[5, 6, 7, 2]]), torch.tensor([[1, 8, 9]])


def test_a_recorder_copies_each_name_once() -> None:
    """Scopes make its full name; no hook gives back the very tensor."""
    recorder, tensor = Recorder(), torch.zeros(2)
    recorder("x", tensor)
    recorder.at("encoder.0").at("self_attn")("q", tensor)
    assert NO_HOOK.at("a").step(3)("x", tensor) is tensor
    tensor += 1
    assert recorder.arrays["x"].tolist() == [0, 0]
    assert list(recorder.arrays) == ["x", "encoder.0.self_attn.q"]
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


def test_the_hook_after_an_intervention_gets_what_it_made_at_each_step() -> None:
    more = {"a.x": lambda x: x + 1}
    recorder = Recorder()
    hook = Chain(Intervention(more), recorder)
    steps = [hook.at("a").step(t) for t in range(2)]
    made = [step("x", torch.tensor([[float(t)]])) for t, step in enumerate(steps)]
    assert [float(x) for x in made] == [1, 2]
    assert recorder.arrays["a.x"].ravel().tolist() == [1, 2]


@torch.no_grad()
def test_an_intervention_lasts_one_call_and_no_longer() -> None:
    model = tiny_model()
    before = model(SRC, TGT)
    model(SRC, TGT, Intervention({"memory": torch.zeros_like}))
    assert torch.equal(before, model(SRC, TGT))
