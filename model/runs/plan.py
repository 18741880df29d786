"""What a training run is asked to do, its status, its visitors' wishes, the rows of its logs."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import asdict, dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Literal, Self

from model.config import ModelConfig, TrainConfig
from model.errors import UserError
from model.files import fits
from model.settings import check_types

if TYPE_CHECKING:
    from model.tasks.task import Task

State = Literal["queued", "running", "paused", "stopped", "finished", "failed", "interrupted"]
OWN: Final = "own"  # the task of pairs that people bring
START: Final = "start"  # the folder, beside a plan, of the model whose weights a run begins with
LAST_TIME: Final = 1e11  # seconds since 1970: the year 5138
# The settings that may change when a run is resumed.
MAY_CHANGE: Final = frozenset({"steps", "patience", "learning_rate", "rates"})
ALIVE: Final = frozenset[State]({"queued", "running", "paused"})


@dataclass(frozen=True)
class Plan:
    """Everything that a run was asked to do; the same plan gives the same run.

    `task` names one of model.tasks.TASKS with `pairs` training pairs; for "own" pairs, `data` and
    `valid` are TSV files, relative to the plan's folder. `probe` is the sentence pair whose
    attention is filmed, if any. `minutes`, if given, is replaced by a number of steps once the
    speed is known. With `from_model` the run starts from the weights and the tokenizer of the model
    in start/, with a fresh optimiser. The weights at the steps in `snapshots` are kept. Runs that
    were started by the same click have the same `job`.
    """

    name: str
    task: str
    source: str
    target: str
    model: ModelConfig
    train: TrainConfig
    probe: tuple[str, str]
    pairs: int = 0
    data: tuple[str, ...] = ()
    valid: str = ""
    minutes: float | None = None
    created: float = 0.0
    from_model: bool = False
    snapshots: tuple[int, ...] = ()
    job: str = ""

    @property
    def learning_rate(self) -> float:
        """The peak learning rate that was requested last."""
        return self.train.rates[-1][1] if self.train.rates else self.train.learning_rate

    @property
    def fixed(self) -> dict[str, Any]:
        """The settings that a resumed run must keep; the paths of its files may change."""
        settings = {"task": self.task, "pairs": self.pairs, "from_model": self.from_model}
        settings |= self.model.to_dict() | self.train.to_dict()
        return {name: value for name, value in settings.items() if name not in MAY_CHANGE}

    def without_paths(self) -> Plan:
        """Return the plan for others to read, without the private paths of its files."""
        names = tuple(Path(name).name for name in self.data)
        return replace(self, data=names, valid=Path(self.valid).name)

    def to_dict(self) -> dict[str, Any]:
        return asdict(self)

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Build a plan from a dictionary; raises ValueError if it is invalid."""
        try:
            lists = {name: tuple(v) for name, v in values.items() if isinstance(v, list)}
            configs = {
                "model": ModelConfig.from_dict(values["model"]),
                "train": TrainConfig.from_dict(values["train"]),
            }
            plan = cls(**{**values, **lists, **configs})
        except (KeyError, TypeError, AttributeError) as error:
            raise UserError("bad_plan", why=UserError("plain", what=str(error))) from error
        check_types(plan)
        if plan.created > LAST_TIME:
            raise UserError("odd_value", "created", name="created")
        return plan

    def check_form(self) -> None:
        """Raise UserError for values beyond the limits of the page's form."""
        self.model.check_form()
        self.train.check_form()


def plan_of(
    task: Task,
    name: str,
    model: ModelConfig,
    train: TrainConfig,
    pairs: int = 0,
    minutes: float | None = None,
) -> Plan:
    """Return the plan of a run on one of the project's tasks (0 pairs: the task's default)."""
    probe = (task.probe.src, task.probe.tgt)
    pairs = pairs or task.pairs
    return Plan(
        name, task.name, task.source, task.target, model, train, probe, pairs, minutes=minutes
    )


def refuse_other(before: Mapping[str, Any], after: Mapping[str, Any]) -> None:
    """Raise UserError, naming the settings, if a resumed run's settings would change."""
    changes = [
        f"{name} {value} → {after[name]}"
        for name, value in before.items()
        if after.get(name, value) != value
    ]
    if changes:
        raise UserError("other_settings", "resume", what=", ".join(changes))


@dataclass(frozen=True)
class Status:
    """The status of a run; `seconds` is training time so far, `error` why it failed.

    `step_seconds` is the average time of a step, including its share of frames and validations but
    not waiting for other programs; 0 before that is known.
    """

    state: State
    step: int = 0
    steps: int = 0
    seconds: float = 0.0
    tokens_per_second: float = 0.0
    seconds_left: float | None = None
    error: UserError | None = None
    updated: float = 0.0
    step_seconds: float = 0.0


@dataclass(frozen=True)
class Wishes:
    """What a run has to do: pause after `pause_at` steps, stop, or use another learning rate.

    Wishes are states, not commands: repeated or read late, they mean the same.
    """

    pause_at: int | None = None
    stop: bool = False
    learning_rate: float | None = None


SCORES: Final = ("loss", "bleu", "chrf", "exact")
SIDES: Final = ("src", "tgt", "output")


def _is_logged(row: Mapping[str, Any]) -> bool:
    """Return whether a row is a step as RunLog writes it; losses may be NaN or infinite."""
    scores = row.get("validation") or dict.fromkeys(SCORES, 0.0)
    losses = [row.get("loss"), row.get("cross_entropy", 0.0), row.get("gradient_norm")]
    losses += [scores.get(name) for name in SCORES] if isinstance(scores, dict) else [None]
    counts = all(fits(row.get(name), int) for name in ("step", "epoch", "tokens"))
    return counts and fits(row.get("learning_rate"), float) and all(map(_is_measured, losses))


def _is_measured(value: Any) -> bool:
    if type(value) not in (int, float):
        return False
    return fits(abs(value), float) or value != value or abs(value) == math.inf


def _is_sampled(row: Mapping[str, Any]) -> bool:
    """Return whether a row is a frame's samples as RunLog writes them."""
    kinds = {"step": int, "exact": float, "samples": list}
    return (
        all(fits(row.get(name), kind) for name, kind in kinds.items())
        and fits(row.get("judged", 0), int)
        and all(
            isinstance(sample, dict) and all(isinstance(sample.get(side), str) for side in SIDES)
            for sample in row["samples"]
        )
    )


ROWS: Final[Mapping[str, Callable[[Mapping[str, Any]], bool]]] = {
    "log.jsonl": _is_logged,
    "samples.jsonl": _is_sampled,
}
