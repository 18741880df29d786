"""What the files of an imported model say of it."""

from typing import Any

from model import checkpoint
from model.checkpoint import OF_IMPORT, CheckpointError
from model.files import read_json, unchanged
from model.languages import languages_of

__all__ = ["OF_IMPORT"]

_read = unchanged(read_json)


def imported_languages(name: str) -> tuple[str, str]:
    """Return the two languages of an imported model, or else those that its name ends in."""
    return languages_of({"source": "marian"} | metrics_of(name), name.removeprefix(OF_IMPORT))


def metrics_of(name: str) -> dict[str, Any]:
    """Return what was recorded of a model; nothing where that cannot be read."""
    try:
        return _read(checkpoint.resolve(name) / "metrics.json")
    except (CheckpointError, OSError, ValueError):
        return {}
