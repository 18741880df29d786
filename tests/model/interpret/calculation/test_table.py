"""Neighbours, analogies and maps of an embedding table."""

import numpy as np
import pytest

from model import checkpoint
from model.interpret.calculation.neighbours import (
    analogy,
    chance_cosine,
    cosines,
    nearest,
    principal_components,
    word_vector,
)

# man, woman, king, queen, apple, and a row that training never touched
TABLE = np.array([[1, 0, 0], [1, 2, 0], [1, 0, 3], [1, 2, 3], [-4, -1, 0.1], [0, 0, 0]], float)


def test_cosines_are_those_of_the_angles() -> None:
    vector = TABLE[1]
    expected = [row @ vector / (np.linalg.norm(row) * np.linalg.norm(vector)) for row in TABLE[:5]]
    assert cosines(TABLE, vector)[:5] == pytest.approx(expected)
    assert cosines(TABLE, vector)[5] == 0


def test_neighbours_come_nearest_first_and_analogies_with_them() -> None:
    found = nearest(TABLE, TABLE[3], n=3)
    assert [neighbour.token_id for neighbour in found] == [3, 2, 1]
    assert found[0].similarity == pytest.approx(1)
    assert [f.token_id for f in nearest(TABLE, TABLE[3], 2, leave_out=[3])] == [2, 1]
    assert [f.token_id for f in nearest(TABLE, TABLE[3], 2, among=[0, 4])] == [0, 4]
    # king - man + woman
    best, *_ = analogy(TABLE, plus=[[2], [1]], minus=[[0]])
    assert best.token_id == 3
    assert {n.token_id for n in analogy(TABLE, [[2], [1]], [[0]])} == {3, 4, 5}


def test_a_word_of_several_pieces_is_their_mean() -> None:
    assert word_vector(TABLE, [0, 3]) == pytest.approx([1, 1, 1.5])
    with pytest.raises(ValueError, match="at least one piece"):
        word_vector(TABLE, [])
    with pytest.raises(ValueError, match="none for 6"):
        word_vector(TABLE, [6])


def test_chance_is_measured_over_all_pairs_of_the_table() -> None:
    """Random directions were assumed, whose cosines have a mean of 0: that of en-es' words is 0.14,
    and nearly every neighbour, 7.9 of 8, passed the line.
    """
    rng = np.random.default_rng(0)
    for shared in (0.0, 2.0):  # of all rows, as training leaves it
        rows = rng.normal(size=(300, 16)) + shared * np.eye(16)[0]
        units = rows / np.linalg.norm(rows, axis=-1, keepdims=True)
        every = units @ units.T
        pairs, tops = every[~np.eye(300, dtype=bool)], (every - 2 * np.eye(300)).max(1)
        chance = chance_cosine(rows)
        assert (chance.mean, chance.spread) == pytest.approx((pairs.mean(), pairs.std()))
        assert (tops > chance.limit).mean() < 0.1
    assert chance_cosine(TABLE[:1]).limit == 1


def test_few_words_of_a_shipped_model_pass_the_line_of_chance() -> None:
    loaded = checkpoint.load(checkpoint.PRETRAINED / "en-es")
    pieces = loaded.tokenizer.tokens(range(loaded.tokenizer.vocab_size))
    words = [one.id for one in pieces if one.starts_word and one.text.isalpha()]
    table = loaded.model.src_embed.weight.detach().double().numpy()
    limit = chance_cosine(table[words]).limit
    near = [nearest(table, table[i], 8, [i], words) for i in words[::25]]
    passed = np.mean([sum(one.similarity > limit for one in of) for of in near])
    assert 0.2 < passed < 2


def test_principal_components_are_those_of_the_svd() -> None:
    for shape in ((40, 6), (5, 20)):
        vectors = np.random.default_rng(0).normal(size=shape) * np.arange(1, shape[1] + 1)
        done = principal_components(vectors, 3)
        u, s, _ = np.linalg.svd(vectors - vectors.mean(0), full_matrices=False)
        assert np.abs(done.points) == pytest.approx(np.abs(u[:, :3] * s[:3]))
        assert done.explained == pytest.approx(s[:3] ** 2 / (s**2).sum())
        assert done.project(vectors) == pytest.approx(done.points)
        assert (done.axes.max(-1) == np.abs(done.axes).max(-1)).all()
    with pytest.raises(ValueError, match="no 2 axes"):
        principal_components(np.zeros((1, 4)))
    assert principal_components(np.ones((3, 4))).explained.tolist() == [0, 0]
