"""Each schedule's values, and the optimiser of section 5.3."""

from __future__ import annotations

import itertools
from itertools import pairwise

import pytest
import torch

from model.config import Arch, Schedule, TrainConfig
from model.training.optim import learning_rate, make_optimizers
from tests.model.samples import tiny_model, tiny_translator


def rates(
    schedule: Schedule, steps: int = 100, warmup: int = 10, cooldown: float = 0.3
) -> list[float]:
    """Return the learning rates of steps 1 … n."""
    config = TrainConfig(
        schedule=schedule, steps=steps, warmup=warmup, cooldown=cooldown, learning_rate=2.0
    )
    return [learning_rate(step, config) for step in range(1, steps + 1)]


def test_noam_is_the_papers_formula_up_to_its_scale() -> None:
    """Equation 3: d_model^-0.5 · min(step^-0.5, step · warmup^-1.5)."""
    paper = [min(step**-0.5, step * 10**-1.5) for step in range(1, 101)]
    scale = 2.0 / max(paper)
    assert rates("noam") == pytest.approx([scale * rate for rate in paper])


def test_linear_goes_up_then_down_to_zero() -> None:
    values = rates("linear")
    assert values[:10] == pytest.approx([0.2 * step for step in range(1, 11)])
    falls = [before - after for before, after in pairwise(values[9:])]
    assert falls == pytest.approx([2 / 91] * 90)
    assert values[-1] == pytest.approx(2 / 91)  # and 0 at the step that is not taken


def test_wsd_stays_then_falls_over_its_last_share() -> None:
    values = rates("wsd")
    assert values[9:70] == pytest.approx([2.0] * 61)
    assert values[70:] == pytest.approx([2.0 * left / 31 for left in range(30, 0, -1)])


def test_constant_stays() -> None:
    assert rates("constant")[9:] == [2.0] * 91


def test_short_runs() -> None:
    schedules: tuple[Schedule, ...] = ("noam", "linear", "wsd", "constant")
    for schedule, steps in itertools.product(schedules, (1, 5, 10, 11)):
        assert all(0 < rate <= 2 for rate in rates(schedule, steps)), (schedule, steps)


def test_adam_has_the_papers_settings() -> None:
    model = tiny_model()
    adam = make_optimizers(model, TrainConfig(weight_decay=0.01))[0]
    group = adam.param_groups[0]
    assert (group["betas"], group["eps"], group["weight_decay"]) == ((0.9, 0.98), 1e-9, 0.01)
    assert len(group["params"]) == len(list(model.parameters()))


@pytest.mark.parametrize("arch", ["transformer", "rnnsearch"])
def test_muon_has_the_layers_matrices_and_adam_the_rest(arch: Arch) -> None:
    model = tiny_translator(arch)
    optimizers = make_optimizers(model, TrainConfig(optimizer="muon"))
    names = {id(p): name for name, p in model.named_parameters()}
    muon, adam = ({names[id(p)] for p in one.param_groups[0]["params"]} for one in optimizers)
    assert muon | adam == set(names.values())
    assert not muon & adam
    assert {name.split(".")[0] for name in muon} == {"encoder", "decoder"}
    assert {"src_embed.weight", "generator.bias"} <= adam
    assert not any("bias" in name or "v_a" in name for name in muon)


@pytest.mark.parametrize("bf16", [False, True])
def test_muon_steps_as_torchs_own_does(bf16: bool) -> None:
    """Which iterates in bfloat16: a training on a processor without it took ten times longer."""
    ours, theirs = (torch.nn.Linear(24, height) for height in (40, 40))
    theirs.load_state_dict(ours.state_dict())
    model = tiny_model()
    config = TrainConfig(optimizer="muon", weight_decay=0.1, bf16=bf16)
    muon, _adam = make_optimizers(model, config)
    settings = {**muon.param_groups[0], "params": [ours.weight], "lr": 0.01}
    muon.add_param_group(settings)
    other = torch.optim.Muon(
        [theirs.weight], lr=0.01, weight_decay=0.1, adjust_lr_fn="match_rms_adamw"
    )
    before = ours.weight.detach().clone()
    for _ in range(3):
        ours.weight.grad = torch.randn_like(ours.weight)
        theirs.weight.grad = ours.weight.grad.clone()
        muon.step()
        other.step()
    moved = float((ours.weight - before).detach().norm())
    assert float((ours.weight - theirs.weight).detach().norm()) < (0.001 if bf16 else 0.02) * moved
