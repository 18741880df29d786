"""Chapter 2: bytes, pieces, rows, the batch and the neighbours are the model's own."""

import html
from pathlib import Path

import numpy as np
import pytest

from app.charts.word_map import LINE, WIDTH, readable_labels
from app.data.translation import Decoding
from app.data.walk import Walk, walk
from app.format import grouped
from app.views.walk.vectors.data import (
    batch,
    by_chance,
    expected,
    merges,
    near,
    pieces_of,
    sums,
    word_map,
    words,
)
from app.views.walk.vectors.embeddings import PRESETS, VECTORS, first_preset
from tests.app.pages import grids, numbers, opened, revealed, step

TEXT = "Qué será, será"


@pytest.fixture
def one(models: Path) -> Walk:
    return walk("es-en", TEXT, Decoding("greedy"))


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def test_the_page_shows_the_models_pieces_and_the_right_task(models: Path, one: Walk) -> None:
    app = revealed(opened("vectors", text=TEXT, own="étudiant"))
    assert not app.exception
    assert not app.error
    drawn = " ".join(box.proto.body for box in app.get("html"))
    for token in one.capture.src:
        assert f'<span class="low">{token.id}</span>' in drawn
    assert "C3 A9" in drawn
    for merge in merges(one).replay("étudiant").merges:
        assert f"merge {grouped(merge.number)} of" in drawn
    table = one.parameters["src_embed"]
    tops = {
        token.text: max(cosine(table[token.id], table[i]) for i in words(one) if i != token.id)
        for token in one.capture.src
    }
    task = app.radio[-1]
    best = max(tops, key=lambda text: tops[text])
    task.set_value(list(dict.fromkeys(t.text for t in one.capture.src)).index(best)).run()
    assert f"{tops[best]:.3f}".replace(".", "\\.") in app.success[0].value
    for i, text in enumerate(dict.fromkeys(t.text for t in one.capture.src)):
        if text != best:
            task.set_value(i).run()
            assert f"{tops[text]:.3f}" in app.info[-1].value.replace("\\", "")


@pytest.mark.parametrize(
    ("part", "query", "said"),
    [
        ("picture", {"own": ""}, "Type a word"),
        ("by-hand", {"from": "", "plus": ""}, "at least one word"),
        ("by-hand", {"from": "será", "less": "será", "plus": ""}, "cancel"),
    ],
)
def test_what_cannot_be_shown_is_said(
    models: Path, part: str, query: dict[str, str], said: str
) -> None:
    app = step("vectors", part, text="Je", **query)
    assert not app.exception
    assert any(said in info.value for info in app.info)


def test_strange_words_are_shown_as_text(models: Path) -> None:
    app = opened("vectors", text="<b>$x$</b> 🙂", own="<script>", **{"from": "*_a_*"})
    assert not app.exception
    assert not app.error
    assert "<script" not in " ".join(box.proto.body for box in app.get("html"))


def test_the_mask_hides_the_padding_and_padding_then_changes_nothing(one: Walk) -> None:
    made = batch(one, ["Nunca es tarde para aprender, donde hay humo", "Je"])
    assert made.ids.shape[0] == 3
    assert made.ids[0, : len(one.capture.src)].tolist() == [t.id for t in one.capture.src]
    np.testing.assert_array_equal(made.mask, made.ids != one.config.pad_id)
    assert made.shortest == 2
    assert made.difference < 1e-4 < 1e-2 < made.difference_unmasked


def test_neighbours_and_sums_are_cosines_of_the_table(one: Walk) -> None:
    table, a, b, c = one.parameters["src_embed"], *words(one)[:3]
    nearest = max((i for i in words(one) if i != a), key=lambda i: cosine(table[a], table[i]))
    assert near(one, a)[0].token_id == nearest
    vector = sum(
        sign * table[i] / np.linalg.norm(table[i]) for sign, i in ((1, a), (1, b), (-1, c))
    )
    best = sums(one, [[a], [b]], [[c]])[0]
    assert best.similarity == pytest.approx(cosine(vector, table[best.token_id]))
    assert expected(one, [[a], [b]], [[c]], [best.token_id]).place == 1
    pieces = list(words(one)[3:5])
    mean = table[pieces].mean(0)
    others = [i for i in words(one) if i not in (a, b, c)]
    nearer = sum(cosine(vector, table[i]) > cosine(vector, mean) for i in others)
    assert expected(one, [[a], [b]], [[c]], pieces).place == nearer + 1


def test_random_directions_seldom_pass_the_line_of_chance(one: Walk) -> None:
    rng, count, size = np.random.default_rng(0), len(words(one)), one.config.d_model
    rows = rng.normal(size=(200, count + 1, size))
    rows /= np.linalg.norm(rows, axis=-1, keepdims=True)
    tops = np.einsum("nvd,nd->nv", rows[:, 1:], rows[:, 0]).max(1)
    assert (tops > by_chance(one)).mean() < 0.1


