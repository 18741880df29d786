"""What can be chosen on the page: a token of the translation, a layer, and what a wall is about."""

from collections.abc import Mapping
from typing import Final, Literal

import streamlit as st

from app import state
from app.i18n import _
from app.inspector.probe import Probe, pick_written
from app.ui.pickers import pick
from app.views.walk.what_if import texts

About = Literal["sentence", "word"]
ABOUTS: Final[Mapping[About, str]] = {"sentence": texts.WHOLE_SENTENCE, "word": texts.ONE_TOKEN}
ABOUT: Final = state.Param[About]("about", "sentence", state.one_of("sentence", "word"))


def pick_about(probe: Probe) -> None:
    """Draw whether a wall is about the whole translation, or about one token of it, and which."""
    left, right = st.columns([0.3, 0.7], gap="medium", vertical_alignment="bottom")
    with left:
        pick(ABOUT, _(texts.PICK_ABOUT), ABOUTS)
    if ABOUT.get() == "word":
        with right:
            pick_written(probe)


def pick_all(probe: Probe) -> None:
    """Draw all that can be chosen."""
    pick_written(probe)
    pick(ABOUT, _(texts.PICK_ABOUT), ABOUTS)
