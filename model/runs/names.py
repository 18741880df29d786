"""What a run may be called: a plain folder name on every system."""

from __future__ import annotations

from typing import Final

LONGEST_NAME: Final = 60
# Windows opens a device for these, whatever folder they are in.
DEVICES: Final = frozenset(
    ["con", "prn", "aux", "nul", *(f"{port}{i}" for port in ("com", "lpt") for i in range(1, 10))]
)


class NameTakenError(ValueError):
    """There is a run of this name; the message is one sentence for people."""

    def __init__(self, name: str) -> None:
        super().__init__(f"There is already a run {name!r}: choose another name.")


def safe_name(name: str) -> str:
    """Return a run's name, stripped; raises ValueError for one that is no plain folder name."""
    name = name.strip()
    plain = all(char.isalnum() or char in " -_" for char in name)
    if not name or not plain or name.casefold() in DEVICES:
        raise ValueError("A name is made of letters, digits, blanks, hyphens and underscores.")
    if len(name) > LONGEST_NAME or len(name.encode()) > 3 * LONGEST_NAME:
        raise ValueError(f"A name has at most {LONGEST_NAME} characters.")
    return name
