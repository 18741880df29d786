"""A model folder as one zip file: written for download, and treated as untrusted when uploaded.

Only plain files with known names and bounded sizes are read. Sizes are measured on the unpacked
bytes, not taken from the zip's headers. Nothing is unpickled, and the model is loaded once to check
that it is valid before any of it is kept.
"""

import hashlib
import io
import json
import os
import stat
import struct
import zipfile
import zlib
from collections.abc import Mapping, Sequence
from fnmatch import fnmatchcase
from pathlib import Path
from typing import Any, BinaryIO, Final

from model import checkpoint, marian, marian_files
from model.checkpoint import FILES, FORMAT, Checkpoint, CheckpointError
from model.errors import UserError, os_errors_as
from model.files import aside, read_json
from model.runs.film import thinned
from model.runs.folder import RunFolder
from model.runs.plan import ROWS
from model.text.marian_tokenizer import MarianTokenizer

Limits = Mapping[str, tuple[int, int]]
MANIFEST: Final = "manifest.json"
README: Final = "README.md"
WEIGHTS: Final = "weights.safetensors"
# Errors in a model that can be reported in one sentence, without a path.
NAMED: Final = frozenset(
    ["other_weights", "too_few_weights", "weights_type", "weights_not_finite", "beyond_form"]
)
KILOBYTE, MEGABYTE = 2**10, 2**20
MOST_FRAMES: Final = 100  # of a film
# The largest size of each file, in bytes and as a multiple of the zip's size (weights hardly
# compress). The name of a frame is a pattern.
LARGEST: Final[Limits] = {
    MANIFEST: (64 * KILOBYTE, 100),
    "config.json": (64 * KILOBYTE, 100),
    "metrics.json": (MEGABYTE, 100),
    "tokenizer.json": (8 * MEGABYTE, 100),
    README: (MEGABYTE, 100),
    **dict.fromkeys(ROWS, (16 * MEGABYTE, 100)),
    f"frames/{8 * '[0-9]'}.safetensors": (MEGABYTE, 100),  # half of it at the base size
    WEIGHTS: (512 * MEGABYTE, 4),  # the base size in 32 bits takes 200, OPUS-MT 310
}
# The same for a Marian model as Hugging Face saves it, including files that are not needed here.
LARGEST_MARIAN: Final[Limits] = {
    **{name: (size, 100) for name, size in marian_files.LARGEST.items()},
    **{name: (size, 4) for name, size in marian_files.LARGEST_WEIGHTS.items()},
    **dict.fromkeys(("generation_config.json", ".gitattributes"), (64 * KILOBYTE, 100)),
    "special_tokens_map.json": (64 * KILOBYTE, 100),
}
# What Python's zipfile raises for inconsistent lists of files.
NOT_A_ZIP: Final = (
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
    EOFError,
    RuntimeError,
    ValueError,
)
CHUNK: Final = 64 * KILOBYTE
LONGEST_SHOWN: Final = 20
# The record that ends a zip without a comment, and the longest list of files that is read.
END: Final = b"PK\x05\x06"
END_BYTES: Final = 22
LARGEST_LIST: Final = 16 * KILOBYTE
# The signature of the Zip64 format (over 4 GB), which stands right before the end record.
END_64: Final = b"PK\x06\x07"
END_64_BYTES: Final = 20


class ArchiveError(CheckpointError):
    """A zip that is refused."""


def pack(folder: Path, run: RunFolder | None = None) -> bytes:
    """Return a model's folder as a zip, without the state for resuming; raises CheckpointError.

    The log and the film of the `run` that made the model are included.
    """
    checkpoint.verify(folder)
    packed = io.BytesIO()
    with os_errors_as(CheckpointError("unreadable", path=str(folder))):
        sums = json.loads((folder / MANIFEST).read_text(encoding="utf-8"))
        readme = [README] if (folder / README).is_file() else []
        with zipfile.ZipFile(packed, "w", zipfile.ZIP_DEFLATED) as archive:
            archive.writestr(MANIFEST, json.dumps({name: sums[name] for name in FILES}, indent=1))
            for name in (*FILES, *readme):
                archive.write(folder / name, name)
            if run is not None:
                for file in _history(run):
                    archive.write(file, file.relative_to(run.path))
    return packed.getvalue()


def _history(run: RunFolder) -> list[Path]:
    """Return the files of a run's log and film; a film with too many frames is thinned."""
    frames = map(run.frame_file, thinned(run.frames(), MOST_FRAMES))
    files = [file for file in (*(run.path / name for name in ROWS), *frames) if file.is_file()]
    limits = (_limit(file.relative_to(run.path).as_posix(), LARGEST) for file in files)
    return [
        file
        for file, most in zip(files, limits, strict=True)
        if most is not None and file.stat().st_size <= most[0]
    ]


def unpack(data: bytes | BinaryIO, into: Path) -> Path:
    """Write the model in a zip to the folder `into`, which must not exist yet; return the folder.

    Raises ArchiveError for anything but a model of this project and version, and CheckpointError
    when the model cannot be written.
    """
    file = io.BytesIO(data) if isinstance(data, bytes) else data
    with os_errors_as(CheckpointError("model_not_kept")):
        into.parent.mkdir(parents=True, exist_ok=True)
        with aside("upload", into.parent) as place:
            folder = place / "model"
            folder.mkdir()
            _check(folder, _extract(file, folder, LARGEST, (*FILES, MANIFEST)))
            folder.rename(into)
    return into


