"""The available models, and what can happen to one: renaming, its card, its zip, deletion."""

import hashlib
import io
import shutil
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from fnmatch import fnmatchcase
from functools import cache
from pathlib import Path
from typing import Any, BinaryIO, Final, Literal

import numpy as np

from app.data import visitors
from app.data.decoding import Decoding
from app.data.queue import QUEUE
from app.data.runs import LOADED, existing
from app.data.translation import (
    MAX_CHARACTERS,
    OF_IMPORT,
    Translation,
    metrics_of,
    model_names,
    score_of,
    translate,
)
from app.server import settings
from model import checkpoint, imported
from model.checkpoint import OF_RUN, Checkpoint, CheckpointError
from model.config import ModelConfig, TrainConfig
from model.errors import UserError, os_errors_as
from model.files import (
    LONGEST_NAME,
    aside,
    fits,
    own,
    own_runs,
    read_json,
    replace_text,
    safe_name,
    unchanged,
)
from model.hub import job
from model.hub.fetch import ask
from model.hub.job import Fetching
from model.hub.offer import HubOffer, repository_of
from model.runs.archive import README, holds_marian, pack, unpack, unpack_marian
from model.runs.folder import RunFolder, free_name
from model.runs.plan import ALIVE, ROWS, Plan, Status
from model.text.marian_tokenizer import MarianTokenizer
from model.training.estimate import n_parameters

__all__ = ["ALIVE", "LONGEST_NAME", "Fetching", "HubOffer"]

MOST_PAIRS: Final = 1_000_000
MOST_RATES: Final = 100
LONGEST_CARD: Final = 20_000  # characters
FLOAT_BYTES: Final = 4
# Measured: checking, reading and building a model takes twice as long as its checksums alone.
AS_CHECKSUMS: Final = 2.0
SAMPLE_BYTES: Final = 4 * 2**20
# Each query of a hub is a process of some 60 MB.
_LOOKS: Final = threading.BoundedSemaphore(2)

# For the models that ship with the project: its licence, and that of their training sentences.
SHIPPED_LICENCE: Final = "MIT; data CC BY 2.0 FR"

Kind = Literal["shipped", "trained", "imported"]


@dataclass(frozen=True)
class Card:
    """What is known about a model without opening it; `memory_bytes`, `seconds` are estimates."""

    name: str
    kind: Kind
    config: ModelConfig
    parameters: int
    disk_bytes: int
    memory_bytes: int
    seconds: float
    bleu: float | None
    chrf: float | None
    licence: str


@dataclass(frozen=True, eq=False)
class Versus:
    """One sentence by two models; `difference` is the second's attention minus the first's.

    It is the mean over the heads of the last layer of encoder-decoder attention, (T, S), or None
    if the two did not read and write the same tokens.
    """

    first: Translation
    second: Translation
    difference: np.ndarray | None


@dataclass(frozen=True)
class Deleted:
    """A deleted model that is kept aside and can be restored under its name."""

    name: str
    aside: Path


_read = unchanged(read_json)


def cards() -> list[Card]:
    """Return the cards of all models that can be read, in the order of the list."""
    return [card for name in model_names() if (card := card_of(name)) is not None]


def card_of(name: str) -> Card | None:
    """Return a model's card; None if the model cannot be read."""
    try:
        folder = checkpoint.resolve(name)
        config = ModelConfig.from_dict(_read(folder / "config.json")["model"])
        files = [file.stat().st_size for file in folder.iterdir() if file.is_file()]
    except (CheckpointError, OSError, ValueError, KeyError, TypeError, AttributeError):
        return None
    size, metrics, kind = n_parameters(config), metrics_of(name), kind_of(name)
    licence = SHIPPED_LICENCE if kind == "shipped" else metrics.get("licence")
    return Card(
        name=name,
        kind=kind,
        config=config,
        parameters=size,
        disk_bytes=sum(files),
        memory_bytes=FLOAT_BYTES * size,
        seconds=AS_CHECKSUMS * sum(files) / _bytes_per_second(),
        bleu=score_of(metrics, "bleu"),
        chrf=score_of(metrics, "chrf"),
        licence=licence if isinstance(licence, str) else "",
    )


def kind_of(name: str) -> Kind:
    """Return where a model comes from."""
    if name.startswith(OF_RUN):
        return "trained"
    return "imported" if name.startswith(OF_IMPORT) else "shipped"


