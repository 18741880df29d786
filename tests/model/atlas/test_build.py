"""A whole atlas: killed and gone on with, written and read, beside a model and at the command."""

import json
from pathlib import Path

import pytest
from typer.testing import CliRunner

from model import checkpoint
from model.atlas import muting
from model.atlas.atlas import NAME, Atlas
from model.atlas.build import Size, build
from model.atlas.sample import heads_of, phrase_sample, words_of
from model.cli.main import app
from model.errors import UserError
from model.text.byte_level import EOS
from model.text.pairs import AlignedPair, Pair, read_alignments
from tests.model.samples import ONE_LAYER, letters_tokenizer, save_tiny

SIZE = Size(bleu=3, pruning=3, held_out=3, tried=2)
N = 6


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("atlas") / "model"
    save_tiny(folder, 2, ONE_LAYER)
    return folder


@pytest.fixture(scope="module")
def atlas(folder: Path) -> Atlas:
    return made(folder, folder.with_name("parts"))


def made(folder: Path, parts: Path, killed_after: int = 10**6) -> Atlas:
    def track(done: int, total: int) -> None:
        if done > killed_after:
            raise KeyboardInterrupt

    loaded = checkpoint.load(folder)
    return build(loaded, phrase_sample("es", N, 0), (), parts, 0, track, SIZE)


@pytest.mark.long
def test_a_killed_run_goes_on_where_it_was(folder: Path, atlas: Atlas, tmp_path: Path) -> None:
    for killed_after in (0, 8):
        with pytest.raises(KeyboardInterrupt):
            made(folder, tmp_path, killed_after)
    assert len(list(tmp_path.glob("*/*.npz"))) == 9
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(muting, "gate_gradients", None)  # the sentences are not measured again
        assert made(folder, tmp_path) == atlas
    save_tiny(tmp_path / "other", 3, ONE_LAYER)  # of whose weights nothing was kept
    other = made(tmp_path / "other", tmp_path)
    assert other.weights != atlas.weights
    assert other.heads[0].measures != atlas.heads[0].measures


def test_an_atlas_is_whole(atlas: Atlas, folder: Path) -> None:
    config = checkpoint.load(folder).config
    assert tuple(head.id for head in atlas.heads) == heads_of(config)
    assert atlas.sentences == N
    assert atlas.seconds > 0
    assert len(set(atlas.pruning.order)) == len(atlas.heads) // 2
    assert len(atlas.pruning.log_p) == len(atlas.pruning.order) + 1
    assert {(one.gold, one.pairs) for one in atlas.alignments} == {("phrases-es", N)}
    drawn = phrase_sample("es", N, 0).pairs
    assert set(atlas.examples) <= set(drawn)
    shown = {i for head in atlas.heads for i in (*head.typical, *head.untypical, *head.fails)}
    assert shown == set(range(len(atlas.examples)))
    for head in atlas.heads:
        assert head.measures.keys() >= {"log_p_lost", "bleu_lost", "gradient", "norm_entropy"}
        assert ("eos" in head.measures) == (head.id.kind != "decoder")
        assert ("writes" in head.measures) == (head.id.kind == "cross")
        assert bool(head.lens_tokens) == (head.id.kind != "encoder")


def test_written_and_read_it_is_the_same_to_five_digits(atlas: Atlas, tmp_path: Path) -> None:
    atlas.save(tmp_path / NAME)
    read = Atlas.load(tmp_path / NAME)
    read.save(tmp_path / "again.json")
    assert (tmp_path / NAME).read_bytes() == (tmp_path / "again.json").read_bytes()
    assert read.examples == atlas.examples
    assert read.pruning.order == atlas.pruning.order
    assert read.pruning.log_p == pytest.approx(atlas.pruning.log_p, rel=1e-4)
    for short, exact in zip(read.alignments, atlas.alignments, strict=True):
        for one, other in zip(short.variants, exact.variants, strict=True):
            assert (one.best, one.combination) == (other.best, other.combination)
            assert one.layers == pytest.approx(other.layers, rel=1e-4)
    for head, exactly in zip(read.heads, atlas.heads, strict=True):
        assert (head.id, head.role, head.typical) == (exactly.id, exactly.role, exactly.typical)
        for name, measure in head.measures.items():
            assert measure.mean == pytest.approx(exactly.measures[name].mean, rel=1e-4, nan_ok=True)

    value = json.loads((tmp_path / NAME).read_text())
    changes: list[dict[str, object]] = [{"format": 2}, {"heads": [{}]}, {"more": 1}]
    for broken in (*(value | change for change in changes), {}):
        (tmp_path / NAME).write_text(json.dumps(broken))
        with pytest.raises(ValueError, match=NAME):
            Atlas.load(tmp_path / NAME)


@pytest.mark.long
def test_the_command_writes_numbers_alone_of_sentences_it_was_given(
    folder: Path, tmp_path: Path
) -> None:
    data, gold, out = (tmp_path / name for name in ("pairs.tsv", "gold.tsv", "out.json"))
    data.write_text("a secret\tun secret\nb c\td e\n", encoding="utf-8")
    gold.write_text("a b\tc d\t0-0\t1-1\nb\tc\t0-0\t\n", encoding="utf-8")
    arguments = ["--model", str(folder), "--data", str(data), "--gold", str(gold)]
    result = CliRunner().invoke(app, ["atlas", *arguments, "--out", str(out)])
    assert result.exit_code == 0, result.output
    text = out.read_text(encoding="utf-8")
    assert "secret" not in text
    found = Atlas.load(out)
    assert (found.sample, found.sentences, found.examples) == ("pairs.tsv", 2, ())
    assert [one.gold for one in found.alignments] == ["gold.tsv"]
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


def test_the_command_asks_for_sentences_that_a_model_does_not_tell(folder: Path) -> None:
    for more, said in (([], "no sentences"), (["--source", "de"], "es and fr")):
        result = CliRunner().invoke(app, ["atlas", "--model", str(folder), *more])
        assert isinstance(result.exception, UserError)
        assert said in result.exception.text


def test_links_are_read_and_their_errors_named(tmp_path: Path) -> None:
    path = tmp_path / "gold.tsv"
    path.write_text("a b\tc d\t0-0 1-1\t1-0\nb\tc\t0-0\n", encoding="utf-8")
    first, second = read_alignments(path)
    links = frozenset({(0, 0), (1, 1)})
    assert first == AlignedPair(Pair("a b", "c d"), links, links | {(1, 0)})
    assert second == AlignedPair(Pair("b", "c"), frozenset({(0, 0)}), frozenset({(0, 0)}))
    for line in ("a\tb\t0-1", "a\tb\t0", "a"):
        path.write_text(line, encoding="utf-8")
        with pytest.raises(UserError, match="line 1"):
            read_alignments(path)


def test_pieces_know_their_words() -> None:
    tokenizer = letters_tokenizer()

    def of(text: str) -> list[int]:
        return words_of(tokenizer.tokens([*tokenizer.encode(text), EOS]))

    assert of("a bc, d.") == [0, 1, 1, -1, 2, -1, -1]
    assert of("a , b") == [0, 1, 1, 2, -1]  # a mark between blanks is a word of two pieces
    assert of(", .") == [0, 0, 1, 1, -1]
