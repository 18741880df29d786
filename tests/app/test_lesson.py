"""A lesson survives its file and its link unchanged, and nothing else is taken for one."""

import base64
import json
import zlib
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import state
from app.lesson import FORM, LARGEST, MOST_STOPS, Lesson, Stop
from app.page import lesson as page_lesson
from app.registry import VIEWS

texts = st.text(st.characters(codec="utf-8"), max_size=40)
chosen = st.dictionaries(
    st.text("abz.-", min_size=1, max_size=9).map(lambda name: f"a{name}"),
    texts,
    max_size=4,
)
stops = st.builds(
    Stop,
    st.sampled_from([view.slug for view in VIEWS]),
    st.text("abz_-", max_size=12),
    chosen,
    texts,
    texts,
)
some = st.builds(Lesson, texts, st.lists(stops, max_size=5).map(tuple))


@settings(max_examples=40)
@given(some)
def test_files_and_links_say_it_all(lesson: Lesson) -> None:
    assert Lesson.from_file(lesson.to_file()) == lesson
    assert Lesson.from_link(lesson.to_link()) == lesson


def test_a_long_lesson_fits_into_an_address() -> None:
    """A server refuses an address of 64 kB; 25 screens with a sentence each need a tenth of it."""
    stop = Stop("self_attention", "scale", {"text": "El gato bebe leche.", "head": "3"}, "Look.")
    different = [
        Stop(stop.page, f"screen-{i}", {**stop.settings, "layer": str(i)}, f"{i * 37} words here")
        for i in range(25)
    ]
    assert len(Lesson("Attention", tuple(different)).to_link()) < 6000


def file(**changed: Any) -> bytes:
    """A lesson's file with something wrong in it."""
    stop = {"page": "heads", "screen": "", "settings": {}, "words": "", "note": ""}
    whole = {"form": FORM, "title": "A", "stops": [stop | changed.pop("stop", {})]}
    return json.dumps(whole | changed).encode()


NONSENSE = (
    *(b"", b"\xff\xfe\x00", b"PK\x03\x04", b"null", b"[]", b"{}", b'{"form": NaN}'),
    *(b"[" * 100_000, b" " * (LARGEST + 1), file(form="illuminated-lesson-0")),
    *(file(title=3), file(title="x" * 10_000)),
    *(file(stops={}), file(stops=[3]), file(stops=[["heads"]])),
    file(stops=[{"page": "heads", "draw": "x"}]),
    file(stops=[{"page": "heads"}] * (MOST_STOPS + 1)),
    *(file(stop={"page": "../../etc/passwd"}), file(stop={"page": ["heads"]})),
    *(file(stop={"screen": "<script>"}), file(stop={"screen": None})),
    *(file(stop={"words": "x" * 100_000}), file(stop={"note": {"a": 1}})),
    *(file(stop={"settings": ["text"]}), file(stop={"settings": {"text": 3}})),
    *(file(stop={"settings": {"text": "x" * 100_000}}), file(stop={"settings": {"a b": "x"}})),
    file(stop={"settings": {"lesson": "x"}}),
    file(stop={"settings": {f"n{i}": "" for i in range(100)}}),
)


def test_what_is_no_lesson_is_refused() -> None:
    for data in NONSENSE:
        with pytest.raises(ValueError, match=r".+"):
            Lesson.from_file(data)
        with pytest.raises(ValueError, match=r".+"):
            Lesson.from_link(base64.urlsafe_b64encode(zlib.compress(data)).decode())
    for code in ("", "x", "é", "AAAA", "%%%", "eJw"):
        with pytest.raises(ValueError, match=r".+"):
            Lesson.from_link(code)


def test_a_link_that_unpacks_into_gigabytes_is_read_in_part(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    bomb = base64.urlsafe_b64encode(zlib.compress(b" " * 10_000_000)).decode()
    read: list[int] = []
    monkeypatch.setattr(json, "loads", lambda text: read.append(len(text)))
    with pytest.raises(ValueError, match="form"):
        Lesson.from_link(bomb)
    assert read == [LARGEST]


def test_a_screen_that_is_added_on_the_tour_does_not_lead_back_to_it(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The lesson was given with the tour's own way on, which left it after the first screen."""
    monkeypatch.setattr(state, "chosen", lambda: {"text": "Hola", "tour": "1", "part": "z"})
    assert page_lesson.settings() == {"text": "Hola"}
