"""Chapter 2: bytes, pieces, rows, the batch and the neighbours are the model's own."""

from pathlib import Path

import numpy as np
import pytest

from app.charts.word_map import LINE, WIDTH, readable_labels
from app.data.translation import Decoding
from app.data.walk import Walk, walk
from app.format import grouped
from app.views.walk.vectors.data import merges, pieces_of, word_map, words
from app.views.walk.vectors.embeddings import PRESETS, VECTORS, first_preset
from tests.app.pages import grids, numbers, opened, sound, step

TEXT = "Qué será, será"  # of the fixture `sentence`


def cosine(a: np.ndarray, b: np.ndarray) -> float:
    return float(a @ b / np.linalg.norm(a) / np.linalg.norm(b))


def test_the_page_shows_the_models_pieces_and_the_right_task(sentence: Walk) -> None:
    app = sound(opened("vectors", text=TEXT, own="étudiant"))
    drawn = " ".join(box.proto.body for box in app.get("html"))
    for token in sentence.capture.src:
        assert f'<span class="low">{token.id}</span>' in drawn
    assert "C3 A9" in drawn
    for merge in merges(sentence).replay("étudiant").merges:
        assert f"merge {grouped(merge.number)} of" in drawn
    table = sentence.parameters["src_embed"]
    tops = {
        token.text: max(cosine(table[token.id], table[i]) for i in words(sentence) if i != token.id)
        for token in sentence.capture.src
    }
    app = step("vectors", "task", text=TEXT)
    best = max(tops, key=lambda text: tops[text])
    for i, (text, top) in enumerate(tops.items()):
        app.radio[-1].set_value(i).run()
        (told,) = (app.success if text == best else app.info)[-1:]
        assert f"{top:.3f}" in told.value.replace("\\", "")


def test_what_cannot_be_shown_is_said(models: Path) -> None:
    for part, query, says in (
        ("picture", {"own": ""}, "Type a word"),
        ("by-hand", {"from": "", "plus": ""}, "at least one word"),
        ("by-hand", {"from": "será", "less": "será", "plus": ""}, "cancel"),
    ):
        app = step("vectors", part, text="Je", **query)
        assert any(says in info.value for info in app.info)


def test_strange_words_are_shown_as_text(models: Path) -> None:
    app = sound(opened("vectors", text="<b>$x$</b> 🙂", own="<script>", **{"from": "*_a_*"}))
    assert "<script" not in " ".join(box.proto.body for box in app.get("html"))


def test_the_row_is_what_the_one_hot_vector_leaves(sentence: Walk) -> None:
    drawn = grids(step("vectors", "row", text=TEXT, word="0"))
    row = sentence.capture.src[0].id
    product = numbers(drawn["one-hot"]) @ numbers(drawn["E"])
    np.testing.assert_allclose(product, numbers(drawn[f"E[{row}]"]))
    width = drawn["E"]["shape"][1]
    np.testing.assert_allclose(product[0], sentence.parameters["src_embed"][row, :width], atol=1e-6)
    x = numbers(drawn[f"x · “{sentence.capture.src[0].text}”"])
    np.testing.assert_allclose(x[0], product[0] * sentence.config.d_model**0.5, rtol=1e-5)


def test_the_example_by_hand_comes_out(models: Path) -> None:
    drawn = grids(step("vectors", "by-hand"))
    for word, vector in VECTORS.items():
        np.testing.assert_allclose(numbers(drawn[word]).ravel(), vector, rtol=1e-6)
    result = numbers(drawn["king − man + woman"])
    np.testing.assert_allclose(result, numbers(drawn["queen"]), atol=1e-6)


def test_the_block_is_the_encoders_input_padded(sentence: Walk) -> None:
    drawn = grids(step("vectors", "batch", text=TEXT))
    first = numbers(drawn["sentence 1"]).T  # (S, 3)
    n = len(sentence.capture.src)
    np.testing.assert_allclose(first[:n], sentence.array("src.embed")[:, :3], rtol=1e-5)
    pad = (
        sentence.parameters["src_embed"][sentence.config.pad_id, :3] * sentence.config.d_model**0.5
    )
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


def test_the_map_keeps_the_tokens_and_its_labels_apart(sentence: Walk) -> None:
    made = word_map(sentence)
    assert made is not None
    assert made.sentence.shape == (len(sentence.capture.src), 2)
    at = {word.id: point for word, point in zip(made.words, made.points, strict=True)}
    for token, point in zip(sentence.capture.src, made.sentence, strict=True):
        if token.id in at:
            np.testing.assert_allclose(point, at[token.id])
    far = 2 * LINE / WIDTH
    points = np.array([[0, 0], [0, far / 4], [0, far], [0, 1]])
    assert readable_labels(points, ["aa"] * 4) == [True, False, True, True]
