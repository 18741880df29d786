"""What the page asks of the model: plans, what can be made of a run, the state of the server."""

import json
import random
import shutil
import subprocess
import sys
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any, Final, get_args

import numpy as np

from app.data.cache import cached
from app.data.moments import Film, film_of
from app.data.runs import RunSummary, existing, folder_of, start
from app.data.translation import readable, trained_names
from app.i18n import _
from model import __version__, checkpoint, files
from model.checkpoint import OF_RUN, Checkpoint
from model.config import Arch, ModelConfig, TrainConfig
from model.decoding.limits import truncate
from model.decoding.search import translate_ids
from model.errors import UserError
from model.files import LONGEST_NAME, ROOT, built
from model.interpret.calculation.target import floors, target_distribution
from model.runs.doctor import FEWEST_ROWS, Finding, diagnose
from model.runs.film import film
from model.runs.folder import RunFolder
from model.runs.plan import OWN, Plan, plan_of
from model.runs.training_step import BlockNorms, Dissection
from model.settings import Setting, settings_of
from model.tasks import TASKS, make_pairs
from model.text.byte_level import EOS
from model.text.pairs import BadLine, Pair, parse_tsv, separator_of, with_tabs
from model.training.presets import PRESETS, defaults, not_applicable

__all__ = ["LONGEST_NAME", "OWN", "PRESETS", "Arch", "BlockNorms", "Dissection", "Finding", "Plan"]
__all__ += ["Setting", "UserError", "__version__", "defaults", "not_applicable"]

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
SECONDS: Final = 180  # for the dissection of a step


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


def replay(name: str, text: str) -> Film:
    """Return the film of a sentence: its translation and attention at each kept checkpoint.

    Every checkpoint is given the newest one's translation (teacher forcing), so that all
    pictures have the same rows. Raises CheckpointError for weights that cannot be read.
    """
    folder = folder_of(name)
    stamps = [
        (step, (folder.moment_folder(step) / "manifest.json").stat().st_mtime_ns)
        for step in folder.moments()
    ]
    return _replay(folder.path, readable(text), tuple(stamps))


@cached()
def _replay(path: Path, text: str, stamps: tuple[tuple[int, int], ...]) -> Film:
    """Replay the kept steps, each stamped with the time when it was written.

    The path keys the cache: two visitors of a class may share a run's name.
    """
    folder, steps = RunFolder(path), [step for step, _written in stamps]

    def loaded(step: int) -> Checkpoint:
        return checkpoint.load(folder.moment_folder(step))

    newest = loaded(steps[-1])
    src, _too_long = truncate(
        [*newest.tokenizer.encode(newest.tokenizer.read(text).text), EOS], newest.config.max_len
    )
    (output,) = translate_ids(newest.model, [src], width=1)
    pair = Pair(text, newest.tokenizer.decode(output))
    plan = replace(folder.plan(), task="", probe=(pair.src, pair.tgt))
    models = ((loaded(step), step) for step in steps)
    frames = (film(one.model, one.tokenizer, pair, step) for one, step in models)
    return Film(folder.name, plan, tuple(frames))


def target_of(film: Film, token: int) -> np.ndarray:
    """Return the target for a next token, (V,): 1 at that token, or less with label smoothing."""
    return target_distribution(token, *_smoothing(film))


def floors_of(film: Film) -> tuple[float, float]:
    """Return the smoothed loss and cross-entropy, in nats, of a model that predicts its target."""
    return floors(*_smoothing(film))


def _smoothing(film: Film) -> tuple[int, float]:
    return film.capture.config.n_tgt_vocab, film.plan.train.label_smoothing


def findings_of(one: RunSummary, step: int) -> tuple[Finding, ...]:
    """Return the findings on a run up to a step, the worst first."""
    film = film_of(one.name)
    frame = film.frames[film.at(step)] if film is not None else None
    rows, samples = (
        [row for row in rows if row["step"] <= step]
        for rows in (one.folder.log(), one.folder.samples())
    )
    return diagnose(one.plan, rows, samples, frame)


def is_early(one: RunSummary, step: int) -> bool:
    """Return whether too little was logged up to a step to say that nothing is wrong."""
    return sum(row["step"] <= step for row in one.folder.log()) < FEWEST_ROWS


def dissected(run: RunSummary) -> Dissection:
    """Dissect the step after the last saved one without changing the run; raises ValueError.

    The separate process computes as the trainer does; this one, shared by all visitors, does not.
    """
    command = [sys.executable, "-m", "model.runs.training_step", str(run.folder.path)]
    take = partial(subprocess.run, cwd=ROOT, timeout=SECONDS, stdin=subprocess.DEVNULL)
    try:
        done = take(command, capture_output=True, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise ValueError(f"The run {run.name!r} has no step that could be taken apart.") from error
    return built(Dissection, json.loads(done.stdout))


def model_of(name: str) -> str | None:
    """Return the name in the list of models of what a run has trained so far, if anything."""
    model = f"{OF_RUN}{name}"
    return model if model in trained_names() else None


def train_further(name: str, steps: int, own: OwnPairs | None = None) -> str:
    """Start a new run with a run's weights and a fresh optimiser, and return its name.

    It trains on the pairs that the first run was trained on, or else on `own`. Raises what `start`
    raises.
    """
    folder = existing(name)
    plan, files = folder.plan(), folder.files()
    if own is not None:
        plan, files = on_pairs(plan, own), own.files
    train = replace(plan.train, steps=steps, rates=())
    model = checkpoint.resolve(f"{OF_RUN}{name}")
    return start(replace(plan, name=name, train=train, minutes=None), files, model)


def free_disk() -> int:
    """Return the free bytes of the disk that runs lie on, or will lie on."""
    place = next(path for path in (files.RUNS, *files.RUNS.parents) if path.exists())
    return shutil.disk_usage(place).free
