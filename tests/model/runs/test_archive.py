"""A model travels as a zip; anything else is refused at once, and nothing of it runs."""

from __future__ import annotations

import io
import json
import math
import pickle
import random
import stat
import sys
import time
import tracemalloc
import zipfile
from collections.abc import Callable, Mapping
from pathlib import Path

import pytest
import torch
from safetensors.torch import load, save

from model import checkpoint
from model.checkpoint import FILES, STATE, CheckpointError
from model.runs.archive import MANIFEST, README, ArchiveError, pack, unpack
from tests.model.hostile import signed, unzipped, zipped
from tests.model.samples import same_weights, save_tiny

SECONDS = 1.0
MEMORY = 2 * 2**20
RAN = "model_archive_ran"
Files = dict[str, bytes]


class Evil:
    """Unpickled, it leaves a trace."""

    def __reduce__(self) -> tuple[object, tuple[str]]:
        return exec, (f"import sys; sys.{RAN} = True",)


@pytest.fixture(scope="module")
def packed(tmp_path_factory: pytest.TempPathFactory) -> bytes:
    folder = tmp_path_factory.mktemp("made") / "model"
    save_tiny(folder, seed=3, state=({"x": torch.zeros(2)}, {"step": 1}))
    (folder / "README.md").write_text("A card.", encoding="utf-8")
    return pack(folder)


@pytest.fixture(scope="module")
def files(packed: bytes) -> Files:
    with zipfile.ZipFile(io.BytesIO(packed)) as archive:
        return {name: archive.read(name) for name in archive.namelist()}


def with_json(file: bytes, **values: object) -> bytes:
    return json.dumps(json.loads(file) | values).encode()


def refused(data: bytes, folder: Path, match: str) -> None:
    """Unpack what must be refused: soon, and with nothing left or run."""
    before = set(folder.iterdir())
    start = time.thread_time()  # what other programs take does not count
    with pytest.raises(ArchiveError, match=match) as caught:
        unpack(data, folder / "uploaded")
    assert time.thread_time() - start < SECONDS
    assert set(folder.iterdir()) == before
    assert not hasattr(sys, RAN)
    sentence = str(caught.value)
    assert sentence.endswith(".")
    assert "\n" not in sentence
    assert len(sentence) < 300
    assert str(folder) not in sentence


def test_a_model_comes_back_as_it_was(packed: bytes, files: Files, tmp_path: Path) -> None:
    assert set(files) == {*FILES, MANIFEST, README}  # and not what resuming needs
    folder = unpack(packed, tmp_path / "runs" / "mine" / "best")
    loaded = checkpoint.load(folder)
    assert same_weights(loaded.model, save_tiny(tmp_path / "again", seed=3))
    assert loaded.metrics == {"seed": 3}
    assert (folder / "README.md").read_text(encoding="utf-8") == "A card."
    assert unzipped(pack(folder)) == files
    assert not (folder / STATE).exists()
    assert [path.name for path in (tmp_path / "runs" / "mine").iterdir()] == ["best"]


def test_a_file_is_read_as_its_bytes_are(packed: bytes, tmp_path: Path) -> None:
    assert checkpoint.load(unpack(io.BytesIO(packed), tmp_path / "mine")).metrics == {"seed": 3}
    assert unpack(zipped({**unzipped(packed)}, zipfile.ZIP_STORED), tmp_path / "stored").is_dir()


def test_nothing_that_is_there_is_replaced(packed: bytes, tmp_path: Path) -> None:
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "kept").touch()
    with pytest.raises(CheckpointError, match="could not be kept"):
        unpack(packed, tmp_path / "mine")
    assert [path.name for path in tmp_path.iterdir()] == ["mine"]
    assert [path.name for path in (tmp_path / "mine").iterdir()] == ["kept"]


def test_what_is_damaged_is_not_packed(tmp_path: Path) -> None:
    save_tiny(tmp_path / "model")
    (tmp_path / "model" / "metrics.json").write_text("{}", encoding="utf-8")
    with pytest.raises(CheckpointError, match="its checksum differs"):
        pack(tmp_path / "model")


def refused_in_little_memory(data: bytes, folder: Path, match: str) -> None:
    tracemalloc.start()
    try:
        refused(data, folder, match)
        _, peak = tracemalloc.get_traced_memory()
    finally:
        tracemalloc.stop()
    assert peak < MEMORY


PICKLE = pickle.dumps(Evil())


def _listed(name: str, content: bytes = b"x", kind: int = 0) -> Callable[[Files], bytes]:
    """Add a file under a name that the library itself would mend, or of another kind."""

    def pack_it(files: Files) -> bytes:
        size, made = max(1, len(name.encode())), io.BytesIO(zipped(files))
        with zipfile.ZipFile(made, "a") as archive:
            info = zipfile.ZipInfo("m" * size)
            info.external_attr = kind << 16
            archive.writestr(info, content)
        return made.getvalue().replace(b"m" * size, name.encode() or b"\0")

    return pack_it


