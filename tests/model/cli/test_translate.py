"""`translate` and `evaluate`: files, n-best lists, scores, alignments, chance, refusals."""

import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import pytest

from model import checkpoint
from model.decoding.search import greedy, n_best
from tests.model.cli.commands import ROOT, Capsys, output, refusal
from tests.model.samples import save_tiny

SENTENCES = ["a b c d", "", "e f", "  ", "l k j i h"]


@pytest.fixture(scope="module")
def model(tmp_path_factory: pytest.TempPathFactory) -> str:
    folder = tmp_path_factory.mktemp("models") / "tiny"
    save_tiny(folder)
    return str(folder)


def lines(model: str, *options: str, text: str = "\n".join(SENTENCES)) -> list[str]:
    return output("translate", "--model", model, *options, lines=text).split("\n")[:-1]


def test_files_hold_what_the_streams_hold(model: str, tmp_path: Path) -> None:
    source, out = tmp_path / "in.txt", tmp_path / "out.txt"
    source.write_text("\n".join(SENTENCES), encoding="utf-8")
    assert lines(model, "--input", str(source), "--output", str(out), text="") == []
    assert out.read_text(encoding="utf-8").split("\n") == [*lines(model), ""]
    assert len(lines(model)) == len(SENTENCES)


def test_n_best_come_best_first_below_the_number_of_their_line(model: str) -> None:
    rows = [line.split("\t") for line in lines(model, "--n-best", "3", "--scores")]
    assert [int(row[0]) for row in rows] == [1, 1, 1, 2, 3, 3, 3, 4, 5, 5, 5]
    assert [row for row in rows if row[0] in ("2", "4")] == [["2", "", ""], ["4", "", ""]]
    for number in ("1", "3", "5"):
        own = [row for row in rows if row[0] == number]
        scores = [float(row[2]) for row in own]
        assert scores == sorted(scores, reverse=True)
        assert all(score < 0 for score in scores)
    best = [row[1] for row, before in zip(rows, [[""], *rows], strict=False) if row[0] != before[0]]
    assert best == lines(model, "--beam", "4")


def test_no_text_stands_twice_among_the_best(model: str) -> None:
    """A list of ten held the same sentence more than once, cut into other pieces."""
    loaded = checkpoint.load(model)
    source = [*loaded.tokenizer.encode("a b"), loaded.config.eos_id]

    def spelled(tokens: Sequence[int]) -> str:
        """Spell tokens so that many look the same."""
        return str(tokens[:2])

    (plain,) = n_best(loaded.model, [source], 10, 10)
    (found,) = n_best(loaded.model, [source], 10, 10, text=spelled)
    texts = [spelled([t for t in one.tokens if t != loaded.config.eos_id]) for one in found]
    assert len({*texts}) == len(texts) > 1
    assert found[0].tokens == plain[0].tokens, "the best stays the best"
    assert [one.score for one in found] == sorted((one.score for one in found), reverse=True)
    again = [spelled([t for t in one.tokens if t != loaded.config.eos_id]) for one in plain]
    assert len({*again}) < len(again), "they did stand twice"


def test_the_score_is_the_mean_log_probability(model: str) -> None:
    (line,) = lines(model, "--beam", "1", "--scores", text="a b c d")
    loaded = checkpoint.load(model)
    ids = [*loaded.tokenizer.encode("a b c d"), loaded.config.eos_id]
    last = [step.hypotheses[0] for step in greedy(loaded.model, ids)][-1]
    assert float(line.split("\t")[1]) == pytest.approx(last.log_prob / len(last.tokens), abs=2e-3)


def test_chance_follows_its_seed_and_its_limits(model: str) -> None:
    def draw(*options: str) -> list[str]:
        return lines(model, *options, text="a b c d\ne f g\n")

    one = draw("--temperature", "1.5", "--seed", "1")
    assert draw("--temperature", "1.5", "--seed", "1") == one
    assert draw("--temperature", "1.5", "--seed", "2") != one
    assert draw("--temperature", "1.5", "--seed", "0") == draw("--temperature", "1.5")
    greedily = draw("--beam", "1")
    assert draw("--top-k", "1", "--seed", "5") == greedily
    assert draw("--top-p", "1e-9") == greedily
    several = [line.split("\t") for line in draw("--temperature", "2", "--n-best", "4", "--scores")]
    assert [row[0] for row in several] == ["1"] * 4 + ["2"] * 4
    assert len({row[1] for row in several}) > 2
    assert float(several[0][2]) >= float(several[3][2])


