"""The page “Models”: every available model, and what can be done with it."""

from collections.abc import Mapping

import streamlit as st

from app.components.shared.kept import keeping
from app.i18n import _
from app.page.model_buttons import draw_outcome
from app.registry import view_of
from app.ui.about import about
from app.ui.chosen import model, model_name
from app.ui.kept import screen_menu
from app.ui.pickers import pick_from_list
from app.ui.table import fold
from app.views.models.card import (
    SHOWN,
    draw_actions,
    draw_comparison,
    draw_facts,
    draw_list,
    draw_load,
    draw_undo,
)
from app.views.models.data import Card, cards
from app.views.models.fetching import draw_fetch


def draw() -> None:
    """Draw the page, and the menu that exports it."""
    title = _(view_of("models").title)
    st.title(title)
    with about(page="models", title=title), keeping() as drawn:
        text = _(
            "Every model there is: those that ship with the project, those that were trained "
            "here, and those that were loaded. Each of them can be opened on every page."
        )
        st.markdown(text)
        draw_undo()
        draw_outcome("fetched")
        if there := {card.name: card for card in cards()}:
            _draw_models(there)
        screen_menu([("", drawn)])
    draw_fetch()
    st.header(_("Load a model"))
    draw_load()


def _draw_models(there: Mapping[str, Card]) -> None:
    """Draw the list, and the chosen model."""
    draw_list(list(there.values()))
    names = {name: model_name(name) for name in there}
    chosen = next(name for name in (SHOWN.get(), model() or "", *there) if name in there)
    pick_from_list(SHOWN, _("Model"), names, value=chosen)
    card = there[chosen]
    draw_facts(card)
    draw_actions(card)
    label = _("Compare with another model")
    fold(label, "versus", "compare_arrows", lambda: draw_comparison(card, there))


draw()
