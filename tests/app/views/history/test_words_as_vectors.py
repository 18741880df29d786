"""The page on words as vectors: the training, and what its vectors answer."""

from pathlib import Path

import numpy as np
import pytest

from app.format import number
from app.views.history.words_as_vectors.data import (
    FIRST,
    SUMS,
    cosine,
    flat_map,
    ids,
    near,
    sums,
    training_of,
    words,
)
from app.views.history.words_as_vectors.screens import STORY
from model.history.word_vectors import WordVectorsReport, rotated
from tests.app.pages import grids, healthy, judged, numbers, opened, option, said, step

PAGE = "words_as_vectors"


@pytest.fixture(scope="module")
def reports() -> list[WordVectorsReport]:
    """The training as far as the page has it at first, and one step further."""
    made = training_of("cbow", 3)()
    return [next(made) for _ in range(FIRST + 1)]


def test_the_page_shows_what_the_training_has_made(
    models: Path, reports: list[WordVectorsReport]
) -> None:
    app = opened(PAGE, wakind="cbow", waseed="3")
    healthy(app)
    app.button(key="live-words-step").click().run()
    healthy(app)
    now = reports[-1]
    (best, *_others) = sums(now.vectors, *SUMS["people"])
    assert f"**{words()[best.token_id]}**, cosine {best.similarity:.3f}" in said(app)
    nearest, *_others = near(now.vectors, "king")
    judged(app, option(app, words()[nearest.token_id]))


@pytest.mark.parametrize("word", ["dragon", "<b>$x$"])
def test_what_is_wrong_with_a_word_is_said_once(models: Path, word: str) -> None:
    app = step(PAGE, "near", waword=word)
    healthy(app)
    assert len([info for info in app.info if "never uses" in info.value]) == 1
    assert not [html for html in app.get("html") if "<b>$x$" in html.proto.body]


def test_a_sum_brings_its_words_and_its_map(models: Path) -> None:
    assert "Nearest to paris − france + italy" in said(step(PAGE, "train", watopic="lands"))


def test_the_sum_and_the_map_are_numpys(reports: list[WordVectorsReport]) -> None:
    """The cosines with the sum of unit vectors, and distances on the plane of most variance."""
    vectors = reports[-1].vectors.astype(np.float64)
    unit = vectors / np.linalg.norm(vectors, axis=1, keepdims=True)
    start, less, plus = unit[ids(*SUMS["people"])]
    goal = start - less + plus
    again = unit @ (goal / np.linalg.norm(goal))
    for one in sums(reports[-1].vectors, *SUMS["people"]):
        assert one.similarity == pytest.approx(again[one.token_id], abs=1e-5)
    four = [*SUMS["people"], "queen"]
    _values, axes = np.linalg.eigh(np.cov(vectors[ids(*four)].T))
    ours, theirs = flat_map(reports[-1].vectors, four, words()).points, vectors @ axes[:, -2:]
    apart, expected = (np.linalg.norm(of[:, None] - of[None], axis=-1) for of in (ours, theirs))
    np.testing.assert_allclose(apart, expected, atol=1e-5)


def test_a_word_of_the_story_has_one_row_of_the_table(
    models: Path, reports: list[WordVectorsReport]
) -> None:
    app = step(PAGE, "near", wakind="cbow", waseed="3")
    rows = numbers(grids(app)["the story"])
    np.testing.assert_array_equal(rows, reports[FIRST - 1].vectors[ids(*STORY)])
    assert f"“the” appears {STORY.count('the')} times" in said(app)


@pytest.mark.parametrize("size", [2, 3, 20, 21])
def test_the_rotation_is_no_reflection(size: int) -> None:
    """The page spoke of a rotation, and some sizes were mirrored: their determinant was −1."""
    turn = rotated(np.eye(size))
    np.testing.assert_allclose(turn @ turn.T, np.eye(size), atol=1e-12)
    assert np.linalg.det(turn) == pytest.approx(1)


def test_a_rotation_changes_all_numbers_and_no_cosine(
    models: Path, reports: list[WordVectorsReport]
) -> None:
    vectors = reports[FIRST - 1].vectors
    turned = rotated(vectors)
    assert np.abs(turned - vectors).min() > 0
    assert cosine(turned, "king", "queen") == pytest.approx(
        cosine(vectors, "king", "queen"), abs=1e-5
    )
    first = float(vectors[words().index("king"), 0])
    assert number(first, 3) in said(step(PAGE, "myth", wakind="cbow", waseed="3"))
