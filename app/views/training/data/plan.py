"""From a form to a plan: tasks, presets, own pairs, and what a training will need."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, get_args

from app.data.runs import runs
from model.config import Arch, ModelConfig, TrainConfig
from model.runs.plan import Plan
from model.tasks import TASKS
from model.text.pairs import BadLine, Pair, parse_tsv
from model.training.estimate import Estimate, estimate
from model.training.presets import PRESETS, bf16_is_fast, suited
from model.training.presets import preset as preset_of

__all__ = ["PRESETS", "Arch", "BadLine", "Pair", "Plan"]

ARCHITECTURES: Final[tuple[Arch, ...]] = get_args(Arch)
OWN: Final = "own"
FEWEST_PAIRS: Final = 20
MOST_HELD_OUT: Final = 500
MOST_LINES: Final = 500_000
SHOWN: Final = 5  # pairs of the preview, and bad lines
DATA, VALID = "train.tsv", "valid.tsv"


class FieldError(ValueError):
    """What does not fit; `field` is the setting that it is about."""

    def __init__(self, field: str, message: str) -> None:
        super().__init__(message)
        self.field = field


@dataclass(frozen=True)
class OwnPairs:
    """A visitor's pairs, cut in two: to train on, and held out to judge by."""

    train: tuple[Pair, ...]
    valid: tuple[Pair, ...]
    bad: tuple[BadLine, ...]

    @property
    def files(self) -> dict[str, str]:
        """The two files that the plan names."""
        return {DATA: _tsv(self.train), VALID: _tsv(self.valid)}

    @property
    def probe(self) -> Pair:
        """The held-out pair that is filmed: of middling length, to have something to look at."""
        return min(self.valid, key=lambda pair: (abs(len(pair.src.split()) - 6), pair.src))


def task_names() -> list[str]:
    """Return the tasks made by the project, then the visitor's own pairs."""
    return [*TASKS, OWN]


def example(task: str) -> Pair | None:
    """Return the pair of a task that is filmed; None for own pairs."""
    return TASKS[task].probe if task in TASKS else None


def suiting_preset(task: str) -> str:
    """Return the preset that suits a task."""
    return TASKS[task].preset if task in TASKS else "tiny"


def defaults(task: str, preset: str, arch: Arch = "transformer") -> dict[str, Any]:
    """Return every setting of a preset, with a task's own changes where it is the suiting one.

    A tiny model gains nothing from 16-bit products.
    """
    model, train = preset_of(preset, arch)
    own = TASKS[task].settings if task in TASKS and preset == suiting_preset(task) else {}
    bf16 = preset != "tiny" and bf16_is_fast()
    return {**model.to_dict(), **train.to_dict(), "bf16": bf16, **suited(own, arch)}


def split_pairs(data: bytes) -> OwnPairs:
    """Read a TSV and hold some of it out; raises ValueError where there is too little.

    No held-out source sentence is trained on, not even with another translation.
    """
    pairs, bad = parse_tsv(data, MOST_LINES)
    by_source: dict[str, list[Pair]] = {}
    for pair in dict.fromkeys(pairs):
        by_source.setdefault(pair.src, []).append(pair)
    if len(by_source) < FEWEST_PAIRS:
        raise TooFewPairsError(len(by_source), tuple(bad))
    sources = list(by_source)
    random.Random(0).shuffle(sources)
    held_out = min(max(len(sources) // 10, 1), MOST_HELD_OUT)
    train = [pair for source in sources[held_out:] for pair in by_source[source]]
    valid = [by_source[source][0] for source in sources[:held_out]]
    return OwnPairs(tuple(train), tuple(valid), tuple(bad))


class TooFewPairsError(ValueError):
    """Too few pairs to train on: how many there are, and the lines that could not be used."""

    def __init__(self, count: int, bad: tuple[BadLine, ...]) -> None:
        super().__init__(f"There are only {count} pairs; give at least {FEWEST_PAIRS}.")
        self.count, self.bad = count, bad


def make_plan(
    name: str,
    task: str,
    settings: Mapping[str, Any],
    own: OwnPairs | None = None,
    languages: tuple[str, str] = ("", ""),
    minutes: float | None = None,
) -> Plan:
    """Return the plan of a run; raises FieldError for settings that do not fit together."""
    model, train = _config(ModelConfig, settings), _config(TrainConfig, settings)
    assert isinstance(model, ModelConfig)
    assert isinstance(train, TrainConfig)
    if minutes is None and train.warmup > train.steps:
        told = f"warmup of {train.warmup} steps does not fit into a run of {train.steps}."
        raise FieldError("warmup", told)
    if task in TASKS:
        made = TASKS[task]
        probe, pairs = made.probe, made.pairs
        return Plan(
            name, task, made.source, made.target, model, train, (probe.src, probe.tgt), pairs,
            minutes=minutes,
        )  # fmt: skip
    if own is None:
        raise FieldError(OWN, "There are no pairs to train on yet.")
    return on_pairs(Plan(name, OWN, *languages, model, train, ("", ""), minutes=minutes), own)


def on_pairs(plan: Plan, own: OwnPairs) -> Plan:
    """Return a plan that trains on a visitor's pairs."""
    probe = (own.probe.src, own.probe.tgt)
    return replace(
        plan, task=OWN, probe=probe, pairs=len(own.train), data=(DATA,), valid=VALID
    )  # fmt: skip


def needs(plan: Plan) -> Estimate:
    """Return parameters, memory and time of a plan, by the speed measured here where there is one.

    A run that is timed needs the minutes that were asked for.
    """
    speeds = (
        run.status.tokens_per_second
        for run in runs()
        if run.plan.model == plan.model and run.plan.train.batch_tokens == plan.train.batch_tokens
    )
    found = estimate(plan.model, plan.train, next(filter(None, speeds), None), plan.pairs)
    return found if plan.minutes is None else replace(found, seconds=60 * plan.minutes)


def _config(
    of: type[ModelConfig] | type[TrainConfig], settings: Mapping[str, Any]
) -> ModelConfig | TrainConfig:
    known = of.__dataclass_fields__
    try:
        return of.from_dict({name: settings[name] for name in known if name in settings})
    except ValueError as error:
        raise FieldError(str(error).split()[0], str(error)) from error


def _tsv(pairs: Sequence[Pair]) -> str:
    return "".join(f"{pair.src}\t{pair.tgt}\n" for pair in pairs)
