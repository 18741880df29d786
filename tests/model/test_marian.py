"""Marian models run through our one Transformer as they run in their own library."""

import json
import math
import random
import shutil
import subprocess
import sys
import time
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import torch
from safetensors.torch import load_file, save_file

from model import checkpoint, pickled
from model.checkpoint import Checkpoint
from model.decoding.beam import best
from model.decoding.search import beam, greedy, greedy_loop, translate_ids
from model.errors import UserError
from model.interpret.calculation.parameters import parameters
from model.interpret.calculation.recompute import check
from model.interpret.recording import capture
from model.marian import import_marian
from model.tasks import make_pairs
from model.text.marian_tokenizer import MarianTokenizer
from model.text.sentencepiece import SentencePiece
from tests.model.forks import ends, fork
from tests.model.marian_samples import (
    Pickled,
    save_marian,
    sentence_pieces,
    theirs,
    train_pieces,
    vocabulary,
)

ROOT = Path(__file__).parents[2]

VARIANTS: list[tuple[str, dict[str, Any], Pickled]] = [
    ("small", {}, ""),
    ("uneven", {"tie_word_embeddings": False}, ""),
    ("tiny", {"share_encoder_decoder_embeddings": False}, ""),
    ("tiny", {"scale_embedding": False}, "new"),
    ("tiny", {}, "old"),  # as the first thousand of OPUS-MT, which were refused as damaged
]


class Forks:
    """Runs what `pickled` runs in a process of its own in a fork of this one: torch is there."""

    DEVNULL, SubprocessError = subprocess.DEVNULL, subprocess.SubprocessError

    @staticmethod
    def run(command: list[str], **_settings: Any) -> None:
        def read() -> None:
            sys.argv = command[2:]
            pickled._main()

        if ends(fork(read)) != [0]:
            raise subprocess.CalledProcessError(1, command)


def sentences(n: int) -> list[str]:
    return [pair.src for pair in make_pairs("phrases-es", n, 0, 1)[0]]


def imported(tmp_path: Path, model: Any, form: Pickled = "") -> Checkpoint:
    import_marian(save_marian(tmp_path / "theirs", model, form), tmp_path / "ours")
    return checkpoint.load(tmp_path / "ours")


@pytest.mark.parametrize(("size", "settings", "form"), VARIANTS)
def test_same_logits_and_translations(
    tmp_path: Path, size: str, settings: dict[str, Any], form: Pickled
) -> None:
    model = theirs(size, **settings)
    with pytest.MonkeyPatch.context() as patch:
        if form == "new":
            patch.setattr(pickled, "subprocess", Forks)
        ours = imported(tmp_path, model, form)
    config = ours.config
    sources = [[*ours.tokenizer.encode(text), config.eos_id] for text in sentences(4)]
    longest = max(map(len, sources))
    src = torch.tensor([ids + [config.pad_id] * (longest - len(ids)) for ids in sources])
    tgt = torch.randint(1, config.pad_id, (len(sources), 9))
    tgt[:, 0] = config.pad_id
    mask = (src != config.pad_id).long()
    with torch.inference_mode():
        expected = model(input_ids=src, attention_mask=mask, decoder_input_ids=tgt).logits
        found = ours.model(src, tgt)
    torch.testing.assert_close(found, expected, atol=1e-4, rtol=0)
    for width in (1, 4):
        generated = model.generate(
            src, attention_mask=mask, num_beams=width, max_new_tokens=20, do_sample=False,
            bad_words_ids=[[config.pad_id]], early_stopping="never", length_penalty=1.0,
        )  # fmt: skip
        special = (config.pad_id, config.eos_id)
        theirs_ids = [[i for i in row if i not in special] for row in generated.tolist()]
        assert translate_ids(ours.model, sources, width, max_len=20) == theirs_ids
    source, target = sources[0], tgt[0].tolist()
    made = capture(ours.model, ours.tokenizer, source, target)
    assert check(made, parameters(ours.model)).passed


