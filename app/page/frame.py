"""What every teaching page has around its own part: the formulas with our code, and the way on."""

from collections.abc import Sequence
from dataclasses import dataclass

import streamlit as st

from app.data.walk import code
from app.i18n import _
from app.registry import VIEWS, View
from app.ui.table import fold


@dataclass(frozen=True)
class Code:
    """One step: its formula (LaTeX), and where our code does it."""

    title: str
    formula: str
    module: str
    qualname: str


def formulas(steps: Sequence[Code]) -> None:
    """Offer each step as its formula and as the lines of our own source that compute it."""
    fold(_("Formulas and code"), "code", ":material/code:", lambda: _steps(steps))


def _steps(steps: Sequence[Code]) -> None:
    for step in steps:
        st.markdown(f"**{_(step.title)}**")
        st.latex(step.formula)
        st.code(code(step.module, step.qualname), "python")


def turn(view: View) -> None:
    """Offer the pages before and after this one, also by Alt and an arrow key."""
    at = VIEWS.index(view)
    with st.container(horizontal=True, horizontal_alignment="distribute"):
        for place, side, icon in (
            (at - 1, "Left", "arrow_back"),
            (at + 1, "Right", "arrow_forward"),
        ):
            if 0 <= place < len(VIEWS):
                other = VIEWS[place]
                if st.button(
                    _(other.title), icon=f":material/{icon}:", shortcut=f"Alt+{side}",
                    key=f"turn-{side.lower()}",
                ):  # fmt: skip
                    st.switch_page(other.path)
