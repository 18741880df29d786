"""Who waits sees their place in the queue, in their language, and no line is left behind."""

from unittest.mock import Mock

import pytest
from streamlit.testing.v1 import AppTest

from app.i18n import LANGUAGES
from app.ui import live_part

PLACES = {
    "en": "You are number 3 in the queue",
    "es": "Eres el número 3 en la cola",
    "fr": "Vous êtes numéro 3 dans la file",
}


def page(language: str, places: tuple[int, ...]) -> None:
    import streamlit as st

    from app import i18n
    from app.data.queue import QUEUE
    from app.ui import live_part

    @st.fragment
    def part() -> None:
        with live_part.turn():
            st.button("again")
            for place in places:
                QUEUE.tell(place)

    with i18n.speaking(language):
        part()


def test_a_place_is_told_in_each_language_and_to_who_cannot_see() -> None:
    assert set(PLACES) == set(LANGUAGES)
    for language, place in PLACES.items():
        at = AppTest.from_function(page, args=(language, (4, 3))).run()
        (line,) = at.markdown
        assert place in line.value
        assert 'role="status"' in line.value


def test_a_part_that_is_drawn_alone_has_a_line_too_and_clears_it() -> None:
    at = AppTest.from_function(page, args=("en", (2, 0))).run()
    at.button[0].click().run()
    assert not at.exception
    assert not at.markdown


def test_a_place_that_stays_is_said_once_and_still_asks_whether_the_page_wants_more(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Forty who waited said their places twice a second, and slowed down those who computed."""
    shown, asked = Mock(), Mock()
    monkeypatch.setattr(live_part, "get_script_run_ctx", lambda **_: Mock(yield_check=asked))
    token = live_part._LINE.set(live_part._Line(shown))
    for place in (3, 3, 3, 2):
        live_part.tell(place)
    live_part._LINE.reset(token)
    assert shown.markdown.call_count == 2
    assert asked.call_count == 2