def _encrypted(files: Files) -> bytes:
    made = bytearray(zipped(files))
    made[made.index(b"PK\x01\x02") + 8] |= 1
    return bytes(made)


def _large_form(files: Files) -> bytes:
    made = zipped(files)
    return made[:-22] + b"PK\x06\x07" + bytes(16) + made[-22:]


def _million_files(_files: Files) -> bytes:
    entry = zipped({"x": b""})
    entry = entry[entry.index(b"PK\x01\x02") : entry.index(b"PK\x05\x06")]
    n = 200_000
    end = b"PK\x05\x06" + bytes(4) + 2 * (n % 65536).to_bytes(2, "little")
    end += (n * len(entry)).to_bytes(4, "little") + bytes(4) + bytes(2)
    return entry * n + end


def _cut(share: float) -> Callable[[Files], bytes]:
    return lambda files: (made := zipped(files))[: int(share * len(made))]


def _without(name: str) -> Callable[[Files], bytes]:
    return lambda files: zipped({one: data for one, data in files.items() if one != name})


NAMES = [
    "../evil", "/tmp/evil", "..\\evil", "C:\\evil", "best/../../evil", "weights.safetensors/../x",
    "model.pkl", "pytorch_model.bin", "state.safetensors", "evil.py", "folder/", "./config.json",
    "CONFIG.JSON", "con", "x" * 300, "config.json\0.py", "ñ\u202egpj.exe", "", "config.json",
    *(f"frames/{step}.safetensors" for step in ("1", "../../ab", "0000001x", "000000001")),
]  # fmt: skip
NO_FILE, LARGE_LIST = "not a file of a model", "list of files in the zip is larger"
# What is no zip of a model: how it is made, and what is said of it.
ZIPS: Mapping[str, tuple[Callable[[Files], bytes], str]] = {
    "empty": (lambda _: b"", "zip|list"),
    "text": (lambda _: b"Qu\xc3\xa9 ser\xc3\xa1\tWhatever will be\n" * 100, "zip|list"),
    "a pickle": (lambda _: PICKLE, "zip|list"),
    "an end alone": (lambda _: b"PK\x05\x06" + b"\x01" * 16 + b"\0\0", "zip|list"),
    "noise": (lambda _: random.Random(0).randbytes(2**20), "zip|list"),
    "nothing in it": (lambda _: zipped({}), r"The zip has no config\.json"),
    "encrypted": (_encrypted, NO_FILE),
    "the large form": (_large_form, LARGE_LIST),
    "a list of a million files": (_million_files, LARGE_LIST),
    "bzip2": (lambda files: zipped(files, zipfile.ZIP_BZIP2), NO_FILE),
    "lzma": (lambda files: zipped(files, zipfile.ZIP_LZMA), NO_FILE),
    **{f"cut to {share}": (_cut(share), "only part of one") for share in (0.01, 0.7, 0.99)},
    **{f"without {one}": (_without(one), f"The zip has no {one}") for one in (*FILES, MANIFEST)},
    **{ascii(name): (_listed(name), f"{NO_FILE}|not a zip") for name in NAMES},
    **{
        f"of the kind {kind:o}": (_listed("log.jsonl", b"/etc/passwd", kind | 0o777), NO_FILE)
        for kind in (stat.S_IFLNK, stat.S_IFDIR, stat.S_IFIFO, stat.S_IFCHR)
    },
}  # fmt: skip


@pytest.mark.parametrize(("make", "match"), ZIPS.values(), ids=ZIPS.keys())
def test_what_is_no_zip_of_a_model(
    files: Files, make: Callable[[Files], bytes], match: str, tmp_path: Path
) -> None:
    check = refused_in_little_memory if match == LARGE_LIST else refused
    check(make({**files}), tmp_path, match)


def test_what_torch_saves_is_refused_unread(tmp_path: Path) -> None:
    torch.save({"x": torch.zeros(3), "evil": Evil()}, tmp_path / "model.pt")
    refused((tmp_path / "model.pt").read_bytes(), tmp_path, "list of files|not a file of")


@pytest.mark.parametrize(
    "name", ["weights.safetensors", "tokenizer.json", "frames/00000000.safetensors"]
)
def test_bombs_are_refused(files: Files, name: str, tmp_path: Path) -> None:
    refused_in_little_memory(
        zipped(files | {name: bytes(40_000_000)}), tmp_path, f"{name} in the zip is larger|damaged"
    )


def test_a_bomb_that_lies_about_its_size_is_refused(files: Files, tmp_path: Path) -> None:
    made = bytearray(zipped(files | {"tokenizer.json": bytes(40_000_000)}))
    for signature, at in ((b"PK\x03\x04", 22), (b"PK\x01\x02", 24)):
        place = -1
        while (place := made.find(signature, place + 1)) >= 0:
            if int.from_bytes(made[place + at : place + at + 4], "little") == 40_000_000:
                made[place + at : place + at + 4] = (1000).to_bytes(4, "little")
    refused_in_little_memory(bytes(made), tmp_path, "not a zip file|larger")


