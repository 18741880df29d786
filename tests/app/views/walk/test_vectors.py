"""Chapter 2: bytes, pieces, rows, the batch and the neighbours are the model's own."""

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
    sums,
    word_map,
    words,
)
from tests.app.pages import opened

TEXT = "Qué será, será"


@pytest.fixture
def one(models: Path) -> Walk:
    return walk("es-en", TEXT, Decoding("greedy"))


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def test_the_page_shows_the_models_pieces_and_the_right_task(models: Path, one: Walk) -> None:
    app = opened("vectors", text=TEXT, own="étudiant")
    assert not app.exception
    assert not app.error
    drawn = " ".join(html.proto.body for html in app.get("html"))
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


@pytest.mark.parametrize(
    ("query", "said"),
    [
        ({"own": ""}, "Type a word"),
        ({"from": "", "plus": ""}, "at least one word"),
        ({"from": "será", "less": "será", "plus": ""}, "cancel"),
    ],
)
def test_what_cannot_be_shown_is_said(models: Path, query: dict[str, str], said: str) -> None:
    app = opened("vectors", text="Je", **query)
    assert not app.exception
    assert any(said in info.value for info in app.info)


def test_strange_words_are_shown_as_text(models: Path) -> None:
    app = opened("vectors", text="<b>$x$</b> 🙂", own="<script>", **{"from": "*_a_*"})
    assert not app.exception
    assert not app.error
    assert "<script" not in " ".join(html.proto.body for html in app.get("html"))


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
