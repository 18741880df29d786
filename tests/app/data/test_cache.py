"""The pages' cache is bounded in bytes, whatever is in it and whoever fills it."""

from dataclasses import dataclass
from functools import partial
from pathlib import Path

import numpy as np
import pytest
import torch

from app.data import cache as caches
from app.data.cache import CACHE, BoundedCache, cached, sizes
from app.data.decoding import Decoding
from app.data.walk import walk
from app.views.walk.masked_attention.data import unmasked

KILOBYTE = 1024


@dataclass(frozen=True)
class Holder:
    """What pages cache: arrays somewhere below."""

    arrays: dict[str, np.ndarray]
    texts: tuple[str, ...] = ()


def block(kilobytes: int) -> np.ndarray:
    return np.zeros(kilobytes * KILOBYTE, np.uint8)


def test_what_was_used_longest_ago_leaves_first() -> None:
    cache = BoundedCache(3 * KILOBYTE + 500)
    for name in "abc":
        cache.get(name, lambda: block(1))
    cache.get("a", lambda: pytest.fail("it was there"))
    cache.get("d", lambda: block(1))
    cache.get("a", lambda: pytest.fail("it was used since"))
    computed = []
    cache.get("b", lambda: computed.append("b"))
    assert computed == ["b"]
    assert cache.n_bytes <= cache.most_bytes


def test_a_large_value_makes_room_and_one_too_large_is_not_kept() -> None:
    cache = BoundedCache(100 * KILOBYTE)
    for name in range(9):
        cache.get(name, lambda: block(10))
    cache.get("large", lambda: block(80))
    assert len(cache) == 3
    assert cache.get("huge", lambda: block(101)).size == 101 * KILOBYTE
    assert len(cache) == 3


def test_arrays_that_values_share_count_once() -> None:
    """A translation, its pages' views and its model's weights are held by several values."""
    cache, array = BoundedCache(100 * KILOBYTE), block(60)
    tensor = torch.from_numpy(array)
    values: tuple[object, ...] = array, Holder({"x": array[5:]}), tensor
    for value in values:
        cache.get(id(value), partial(lambda value: value, value))
    assert len(cache) == 3
    assert 60 * KILOBYTE <= cache.n_bytes < 65 * KILOBYTE
    cache.clear()
    assert cache.n_bytes == 0


def test_all_that_a_value_holds_is_counted() -> None:
    value = Holder({"x": block(2), "y": block(3)}, ("a" * 4000, "b" * 4000))
    assert 13_000 < sum(sizes(value).values()) < 15_000


def test_an_error_is_raised_to_each_and_not_kept() -> None:
    cache = BoundedCache(KILOBYTE)
    for _ in range(2):
        with pytest.raises(ZeroDivisionError):
            cache.get("key", lambda: 1 // 0)
    assert cache.get("key", lambda: 5) == 5


def test_long_sentences_make_each_other_leave(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Caches were bounded in entries: 13 long sentences on ten pages held gigabytes."""
    cache = BoundedCache(4 * 2**20)
    monkeypatch.setattr(caches, "CACHE", cache)
    translated = [f"{i} " + "nunca es tarde para aprender " * 9 for i in range(4)]
    for text in translated:
        unmasked(walk("es-en", text, Decoding("greedy")))
        assert cache.n_bytes <= cache.most_bytes
    assert 0 < len(cache) < 2 * len(translated)


def test_one_argument_counts_as_its_key() -> None:
    class Keyed:
        key, stamp = "same", "stamp"

    @cached(by="stamp")
    def answer(keyed: Keyed, numbers: list[int]) -> object:
        return object()

    assert answer(Keyed(), [1]) is answer(Keyed(), [1])
    assert answer(Keyed(), [1]) is not answer(Keyed(), [2])
    CACHE.clear()
