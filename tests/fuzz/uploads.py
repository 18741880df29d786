"""Files as people upload them, changed at random: each is accepted, or refused in one sentence.

Each raises nothing but ValueError, takes less than a second of processor time and little memory,
and leaves nothing on the disk.
"""

from __future__ import annotations

import io
import json
import random
import re
import shutil
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from tempfile import TemporaryDirectory
from typing import Any, Final

import torch
from safetensors.torch import load, save

from app.lesson import Lesson, Stop
from model import marian_files
from model.checkpoint import FILES
from model.interpret.trace import Trace
from model.marian import DECODER_PARTS, PARTS
from model.runs.archive import holds_marian, pack, unpack, unpack_marian
from model.runs.film import Frame, film
from model.runs.folder import RunFolder
from model.runs.plan import ROWS
from model.text.pairs import Pair, parse_tsv, separator_of, with_tabs
from model.text.sentencepiece import SentencePiece
from tests.memory import begin_peak, peak
from tests.model.hostile import charsmap, repacked, sentence_piece, unzipped, zipped
from tests.model.samples import letters_tokenizer, save_tiny, tiny_capture, tiny_model

SECONDS: Final = 1.0  # of processor time, for one file
KILOBYTES: Final = 200_000  # of memory, for all files of a kind
# What parsers stumble over, to put in place of a value.
ODD: Final = (
    b"null", b"true", b"-1", b"0", b"1e400", b"NaN", str(2**64).encode(), str(2**62).encode(),
    b"9" * 5000, b'""', b"[]", b"{}", b"[" * 100_000, b'{"a":' * 20_000, b'"\\ud800"', b'"I8"',
    b'{"type":"Precompiled","precompiled_charsmap":"AAAA"}',
)  # fmt: skip
MARIAN: Final = (*marian_files.LARGEST, marian_files.WEIGHTS)
VALUE: Final = re.compile(rb'-?\d[\d.]*|"[^"]{0,40}"|null|true|false')


@dataclass(frozen=True)
class Kind:
    """A kind of upload: a good file, and a function to open one in a folder that it cleans up."""

    good: Callable[[], bytes]
    open: Callable[[bytes, Path], object]


def changed(data: bytes, rng: random.Random) -> bytes:
    """Return a file with one to four changes."""
    made = bytearray(data)
    for _ in range(rng.randint(1, 4)):
        # The beginning, which holds sizes and names, is changed as often as all the rest.
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
    """Open changed files; return how many were accepted. A failure names the round to repeat it."""
    tested, taken, refused, before = (KINDS | SLOW)[kind], 0, 0, begin_peak()
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
    file = io.BytesIO(data)
    shutil.rmtree((unpack_marian if holds_marian(file) else unpack)(file, folder / "model"))


def _file_of_zip(name: str) -> Kind:
    """Return one file of a model's zip, whose checksum is always right."""
    return Kind(
        lambda: unzipped(_zip())[name],
        lambda data, folder: _open_zip(repacked(_zip(), {name: data}), folder),
    )