@cache
def _bytes_per_second() -> float:
    """Return how fast this machine computes checksums."""
    start = time.perf_counter()
    hashlib.sha256(bytes(SAMPLE_BYTES)).digest()
    return SAMPLE_BYTES / (time.perf_counter() - start)


def readme_of(name: str) -> str:
    """Return a model's own description; empty if it has none."""
    try:
        path = checkpoint.resolve(name) / README
        return path.read_text(encoding="utf-8")[:LONGEST_CARD]
    except (CheckpointError, OSError, ValueError):
        return ""


def describe(name: str, text: str) -> None:
    """Write a model's own description; raises UserError."""
    visitors.refuse_keeping()
    with os_errors_as(UserError("model_not_kept")):
        replace_text(checkpoint.resolve(name) / README, text[:LONGEST_CARD])


def can_change(name: str) -> bool:
    """Return whether a model is one of the visitor's, and its run, if any, is not alive."""
    if not visitors.may_keep():
        return False
    if kind_of(name) != "trained":
        return kind_of(name) == "imported"
    return existing(name.removeprefix(OF_RUN)).status().state not in ALIVE


def rename_model(name: str, wanted: str) -> str:
    """Rename a model, and return its new name with its prefix; raises UserError."""
    visitors.refuse_keeping()
    if kind_of(name) == "imported":
        return OF_IMPORT + imported.rename(name.removeprefix(OF_IMPORT), wanted)
    return OF_RUN + rename(name.removeprefix(OF_RUN), wanted)


def rename(name: str, wanted: str) -> str:
    """Rename a run, and return the new name.

    Raises UserError for a name that is taken or not allowed, and for a run that is alive.
    """
    folder, wanted = existing(name), safe_name(wanted)
    if wanted == name:
        return name
    if folder.status().state in ALIVE:
        raise UserError("alive", name=name)
    target = RunFolder.named(wanted)
    if target.path.exists():
        raise UserError("name_taken", name=wanted)
    plan = folder.plan()
    with os_errors_as(UserError("run_not_renamed")):
        folder.path.rename(target.path)
        target.write_plan(replace(plan, name=wanted))
        target.write_settings(plan)
    return wanted


def delete_model(name: str) -> Deleted:
    """Put a model aside together with the run that it comes from; raises UserError."""
    visitors.refuse_keeping()
    if kind_of(name) == "imported":
        return Deleted(name, imported.delete(name.removeprefix(OF_IMPORT)))
    return Deleted(name, existing(name.removeprefix(OF_RUN)).put_aside())


def restore(deleted: Deleted) -> None:
    """Restore a model; raises UserError if its name has been taken since."""
    visitors.refuse_keeping()
    if kind_of(deleted.name) == "imported":
        imported.restore(deleted.aside, deleted.name.removeprefix(OF_IMPORT))
        return
    target = RunFolder.named(deleted.name.removeprefix(OF_RUN)).path
    if target.exists():
        raise UserError("name_taken", name=target.name)
    with os_errors_as(UserError("model_not_kept")):
        deleted.aside.rename(target)


def forget(deleted: Deleted) -> None:
    """Permanently delete what was put aside."""
    shutil.rmtree(deleted.aside, ignore_errors=True)


def packing(name: str) -> Callable[[], BinaryIO]:
    """Return a function that makes a model's zip, with the log and the film of its run.

    It may be called anywhere, as it does not check whose model it is. Raises CheckpointError.
    """
    folder = checkpoint.resolve(name)
    run = RunFolder(folder.parent) if kind_of(name) == "trained" else None
    return lambda: io.BytesIO(pack(folder, run))


def load_zip(data: bytes | BinaryIO, stem: str) -> str:
    """Import the model of a zip, and return its name: `stem`, with a number if that is taken.

    A Marian model, and one that was imported before, join the imported ones; others become
    finished runs. Raises UserError for a file that is no model, and for a name not allowed.
    """
    file, stem = io.BytesIO(data) if isinstance(data, bytes) else data, safe_name(stem)
    visitors.make_room(file.seek(0, io.SEEK_END))
    models = own(checkpoint.MODELS)
    if holds_marian(file):
        name = free_name(stem, models)
        taken = unpack_marian(file, models / name)
        try:
            visitors.make_room(0)  # now that its true size is known
        except UserError:
            shutil.rmtree(taken)
            raise
        return OF_IMPORT + name
    with os_errors_as(CheckpointError("model_not_kept")):
        own_runs().mkdir(parents=True, exist_ok=True)
        with aside("taken", own_runs()) as place:
            folder = RunFolder(place / "run")
            loaded = checkpoint.load(unpack(file, folder.path / "best"))
            visitors.make_room(0)  # now that its true size is known
            if isinstance(loaded.tokenizer, MarianTokenizer):
                models.mkdir(parents=True, exist_ok=True)
                name = free_name(stem, models)
                shutil.move(loaded.folder, models / name)
                return OF_IMPORT + name
            return _keep_run(folder, loaded, stem)


