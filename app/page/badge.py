"""The badge: the numbers of the page, computed again by other code, and how far apart they are."""

from collections.abc import Callable, Sequence

import streamlit as st
from streamlit.elements.lib.mutable_popover_container import PopoverContainer

from app.data.walk import Walk
from app.format import escape, power
from app.i18n import _, ngettext
from app.inspector.naming import cell_name
from app.inspector.panel import ask
from app.ui.buttons import quiet_button


def draw_check(walk: Walk, scopes: Sequence[str], also: Callable[[], None] = lambda: None) -> None:
    """Recompute some parts of the model in NumPy (float64), and say whether they agree.

    `also` draws what stands beside the badge.
    """
    check = walk.check(scopes)
    worst, count = check.worst, len(check.stages)
    if check.passed:
        text = ngettext(
            "{n} array computed again with NumPy in float64, not with the model's code. "
            "Largest difference {difference}, allowed {tolerance}, at: {place}.",
            "{n} arrays computed again with NumPy in float64, not with the model's code. "
            "Largest difference {difference}, allowed {tolerance}, at: {place}.",
            count,
        )
    else:
        text = ngettext(
            "{n} array computed again with NumPy in float64. The model's number differs by "
            "{difference}, allowed {tolerance}, at: {place}.",
            "{n} arrays computed again with NumPy in float64. The model's number differs by "
            "{difference}, allowed {tolerance}, at: {place}.",
            count,
        )
    if changed := len(check.changed):
        text += " " + ngettext(
            "{changed} of them was changed on purpose, and is computed with the changes.",
            "{changed} of them were changed on purpose, and are computed with the changes.",
            changed,
        ).format(changed=changed)
    place = escape(cell_name(walk, worst.cell))
    text = text.format(n=count, place=place, **_bounds(worst.difference, worst.tolerance))
    arrays = ngettext("{n} array", "{n} arrays", count).format(n=count)
    with _badge(check.passed, arrays, text, also):
        quiet_button(_("Open that number"), "checked-open", "search", ask, worst.cell)


def _bounds(difference: float, tolerance: float) -> dict[str, str]:
    return {"difference": power(difference), "tolerance": power(tolerance)}


def _badge(passed: bool, what: str, text: str, also: Callable[[], None]) -> PopoverContainer:
    """Draw the badge in one line; it opens what it means, and what else is offered."""
    name = _("Checked") if passed else _("Not confirmed")
    colour, icon = ("green", "verified") if passed else ("red", "error")
    key = "checked" if passed else "not-checked"
    with st.container(horizontal=True, gap="small", vertical_alignment="center", key=key):
        st.markdown(f":{colour}-badge[:material/{icon}: {name}]", width="content")
        box = st.popover(what, type="tertiary")
        also()
    box.markdown(f":small[{text}]")
    return box
