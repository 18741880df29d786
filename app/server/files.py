"""Files that the app makes and browsers keep: the hash of a file's content is part of its name."""

import hashlib
from collections import OrderedDict
from pathlib import PurePath
from typing import Final

FOLDER: Final = "/files"
MAX_FILES: Final = 300  # some of each model and language
PUBLISHED: Final[dict[str, bytes]] = {}
_passing: Final[OrderedDict[str, None]] = OrderedDict()  # the names of those that are not kept


def publish(name: str, content: str, kept: bool = False) -> str:
    """Serve a text, and return its address on this server; the name's ending tells its type.

    The file that was published longest ago makes room for a new one, unless it is `kept`.
    """
    encoded, path = content.encode(), PurePath(name)
    name = f"{path.stem}.{hashlib.sha256(encoded).hexdigest()[:16]}{path.suffix}"
    PUBLISHED[name] = encoded
    if not kept:
        _passing[name] = None
        _passing.move_to_end(name)
    if len(_passing) > MAX_FILES:
        del PUBLISHED[_passing.popitem(last=False)[0]]
    return f"{FOLDER}/{name}"


def published(address: str) -> bytes:
    """Return the content of a file that was published."""
    return PUBLISHED[PurePath(address).name]
