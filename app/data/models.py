"""What the files of an imported model say of it."""

import re
from typing import Any, Final

from model import checkpoint
from model.checkpoint import OF_IMPORT, CheckpointError
from model.files import read_json, unchanged

__all__ = ["OF_IMPORT"]

# At the end of a name such as "opus-es-en".
LANGUAGES: Final = re.compile(r"(?:^|[-_ ])([A-Za-z]{2,8})[-_ ]([A-Za-z]{2,8})$")

_read = unchanged(read_json)


def imported_languages(name: str) -> tuple[str, str]:
    """Return the two languages of an imported model, or else those that its name ends in.

    Its name is that on the hub, if it came from there.
    """
    metrics = metrics_of(name)
    known = metrics.get("languages")
    if isinstance(known, list) and len(known) == 2 and all(isinstance(one, str) for one in known):
        return known[0], known[1]
    found = LANGUAGES.search(str(metrics.get("repository", name.removeprefix(OF_IMPORT))))
    return (found[1], found[2]) if found else ("", "")


def metrics_of(name: str) -> dict[str, Any]:
    """Return what was recorded of a model; nothing where that cannot be read."""
    try:
        return _read(checkpoint.resolve(name) / "metrics.json")
    except (CheckpointError, OSError, ValueError):
        return {}
