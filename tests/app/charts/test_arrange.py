"""Merging, hiding and joining leave weights that still mean something."""

from itertools import product

import numpy as np
import pytest

from app.charts import arrange
from app.charts.arrange import Axis

PIECES = ["<bos>", "un", "believ", "able", "story", "<eos>"]
WORDS = ["<bos>", "unbelievable", "story", "<eos>"]
STARTS = [True, True, False, False, True, True]
SPECIAL = [True, False, False, False, False, True]


def softmax(shape: tuple[int, ...]) -> np.ndarray:
    scores = np.exp(np.random.default_rng(0).normal(size=shape))
    return scores / scores.sum(-1, keepdims=True)


def side(*, merge: bool = False, hide: bool = False) -> Axis:
    return arrange.axis(PIECES, WORDS, STARTS, SPECIAL, merge=merge, hide=hide)


def test_labels_are_those_of_groups_and_must_fit_them() -> None:
    assert arrange.word_groups(STARTS) == ((0,), (1, 2, 3), (4,), (5,))
    assert arrange.word_groups([False, False]) == ((0, 1),)
    assert arrange.word_groups([]) == ()
    assert side().labels == tuple(PIECES)
    assert side(merge=True).labels == tuple(WORDS)
    assert side(hide=True).labels == ("un", "believ", "able", "story")
    assert side(merge=True, hide=True).labels == ("unbelievable", "story")
    with pytest.raises(ValueError, match="3 labels do not fit 4 groups"):
        arrange.axis(PIECES, WORDS[:3], STARTS, SPECIAL, merge=True, hide=False)


def test_a_token_is_found_and_lost() -> None:
    merged = side(merge=True, hide=True)
    assert [merged.find(i) for i in (0, 1, 3, 4, 5, None)] == [None, 0, 0, 1, None, None]
    assert (merged.first(0), merged.first(1), merged.first(None)) == (1, 4, None)


def test_rows_sum_to_one_whatever_is_merged_or_hidden() -> None:
    for merge, hide in product((False, True), repeat=2):
        shown = side(merge=merge, hide=hide)
        arranged = arrange.arrange(softmax((2, 3, 6, 6)), shown, shown)
        assert arranged.shape == (2, 3, len(shown.labels), len(shown.labels))
        np.testing.assert_allclose(arranged.sum(-1), 1, atol=1e-12)
        np.testing.assert_allclose(arrange.aggregate(arranged, "mean").sum(-1), 1, atol=1e-12)
    joined = arrange.aggregate(arranged, "max")
    np.testing.assert_array_equal(joined, arranged.max(axis=1))


def test_columns_are_summed_rows_averaged_and_the_rest_renormalised() -> None:
    weights = softmax((6, 6))
    np.testing.assert_array_equal(arrange.arrange(weights, side(), side()), weights)
    merged = arrange.arrange(weights, side(merge=True), side(merge=True))
    assert merged[1, 2] == pytest.approx(weights[1:4, 4].mean())
    assert merged[2, 1] == pytest.approx(weights[4, 1:4].sum())
    hidden = arrange.arrange(weights, side(hide=True), side(hide=True))
    np.testing.assert_allclose(hidden[0], weights[1, 1:5] / weights[1, 1:5].sum())
    weights = np.zeros((6, 6))
    weights[:, 0] = 1  # on what is hidden alone
    assert not arrange.arrange(weights, side(hide=True), side(hide=True)).any()


def test_a_word_may_look_where_its_last_piece_may() -> None:
    merged = side(merge=True)
    mask = arrange.arrange_mask(arrange.causal(6), merged, merged)
    np.testing.assert_array_equal(mask, np.tri(4, dtype=bool))


def test_strongest_cell_is_between_words_if_there_are_any() -> None:
    weights = np.zeros((6, 6))
    weights[1, 0], weights[2, 4], weights[4, 3] = 0.9, 0.5, 0.6
    assert arrange.strongest(weights, side(), side()) == (4, 3)
    specials = arrange.axis(["<bos>"], ["<bos>"], [True], [True], merge=False, hide=False)
    assert arrange.strongest(np.array([[1.0]]), specials, specials) == (0, 0)