def holds_marian(file: BinaryIO) -> bool:
    """Return whether a zip holds a Marian model; raises ArchiveError if the file is not a zip."""
    _size(file)
    try:
        with zipfile.ZipFile(file) as archive:
            return marian_files.SOURCE in archive.namelist()
    except NOT_A_ZIP as error:
        raise ArchiveError("not_a_zip") from error


def unpack_marian(file: BinaryIO, into: Path) -> Path:
    """Import the Marian model in a zip as the folder `into`, which must not exist yet; return it.

    Raises UserError for anything but a model that can be imported.
    """
    with os_errors_as(CheckpointError("model_not_kept")):
        into.parent.mkdir(parents=True, exist_ok=True)
        with aside("upload", into.parent) as place:
            _extract(file, place, LARGEST_MARIAN, (marian_files.CONFIG,))
            marian.import_marian(place, into)
    return into


def _extract(
    file: BinaryIO, folder: Path, largest: Limits, needed: Sequence[str]
) -> dict[str, str]:
    """Extract the files of a zip, up to the `largest` sizes; return their checksums."""
    size = _size(file)
    try:
        with zipfile.ZipFile(file) as archive:
            return {
                info.filename: _write(archive, info, size, folder, most)
                for info, most in _members(archive.infolist(), largest, needed)
            }
    except CheckpointError:
        raise
    except NOT_A_ZIP as error:
        raise ArchiveError("not_a_zip") from error


def _size(file: BinaryIO) -> int:
    """Return the size of a zip, having checked that its list of files is short."""
    size = file.seek(0, os.SEEK_END)
    file.seek(max(0, size - END_64_BYTES - END_BYTES))
    tail = file.read()
    end = tail[-END_BYTES:]
    if len(end) < END_BYTES or not end.startswith(END) or not end.endswith(b"\0\0"):
        raise ArchiveError("not_a_zip")
    if tail.startswith(END_64) or int.from_bytes(end[12:16], "little") > LARGEST_LIST:
        raise ArchiveError("zip_too_large", what="The list of files")
    return size


def _limit(name: str, largest: Limits) -> tuple[int, int] | None:
    """Return how large a file in a zip may be; None for an unknown name."""
    return next((most for known, most in largest.items() if fnmatchcase(name, known)), None)


def _members(
    infos: list[zipfile.ZipInfo], largest: Limits, needed: Sequence[str]
) -> list[tuple[zipfile.ZipInfo, tuple[int, int]]]:
    """Return the zip's files with their limits, once all are known, plain, complete and unique."""
    members: dict[str, tuple[zipfile.ZipInfo, tuple[int, int]]] = {}
    for info in infos:
        kind = stat.S_IFMT(info.external_attr >> 16)
        plain = kind in (0, stat.S_IFREG) and not info.flag_bits & 0x1  # not encrypted
        readable = info.compress_type in (zipfile.ZIP_STORED, zipfile.ZIP_DEFLATED)
        name = info.orig_filename
        most = _limit(name, largest)
        if most is None or name in members or not (plain and readable):
            raise ArchiveError("zip_member", what=ascii(name[:LONGEST_SHOWN]))
        members[name] = info, most
    for name in needed:
        if name not in members:
            raise ArchiveError("zip_incomplete", what=name)
    return list(members.values())


def _write(
    archive: zipfile.ZipFile, info: zipfile.ZipInfo, size: int, folder: Path, most: tuple[int, int]
) -> str:
    """Write one file unless it is too large; return its checksum."""
    largest = min(most[0], most[1] * size)
    if info.file_size > largest:  # by its own header: no need to unpack it
        raise ArchiveError("zip_too_large", what=info.filename)
    written, checksum = 0, hashlib.sha256()
    file = folder / info.filename
    file.parent.mkdir(exist_ok=True)
    with archive.open(info) as source, file.open("xb") as target:
        while chunk := source.read(CHUNK):
            written += len(chunk)
            if written > largest:
                raise ArchiveError("zip_too_large", what=info.filename)
            checksum.update(chunk)
            target.write(chunk)
    return checksum.hexdigest()


def _check(folder: Path, sums: Mapping[str, str]) -> None:
    """Load the model, and check everything that the pages rely on."""
    promised = _read(folder / MANIFEST)
    for name in FILES:
        if promised.get(name) != sums[name]:
            raise ArchiveError("damaged", file=name)
    if _read(folder / "config.json").get("format") != FORMAT:
        raise ArchiveError("zip_version")
    try:
        _try(checkpoint.load(folder))
    except UserError as error:
        if error.code not in NAMED:
            raise ArchiveError("zip_not_a_model") from error
        raise ArchiveError(error.code, **error.values | {"file": WEIGHTS}) from error
    except Exception as error:  # the tokenizer library may raise anything
        raise ArchiveError("zip_not_a_model") from error


def _try(loaded: Checkpoint) -> None:
    """Raise an error for pieces that cannot be displayed, or for invalid settings or metrics."""
    config, tokenizer = loaded.config, loaded.tokenizer
    # Raises an error unless every piece can be displayed.
    tokenizer.tokens(range(tokenizer.vocab_size))
    if not isinstance(tokenizer, MarianTokenizer):
        config.check_form()
    special = tokenizer.pad_id, tokenizer.bos_id, tokenizer.eos_id
    if (config.pad_id, config.bos_id, config.eos_id) != special:
        raise ValueError("The special tokens are none of this project.")
    for scores in ("test", "validation", "train"):
        if not isinstance(loaded.metrics.get(scores, {}), dict):
            raise ValueError(f"The metrics' {scores} is no object.")


def _read(path: Path) -> dict[str, Any]:
    try:
        return read_json(path)
    except ValueError as error:
        raise ArchiveError("zip_not_a_model") from error
