"""What can be made of a run: findings, a replay, its next step dissected, a further training."""

import json
import subprocess
import sys
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np

from app.data.cache import cached
from app.data.moments import Film, curves_of, film_of, samples_of
from app.data.runs import RECORDED, RunSummary, can_repeat, existing, folder_of, start
from app.data.translation import readable, trained_names
from app.views.training.data.plan import OwnPairs, on_pairs
from model import checkpoint
from model.checkpoint import OF_RUN, Checkpoint
from model.decoding.limits import truncate
from model.decoding.search import translate_ids
from model.files import ROOT, built
from model.interpret.calculation.target import floors, target_distribution
from model.runs.doctor import FEWEST_ROWS, Finding, diagnose
from model.runs.film import film
from model.runs.folder import RunFolder
from model.runs.training_step import BlockNorms, Dissection
from model.text.byte_level import EOS
from model.text.pairs import Pair

__all__ = ["BlockNorms", "Dissection", "Finding"]

SECONDS: Final = 180  # for the dissection of a step


def has_moments(name: str) -> bool:
    """Return whether checkpoints of the filmed steps were kept."""
    return bool(folder_of(name).moments())


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

    pair = Pair(text, _translation(loaded(steps[-1]), text))
    plan = replace(folder.plan(), task="", probe=(pair.src, pair.tgt))
    models = ((loaded(step), step) for step in steps)
    frames = (film(one.model, one.tokenizer, pair, step) for one, step in models)
    return Film(folder.name, plan, tuple(frames))


def _translation(loaded: Checkpoint, text: str) -> str:
    src, _too_long = truncate([*loaded.tokenizer.encode(text), EOS], loaded.config.max_len)
    (output,) = translate_ids(loaded.model, [src], width=1)
    return loaded.tokenizer.decode(output)


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
        for rows in (curves_of(one.name).rows, samples_of(one.name))
    )
    return diagnose(one.plan, rows, samples, frame)


def is_early(one: RunSummary, step: int) -> bool:
    """Return whether too little was logged up to a step to say that nothing is wrong."""
    return sum(row["step"] <= step for row in curves_of(one.name).rows) < FEWEST_ROWS


def can_dissect(name: str) -> bool:
    """Return whether a run has saved the state that a step starts from."""
    return (folder_of(name).path / "last" / "manifest.json").is_file()


def dissected(name: str) -> Dissection:
    """Dissect the step after the last saved one without changing the run; raises ValueError.

    The separate process computes as the trainer does; this one, shared by all visitors, does not.
    """
    command = [sys.executable, "-m", "model.runs.training_step", str(folder_of(name).path)]
    run = partial(subprocess.run, cwd=ROOT, timeout=SECONDS, stdin=subprocess.DEVNULL)
    try:
        done = run(command, capture_output=True, check=True)
    except (OSError, subprocess.SubprocessError) as error:
        raise ValueError(f"The run {name!r} has no step that could be taken apart.") from error
    return built(Dissection, json.loads(done.stdout))


def model_of(name: str) -> str | None:
    """Return the name in the list of models of what a run has trained so far, if anything."""
    model = f"{OF_RUN}{name}"
    return model if model in trained_names() else None


def can_train_on(name: str) -> bool:
    """Return whether the state to resume training from is there; a run from a zip has none."""
    return not name.startswith(RECORDED) and folder_of(name).is_saved()


def has_pairs(name: str) -> bool:
    """Return whether the pairs that a run was trained on are there."""
    return can_repeat(existing(name).plan())


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