def test_a_translation_at_the_limit_ends_as_theirs(tmp_path: Path) -> None:
    """Theirs ends with </s> there, whatever is likelier; ours was cut off one token later."""
    most = 3
    model = theirs("small", forced_eos_token_id=vocabulary()["</s>"])
    with torch.no_grad():
        model.final_logits_bias[0, vocabulary()["</s>"]] = -20  # which it never writes by itself
    ours = imported(tmp_path, model)
    eos_id = ours.config.eos_id
    for text in sentences(2):
        source = [*ours.tokenizer.encode(text), eos_id]
        for width in (1, 4):
            generated = model.generate(
                torch.tensor([source]), num_beams=width, max_new_tokens=most, do_sample=False,
                bad_words_ids=[[ours.config.pad_id]], early_stopping="never", length_penalty=1.0,
                output_scores=True, return_dict_in_generate=True,
            )  # fmt: skip
            expected = generated.sequences[0, 1:].tolist()
            assert len(expected) == most
            assert expected[-1] == eos_id
            assert translate_ids(ours.model, [source], width, max_len=most) == [expected[:-1]]
            if width == 1:
                assert list(best(list(greedy(ours.model, source, most))).tokens) == expected
                assert greedy_loop(ours.model, source, most) == expected
                continue
            found = best(list(beam(ours.model, source, width, max_len=most)))
            assert found.score == pytest.approx(float(generated.sequences_scores[0]), abs=1e-4)


ODD = (
    "", "   ", " a  b ", "\tHola\n mundo", "<s> a", "ﬁne ＡＢＣ １２３", "café", "👩‍👩‍👧 ok",
    "¿Qué?! «no»",
    "日本語 テスト", "ｶﾞｷﾞ", "\u200bzero\u200d", "à́̂b", "…", "½ ²", "ﷺ", "\u00a0x\u3000y", "▁a ▁",
    "ñandú", "\x00\x01ctl\x7f", "한국어 각", "🇩🇪🇫🇷", "a" * 300, ">>eng<< la casa",
    ">>xxx<< la casa",
    ">> la casa", "la >>eng<< casa",
)  # fmt: skip


