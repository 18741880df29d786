"""Runs with changes, as the pages ask for them: visitors who share a model share nothing else."""

import random
import threading
from pathlib import Path

import pytest

from app.data import translation
from app.data.cache import CACHE
from app.data.changed import Changed, change_types, changed, changed_walk, fitted, forced_walk
from app.data.steering import of_hypothesis
from app.data.translation import Decoding, stamp_of
from app.data.walk import walk
from app.views.walk.learning.data import taught

TEXTS = ("Nunca es tarde", "Hola amigo")
LISTS = ("mute-cross-0-0_1", "hide-src-1", "nomask", "nopos")


def result(text: str, changes: str) -> bytes:
    """Every number of a changed run, forced and free, as bytes."""
    original = walk("es-en", text, Decoding("greedy")).translation
    fit = fitted(original, change_types.parse(changes))
    run: Changed = changed(original, fit.plan)
    captures = (run.forced, run.translation.capture)
    return b"".join(one.arrays[name].tobytes() for one in captures for name in sorted(one.arrays))


def test_runs_of_visitors_with_other_changes_are_each_their_own(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Three visitors, one model, a cache so small that nearly every run is made again."""
    asked = [(text, changes) for text in TEXTS for changes in LISTS]
    expected = {one: result(*one) for one in asked}
    assert len(set(expected.values())) == len(asked)
    CACHE.clear()
    monkeypatch.setattr(CACHE, "most_bytes", 2_000_000)
    wrong: list[tuple[str, str]] = []

    def visit(seed: int) -> None:
        draw = random.Random(seed)
        for _run in range(5):
            one = draw.choice(asked)
            if result(*one) != expected[one]:
                wrong.append(one)

    visitors = [threading.Thread(target=visit, args=(seed,)) for seed in range(3)]
    for visitor in visitors:
        visitor.start()
    for visitor in visitors:
        visitor.join()
    assert wrong == []


def test_a_walk_has_one_capture_also_where_another_translation_is_read(models: Path) -> None:
    """The translation of a forced walk had the numbers of the run before the changes."""
    original = walk("es-en", TEXTS[0], Decoding("greedy"))
    run = changed(
        original.translation, fitted(original.translation, change_types.parse("mute-cross")).plan
    )
    hypothesis = of_hypothesis(original, tuple(original.capture.tgt_ids[1:2]))
    others = [forced_walk(original, run), changed_walk(original, run), hypothesis]
    for one in (original, *others, taught(original, "hello")):
        assert one.capture is one.translation.capture is one.numbers.capture
    assert len({original.key, *(one.key for one in others)}) == 4


def test_the_files_of_a_model_are_looked_up_once_a_call(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: list[str] = []
    monkeypatch.setattr(
        translation,
        "stamp_of",
        lambda name: asked.append(name) or stamp_of(name),  # type: ignore[func-returns-value]
    )
    original = walk("es-en", TEXTS[1], Decoding("greedy"))
    assert asked == ["es-en"]
    fit = fitted(original.translation, change_types.parse("mute-cross"))
    shown = changed_walk(original, changed(original.translation, fit.plan))
    assert shown.check(()).passed
    assert shown.model.config == original.model.config
    assert asked == ["es-en"]
