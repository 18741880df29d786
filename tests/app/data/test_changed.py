"""Runs with changes, as the pages ask for them: visitors who share a model share nothing else."""

import random
import threading
from pathlib import Path

import pytest

from app.data.cache import CACHE
from app.data.changed import Changed, changed, fitted, of
from app.data.translation import Decoding
from app.data.walk import walk

TEXTS = ("Nunca es tarde", "Hola amigo")
LISTS = (
    "mute-cross-0-0_1",
    "mute-encoder",
    "look-uniform-cross-1",
    "hide-src-1",
    "leaveout-0",
    "nomask",
    "temp-2-cross",
    "nopos",
    "noadd-encoder-0-1",
    "noffn-decoder-1",
)


def result(text: str, changes: str) -> bytes:
    """Every number of a changed run, forced and free, as bytes."""
    original = walk("es-en", text, Decoding("greedy")).translation
    fit = fitted(original, of.parse(changes))
    run: Changed = changed(original, fit.plan)
    captures = (run.forced, run.translation.capture)
    return b"".join(one.arrays[name].tobytes() for one in captures for name in sorted(one.arrays))


def test_runs_of_visitors_with_other_changes_are_each_their_own(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Four visitors, one model, a cache so small that nearly every run is made again."""
    asked = [(text, changes) for text in TEXTS for changes in LISTS]
    expected = {one: result(*one) for one in asked}
    assert len(set(expected.values())) == len(asked)
    CACHE.clear()
    monkeypatch.setattr(CACHE, "most_bytes", 2_000_000)
    wrong: list[tuple[str, str]] = []

    def visit(seed: int) -> None:
        draw = random.Random(seed)
        for _run in range(12):
            one = draw.choice(asked)
            if result(*one) != expected[one]:
                wrong.append(one)

    visitors = [threading.Thread(target=visit, args=(seed,)) for seed in range(4)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    assert wrong == []
