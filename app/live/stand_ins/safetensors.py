"""Reading a safetensors file with NumPy alone."""

import json
import math
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any, Final

import numpy as np
from absent import absent

__path__: list[str] = []  # its other modules are absent
TYPES: Final = {"F16": np.float16, "F32": np.float32, "F64": np.float64}


def __getattr__(name: str) -> Any:
    return absent(f"safetensors.{name}")


class SafetensorError(Exception):
    """A file that is not what it should be."""


class SafeSlice:
    """What a file says of an array."""

    def __init__(self, entry: dict[str, Any]) -> None:
        self.entry = entry

    def get_shape(self) -> list[int]:
        shape: list[int] = self.entry["shape"]
        return shape

    def get_dtype(self) -> str:
        return str(self.entry["dtype"])


class SafeFile:
    """An open file."""

    def __init__(self, path: Path, framework: str) -> None:
        self.data, self.framework = path.read_bytes(), framework
        self.start = 8 + int.from_bytes(self.data[:8], "little")
        self.entries: dict[str, Any] = json.loads(self.data[8 : self.start])
        self.entries.pop("__metadata__", None)

    def keys(self) -> list[str]:
        return sorted(self.entries)

    def get_slice(self, name: str) -> SafeSlice:
        """Return what it says of an array."""
        return SafeSlice(self.entries[name])

    def get_tensor(self, name: str) -> Any:
        entry = self.entries[name]
        begin, _end = entry["data_offsets"]
        shape = entry["shape"]
        array = np.frombuffer(
            self.data, TYPES[entry["dtype"]], math.prod(shape), self.start + begin
        ).reshape(shape)
        if self.framework == "numpy":
            return array
        from torch import from_numpy

        return from_numpy(array)


@contextmanager
def safe_open(path: Path | str, framework: str) -> Iterator[SafeFile]:
    """Open a file; raises SafetensorError or OSError."""
    try:
        file = SafeFile(Path(path), framework)
    except ValueError as error:
        raise SafetensorError(str(error)) from error
    yield file
