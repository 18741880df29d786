"""Recompute what a model computed, stage by stage, and say where it differs."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

import numpy as np

from model.interpret.calculation.cell import Cell
from model.interpret.calculation.numbers import Numbers
from model.interpret.calculation.parameters import Parameters
from model.interpret.calculation.recompute import largest, recompute
from model.interpret.calculation.stages import Stage
from model.interpret.capture import Capture

# How far float32 may be off, in units of its rounding (1.2e-7) times the scale of a stage.
ROUNDINGS = 16
FLOAT32 = float(np.finfo(np.float32).eps)


@dataclass(frozen=True)
class StageCheck:
    """One stage: its largest difference, where that is, and what rounding may account for.

    `changes` are the texts of those that it was computed with, in a changed run.
    """

    cell: Cell
    captured: float
    recomputed: float
    difference: float
    tolerance: float
    changes: tuple[str, ...] = ()

    @property
    def passed(self) -> bool:
        return self.difference <= self.tolerance


@dataclass(frozen=True)
class Check:
    """The stages in the order of computing."""

    stages: tuple[StageCheck, ...]

    @property
    def passed(self) -> bool:
        return all(stage.passed for stage in self.stages)

    @property
    def changed(self) -> tuple[StageCheck, ...]:
        """The stages that changes of this run were made to."""
        return tuple(stage for stage in self.stages if stage.changes)

    @property
    def worst(self) -> StageCheck:
        """The first stage that fails, as others may only follow, or the largest difference."""
        largest = max(self.stages, key=lambda stage: stage.difference)
        return next((stage for stage in self.stages if not stage.passed), largest)


def check(capture: Capture, parameters: Parameters, scopes: Sequence[str] = ()) -> Check:
    """Recompute each stage of the scopes from the captured numbers that went into it.

    A scope is a name (`logits`) or its beginning (`encoder.0`, `encoder.0.self_attn`); none at
    all means everything. What the changes of a run did to a stage is done to the recomputed
    numbers too. Raises ValueError for a scope that the model does not have.
    """
    numbers = Numbers(capture, parameters)
    chosen = _chosen(numbers.stages.values(), scopes)
    return Check(tuple(_check(numbers, stage) for stage in chosen))


def _chosen(stages: Iterable[Stage], scopes: Sequence[str]) -> list[Stage]:
    # e to the power of a score has no bound to hold it to: the weight, its share, is checked.
    kept = [stage for stage in stages if stage.kind != "powers"]
    by_name = {f"{stage.name}.": stage for stage in kept}
    for scope in scopes:
        if not any(name.startswith(f"{scope}.") for name in by_name):
            raise ValueError(f"There is nothing to check in {scope!r}.")
    starts = tuple(f"{scope}." for scope in scopes) or ""
    return [stage for name, stage in by_name.items() if name.startswith(starts)]


def _check(numbers: Numbers, stage: Stage) -> StageCheck:
    captured = numbers.array(stage.name)
    recomputed, scale = recompute(numbers, stage)
    overrides = numbers.capture.overrides.get(stage.name, ())
    for override in overrides:
        recomputed = override.apply(recomputed, numbers.capture.arrays)
        scale = max(scale, largest(recomputed))
    with np.errstate(invalid="ignore"):
        differences = np.abs(captured - recomputed)
    # −∞ − (−∞) is NaN, and so is every difference to NaN: the same on both sides is no difference.
    unclear = ~np.isfinite(differences)
    if unclear.any():
        same = (captured == recomputed) | (np.isnan(captured) & np.isnan(recomputed))
        differences = np.where(unclear, np.where(same, 0.0, np.inf), differences)
    index = np.unravel_index(int(differences.argmax()), differences.shape)
    return StageCheck(
        Cell(stage.name, tuple(int(i) for i in index)),
        float(captured[index]),
        float(recomputed[index]),
        float(differences[index]),
        ROUNDINGS * FLOAT32 * scale,
        tuple(override.change for override in overrides),
    )
