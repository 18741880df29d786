"""Choices have a type, whatever the URL says."""

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ElementTree

from app import state
from app.state import Pin


@pytest.mark.parametrize(
    ("param", "raw", "value"),
    [
        (state.BEAM, "7", 7),
        (state.BEAM, "99", 10),
        (state.BEAM, "many", 4),
        (state.TEMPERATURE, "0.5", 0.5),
        (state.TEMPERATURE, "nan", 1.0),
        (state.TEMPERATURE, "-3", 0.1),
        (state.TOP_P, "inf", 1.0),
        (state.VIEW, "lines", "lines"),
        (state.VIEW, "<script>", "matrix"),
        (state.MERGE, "1", True),
        (state.MERGE, "true", False),
        (state.PIN, "3.4", Pin(3, 4)),
        (state.PIN, "3.", Pin(3, None)),
        (state.PIN, ".4", Pin(None, 4)),
        (state.PIN, ".", None),
        (state.PIN, "-3.4", None),
        (state.PIN, "1.2.3", None),
        (state.LANGUAGE, "fr", "fr"),
        (state.LANGUAGE, "tlh", None),
    ],
)
def test_reading(
    monkeypatch: pytest.MonkeyPatch, param: state.Param, raw: str, value: object
) -> None:
    monkeypatch.setattr(state, "_chosen", lambda: {param.name: raw})
    assert param.get() == value


def test_names_in_the_url_are_unlike() -> None:
    params = [value for value in vars(state).values() if isinstance(value, state.Param)]
    assert len({param.name for param in params}) == len(params) > 10


@pytest.mark.parametrize("value", [Pin(1, 2), Pin(None, 2), Pin(1, None)])
def test_a_pin_survives_the_url(value: Pin) -> None:
    assert state.PIN.parse(state._text_of(value)) == value


def test_a_text_that_never_reached_the_browser_is_sent_again() -> None:
    """On a busy machine, a second run came before the first one's text was sent.

    The browser showed an empty field, and sent that with the next click: the sentence was lost.
    """

    def draw() -> None:
        import streamlit as st

        from app import state

        state.sync()
        st.text_input("Sentence", key=state.TEXT.widget("nunca"))

    page = AppTest.from_function(draw).run()
    assert page.text_input[0].proto.set_value
    page._tree = ElementTree()  # nothing was drawn: its next run sends no values
    page._tree._runner = page
    page.run()
    assert page.text_input[0].proto.set_value
    assert page.text_input[0].value == "nunca"
    page.run()
    assert not page.text_input[0].proto.set_value  # it would overwrite what is being typed
