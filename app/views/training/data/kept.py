"""What becomes of a trained model: its name, its zip, more steps, and a place beside another."""

import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, BinaryIO, Final

import numpy as np

from app.data.decoding import Decoding
from app.data.runs import RECORDED, can_repeat, existing, folder_of, start
from app.data.translation import MAX_CHARACTERS, Translation, trained_names, translate
from app.views.training.data.plan import OwnPairs, on_pairs
from model import checkpoint
from model.checkpoint import OF_RUN, CheckpointError
from model.config import ModelConfig, TrainConfig
from model.errors import UserError, os_errors_as
from model.files import fits
from model.runs import folder as runs
from model.runs.archive import pack, unpack
from model.runs.folder import LONGEST_NAME, RunFolder, free_name, safe_name
from model.runs.plan import ALIVE, Plan, Status

__all__ = ["LONGEST_NAME"]

MOST_PAIRS: Final = 1_000_000
MOST_RATES: Final = 100
LOADED: Final = "loaded"  # the task of a model that came in a zip which does not name one


@dataclass(frozen=True, eq=False)
class Versus:
    """One sentence by two models; `difference` is the second's attention minus the first's.

    It is the mean over the heads of the last layer of encoder-decoder attention, (T, S); None
    where the two did not read and write the same tokens.
    """

    first: Translation
    second: Translation
    difference: np.ndarray | None


def model_of(name: str) -> str | None:
    """Return the model that a run has made so far, by its name in the list of models."""
    model = f"{OF_RUN}{name}"
    return model if model in trained_names() else None


def rename(name: str, wanted: str) -> str:
    """Give a run another name, and return it.

    Raises UserError for a name that is taken or that no run can have, and for a run that is alive.
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


def packed(name: str) -> bytes:
    """Return a run's model as a zip; raises CheckpointError."""
    return pack(checkpoint.resolve(f"{OF_RUN}{name}"))


def take_in(data: bytes | BinaryIO, stem: str) -> str:
    """Make a finished run of a model in a zip, and return its name: `stem`, numbered if taken.

    Raises UserError for what is no model, and for a name that no run can have.
    """
    stem = safe_name(stem)
    with os_errors_as(CheckpointError("model_not_kept")):
        runs.RUNS.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix=".taken.", dir=runs.RUNS) as aside:
            folder = RunFolder(Path(aside) / "run")
            loaded = checkpoint.load(unpack(data, folder.path / "best"))
            plan = _plan(loaded.metrics, loaded.config)
            plan.check_form()
            step: Any = loaded.metrics.get("step")
            done = step if fits(step, int) else 0
            folder.write_status(Status("finished", step=done, steps=done))
            name = free_name(stem)
            folder.write_plan(replace(plan, name=name, created=time.time()))
            folder.path.rename(RunFolder.named(name).path)
    return name


def can_train_on(name: str) -> bool:
    """Tell whether the state that a training goes on from is there: no zip holds it."""
    return not name.startswith(RECORDED) and folder_of(name).is_saved()


def has_pairs(name: str) -> bool:
    """Tell whether the pairs that a run was trained on are there."""
    return can_repeat(existing(name).plan())


def train_further(name: str, steps: int, own: OwnPairs | None = None) -> str:
    """Begin a new run with a run's weights and a fresh optimiser, and return its name.

    It trains on the pairs that the run was trained on, or else on `own`. Raises what `start`
    raises.
    """
    folder = existing(name)
    plan, files = folder.plan(), folder.files()
    if own is not None:
        plan, files = on_pairs(plan, own), own.files
    train = replace(plan.train, steps=steps, rates=())
    model = checkpoint.resolve(f"{OF_RUN}{name}")
    return start(replace(plan, name=name, train=train, minutes=None), files, model)


def versus(name: str, other: str, text: str) -> Versus:
    """Translate a sentence greedily by two models; raises what `translate` raises."""
    first, second = (translate(model, text, Decoding("greedy")) for model in (name, other))
    a, b = first.capture, second.capture
    same = [token.text for token in (*a.src, *a.tgt)] == [token.text for token in (*b.src, *b.tgt)]
    attend = a.n_layers("cross") and b.n_layers("cross")
    if not same or not attend:
        return Versus(first, second, None)
    means = [one.weights("cross", one.n_layers("cross") - 1).mean(axis=0) for one in (a, b)]
    return Versus(first, second, means[1] - means[0])


def _plan(metrics: Mapping[str, Any], config: ModelConfig) -> Plan:
    """Return the plan that came with a model, without its files; or one that says what is known."""
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
