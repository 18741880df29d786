"""The page on words as vectors: bytes, one-hot, the training, and what its vectors answer."""

from pathlib import Path

import numpy as np
import pytest

from app.format import number
from app.views.history.words_as_vectors.data import (
    cosine,
    ids,
    one_hot,
    quiz,
    sums,
    training_of,
    words,
)
from app.views.history.words_as_vectors.learning import STORY
from model.history.word_vectors import WordVectorsReport, distances, rotated
from tests.app.pages import charts, grids, healthy, numbers, opened, option, said, step

PAGE = "words_as_vectors"
SUM = ("king", "man", "woman")
PARIS = {"wastart": "paris", "waless": "france", "waplus": "italy", "watopic": "lands"}


@pytest.fixture(scope="module")
def report() -> WordVectorsReport:
    """The training after 300 sentences."""
    made = training_of("cbow", 3)()
    return [next(made) for _ in range(3)][-1]


def test_the_page_shows_what_the_training_has_made(models: Path) -> None:
    app = opened(PAGE, wakind="cbow", waseed="3")
    healthy(app)
    app.button(key="live-words-step").click().run()
    healthy(app)
    made = training_of("cbow", 3)()
    now = [next(made) for _ in range(2)][-1]
    (best, *_others) = sums(now.vectors, *SUM)
    assert f"**{words()[best.token_id]}**, with a cosine of {best.similarity:.3f}" in said(app)
    counted = quiz(now.vectors).total
    assert f"Of all {counted.asked} analogies of our list, {counted.right} are right" in said(app)
    assert f"The loss of this update was {now.last.loss:.4f}" in said(app)
    target = words()[now.last.outputs[0]]
    assert f"“{target}” is to be guessed" in said(app)
    app.radio[-1].set_value(option(app, target)).run()
    assert number(now.last.errors[0], 4).replace(".", "\\.") in app.success[0].value
    app.radio[-1].set_value(option(app, words()[now.last.outputs[1]])).run()
    assert number(now.last.errors[1], 4) in app.info[-1].value.replace("\\", "")


@pytest.mark.parametrize(
    ("word", "told"),
    [
        (" ", "Type a word"),
        ("dragon", "never uses “dragon”"),
        ("<b>$x$", "never uses"),
        ("queen", "two different words"),
    ],
)
def test_what_is_wrong_with_a_word_is_said_once(models: Path, word: str, told: str) -> None:
    """Four screens said it, and of an empty field that the text never uses “”."""
    apps = [step(PAGE, part, waword=word) for part in ("one_hot", "near")]
    if word == "dragon":
        apps.append(opened(PAGE, waword=word))
    for app in apps:
        healthy(app)
        said = [info.value for info in app.info]
        assert len([text for text in said if told in text]) == 1
        assert not [text for text in said if "“”" in text]
        assert not [html for html in app.get("html") if "<b>$x$" in html.proto.body]


def test_a_preset_brings_its_words_and_its_map(models: Path) -> None:
    app = step(PAGE, "sum")
    app.button(key="words-sum-1").click().run()
    healthy(app)
    assert app.query_params["watopic"] == "lands"
    assert "Nearest to paris − france + italy" in said(app)
    assert "paris − france + italy" in said(step(PAGE, "train", **PARIS))


def test_one_hot_vectors_are_no_nearer_to_what_means_the_same(models: Path) -> None:
    away = distances(one_hot(["king", "queen", "bread"]))
    np.testing.assert_allclose(away, np.sqrt(2) * (1 - np.eye(3)))
    app = opened(PAGE, all="0", part="one_hot")
    app.radio[0].set_value(len(app.radio[0].options) - 1).run()
    assert "Yes: every distance is 1.4142" in said(app).replace("\\", "")


def test_a_word_of_the_story_has_one_row_of_the_table(models: Path) -> None:
    app = step(PAGE, "story", wakind="cbow", waseed="3")
    rows, vectors = numbers(grids(app)["the story"]), next(training_of("cbow", 3)()).vectors
    np.testing.assert_array_equal(rows, vectors[ids(*STORY)])
    again = [i for i, word in enumerate(STORY) if word == "the"]
    assert f"“the” appears {len(again)} times" in said(app)
    assert all((rows[i] == rows[again[0]]).all() for i in again)


@pytest.mark.parametrize("size", [2, 3, 20, 21])
def test_the_rotation_is_no_reflection(size: int) -> None:
    """The page spoke of a rotation, and some sizes were mirrored: their determinant was −1."""
    turn = rotated(np.eye(size))
    np.testing.assert_allclose(turn @ turn.T, np.eye(size), atol=1e-12)
    assert np.linalg.det(turn) == pytest.approx(1)


def test_a_rotation_changes_all_numbers_and_no_cosine(
    models: Path, report: WordVectorsReport
) -> None:
    turned = rotated(report.vectors)
    assert np.abs(turned - report.vectors).min() > 0
    for pair in (("king", "queen"), ("paris", "puppy")):
        assert cosine(turned, *pair) == pytest.approx(cosine(report.vectors, *pair), abs=1e-5)
    assert [each.token_id for each in sums(turned, *SUM)] == [
        each.token_id for each in sums(report.vectors, *SUM)
    ]
    first = float(next(training_of("cbow", 3)()).vectors[words().index("king"), 0])
    assert number(first, 3) in said(step(PAGE, "myth", wakind="cbow", waseed="3"))


def test_any_word_is_found_on_the_map(models: Path) -> None:
    """A word of another topic is drawn among the others, in the plane that these span."""
    drawn = []
    for more in ({}, {"wafind": "cow"}):
        app = step(PAGE, "train", watopic="people", **more)
        drawn.append(str(charts(app)["words-map"]))
    assert ["cow" in spec for spec in drawn] == [False, True]
    assert not step(PAGE, "train", wafind="<b>").exception