def test_alignments_are_those_of_the_words() -> None:
    """The mean of a layer's heads gave “The” to “negro”: the atlas knew of a better head."""
    text = "El gato negro duerme.\n\nMañana la profesora leerá un libro interesante.\n"
    cat, blank, teacher = (
        line.split("\t") for line in lines("es-en", "--alignments", "--beam", "4", text=text)
    )
    assert cat[0] == "The black cat sleeps."
    assert cat[1] == "0-0 2-1 1-2 3-3"
    assert blank == ["", ""]
    english = teacher[0].split()
    pairs = [tuple(map(int, pair.split("-"))) for pair in teacher[1].split()]
    spanish = ["Mañana", "la", "profesora", "leerá", "un", "libro", "interesante."]
    aligned = {english[j]: spanish[i] for i, j in pairs}
    assert [j for _, j in pairs] == list(range(len(english)))
    assert (aligned["teacher"], aligned["read"], aligned["book"]) == (
        *("profesora", "leerá", "libro"),
    )


def test_the_manual_shows_what_its_command_prints() -> None:
    """It showed a score and an alignment of an earlier model."""
    manual = (ROOT / "docs" / "command-line.md").read_text(encoding="utf-8")
    command = r'echo "(.+)" \| python -m model translate (.*--n-best.*)\n'
    ((typed, options, shown),) = re.findall(command + r"(?:.*\n)*?```\n(1\t(?:.*\n)*?)```", manual)
    printed = output("translate", *options.split(), lines=typed)
    for told, line in zip(shown.splitlines(), printed.splitlines(), strict=True):
        (*words, score, links), (*its, its_score, its_links) = told.split("\t"), line.split("\t")
        assert (words, links) == (its, its_links)
        assert float(score) == pytest.approx(float(its_score), abs=0.005)


def test_a_model_without_an_atlas_is_read_in_the_last_layer_but_one(tmp_path: Path) -> None:
    shutil.copytree(checkpoint.PRETRAINED / "es-en", tmp_path / "es-en")
    (tmp_path / "es-en" / "atlas.json").unlink()
    (line,) = lines(str(tmp_path / "es-en"), "--alignments", text="El gato negro duerme.")
    assert line.split("\t")[1].split()[1:] == ["2-1", "1-2", "3-3"]  # the article is everybody's


CONTRADICTIONS = {
    "--temperature 1 --beam 3": "--temperature: It contradicts --beam: one draws by chance, the",
    "--top-k 5 --beam 3": "--top-k: It contradicts --beam: one draws by chance",
    "--n-best 5 --beam 3": "--n-best: It contradicts --beam: a beam of 3 does not find 5",
    "--seed 1": "--seed: Nothing is drawn by chance without --temperature, --top-k or",
    "--temperature 0": "--temperature: 0.0 does not work: choose more than 0.",
    "--top-p 0": "--top-p: 0.0 does not work: choose more than 0.",
    "--input {file} --output {file}": "--output: It contradicts --input: the file",
    "--output /proc/no/such/file": "/proc/no/such/file: No such file or directory.",
}


def test_what_contradicts_is_refused(model: str, tmp_path: Path, capsys: Capsys) -> None:
    file = tmp_path / "text"
    file.write_text("a b c")
    for text, sentence in CONTRADICTIONS.items():
        options = text.format(file=file).split()
        told = refusal(capsys, "translate", "--model", model, *options)
        assert told.startswith(f"Error: {sentence}")
        assert file.read_text() == "a b c"


def test_a_network_without_attention_has_no_alignments(capsys: Capsys) -> None:
    said = refusal(capsys, "translate", "--model", "rnn/es-en", "--alignments")
    assert said == "Error: --alignments: The architecture rnn has no use for it."
