"""Training a trained model further."""

from dataclasses import replace

from app.data.runs import RECORDED, can_repeat, existing, folder_of, start
from app.data.translation import trained_names
from app.views.training.data.plan import OwnPairs, on_pairs
from model import checkpoint
from model.checkpoint import OF_RUN


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