@pytest.mark.parametrize("name", FILES)
def test_a_flipped_bit(files: Files, name: str, tmp_path: Path) -> None:
    changed = bytearray(files[name])
    changed[len(changed) // 2] ^= 1
    refused(zipped(files | {name: bytes(changed)}), tmp_path, f"{name} is damaged")


def _config(**values: object) -> Callable[[Files], Files]:
    def change(files: Files) -> Files:
        model = json.loads(files["config.json"])["model"] | values
        return signed(files, {"config.json": with_json(files["config.json"], model=model)})

    return change


def _tokenizer(**values: object) -> Callable[[Files], Files]:
    name = "tokenizer.json"
    return lambda files: signed(files, {name: with_json(files[name], **values)})


def _weights(change: Callable[[dict[str, torch.Tensor]], object]) -> Callable[[Files], Files]:
    def changed(files: Files) -> Files:
        weights = load(files["weights.safetensors"])
        change(weights)
        return signed(files, {"weights.safetensors": save(weights)})

    return changed


def _vocabulary(size: int) -> Callable[[Files], Files]:
    """Grow the tables alone: a vocabulary of a million took 10.9 GB for one translation."""

    def grow(weights: dict[str, torch.Tensor]) -> None:
        for name in ("src_embed.weight", "generator.bias"):
            weights[name] = torch.randn(size, *weights[name].shape[1:], dtype=weights[name].dtype)

    return lambda files: _config(vocab_size=size)(_weights(grow)(files))


def _no_pieces(files: Files) -> Files:
    made = json.loads(files["tokenizer.json"])["model"]
    made["vocab"] = {("☃" if piece == "Ġ" else piece): i for piece, i in made["vocab"].items()}
    made["merges"] = []
    return _tokenizer(model=made)(files)


def _typed(dtype: torch.dtype) -> Callable[[Files], Files]:
    """Store one array as another type: it was taken, and what was lost of it was not said."""
    name = "generator.bias"
    return _weights(lambda weights: weights.update({name: weights[name].to(dtype)}))


def _long_header(files: Files) -> Files:
    rng = random.Random(0)  # which keeps it from shrinking
    header = json.dumps({rng.randbytes(99).hex(): EMPTY for _ in range(6_000)}).encode()
    return signed(files, {"weights.safetensors": len(header).to_bytes(8, "little") + header})


EMPTY = {"dtype": "F32", "shape": [0], "data_offsets": [0, 0]}
DAMAGED = {"type": "Precompiled", "precompiled_charsmap": "/////w=="}  # it aborts the library
TYPED = r"generator\.bias in weights\.safetensors is stored as {}; weights are F16"
NOT_A_MODEL = "no model of this project"
FOREIGN: Mapping[str, tuple[Callable[[Files], Files], str]] = {
    "a pickle as weights": (
        lambda files: signed(files, {"weights.safetensors": PICKLE}), NOT_A_MODEL
    ),
    "a pickle as manifest": (lambda files: files | {MANIFEST: PICKLE}, NOT_A_MODEL),
    "a list as manifest": (lambda files: files | {MANIFEST: b"[]"}, NOT_A_MODEL),
    "another shape": (_config(d_ff=64), r"do not fit .* Of another shape: decoder\.0\.ffn\."),
    "a layer more": (_config(n_encoder_layers=3), r"do not fit .* Missing: encoder\.2\."),
    "a shape beyond all memory": (
        _config(d_model=65_536, n_heads=1, d_ff=262_144), r"do not fit its configuration"
    ),
    "positions beyond all memory": (_config(max_len=10**9), NOT_A_MODEL),
    "positions beyond all use": (_config(max_len=10_000), "max_len is 10000: at most 1024"),
    "more pieces than the tokenizer has": (_vocabulary(2_000), NOT_A_MODEL),
    "another padding": (_config(pad_id=7), NOT_A_MODEL),
    "not finite": (
        _weights(lambda weights: weights["generator.bias"][3].fill_(math.nan)),
        r"numbers that are not finite: generator\.bias\.$",
    ),
    "whole numbers": (_typed(torch.int64), TYPED.format("I64")),
    "small whole numbers without a scale": (
        _typed(torch.int8), r"do not fit .* Missing: generator\.bias\.scale"
    ),
    "yes and no": (_typed(torch.bool), TYPED.format("BOOL")),
    "complex numbers": (_typed(torch.complex64), TYPED.format("C64")),
    "a header of megabytes": (_long_header, NOT_A_MODEL),
    "a tokenizer that aborts": (_tokenizer(normalizer=DAMAGED), NOT_A_MODEL),
    "a tokenizer with pieces that are no bytes": (_no_pieces, NOT_A_MODEL),
    "scores that are none": (
        lambda files: signed(files, {"metrics.json": b'{"test": 5}'}), NOT_A_MODEL
    ),
}  # fmt: skip


@pytest.mark.parametrize(("change", "match"), FOREIGN.values(), ids=FOREIGN.keys())
def test_what_is_foreign(
    files: Files, change: Callable[[Files], Files], match: str, tmp_path: Path
) -> None:
    refused(zipped(change(dict(files))), tmp_path, match)
