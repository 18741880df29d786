"""What a hub offers under a model's name: one commit, and its files that the import reads."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, Self

from model.errors import UserError
from model.files import built
from model.languages import direction
from model.marian_files import (
    CONFIG,
    LARGEST,
    LARGEST_WEIGHTS,
    PICKLED,
    SOURCE,
    TARGET,
    VOCABULARY,
    WEIGHTS,
)

NEEDED: Final = (CONFIG, VOCABULARY, SOURCE, TARGET)
REPOSITORY: Final = re.compile(r"[A-Za-z0-9][\w.-]{0,95}/[A-Za-z0-9][\w.-]{0,95}", re.ASCII)
COMMIT: Final = re.compile(r"[0-9a-f]{40}")


@dataclass(frozen=True)
class HubFile:
    """A file's name, size and checksum: SHA-256 for a large file, git's own for a small one."""

    name: str
    size: int
    checksum: str


@dataclass(frozen=True)
class HubOffer:
    """A hub's model at one commit; `licence` and `languages` are from its card, if it has any."""

    repository: str
    commit: str
    files: tuple[HubFile, ...]
    licence: str = ""
    languages: tuple[str, ...] = ()

    @property
    def size(self) -> int:
        """The total size of all files, in bytes."""
        return sum(file.size for file in self.files)

    @property
    def direction(self) -> tuple[str, str] | None:
        """Source and target language, if the name ends in them."""
        found = direction(self.repository)
        return found if all(found) else None

    @classmethod
    def from_dict(cls, values: Mapping[str, Any]) -> Self:
        """Read an offer from JSON; raises ValueError for anything else."""
        try:
            return built(cls, values)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError("This is no offer.") from error


def repository_of(name: str) -> str:
    """Return OWNER/MODEL, also from an address copied from a browser; raises UserError."""
    plain = re.sub(r"^https?://[^/]+/", "", name.strip()).removesuffix("/")
    if not REPOSITORY.fullmatch(plain) or ".." in plain or "--" in plain:
        raise UserError("hub_not_a_name", name=name.strip()[:100])
    return plain


def part_of(name: str) -> str:
    """Return the name of a file while it is incomplete."""
    return f".{name}.part"


def needed_files(there: Mapping[str, HubFile]) -> tuple[HubFile, ...]:
    """Return the files to download, the smallest first; raises UserError if any is missing.

    A file that is larger than an import accepts is refused, too.
    """
    weights = WEIGHTS if WEIGHTS in there or PICKLED not in there else PICKLED
    for name in (*NEEDED, weights):
        if name not in there:
            raise UserError("marian_file_missing", name=name)
    read = dict(LARGEST) | {weights: LARGEST_WEIGHTS[weights]}
    for name, largest in read.items():
        if name in there and not 0 <= there[name].size <= largest:
            raise UserError("marian_too_large", name=name)
    files = (there[name] for name in read if name in there)
    return tuple(sorted(files, key=lambda file: file.size))
