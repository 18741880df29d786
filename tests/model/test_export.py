"""A model exported for CTranslate2 writes what it writes here."""

import random
import sys
from pathlib import Path
from typing import Any

import pytest
import torch
from typer.testing import CliRunner

from model import checkpoint
from model.checkpoint import Checkpoint
from model.cli.main import app
from model.decoding.batch import banned_ids
from model.decoding.search import translate_ids, translate_lines
from model.errors import UserError
from model.export import Engine, export
from model.marian import import_marian
from model.nn.translator import Translator
from model.tasks import TASKS, split
from tests.model.marian_samples import SIZES, save_marian, theirs
from tests.model.samples import letters_tokenizer, reversed_pairs, tiny_model

SHAPES: list[dict[str, Any]] = [
    {"norm": "pre"},
    {"norm": "post", "positions": "half", "n_encoder_layers": 3},
    {"norm": "pre", "positions": "none", "share_embeddings": False, "tie_generator": False},
]
SUPPLEMENT = Path(__file__).parents[2] / "pretrained" / "supplement" / "everyday.tsv"


def loaded(**changes: Any) -> Checkpoint:
    tokenizer = letters_tokenizer()
    model = tiny_model(vocab_size=tokenizer.vocab_size, **changes)
    return Checkpoint(model, tokenizer, {}, Path())


def is_tie(model: Translator, src: list[int], ours: list[int], theirs: list[int]) -> bool:
    """Return whether two translations part at tokens that score all but the same."""
    bos, eos = model.config.bos_id, model.config.eos_id
    pairs = zip([*ours, eos], [*theirs, eos], strict=False)
    at = next(i for i, (one, other) in enumerate(pairs) if one != other)
    with torch.no_grad():
        logits = model(torch.tensor([src]), torch.tensor([[bos, *ours[:at]]]))[0, -1]
    logits[banned_ids(model.config)] = -torch.inf
    best = logits.topk(2).values
    return bool(best[0] - best[1] < 1e-3)


def assert_same(of: Checkpoint, engine: Engine, lines: list[str]) -> None:
    """Greedy translations are equal, but for a few that hang on a tie."""
    sources = [[*ids, of.config.eos_id] for ids in of.tokenizer.encode_batch(lines)]
    ours = [
        ids
        for i in range(0, len(sources), 64)
        for ids in translate_ids(of.model, sources[i : i + 64], 1)
    ]
    theirs = engine.translate_ids(sources, 1)
    differ = [i for i, ids in enumerate(ours) if ids != theirs[i]]
    assert len(differ) <= len(lines) / 100
    assert all(is_tie(of.model, sources[i], ours[i], theirs[i]) for i in differ)