@pytest.fixture(scope="module")
def saved(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of a tiny model, as another library saved it; tests change copies of it."""
    return save_marian(tmp_path_factory.mktemp("marian") / "theirs", theirs())


def test_cuts_and_joins_as_their_tokenizer(saved: Path) -> None:
    transformers = pytest.importorskip("transformers", reason="transformers is not installed")
    with pytest.warns(UserWarning, match="sacremoses"):
        expected = transformers.MarianTokenizer.from_pretrained(saved)
    source, target = sentence_pieces()
    ours = MarianTokenizer(list(vocabulary()), source, target)
    rng = random.Random(0)
    letters = "estaonrl ¿?áñü\u0301\u200d日본ﾞ🙂\u00a0\t▁ＡＢ"
    drawn = ["".join(rng.choices(letters, k=rng.randint(1, 12))) for _ in range(300)]
    pairs, _ = make_pairs("phrases-es", 100, 0, 1)
    for text in (*ODD, *drawn, *(pair.src for pair in pairs)):
        assert ours.encode(text) == expected(text).input_ids[:-1], text
    for pair in pairs:
        ids = ours.encode_target(pair.tgt)
        assert ids == expected(text_target=pair.tgt).input_ids[:-1]
        assert ours.decode(ids) == expected.decode(ids, skip_special_tokens=True)
        assert ours.decode(ids) == pair.tgt or ours.unk_id in ids


@pytest.mark.parametrize(
    ("rule", "setting"),
    [
        ("identity", ""),
        ("nmt_nfkc_cf", "add_dummy_prefix"),
        ("identity", "remove_extra_whitespaces"),
    ],
)
def test_normalises_as_sentencepiece(rule: str, setting: str) -> None:
    library = pytest.importorskip("sentencepiece", reason="sentencepiece is not installed")
    lines = [pair.src for pair in make_pairs("phrases-es", 200, 0, 0)[0]]
    settings = {setting: False} if setting else {}
    data = train_pieces(lines, 100, normalization_rule_name=rule, **settings)
    theirs_, ours = library.SentencePieceProcessor(model_proto=data), SentencePiece.read(data)
    for text in (*ODD, *lines[:50]):
        assert ours.encode(text) == theirs_.encode(text, out_type=str), text


def edit(path: Path, **values: Any) -> None:
    written = json.loads(path.read_text(encoding="utf-8")) | values
    path.write_text(json.dumps(written), encoding="utf-8")


def rewrite(folder: Path, change: Callable[[dict[str, torch.Tensor]], object]) -> None:
    """Change the tensors of a model."""
    tensors = load_file(folder / "model.safetensors")
    change(tensors)
    save_file(tensors, folder / "model.safetensors")


class Opens:
    """What a pickle that runs code would call."""

    def __reduce__(self) -> Any:
        return open, ("run.txt", "w")


def pickle_endless_key(folder: Path) -> None:
    """Write a dict whose key is two times two times … the same tuple: its hash never ends."""
    pickle(folder, {}, old=True)
    twice = b"q\0h\0\x86"  # keep what is there, take it again, make one tuple of both
    path = folder / "pytorch_model.bin"
    empty = b"\x80\x02}q\x00."
    assert empty in path.read_bytes()
    endless = b"\x80\x02})" + 60 * twice + b"Ns."
    path.write_bytes(path.read_bytes().replace(empty, endless))


def pickle(folder: Path, value: Any, *, old: bool = False) -> None:
    (folder / "model.safetensors").unlink()
    torch.save(value, folder / "pytorch_model.bin", _use_new_zipfile_serialization=not old)


def cut_off(folder: Path, name: str) -> None:
    path = folder / name
    path.write_bytes(path.read_bytes()[: path.stat().st_size // 2])


def cut_off_old(folder: Path) -> None:
    pickle(folder, {"a": torch.zeros(1_000_003)}, old=True)
    cut_off(folder, "pytorch_model.bin")


def link_out(folder: Path) -> None:
    (folder / "vocab.json").rename(folder.parent / "vocab.json")
    (folder / "vocab.json").symlink_to(folder.parent / "vocab.json")


def folder_for_file(folder: Path) -> None:
    (folder / "config.json").unlink()
    (folder / "config.json").mkdir()


def bpe(folder: Path) -> None:
    lines = [pair.src for pair in make_pairs("phrases-es", 200, 0, 0)[0]]
    (folder / "source.spm").write_bytes(train_pieces(lines, 100, model_type="bpe"))


K_PROJ = "model.encoder.layers.0.self_attn.k_proj.weight"
CONFIGS: list[tuple[dict[str, Any], str]] = [
    ({"model_type": "bart"}, "“bart”"),
    ({"activation_function": "gelu_new"}, "activation_function"),
    ({"normalize_before": True}, "normalize_before"),
    ({"separate_vocabs": True}, "separate_vocabs"),
    ({"decoder_attention_heads": 1}, "decoder_attention_heads"),
    ({"decoder_start_token_id": 0}, "decoder_start_token_id"),
    ({"d_model": 65_536}, "Of another shape"),  # a giant's claim
    ({"d_model": "16"}, "d_model"),
    ({"encoder_layers": 10**9}, "64"),
]
TENSORS: list[tuple[Callable[[dict[str, torch.Tensor]], object], str]] = [
    (lambda t: t.pop(K_PROJ), f"Missing: {K_PROJ[:20]}"),
    (lambda t: t.update(extra=torch.zeros(1)), "Not of this model: extra"),
    (lambda t: t.update({K_PROJ: torch.zeros(3, 3)}), "Of another shape: "),
    (lambda t: t[K_PROJ].fill_(math.nan), K_PROJ),
    (lambda t: t.update({K_PROJ: t[K_PROJ].to(torch.int8)}), "stored as I8; weights"),
    (lambda t: t.update({K_PROJ: t[K_PROJ].to(torch.complex64)}), "stored as C64; weights"),
]


def half_a_character(folder: Path) -> None:
    """Its import failed in the middle, and left half a model behind."""
    path = folder / "vocab.json"
    ids = json.loads(path.read_text(encoding="utf-8"))
    ids["\ud800"] = ids.pop(next(piece for piece in ids if piece[0] not in "<▁"))
    path.write_text(json.dumps(ids), encoding="utf-8")


MANY = {str(i): torch.zeros(1).expand(2**26) for i in range(9)}
PICKLES: dict[str, Callable[[Path], object]] = {
    "never ends": pickle_endless_key,
    "fills the memory": lambda f: pickle(f, {"a": torch.zeros(1).expand(2**30)}),
    "fills the disk": lambda f: pickle(f, MANY),
    "runs code": lambda f: pickle(f, {"a": Opens()}),
    "is old and runs code": lambda f: pickle(f, {"a": Opens()}, old=True),
    "is old and claims too much": cut_off_old,
    "holds no tensors": lambda f: pickle(f, [1, 2]),
}
FILES: dict[str, Callable[[Path], object]] = {
    "model.safetensors is damaged": lambda f: cut_off(f, "model.safetensors"),
    "source.spm is not a SentencePiece": lambda f: cut_off(f, "source.spm"),
    "source.spm is a SentencePiece model of another kind": bpe,
    "target.spm is no": lambda f: (f / "target.spm").write_bytes(b"\x08\x01"),
    "no file target.spm": lambda f: (f / "target.spm").unlink(),
    "vocab.json is damaged": lambda f: cut_off(f, "vocab.json"),
    "vocab.json": lambda f: edit(f / "vocab.json", new=10**6),  # numbers with holes
    "vocab.json is a link out of": link_out,
    "config.json is damaged": lambda f: (f / "config.json").write_text("[" * 60_000),
    "no file config.json": folder_for_file,
}
BAD: list[tuple[Callable[[Path], object], str]] = [
    *((lambda f, changes=c: edit(f / "config.json", **changes), said) for c, said in CONFIGS),
    *((partial(rewrite, change=change), said) for change, said in TENSORS),
    *((change, said) for said, change in FILES.items()),
    *((change, "pytorch_model.bin is damaged") for change in PICKLES.values()),
    (lambda f: pickle(f, {K_PROJ: torch.zeros(2, dtype=torch.int8)}), "stored as I8; weights"),
    (half_a_character, "vocab.json is damaged"),
]
# In a process of its own, as every pickle is read outside these tests.
OWN_PROCESS = PICKLES["never ends"]


def test_what_cannot_be_imported_is_refused_with_its_name(
    saved: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setattr(pickled, "SECONDS", 1)
    for i, (change, named) in enumerate(BAD):
        folder = Path(shutil.copytree(saved, tmp_path / str(i) / "theirs"))
        change(folder)
        start = time.thread_time()
        monkeypatch.setattr(pickled, "subprocess", subprocess if change is OWN_PROCESS else Forks)
        with pytest.raises(UserError) as refused:
            import_marian(folder, folder.parent / "ours")
        assert time.thread_time() - start < 1, named
        assert named in str(refused.value)
        left = [path.name for path in folder.parent.iterdir() if "vocab" not in path.name]
        assert left == ["theirs"]
        assert not Path("run.txt").exists()


def test_what_pytorch_itself_takes_leaves_room_for_the_file() -> None:
    """Its build for CUDA takes 800 MB: no old file of weights could be read beside it."""

    def take() -> None:
        held = np.empty(700 * 2**17)
        pickled._limit(2**20, 30)
        torch.zeros(2**18)
        assert len(held)

    assert ends(fork(take)) == [0]


FULL = """
import resource, sys, time
from pathlib import Path
from model import checkpoint
from model.decoding.search import translate_ids
from model.marian import import_marian

def anonymous():
    lines = Path("/proc/self/status").read_text().splitlines()
    return next(int(line.split()[1]) * 1024 for line in lines if line.startswith("RssAnon"))

def peak():
    return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * 1024

before = peak()
import_marian(Path(sys.argv[1]), Path(sys.argv[2]))
print((peak() - before))
before = anonymous()
loaded = checkpoint.load(sys.argv[2])
print(anonymous() - before)
ids = [*loaded.tokenizer.encode("La casa es blanca."), loaded.config.eos_id]
print(len(translate_ids(loaded.model, [ids], max_len=10)[0]))
"""


@pytest.mark.slow
@pytest.mark.parametrize("form", ["", "old"])
def test_the_full_size_of_opus_needs_little_more_memory_than_its_weights(
    tmp_path: Path, form: Pickled
) -> None:
    """6 + 6 layers, 8 × 64, 65,001 pieces, random weights: 300 MB."""
    ids = {piece: i for i, piece in enumerate(list(vocabulary())[:-1])}
    ids |= {f"▁{i}": i for i in range(len(ids), 65_000)} | {"<pad>": 65_000}
    model = theirs(
        d_model=512, encoder_layers=6, decoder_layers=6, encoder_attention_heads=8,
        decoder_attention_heads=8, encoder_ffn_dim=2048, decoder_ffn_dim=2048, vocab_size=65_001,
        activation_function="swish", max_position_embeddings=512, pad_token_id=65_000,
        decoder_start_token_id=65_000,
    )  # fmt: skip
    folder = save_marian(tmp_path / "theirs", model, form)
    del model
    (folder / "vocab.json").write_text(json.dumps(ids), encoding="utf-8")
    size = (folder / ("pytorch_model.bin" if form else "model.safetensors")).stat().st_size
    command = [sys.executable, "-c", FULL, str(folder), str(tmp_path / "ours")]
    run = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT)
    importing, loading, written = map(int, run.stdout.split())
    assert size > 290e6
    assert importing < 1.2 * size
    assert loading < 1.2 * size
    assert 0 < written <= 10
