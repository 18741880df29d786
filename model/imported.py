"""Models imported from third parties: the folder `models/`, with one folder for each model."""

import shutil
import time
from collections.abc import Mapping
from pathlib import Path
from typing import Any, Final

from model import checkpoint
from model.checkpoint import OF_IMPORT, Checkpoint
from model.errors import UserError, os_errors_as
from model.files import named, own, safe_name
from model.marian import import_marian

__all__ = ["OF_IMPORT"]

DELETED: Final = ".deleted."


def take_in(folder: Path, name: str, origin: Mapping[str, Any] | None = None) -> Checkpoint:
    """Import a Marian model's folder under a name, and return it; raises UserError.

    `origin` is saved together with what the files say about the model.
    """
    into = _free(name)
    import_marian(folder, into, origin)
    return checkpoint.load(into)


def _free(name: str) -> Path:
    """Return the folder of a new model; raises UserError for a name that is taken or unsafe."""
    path = named(name, own(checkpoint.MODELS))
    if path.exists():
        raise UserError("model_name_taken", "name", name=path.name)
    with os_errors_as(UserError("model_not_kept")):
        path.parent.mkdir(parents=True, exist_ok=True)
    return path


def _existing(name: str) -> Path:
    path = named(name, own(checkpoint.MODELS))
    if not (path / "manifest.json").is_file():
        raise UserError("no_model", name=repr(name[:100]))
    return path


def rename(name: str, wanted: str) -> str:
    """Give a model another name, and return it; raises UserError."""
    path, wanted = _existing(name), safe_name(wanted)
    if wanted != name:
        with os_errors_as(UserError("model_not_renamed")):
            path.rename(_free(wanted))
    return wanted


def delete(name: str) -> Path:
    """Move a model aside, and return its folder for `restore`; raises UserError."""
    path = _existing(name)
    aside = path.with_name(f"{DELETED}{time.monotonic_ns()}")
    with os_errors_as(UserError("model_not_deleted")):
        path.rename(aside)
    return aside


def restore(aside: Path, name: str) -> None:
    """Bring a deleted model back; raises UserError if its name has been taken meanwhile."""
    with os_errors_as(UserError("model_not_kept")):
        aside.rename(_free(name))


def forget(aside: Path) -> None:
    """Permanently delete a model that was moved aside."""
    shutil.rmtree(aside, ignore_errors=True)