def everyday(count: int) -> list[str]:
    """Return Spanish sentences of the phrase book and of the supplement."""
    drawn, _ = split(TASKS["phrases-es"], count // 2, 0, seed=1)
    lines = SUPPLEMENT.read_text(encoding="utf-8").splitlines()
    chosen = random.Random(0).sample(lines, count - len(drawn))
    return [pair.src for pair in drawn] + [line.split("\t")[0] for line in chosen]


@pytest.mark.parametrize("size", SIZES)
def test_an_imported_model_writes_the_same(size: str, tmp_path: Path) -> None:
    """Its activation, its scale of embeddings and its first token are other ones than ours."""
    scale = size != "tiny"
    folder = save_marian(tmp_path / "theirs", theirs(size, scale_embedding=scale))
    import_marian(folder, tmp_path / "ours")
    of = checkpoint.load(tmp_path / "ours")
    export(of, tmp_path / "out")
    pairs, _ = split(TASKS["phrases-es"], 20, 0, seed=1)
    assert_same(of, Engine(tmp_path / "out"), [pair.src for pair in pairs])


@pytest.mark.parametrize("shape", SHAPES, ids=str)
def test_greedy_translations_are_equal(shape: dict[str, Any], tmp_path: Path) -> None:
    of = loaded(**shape)
    export(of, tmp_path / "out")
    lines = [pair.src for pair in reversed_pairs(100, seed=1, longest=9)]
    assert_same(of, Engine(tmp_path / "out"), lines)


@pytest.mark.slow
def test_a_trained_model_translates_the_same(tmp_path: Path) -> None:
    of = checkpoint.load("es-en")
    export(of, tmp_path / "out")
    assert_same(of, Engine(tmp_path / "out"), everyday(1000))


def test_fewer_bits_make_a_smaller_file_that_mostly_writes_the_same(tmp_path: Path) -> None:
    """How int8 rounds differs by the processor: 35 and 36 of 40 were seen."""
    of, lines = checkpoint.load("es-en"), everyday(20)
    kept = [parameter.clone() for parameter in of.model.parameters()]
    ours, sizes = list(translate_lines(of.model, of.tokenizer, lines, 1)), list[int]()
    shares: dict[Any, tuple[float, int]] = {
        "float32": (1, 20), "bfloat16": (0.55, 17), "int8": (0.35, 15),
    }  # fmt: skip
    for weights, (share, same) in shares.items():
        export(of, tmp_path / weights, weights)
        sizes.append((tmp_path / weights / "model.bin").stat().st_size)
        assert sizes[-1] <= share * sizes[0]
        theirs = list(Engine(tmp_path / weights).translate_lines(lines, 1))
        assert sum(map(str.__eq__, ours, theirs)) >= same
    # Rounding spoilt the model's own weights once.
    assert all(map(torch.equal, kept, of.model.parameters()))


def test_lines_are_cut_left_blank_and_kept_in_order_as_here(tmp_path: Path) -> None:
    of = loaded()
    export(of, tmp_path / "out")
    lines = ["a b", "", "c " * 90, "d e f", " "]
    ours: list[str] = []
    theirs: list[str] = []
    here = list(translate_lines(of.model, of.tokenizer, lines, 1, notices=ours))
    there = list(Engine(tmp_path / "out").translate_lines(lines, 1, batch_size=2, notices=theirs))
    assert [bool(line) for line in there] == [bool(line) for line in here]
    assert (there[1], there[4]) == ("", "")
    assert ours == theirs != []


def test_the_command_line_exports_translates_and_scores(tmp_path: Path) -> None:
    run = CliRunner().invoke
    of, out = loaded(norm="pre"), str(tmp_path / "out")
    checkpoint.save(tmp_path / "model", of.model, of.tokenizer, {})
    arguments = ["export", "--format", "ctranslate2", str(tmp_path / "model"), "--out", out]
    assert "float32" in run(app, arguments, catch_exceptions=False).output
    other = ["--engine", "ctranslate2", "--model", out, "--beam", "1"]
    done = run(app, ["translate", *other], input="a b c\n\nc b\n", catch_exceptions=False)
    lines = ["a b c", "", "c b"]
    assert done.output.split("\n")[:-1] == list(translate_lines(of.model, of.tokenizer, lines, 1))
    (tmp_path / "pairs.tsv").write_text("a b\tb a\nb c\tc b\n", encoding="utf-8")
    data = ["--data", str(tmp_path / "pairs.tsv")]
    scored = run(app, ["evaluate", *other, *data, "--json"], catch_exceptions=False)
    assert '"bleu"' in scored.output
    with pytest.raises(UserError, match="PyTorch"):
        run(app, ["evaluate", *other, *data, "--record", "x"], catch_exceptions=False)


def test_what_cannot_be_exported_or_opened_is_said(tmp_path: Path, monkeypatch: Any) -> None:
    of, out = loaded(), tmp_path / "out"
    with pytest.raises(UserError, match="Transformers alone"):
        export(checkpoint.load("rnn/es-en"), out)
    with pytest.raises(UserError, match=r"model\.bin is missing"):
        Engine(out)
    export(of, out)
    with pytest.raises(UserError, match="not empty"):
        export(of, out)
    (out / "model.bin").write_bytes((out / "model.bin").read_bytes()[:1000])
    with pytest.raises(UserError, match="can open"):
        Engine(out)
    monkeypatch.setitem(sys.modules, "ctranslate2", None)
    with pytest.raises(UserError, match="not installed"):
        export(of, tmp_path / "other")