PARTS = {
    "picture": "“slaughter” in grey",
    "tokens": "tok-step",
    "row": "x · “será”",
    "near": "plotly",
    "by-hand": "queen",
    "map": "plotly",
    "batch": "sentence 4",
    "task": "An id only names",
}


@pytest.mark.parametrize("part", PARTS)
def test_each_step_opens_alone_with_its_own_picture(models: Path, one: Walk, part: str) -> None:
    word = [token.text for token in one.capture.src].index("será") if part == "row" else 0
    app = step("vectors", part, text=TEXT, own="aprender", word=str(word))
    assert not app.exception
    assert not app.error
    drawn = html.unescape(" ".join(box.proto.body for box in app.get("html")))
    said = " ".join(text.value for text in app.markdown)
    charts = ["plotly"] * len(app.get("plotly_chart"))
    assert any(PARTS[part] in text for text in (*grids(app), drawn, said, *charts))
    assert {name for name, own in PARTS.items() if own in grids(app)} <= {part}


def test_the_row_is_what_the_one_hot_vector_leaves(models: Path, one: Walk) -> None:
    drawn = grids(step("vectors", "row", text=TEXT, word="0"))
    row = one.capture.src[0].id
    product = numbers(drawn["one-hot"]) @ numbers(drawn["E"])
    np.testing.assert_allclose(product, numbers(drawn[f"E[{row}]"]))
    width = drawn["E"]["shape"][1]
    np.testing.assert_allclose(product[0], one.parameters["src_embed"][row, :width], atol=1e-6)
    x = numbers(drawn[f"x · “{one.capture.src[0].text}”"])
    np.testing.assert_allclose(x[0], product[0] * one.config.d_model**0.5, rtol=1e-5)


def test_the_example_by_hand_comes_out(models: Path) -> None:
    drawn = grids(step("vectors", "by-hand"))
    for word, vector in VECTORS.items():
        np.testing.assert_allclose(numbers(drawn[word]).ravel(), vector, rtol=1e-6)
    result = numbers(drawn["king − man + woman"])
    np.testing.assert_allclose(result, numbers(drawn["queen"]), atol=1e-6)
    np.testing.assert_allclose(
        VECTORS["king"] - VECTORS["man"] + VECTORS["woman"], VECTORS["queen"], atol=1e-12
    )


def test_the_block_is_the_encoders_input_padded(models: Path, one: Walk) -> None:
    drawn = grids(step("vectors", "batch", text=TEXT))
    first = numbers(drawn["sentence 1"]).T  # (S, 3)
    n = len(one.capture.src)
    np.testing.assert_allclose(first[:n], one.array("src.embed")[:, :3], rtol=1e-5)
    pad = one.parameters["src_embed"][one.config.pad_id, :3] * one.config.d_model**0.5
    for values in (numbers(drawn[f"sentence {i}"]).T for i in (1, 2, 3, 4)):
        assert len(values) == len(first)
    np.testing.assert_allclose(first[n:], np.tile(pad, (len(first) - n, 1)), rtol=1e-5)


@pytest.mark.parametrize("name", ["es-en", "fr-en"])
def test_the_first_word_arithmetic_succeeds(name: str) -> None:
    """It was king − man + woman, whose answer is no token of these models: it could only fail."""
    opened_walk = walk(name, TEXT, Decoding("greedy"))
    assert first_preset(opened_walk) == PRESETS[0]
    start, less, more, hope = (
        [token.id for token in pieces_of(opened_walk, word)] for word in PRESETS[0]
    )
    table = opened_walk.parameters["src_embed"]
    unit = {ids[0]: table[ids[0]] / np.linalg.norm(table[ids[0]]) for ids in (start, less, more)}
    vector = unit[start[0]] - unit[less[0]] + unit[more[0]]
    among = [i for i in words(opened_walk) if i not in unit]
    assert [max(among, key=lambda i: cosine(vector, table[i]))] == hope


def test_the_map_keeps_the_tokens_and_its_labels_apart(one: Walk) -> None:
    made = word_map(one)
    assert made is not None
    assert made.sentence.shape == (len(one.capture.src), 2)
    at = {word.id: point for word, point in zip(made.words, made.points, strict=True)}
    for token, point in zip(one.capture.src, made.sentence, strict=True):
        if token.id in at:
            np.testing.assert_allclose(point, at[token.id])
    far = 2 * LINE / WIDTH
    points = np.array([[0, 0], [0, far / 4], [0, far], [0, 1]])
    assert readable_labels(points, ["aa"] * 4) == [True, False, True, True]
