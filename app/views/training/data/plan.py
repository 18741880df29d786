"""Making a plan from the form: tasks, presets, own pairs."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, get_args

from app.i18n import _
from model.config import Arch, ModelConfig, TrainConfig
from model.errors import UserError
from model.files import LONGEST_NAME
from model.runs.plan import OWN, Plan, plan_of
from model.settings import Setting, settings_of
from model.tasks import TASKS, make_pairs
from model.text.pairs import BadLine, Pair, parse_tsv, separator_of, with_tabs
from model.training.presets import PRESETS, defaults, not_applicable

__all__ = [
    "LONGEST_NAME",
    "OWN",
    "PRESETS",
    "Arch",
    "Plan",
    "Setting",
    "UserError",
    "defaults",
    "not_applicable",
]

ARCHITECTURES: Final[tuple[Arch, ...]] = get_args(Arch)
# The hyper-parameters that the form offers.
SETTINGS: Final = {
    name: declared.setting
    for config in (ModelConfig, TrainConfig)
    for name, declared in settings_of(config).items()
}
FEWEST_PAIRS: Final = 20
MOST_HELD_OUT: Final = 500
MOST_LINES: Final = 500_000
SHOWN: Final = 5  # pairs in the preview, and bad lines in a message
DATA, VALID = "train.tsv", "valid.tsv"


@dataclass(frozen=True)
class OwnPairs:
    """A visitor's pairs, split into those to train on and those held out for evaluation."""

    train: tuple[Pair, ...]
    valid: tuple[Pair, ...]
    bad: tuple[BadLine, ...]
    doubles: int = 0
    separator: str = "\t"

    @property
    def files(self) -> dict[str, str]:
        """The two files that the plan names."""
        return {DATA: _tsv(self.train), VALID: _tsv(self.valid)}

    @property
    def probe(self) -> Pair:
        """The held-out pair that is filmed: one of medium length, to have something to look at."""
        return min(self.valid, key=lambda pair: (abs(len(pair.src.split()) - 6), pair.src))


def task_names() -> list[str]:
    """Return the project's tasks, then the visitor's own pairs."""
    return [*TASKS, OWN]


def example(task: str) -> Pair | None:
    """Return the pair of a task that is filmed; None for own pairs."""
    return TASKS[task].probe if task in TASKS else None


def examples(task: str) -> list[Pair]:
    """Return a few pairs of a task; none for own pairs."""
    return make_pairs(task, SHOWN, 0, seed=0)[0] if task in TASKS else []


def suiting_preset(task: str) -> str:
    """Return the preset that suits a task best."""
    return TASKS[task].preset if task in TASKS else "tiny"


def split_pairs(data: bytes) -> OwnPairs:
    """Read a TSV file and hold some of it out; raises ValueError if there are too few pairs.

    No held-out source sentence is trained on, not even with another translation.
    """
    separator = separator_of(data)
    pairs, bad = parse_tsv(with_tabs(data, separator), MOST_LINES)
    by_source: dict[str, list[Pair]] = {}
    different = dict.fromkeys(pairs)
    for pair in different:
        by_source.setdefault(pair.src, []).append(pair)
    if len(by_source) < FEWEST_PAIRS:
        raise TooFewPairsError(len(by_source), tuple(bad))
    sources = list(by_source)
    random.Random(0).shuffle(sources)
    held_out = min(max(len(sources) // 10, 1), MOST_HELD_OUT)
    train = [pair for source in sources[held_out:] for pair in by_source[source]]
    valid = [by_source[source][0] for source in sources[:held_out]]
    doubles = len(pairs) - len(different)
    return OwnPairs(tuple(train), tuple(valid), tuple(bad), doubles, separator)


def rows_of(text: str) -> list[tuple[str, str]]:
    """Return each line's sentence and translation, as far as they have been typed."""
    data = text.encode()
    lines = with_tabs(data, separator_of(data)).decode().splitlines()
    cells = [[*map(str.strip, line.split("\t")), ""] for line in lines if line.strip()]
    return [(row[0], row[1]) for row in cells]


class TooFewPairsError(UserError):
    """Too few pairs to train on, and the lines that could not be used."""

    def __init__(self, count: int, bad: tuple[BadLine, ...]) -> None:
        super().__init__("too_few_pairs", count=count, least=FEWEST_PAIRS)
        self.bad = bad


def make_plan(
    name: str,
    task: str,
    settings: Mapping[str, Any],
    own: OwnPairs | None = None,
    languages: tuple[str, str] = ("", ""),
    minutes: float | None = None,
    filmed: str = "",
) -> Plan:
    """Return the plan of a run; raises UserError for settings out of range or that do not fit.

    `filmed` is the source of the held-out own pair to film, or empty for the default one.
    """
    for setting in SETTINGS.keys() & settings:
        if problem := SETTINGS[setting].problem(setting, settings[setting]):
            raise problem
    model, train = ModelConfig.of(settings), TrainConfig.of(settings)
    if minutes is None and train.warmup > train.steps:
        raise UserError("warmup_too_long", "warmup", warmup=train.warmup, steps=train.steps)
    if task in TASKS:
        return plan_of(TASKS[task], name, model, train, minutes=minutes)
    if own is None:
        raise UserError("no_pairs", OWN)
    return on_pairs(
        Plan(name, OWN, *languages, model, train, ("", ""), minutes=minutes), own, filmed
    )


def on_pairs(plan: Plan, own: OwnPairs, filmed: str = "") -> Plan:
    """Return a plan that trains on a visitor's pairs and films one of those held out."""
    probe = next((pair for pair in own.valid if pair.src == filmed), own.probe)
    pairs, sides = len(own.train), (probe.src, probe.tgt)
    return replace(plan, task=OWN, probe=sides, pairs=pairs, data=(DATA,), valid=VALID)


def differing(plans: Sequence[Plan]) -> tuple[list[str], list[list[Any]]]:
    """Return the settings in which plans differ, and their values, one row per plan."""
    rows = [plan.model.to_dict() | plan.train.to_dict() for plan in plans]
    told = [name for name in rows[0] if name in SETTINGS and SETTINGS[name].help]
    names = [name for name in told if len({repr(row[name]) for row in rows}) > 1]
    return names, [[row[name] for name in names] for row in rows]


def setting_label(name: str) -> str:
    """Return what a setting is called on the page, or its own name."""
    return _(SETTINGS[name].label) if SETTINGS[name].label else name


def _tsv(pairs: Sequence[Pair]) -> str:
    return "".join(f"{pair.src}\t{pair.tgt}\n" for pair in pairs)
