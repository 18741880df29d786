"""What a run has written so far, read back: its curves, its film, its samples.

Nothing here writes. N filmed moments, H heads, T target tokens, S source tokens.
"""

import shlex
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Any, Final

import numpy as np

from app.data.attention import sharpest
from app.data.cache import cached
from app.data.runs import folder_of, run, threads
from model.checkpoint import OF_RUN
from model.config import Kind
from model.files import ROOT
from model.interpret.capture import Capture
from model.runs.film import Frame
from model.runs.folder import RunFolder, free_name
from model.runs.plan import Plan
from model.tasks import TASKS
from model.text.marian_tokenizer import read_tokenizer
from model.text.pairs import Pair
from model.text.tokenizer import Tokenizer
from model.training.optim import learning_rate

__all__ = ["OF_RUN"]

LATE: Final = 5  # moments
Stamp = tuple[str, int, int]


@dataclass(frozen=True, eq=False)
class Curves:
    """The logged steps of a run: (K,) each, and the validated ones among them: (V,) each."""

    rows: Sequence[dict[str, Any]]

    def of(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Return steps and values of one measure of training."""
        return _columns(self.rows, name)

    def validation(self, name: str) -> tuple[np.ndarray, np.ndarray]:
        """Return steps and values of one measure of validation."""
        validated = [row for row in self.rows if row.get("validation")]
        return _columns([{"step": row["step"], **row["validation"]} for row in validated], name)


@dataclass(frozen=True, eq=False)
class Film:
    """The filmed moments of one run, and what of them is right."""

    name: str
    plan: Plan
    frames: tuple[Frame, ...]

    @property
    def steps(self) -> list[int]:
        return [frame.step for frame in self.frames]

    @property
    def capture(self) -> Capture:
        """The newest frame: all of them have its tokens and its shape."""
        return self.frames[-1].capture

    @property
    def attends(self) -> bool:
        """Whether there is attention to look at."""
        return self.frames[-1].attends

    def at(self, step: int | None) -> int:
        """Return the place of the last frame up to a step; of the newest for None."""
        if step is None:
            return len(self.frames) - 1
        return max(int(np.searchsorted(self.steps, step, side="right")) - 1, 0)

    def head(self, kind: Kind, layer: int, head: int) -> np.ndarray:
        """Return one head's weights at every moment, (N, T, S)."""
        return np.stack([frame.capture.weights(kind, layer, head) for frame in self.frames])

    @cached_property
    def wanted(self) -> tuple[tuple[int, int], ...]:
        """The cells (query, source token) where one should look, if that is known.

        The rows that write a word look at all pieces of its source word.
        """
        return self.frames[-1].cells(alignment(self.plan))

    @cached_property
    def shares(self) -> np.ndarray | None:
        """What each head gives to where it should look, (N, L, H); None where that is unknown."""
        aligned = alignment(self.plan) if self.attends else ()
        return np.stack([frame.shares(aligned) for frame in self.frames]) if aligned else None

    @property
    def best(self) -> tuple[int, int]:
        """Layer and head to look at first: the best of several late moments, or the sharpest.

        With one moment alone, the picture would jump from head to head as a run goes on.
        """
        if self.shares is None:
            return sharpest(self.capture)
        late = self.shares[-LATE:].reshape(-1, self.shares[0].size)  # (moments, L · H)
        total = np.bincount(late.argmax(1), weights=late.max(1))
        layer, head = np.unravel_index(int(total.argmax()), self.shares[0].shape)
        return int(layer), int(head)


def curves_of(name: str) -> Curves:
    """Return what a run logged up to now."""
    return Curves(folder_of(name).log())


def film_of(name: str) -> Film | None:
    """Return the film of a run up to now; None before its first frame."""
    folder, stamps = folder_of(name), []
    for step in folder.frames():
        with suppress(OSError):  # it is deleted, or goes back some steps, at this very moment
            stamps.append(_stamp(folder.frame_file(step)))
    try:
        return _film(name, tuple(stamps))
    except ValueError:  # deleted
        return None


def comparable(film: Film, name: str) -> bool:
    """Tell whether a run was filmed on the same tokens as a film, and has attention to compare."""
    folder = folder_of(name)
    try:
        newest = _frame(_stamp(folder.frame_file(folder.frames()[-1])))
    except (OSError, IndexError):  # deleted, or not filmed yet
        return False
    return newest is not None and newest.attends and _tokens(newest) == _tokens(film.frames[-1])


def _tokens(frame: Frame) -> list[list[str]]:
    return [[token.text for token in side] for side in (frame.capture.src, frame.capture.tgt)]


def schedule(plan: Plan, steps: Sequence[int]) -> np.ndarray:
    """Return the planned learning rate of some steps."""
    return np.array([learning_rate(max(step, 1), plan.train) for step in steps])


def vocabulary(name: str) -> Tokenizer | None:
    """Return the tokenizer of a run; None before it has one."""
    path = folder_of(name).path
    for file in (path / "tokenizer.json", *path.glob("*/tokenizer.json")):
        if file.is_file():
            return _tokenizer(str(file), file.stat().st_mtime_ns)
    return None


def command(name: str, machines: int = 1) -> str:
    """Return the command that trains this run's plan again, from the project's folder."""
    folder = folder_of(name)
    new = RunFolder.named(free_name(folder.name))
    plan, out = _shown(folder, "plan.json"), _shown(new)
    train = f"-m model train --plan {plan} --out {out}"
    if machines == 1:
        return f"python {train} --threads {threads()}"
    return (
        f"torchrun --nnodes {machines} --nproc-per-node 2 --node-rank 0 "
        f"--master-addr ADDRESS --master-port 29500 {train}"
    )


def _shown(folder: RunFolder, file: str = "") -> str:
    """Write a path of a run from the project's folder; where else it lies is nobody's business."""
    path = folder.path / file
    start = ROOT if path.is_relative_to(ROOT) else folder.path.parents[1]
    return shlex.quote(path.relative_to(start).as_posix())


def languages_of(model: str) -> tuple[str, str]:
    """Return the two languages of a trained model "runs/NAME"; "" for symbols."""
    plan = _plan_of(model)
    return ("", "") if plan is None else (plan.source, plan.target)


def examples_of(model: str) -> tuple[str, ...]:
    """Return sentences that a model trained here can be tried on, and never saw; none for others.

    Raises nothing: a run may be deleted at any moment.
    """
    plan = _plan_of(model)
    if plan is None:
        return ()
    rows = folder_of(model.removeprefix(OF_RUN)).samples()
    held_out = [sample["src"] for sample in rows[-1]["samples"][:3]] if rows else []
    # A model from a zip may have come without its plan.
    return tuple(dict.fromkeys(filter(None, [plan.probe[0], *held_out])))


def alignment(plan: Plan) -> Sequence[tuple[int, int]]:
    """Return which target word of the probe comes from which source word, where that is known."""
    task = TASKS.get(plan.task)
    return task.align(Pair(*plan.probe)) if task is not None and task.align is not None else ()


def _plan_of(model: str) -> Plan | None:
    summary = run(model.removeprefix(OF_RUN)) if model.startswith(OF_RUN) else None
    return None if summary is None else summary.plan


def _columns(rows: Sequence[dict[str, Any]], name: str) -> tuple[np.ndarray, np.ndarray]:
    logged = [row for row in rows if row.get(name) is not None]
    return np.array([row["step"] for row in logged]), np.array([row[name] for row in logged], float)


def _stamp(file: Path) -> Stamp:
    stat = file.stat()
    return str(file), stat.st_mtime_ns, stat.st_size


@cached()
def _frame(stamp: Stamp) -> Frame | None:
    """Return a frame; None for one that is broken, or another's: it costs the film no other."""
    path = Path(stamp[0])
    try:
        frame = Frame.load(path)
    except ValueError:
        return None
    return frame if frame.step == int(path.stem) else None


@cached()
def _film(name: str, stamps: tuple[Stamp, ...]) -> Film | None:
    """Return the frames that are of one sentence and one model: most of them."""
    frames = [frame for frame in map(_frame, stamps) if frame is not None]
    if not frames:
        return None
    ((usual, _count),) = Counter(map(_scene, frames)).most_common(1)
    same = tuple(frame for frame in frames if _scene(frame) == usual)
    return Film(name, folder_of(name).plan(), same)


def _scene(frame: Frame) -> tuple[Any, ...]:
    return frame.capture.config, frame.capture.src, frame.capture.tgt


@cached()
def _tokenizer(file: str, changed: int) -> Tokenizer:
    return read_tokenizer(Path(file))
