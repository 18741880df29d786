"""Batches of the same size whatever the length, and what waits for what."""

from __future__ import annotations

import pytest

from model.config import Arch, ModelConfig
from model.history.speed import LENGTHS, TOKENS, measure, steps_in_a_row
from tests.model.samples import RECURRENT, tiny_config


@pytest.mark.long
def test_each_model_is_timed_at_each_length_on_as_many_tokens() -> None:
    models: dict[str, ModelConfig] = {
        arch: tiny_config(arch) for arch in (*RECURRENT, "transformer")
    }
    made = list(measure(models, [7, 8, 9]))
    assert [(one.length, one.name) for one in made] == [
        (n, arch) for n in LENGTHS for arch in models
    ]
    assert {one.tokens for one in made} == {2 * TOKENS}
    assert all(one.seconds > 0 for one in made)
    assert made[0].tokens_per_second == pytest.approx(2 * TOKENS / made[0].seconds)


@pytest.mark.parametrize(("arch", "steps"), [("rnn", 12), ("rnnsearch", 12), ("transformer", 4)])
def test_steps_that_wait_for_one_another(arch: Arch, steps: int) -> None:
    assert steps_in_a_row(tiny_config(arch), 5, 7) == steps
    longer = steps_in_a_row(tiny_config(arch), 50, 70)
    assert (longer == steps) == (arch == "transformer")