@cache
def _marian() -> Mapping[str, bytes]:
    """Return the files of a small Marian model."""
    d, f, pieces = 8, 16, ["</s>", "<unk>", *"abc▁", "<pad>"]
    chance = torch.Generator().manual_seed(5)  # a file that compresses too well is refused
    weights = {"model.shared.weight": torch.rand(len(pieces), d, generator=chance)}
    weights["final_logits_bias"] = torch.rand(1, len(pieces), generator=chance)
    for stack, parts in (("encoder", PARTS), ("decoder", DECODER_PARTS)):
        for part in (part for names in parts.values() for part in names):
            rows, cols = {"fc1": (f, d), "fc2": (d, f)}.get(part, (d, d))
            shape = (rows,) if part.endswith("norm") else (rows, cols)
            weights[f"model.{stack}.layers.0.{part}.weight"] = torch.rand(shape, generator=chance)
            weights[f"model.{stack}.layers.0.{part}.bias"] = torch.rand(rows, generator=chance)
    config = {"model_type": "marian", "d_model": d, "activation_function": "relu"}
    for side in ("encoder", "decoder"):
        config |= {f"{side}_attention_heads": 2, f"{side}_ffn_dim": f, f"{side}_layers": 1}
    config |= {"max_position_embeddings": 16, "forced_eos_token_id": None}
    spm = sentence_piece("abc▁", charsmap({b"a": b"xx", b"ab": b"y"}))
    return {
        marian_files.CONFIG: json.dumps(config).encode(),
        marian_files.VOCABULARY: json.dumps({p: i for i, p in enumerate(pieces)}).encode(),
        marian_files.SOURCE: spm,
        marian_files.TARGET: spm,
        marian_files.SETTINGS: b'{"source_lang": "es", "target_lang": "en"}',
        marian_files.README: b"---\nlicense: mit\n---\n",
        "generation_config.json": b'{"num_beams": 4}',
        marian_files.WEIGHTS: save(weights),
    }


def _file_of_marian(name: str) -> Kind:
    """Return one file of a Marian model's zip."""
    return Kind(
        lambda: _marian()[name],
        lambda data, folder: _open_zip(zipped({**_marian(), name: data}), folder),
    )


def _pickled() -> bytes:
    made = io.BytesIO()
    torch.save(load(_marian()[marian_files.WEIGHTS]), made)
    return made.getvalue()


def _open_pickled(data: bytes, folder: Path) -> None:
    others = {name: file for name, file in _marian().items() if name != marian_files.WEIGHTS}
    _open_zip(zipped({**others, marian_files.PICKLED: data}), folder)


def _open_spm(data: bytes, _folder: Path) -> None:
    SentencePiece.read(data, "source.spm").encode("a b ab c" * 100)


def _open_pairs(data: bytes, _folder: Path) -> None:
    parse_tsv(with_tabs(data, separator_of(data)), 1000)


def _in_file(read: Callable[[Path], object], name: str) -> Callable[[bytes, Path], None]:
    """Return a function that opens a file of this name in a folder, and removes it afterwards."""

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


def _lesson() -> Lesson:
    stop = Stop("translate", "", {"text": "hola", "layer": "2"}, "Look here.", "Ask them first.")
    return Lesson("A lesson", (stop, Stop("heads", "every")))


def _rows() -> bytes:
    row: Mapping[str, Any] = {"step": 1, "loss": 2.5, "learning_rate": 0.1, "seconds": 1.0}
    return b"\n".join(json.dumps(dict(row) | {"step": i}).encode() for i in range(20))


KINDS: Final[dict[str, Kind]] = {
    "zip": Kind(_zip, _open_zip),
    **{name: _file_of_zip(name) for name in FILES},
    "spm": Kind(
        lambda: sentence_piece("abc▁", charsmap({b"a": b"xx", b"ab": b"y"})), _open_spm
    ),
    "marian": Kind(lambda: zipped(_marian()), _open_zip),
    **{f"marian/{name}": _file_of_marian(name) for name in MARIAN},
    "lesson": Kind(_lesson().to_file, lambda data, _: Lesson.from_file(data)),
    "lesson's link": Kind(
        lambda: _lesson().to_link().encode(),
        lambda data, _: Lesson.from_link(data.decode(errors="replace")),
    ),
    "pairs": Kind(lambda: "Qué será\tWhat will be\n".encode() * 20, _open_pairs),
    "trace": Kind(lambda: tiny_capture()[1].to_bytes(), lambda data, _: Trace.parse(data)),
    "frame": Kind(_frame, _in_file(Frame.load, "00000007.safetensors")),
    **{
        name: Kind(_rows, _in_file(lambda path: RunFolder(path.parent).odd_files(), name))
        for name in ROWS
    },
}  # fmt: skip
# Kinds that start a process per file: only the full command opens them.
SLOW: Final[dict[str, Kind]] = {f"marian/{marian_files.PICKLED}": Kind(_pickled, _open_pickled)}
