"""The years of the lecture on a line: pictures above, words below; each point opens its page."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

import streamlit as st

from app.components.shared import mount, register
from app.i18n import N_, _
from app.registry import VIEWS, View


@dataclass(frozen=True)
class Point:
    """One point: `lane` 0 is the trunk, 1 the way of pictures, 2 the way of words."""

    slug: str
    year: str
    name: str
    lane: int = 0


POINTS: Final = (
    Point("neuron", "1943", N_("Neuron")),
    Point("perceptron", "1957", N_("Perceptron")),
    Point("perceptron", "1969", N_("XOR")),
    Point("backprop", "1970", N_("Derivatives backwards")),
    Point("backprop", "1986", N_("Back-propagation")),
    Point("filters", "2009–12", N_("Filters, AlexNet"), 1),
    Point("residual", "2015", N_("Residual learning"), 1),
    Point("words_as_vectors", "2013", N_("Words as vectors"), 2),
    Point("seq2seq", "2014", N_("RNN to RNN"), 2),
    Point("rnnsearch", "2015–16", N_("RNNsearch: attention"), 2),
    Point("evolution", "2017", N_("Transformer")),
)

_timeline = register("timeline")


def timeline(here: str, *, key: str) -> None:
    """Draw the line of years with the page that is open marked on it."""
    titles = {view.slug: _(view.title) for view in VIEWS}
    fixed = {
        "points": [
            {
                "slug": point.slug, "year": point.year, "name": _(point.name), "lane": point.lane,
                "title": titles[point.slug],
            }
            for point in POINTS
            if point.slug in titles
        ],
        "text": {
            "name": _("Timeline: each year opens its page"),
            "lanes": ["", _("pictures"), _("words")],
        },
    }  # fmt: skip
    view = mount(_timeline, "open", read, key=key, fixed=fixed, chosen=here, on_event=None)
    if view is not None:
        st.switch_page(view.path)


def read(event: Mapping[str, Any]) -> View | None:
    """Turn an event of the browser into the page that it asks for."""
    return next((view for view in VIEWS if view.slug == event.get("slug")), None)
