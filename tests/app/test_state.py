"""Choices have a type, whatever the URL says."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import ElementTree

from app import state
from app.state import Pin
from tests.app.pages import opened, sound, step


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


def test_a_name_in_the_url_belongs_to_one_choice() -> None:
    """A place of a token took the visitor's changes away: both were called “change”."""
    with pytest.raises(ValueError, match=r"'beam' is a choice of app\.state already"):
        state.Param[int]("beam", 1, int)
    for _again in range(2):  # by the same line: a module's function declared it
        state.Param("only-in-this-test", 1, int)
    with pytest.raises(ValueError, match="only-in-this-test"):
        state.Param("only-in-this-test", 1, int)
    for lines in ("", "\n"):  # a file that was edited is loaded again
        code = f"from app import state{lines}\nstate.Param('of-an-edited-file', 1, int)"
        exec(code, {"__name__": "edited"})


@pytest.mark.parametrize(
    ("page", "before", "now"),
    [
        ("masked_attention", {"change": "4"}, {"replaced": "4"}),
        ("masked_attention", {"change": "mute-cross-1-3"}, {"change": "mute-cross-1-3"}),
        ("training", {"run": "recorded/reverse"}, {"training": "recorded/reverse"}),
        ("training", {"run": "before"}, {"run": "before"}),
        ("training", {"order": "longest"}, {"sort": "longest"}),
        ("training", {"from": "fr", "to": "es"}, {"t-from": "fr", "t-to": "es"}),
        ("positions", {"order": "rotated"}, {"order": "rotated"}),
        ("big_picture", {"sub": "2"}, {"sublayer": "2"}),
        ("add_norm", {"sub": "2"}, {"norm": "2"}),
        ("translate", {"asked": "B"}, {"asked-side": "B"}),
        ("what_if", {"asked": "positions"}, {"asked": "positions"}),
    ],
)
def test_an_address_from_before_a_name_was_changed_leads_on(
    models: Path, page: str, before: dict[str, str], now: dict[str, str]
) -> None:
    app = sound(opened(page, **before))
    assert {name: raw for name, raw in app.query_params.items() if name in {*before, *now}} == now


def test_another_token_keeps_the_changes(models: Path) -> None:
    """The place of the token that is replaced took the name of the changes in the address."""
    made = "mute-cross-1-3"
    app = step("masked_attention", "change", change=made, text="la casa azul")
    pick = app.selectbox(key="replaced-en")
    sound(pick.select_index(1).run())
    assert app.query_params["change"] == made
    assert app.query_params["replaced"]


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
