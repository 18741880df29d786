"""What was measured of a model, kept beside it as a JSON file: `format`, and a record's fields.

Numbers have five digits. The file is no part of the model, whose checksums do not list it: it names
the weights that were measured itself.
"""

import json
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import ClassVar, Final, Self

from model.files import built, read_json, replace_text, sha256

FORMAT: Final = 1


@dataclass(frozen=True)
class KeptRecord:
    """A record with its file's `name`; `weights` is the checksum of the weights measured."""

    name: ClassVar[str]
    indent: ClassVar[int | None] = None  # for people to read
    weights: str

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all; raises OSError."""
        exact = json.dumps({"format": FORMAT} | asdict(self))
        value = json.loads(exact, parse_float=lambda number: float(f"{float(number):.5g}"))
        separators = (",", ":") if self.indent is None else None
        text = json.dumps(value, ensure_ascii=False, indent=self.indent, separators=separators)
        replace_text(path, text + "\n")

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the file; raises OSError, and ValueError for one that is not of this format."""
        value = read_json(path)
        if value.pop("format", None) != FORMAT:
            raise ValueError(f"{path} is no {cls.name} of format {FORMAT}.")
        try:
            return built(cls, value)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{path} is no {cls.name}.") from error

    @classmethod
    def load_for(cls, folder: Path) -> Self | None:
        """Return the record in a model's folder; None without one, or if it is of other weights."""
        try:
            found = cls.load(folder / cls.name)
        except (OSError, ValueError):
            return None
        return found if found.weights == sha256(folder / "weights.safetensors") else None
