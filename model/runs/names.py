"""What a run may be called: a plain folder name on every system."""

from __future__ import annotations

from typing import Final

from model.errors import UserError

LONGEST_NAME: Final = 60
# Windows opens a device for these, whatever folder they are in.
DEVICES: Final = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{i}" for port in ("com", "lpt") for i in range(1, 10))]
)


def safe_name(name: str) -> str:
    """Return a run's name, stripped; raises UserError for one that is no plain folder name."""
    name = name.strip()
    plain = all(char.isalnum() or char in " -_" for char in name)
    short = len(name) <= LONGEST_NAME and len(name.encode()) <= 3 * LONGEST_NAME
    if name and plain and short and name.casefold() not in DEVICES:
        return name
    raise UserError("bad_name", name=name[:LONGEST_NAME], most=LONGEST_NAME)
