"""What an open page keeps of what it shows: a class has hundreds open, for hours."""

import gc
from pathlib import Path

from streamlit.testing.v1 import AppTest

from app.data.cache import CACHE
from app.data.changed import change_types
from app.lesson import packed
from app.registry import VIEWS, WALK
from model.interpret.calculation.parameters import Parameters
from model.interpret.capture import Capture
from tests.app.pages import opened

MUTED = change_types.write([change_types.MuteHeads("cross", 0, (0,))])
WAYS = ("matrix", "wall", "lines", "steps", "beam", "compare")


def held() -> set[int]:
    """All numbers of sentences and of models that are alive when nothing is cached."""
    CACHE.clear()
    gc.collect()
    return {id(one) for one in gc.get_objects() if isinstance(one, Capture | Parameters)}


def pages() -> list[AppTest]:
    """Every chapter of the walk, and every way to look at a translation, with changes."""
    pins = packed([{"model": "es-en", "text": "hola", "layer": "1", "head": "2"}])
    look = {"change": MUTED, "ask": "memory@0.1", "pin": "1.1", "edit": "1", "pins": pins}
    chapters = [opened(view.slug, all="0", **look) for view in VIEWS if view.section == WALK]
    runs = [*((way, "difference") for way in WAYS), ("matrix", "before"), ("lines", "after")]
    return chapters + [opened(view=way, run=run, **look) for way, run in runs]


def test_no_open_page_keeps_the_numbers_of_its_sentence(models: Path) -> None:
    """Each kept up to 49 MB beside the cache, in what a click calls and what draws a part again.

    Five visitors beside a hostile one took 1.8 GB, and the cache was let go in vain.
    """
    before = held()
    open_ = pages()
    assert not any(page.exception or page.error for page in open_)
    assert len(CACHE)
    assert held() == before
    assert len(open_) > len(WAYS)
