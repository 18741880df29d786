"""Queries a hub and downloads from it, in a child process that is killed if it hangs."""

import json
import logging
import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path
from typing import Any, Final

from model.errors import UserError
from model.files import ROOT
from model.hub.offer import HubOffer, part_of, repository_of

log = logging.getLogger(__name__)
SECONDS_TO_ANSWER: Final = 40  # including the child's start
SECONDS_WITHOUT_A_BYTE = 60
SECONDS_TO_START: Final = 30  # on a busy machine
SECONDS_A_LOOK: Final = 0.2
TOKEN: Final = "HF_TOKEN"
# The library sends nothing unasked, and downloads files without xet: see remote.py.
QUIET: Final = {
    "HF_HUB_DISABLE_IMPLICIT_TOKEN": "1",
    "HF_HUB_DISABLE_TELEMETRY": "1",
    "HF_HUB_DISABLE_UPDATE_CHECK": "1",
    "HF_HUB_DISABLE_XET": "1",
}
ONCE_MORE: Final = ("hub_stalled", "hub_broke_off")


def ask(name: str, anonymous: bool = False) -> HubOffer:
    """Return what a hub currently offers under a name, without downloading it.

    An `anonymous` query uses no token, even if the environment has one. Raises UserError.
    """
    with _child("ask", repository_of(name), anonymous) as child:
        try:
            child.wait(SECONDS_TO_ANSWER)
        except subprocess.TimeoutExpired as error:
            raise UserError("hub_silent", seconds=SECONDS_TO_ANSWER) from error
        finally:
            child.kill()
        return HubOffer.from_dict(_answer(child)["offer"])


def fetch(folder: Path, offer: HubOffer) -> Iterator[int]:
    """Download the files of a folder's offer.json into its `files`; yield how many bytes are there.

    If nothing arrives or the connection breaks, it is retried once. Close the generator to stop:
    what has arrived is kept, and the next call continues from there. Raises UserError.
    """
    for is_last in (False, True):
        try:
            yield from _watched(folder, offer)
            return
        except UserError as error:
            if is_last or error.code not in ONCE_MORE:
                raise
            log.info("%s", error)


def done(folder: Path, offer: HubOffer) -> int:
    """Return how many bytes of an offer's files have arrived."""
    total = 0
    for name in (name for file in offer.files for name in (file.name, part_of(file.name))):
        with suppress(OSError):  # it has just been completed and renamed
            total += (folder / "files" / name).stat().st_size
    return total


def _watched(folder: Path, offer: HubOffer) -> Iterator[int]:
    """Yield the bytes that are there, a few times a second; kill the child if no more arrive."""
    with _child("download", str(folder)) as child:
        try:
            seen, since = done(folder, offer), time.monotonic() + SECONDS_TO_START
            while child.poll() is None:
                there = done(folder, offer)
                if there != seen:
                    seen, since = there, time.monotonic()
                if time.monotonic() - since > SECONDS_WITHOUT_A_BYTE:
                    raise UserError("hub_stalled", seconds=SECONDS_WITHOUT_A_BYTE)
                yield there
                time.sleep(SECONDS_A_LOOK)
        finally:
            child.kill()
        _answer(child)
    yield done(folder, offer)


def _child(command: str, what: str, anonymous: bool = False) -> subprocess.Popen[bytes]:
    environment = os.environ | QUIET
    if anonymous:
        environment.pop(TOKEN, None)
    return subprocess.Popen(
        [sys.executable, "-m", "model.hub.remote", command, what],
        cwd=ROOT,
        env=environment,
        stdin=subprocess.PIPE,  # its end tells the child that this process has ended
        stdout=subprocess.PIPE,
    )


def _answer(child: subprocess.Popen[bytes]) -> dict[str, Any]:
    """Return what a child printed; raises the error in it, or a UserError if it was killed."""
    assert child.stdout is not None
    try:
        answer: dict[str, Any] = json.loads(child.stdout.read())
    except ValueError as error:
        raise UserError("fetch_broke_off", what="its process was ended") from error
    if error_of := UserError.from_dict(answer.get("error")):
        raise error_of
    return answer