def _keep_run(folder: RunFolder, loaded: Checkpoint, stem: str) -> str:
    plan = _plan(loaded.metrics, loaded.config)
    plan.check_form()
    for part in (*ROWS, "frames"):
        if (came := loaded.folder / part).exists():
            came.rename(folder.path / part)
    step: Any = loaded.metrics.get("step")
    done = max([step if fits(step, int) else 0, *folder.frames()])
    steps = max(done, plan.train.steps if plan.task != LOADED else 0)
    folder.write_status(Status("finished", step=done, steps=steps))
    name = free_name(stem)
    folder.write_plan(replace(plan, name=name, created=time.time()))
    folder.path.rename(RunFolder.named(name).path)
    return OF_RUN + name


def allowed_names() -> tuple[str, ...]:
    """Return name patterns of the models that this visitor may fetch from a hub; () for none."""
    given = settings.SETTINGS
    if not visitors.may_keep():
        return ()
    return given.fetch or (("*",) if given.serve == "own" else ())


def look_up(name: str) -> HubOffer:
    """Ask the hub what it has under a name; raises UserError. Nothing is downloaded."""
    name = repository_of(name)
    _refuse_name(name)
    with QUEUE.aside(), _LOOKS:
        return ask(name, anonymous=settings.SETTINGS.serve != "own")  # the token is the owner's


def fetch(offer: HubOffer) -> None:
    """Start or resume fetching and importing a model; raises UserError."""
    _refuse_name(offer.repository)
    known = fetching()
    came = known.there if known is not None and known.offer == offer else 0
    visitors.make_room(offer.size - came)
    job.start(offer, anonymous=settings.SETTINGS.serve != "own")


def _refuse_name(name: str) -> None:
    visitors.refuse_keeping()
    patterns = allowed_names()
    if not any(fnmatchcase(name, pattern) for pattern in patterns):
        raise UserError("hub_not_allowed", name=name, patterns=", ".join(patterns) or "–")


def fetching() -> Fetching | None:
    """Return what this visitor is fetching, or fetched last."""
    return job.current() if allowed_names() else None


def is_fetching() -> bool:
    """Return whether a model is being fetched for this visitor, or is queued."""
    known = fetching()
    return known is not None and known.status.state in ALIVE


def stop_fetching() -> None:
    """Stop the current fetch, and keep what has arrived."""
    visitors.refuse_keeping()
    job.stop()


def discard_fetched() -> None:
    """Discard the last fetch and the files that arrived; raises UserError."""
    visitors.refuse_keeping()
    job.discard()


def versus(name: str, other: str, text: str) -> Versus:
    """Translate a sentence greedily with two models; raises what `translate` raises."""
    first, second = (translate(model, text, Decoding("greedy")) for model in (name, other))
    a, b = first.capture, second.capture
    same = [token.text for token in (*a.src, *a.tgt)] == [token.text for token in (*b.src, *b.tgt)]
    attend = a.n_layers("cross") and b.n_layers("cross")
    if not same or not attend:
        return Versus(first, second, None)
    means = [one.weights("cross", one.n_layers("cross") - 1).mean(axis=0) for one in (a, b)]
    return Versus(first, second, means[1] - means[0])


def _plan(metrics: Mapping[str, Any], config: ModelConfig) -> Plan:
    """Return the plan that came with a model, without its files, or one made from what is known."""
    try:
        plan = Plan.from_dict(metrics.get("plan", {}))
        texts = (plan.task, plan.source, plan.target, *plan.probe)
        if max(map(len, texts)) <= MAX_CHARACTERS and len(plan.train.rates) <= MOST_RATES:
            plan = replace(plan, model=config, pairs=min(plan.pairs, MOST_PAIRS), snapshots=())
            return replace(plan, data=(), valid="", minutes=None, from_model=False)
    except ValueError:
        pass
    try:
        train = TrainConfig.from_dict(metrics.get("train", {}))
    except (ValueError, TypeError):
        train = TrainConfig()
    return Plan(LOADED, LOADED, "", "", config, train, ("", ""))
