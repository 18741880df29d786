"""Files as people upload them, changed at random: each is taken, or refused in one sentence.

No exception but a ValueError, no second of the processor, no memory, nothing left on the disk.
"""

from __future__ import annotations

import json
import random
import re
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

from model.checkpoint import FILES
from model.interpret.trace import Trace
from model.runs.archive import pack, unpack
from model.runs.film import Frame, film
from model.runs.folder import RunFolder
from model.runs.rows import ROWS
from model.text.pairs import Pair, parse_tsv, separator_of, with_tabs
from model.text.sentencepiece import SentencePiece
from tests.memory import begin_peak, peak
from tests.model.hostile import charsmap, repacked, sentence_piece, unzipped
from tests.model.samples import letters_tokenizer, save_tiny, tiny_capture, tiny_model

SECONDS: Final = 1.0  # of the processor, for one file
KILOBYTES: Final = 200_000  # of memory, for all of a kind
# What parsers stumble over, in the place of a value.
ODD: Final = (
    b"null", b"true", b"-1", b"0", b"1e400", b"NaN", str(2**64).encode(), str(2**62).encode(),
    b"9" * 5000, b'""', b"[]", b"{}", b"[" * 100_000, b'{"a":' * 20_000, b'"\\ud800"', b'"I8"',
    b'{"type":"Precompiled","precompiled_charsmap":"AAAA"}',
)  # fmt: skip
VALUE: Final = re.compile(rb'-?\d[\d.]*|"[^"]{0,40}"|null|true|false')


@dataclass(frozen=True)
class Kind:
    """What is uploaded: a good file, and what opens one, in a folder that it leaves as it was."""

    good: Callable[[], bytes]
    open: Callable[[bytes, Path], object]


def changed(data: bytes, rng: random.Random) -> bytes:
    """Return a file with one to four changes."""
    made = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        # The beginning, where sizes and names stand, is changed as often as all the rest.
        end = len(made) if rng.random() < 0.5 else min(len(made), 400)
        at = rng.randrange(end + 1)
        length = rng.choice((0, 1, 1, 4, 8, 64))
        match rng.randrange(5):
            case 0:
                made[at : at + length] = rng.randbytes(rng.choice((0, length, length)))
            case 1:
                made[at : at + length] = bytes(made[at : at + length]) * rng.choice((2, 1000))
            case 2:
                del made[at:]
            case 3:
                made[at : at + length] = (2 ** rng.randrange(64)).to_bytes(8, "little")[:length]
            case _:
                values = list(VALUE.finditer(made[:50_000]))
                if values:
                    value = rng.choice(values)
                    made[value.start() : value.end()] = rng.choice(ODD)
    return bytes(made)


def survive(kind: str, rounds: int, first: int = 0) -> int:
    """Open changed files; return how many were taken. A failure names the round that repeats it."""
    tested, taken, refused, before = KINDS[kind], 0, 0, begin_peak()
    good = tested.good()
    with TemporaryDirectory() as name:
        folder = Path(name)
        tested.open(good, folder)
        for seed in range(first, first + rounds):
            data = changed(good, random.Random(f"{kind} {seed}"))
            start = time.thread_time()
            try:
                tested.open(data, folder)
                taken += 1
            except ValueError as error:  # UserError is one
                refused += bool(str(error))
            except BaseException as error:
                raise AssertionError(f"{kind}, round {seed}") from error
            assert time.thread_time() - start < SECONDS, f"{kind}, round {seed}"
            assert not any(folder.iterdir()), f"{kind}, round {seed}"
    assert taken + refused == rounds, kind
    assert peak() - before < KILOBYTES, kind
    return taken


@cache
def _zip() -> bytes:
    with TemporaryDirectory() as name:
        save_tiny(Path(name) / "model", seed=3)
        return pack(Path(name) / "model")


def _open_zip(data: bytes, folder: Path) -> None:
    made = unpack(data, folder / "model")
    for file in made.iterdir():
        file.unlink()
    made.rmdir()


def _file_of_zip(name: str) -> Kind:
    """Return one file of a model's zip, whose checksum is always right."""
    return Kind(
        lambda: unzipped(_zip())[name],
        lambda data, folder: _open_zip(repacked(_zip(), {name: data}), folder),
    )


def _open_spm(data: bytes, _folder: Path) -> None:
    SentencePiece.read(data, "source.spm").encode("a b ab c" * 100)


def _open_pairs(data: bytes, _folder: Path) -> None:
    parse_tsv(with_tabs(data, separator_of(data)), 1000)


def _in_file(read: Callable[[Path], object], name: str) -> Callable[[bytes, Path], None]:
    """Return what opens a file of a name in a folder, and takes it away after it."""

    def open_(data: bytes, folder: Path) -> None:
        path = folder / name
        path.write_bytes(data)
        try:
            read(path)
        finally:
            path.unlink()

    return open_


def _frame() -> bytes:
    with TemporaryDirectory() as name:
        path = Path(name) / "frame.safetensors"
        film(tiny_model(), letters_tokenizer(), Pair("a b c", "c b a"), 7).save(path)
        return path.read_bytes()


def _rows() -> bytes:
    row: Mapping[str, Any] = {"step": 1, "loss": 2.5, "learning_rate": 0.1, "seconds": 1.0}
    return b"\n".join(json.dumps(dict(row) | {"step": i}).encode() for i in range(20))


KINDS: Final[Mapping[str, Kind]] = {
    "zip": Kind(_zip, _open_zip),
    **{name: _file_of_zip(name) for name in FILES},
    "spm": Kind(
        lambda: sentence_piece("abc▁", charsmap({b"a": b"xx", b"ab": b"y"})), _open_spm
    ),
    "pairs": Kind(lambda: "Qué será\tWhat will be\n".encode() * 20, _open_pairs),
    "trace": Kind(lambda: tiny_capture()[1].to_bytes(), lambda data, _: Trace.parse(data)),
    "frame": Kind(_frame, _in_file(Frame.load, "00000007.safetensors")),
    **{
        name: Kind(_rows, _in_file(lambda path: RunFolder(path.parent).odd_files(), name))
        for name in ROWS
    },
}  # fmt: skip
