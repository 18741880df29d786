"""The check passes for what a model computed, and fails where one number is another."""

import math
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from model.interpret.calculation.cell import Cell
from model.interpret.calculation.parameters import parameters
from model.interpret.calculation.recompute import check
from model.interpret.calculation.stages import stages
from model.interpret.capture import Override
from tests.model.interpret.calculation.cases import RECURRENT_ONES, VARIANTS, case, corrupted, title
from tests.model.samples import tiny_translator

EIGHT_HEADS: list[dict[str, Any]] = [{"norm": norm, "n_heads": 8} for norm in ("post", "pre")]


@pytest.mark.parametrize("variant", VARIANTS, ids=title)
def test_what_the_model_computed_passes(variant: dict[str, Any]) -> None:
    made = case(**variant)
    done = check(made.capture, made.parameters)
    assert done.passed, done.worst.cell
    assert {stage.cell.name for stage in done.stages} >= set(made.capture.arrays)
    assert done.worst.difference <= min(done.worst.tolerance, 1e-5)
    assert done.worst.difference == max(stage.difference for stage in done.stages)
    assert all(0 < stage.tolerance < 1e-3 for stage in done.stages)


@pytest.mark.parametrize("variant", EIGHT_HEADS + RECURRENT_ONES, ids=title)
def test_any_corrupted_number_is_found(variant: dict[str, Any]) -> None:
    made = case(**variant)
    rng = np.random.default_rng(0)
    for name, array in made.capture.arrays.items():
        index = tuple(int(i) for i in rng.integers(array.shape))
        value = float(array[index]) + 0.01 if np.isfinite(array[index]) else 0.0
        done = check(corrupted(made.capture, name, index, value), made.parameters, [name])
        assert not done.passed
        assert done.worst.cell == Cell(name, index)
        assert done.worst.difference > done.worst.tolerance


def test_numbers_that_are_none_are_found() -> None:
    made = case()
    for name, value in (
        ("logits", math.nan),
        ("encoder.0.self_attn.weights", math.inf),
        ("decoder.0.self_attn.masked", -math.inf),
    ):
        index = (0,) * made.capture.arrays[name].ndim
        done = check(corrupted(made.capture, name, index, value), made.parameters)
        assert not done.passed
        assert done.worst.cell == Cell(name, index)
        assert done.worst.difference == math.inf


def test_only_the_scopes_are_checked() -> None:
    made = case()
    done = check(made.capture, made.parameters, ["encoder.1.self_attn", "logits"])
    names = [stage.cell.name for stage in done.stages]
    assert len(names) == 14
    assert names[-1] == "logits"
    broken = corrupted(made.capture, "encoder.0.ffn.hidden", (0, 0), 9.0)
    assert check(broken, made.parameters, ["encoder.1", "decoder"]).passed
    assert not check(broken, made.parameters, ["encoder.0.ffn"]).passed
    for scope in ("encoder.7", "encod", "", "encoder.0.self_attn.colour"):
        with pytest.raises(ValueError, match="nothing to check"):
            check(made.capture, made.parameters, [scope])


def test_what_a_change_overrode_is_recomputed_with_it_and_named() -> None:
    made = case()
    name = "decoder.0.self_attn.masked"
    changed = corrupted(made.capture, name, (0, 0, 1), 0.0)
    assert check(changed, made.parameters, [name]).worst.cell == Cell(name, (0, 0, 1))

    def put(array: np.ndarray, _: Mapping[str, np.ndarray]) -> np.ndarray:
        array[0, 0, 1] = 0.0
        return array

    changed = replace(changed, overrides={name: (Override("a change", put),)})
    done = check(changed, made.parameters, [name])
    assert done.passed
    assert [(stage.cell.name, stage.changes) for stage in done.changed] == [(name, ("a change",))]
    other = corrupted(changed, name, (0, 1, 0), 9.0)
    assert not check(other, made.parameters, [name]).passed


def test_another_models_parameters_or_tokens_fail() -> None:
    made = case()
    for arch in ("transformer", "rnn", "rnnsearch"):
        other = parameters(tiny_translator(arch, seed=1))
        assert not check(case(arch=arch).capture, other).passed
    done = check(replace(made.capture, src=made.capture.src[::-1]), made.parameters)
    assert done.worst.cell.name == "src.embed"
    left_out = set(stages(made.model.config)) - {stage.cell.name for stage in done.stages}
    assert {name.rpartition(".")[2] for name in left_out} == {"powers"}
