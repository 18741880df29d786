"""Starts, watches and stops the download and import of a model, for pages and the command line."""

import os
import shutil
import sys
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Final

from model import checkpoint
from model.errors import UserError, os_errors_as
from model.files import own, replace_text, write_json
from model.hub.fetch import TOKEN, done
from model.hub.offer import HubOffer
from model.hub.worker import asked
from model.marian_files import PICKLED, TABLES
from model.runs.folder import RunFolder, free_name
from model.runs.plan import ALIVE, Status

FOLDER: Final = ".fetch"
MEGABYTE: Final = 1e6


@dataclass(frozen=True)
class Fetching:
    """A download: the offer, the model's future name, the status, and the bytes that are there."""

    offer: HubOffer
    name: str
    status: Status
    there: int


def current() -> Fetching | None:
    """Return the current or most recent download, or None if there is none."""
    folder = _folder()
    try:
        offer, name = asked(folder)
    except (OSError, ValueError):
        return None
    return Fetching(offer, name, folder.status(), done(folder.path, offer))


def prepare(offer: HubOffer, name: str = "") -> RunFolder:
    """Return the folder to download an offer into, with what has already arrived of its files.

    Raises UserError if the name is taken, space is lacking, or another download is under way.
    """
    folder, models = _folder(), own(checkpoint.MODELS)
    if (former := current()) is not None and former.status.state in ALIVE:
        raise UserError("fetch_under_way", name=former.offer.repository)
    stem = "".join(char if char.isalnum() else "-" for char in offer.repository.partition("/")[2])
    name = name or free_name(stem.strip("-"), models)
    if RunFolder.named(name, models).path.exists():
        raise UserError("model_name_taken", "name", name=name)
    with os_errors_as(UserError("fetch_not_written")):
        if former is not None and former.offer.files != offer.files:
            shutil.rmtree(folder.path)
        folder.path.mkdir(parents=True, exist_ok=True)
        _refuse_without_space(folder.path, offer)
        write_json(folder.path / "offer.json", asdict(offer))
        replace_text(folder.path / "name", name)
    folder.wish(stop=False)
    folder.write_status(Status("queued", steps=offer.size))
    return folder


def _refuse_without_space(folder: Path, offer: HubOffer) -> None:
    # The imported model needs space besides the download, and pickled weights are copied again.
    copies = 2 + (TABLES if any(file.name == PICKLED for file in offer.files) else 0)
    needed, free = copies * offer.size - done(folder, offer), shutil.disk_usage(folder).free
    if needed > free:
        raise UserError("hub_no_space", needed=needed / MEGABYTE, free=free / MEGABYTE)


def start(offer: HubOffer, name: str = "", anonymous: bool = False) -> None:
    """Start or continue a download in the background; raises what `prepare` raises."""
    folder = prepare(offer, name)
    # The process has no visitor's cookie, so it is told the visitor's folder.
    environment = os.environ | {"MODELS_DIR": str(own(checkpoint.MODELS))}
    if anonymous:
        environment.pop(TOKEN, None)
    with os_errors_as(UserError("fetch_not_written")):
        folder.spawn([sys.executable, "-m", "model.hub.worker", str(folder.path)], environment)


def stop() -> None:
    """Ask the download to stop; what has arrived is kept."""
    _folder().wish(stop=True)


def discard() -> None:
    """Delete the last download and its files; raises UserError while it is under way."""
    if (former := current()) is not None and former.status.state in ALIVE:
        raise UserError("fetch_under_way", name=former.offer.repository)
    if former is not None:
        with os_errors_as(UserError("fetch_not_written")):
            shutil.rmtree(_folder().path)


def _folder() -> RunFolder:
    return RunFolder(own(checkpoint.MODELS) / FOLDER)
