"""ImageNet: how many photographs there are, and how often each year's winner was wrong."""

from typing import Final

import numpy as np
import streamlit as st

from app.charts.parts import bars
from app.charts.theme import Figure, layout, names_axis, value_axis
from app.format import grouped, number
from app.i18n import _
from app.ui.chart import show_chart
from app.ui.table import Columns
from app.views.history.filters import texts
from app.views.history.filters.choice import Choice

MILLIONS: Final = 1.2
TEST: Final = 100_000
KINDS: Final = 1000
# Wrong among five guesses, in per cent, without training pictures from elsewhere: table 6 of
# arXiv:1409.0575, and arXiv:1512.03385 for 2015.
RATES: Final = {
    "2010 NEC-UIUC": 28.2,
    "2011 XRCE": 25.8,
    "2012 AlexNet": 16.4,
    "2013 Clarifai": 11.7,
    "2014 GoogLeNet": 6.7,
    "2015 ResNet": 3.6,
}
FIRST_LEARNED: Final = 2  # its place


def imagenet_text(_choice: Choice) -> str:
    """Say how large the set is, and what AlexNet changed."""
    before, after = list(RATES.values())[FIRST_LEARNED - 1 : FIRST_LEARNED + 1]
    sizes = {"training": number(MILLIONS, 1), "test": grouped(TEST), "kinds": grouped(KINDS)}
    return _(texts.IMAGENET).format(before=before, after=after, **sizes)


def draw_imagenet(_choice: Choice) -> None:
    """Draw the errors of the winners as bars."""
    show_chart(_rates(), "filters-imagenet", _(texts.RATES_NOTE), _columns)
    st.caption(_(texts.RATES_NOTE))


def _rates() -> Figure:
    names, rates = list(RATES), np.array(list(RATES.values()))
    text = [number(rate, 1) for rate in RATES.values()]
    figure = layout("", height=22 * len(names) + 62)
    figure["xaxis"] = value_axis(_(texts.RATES_TITLE), range=[0, 32], nticks=5)
    figure["yaxis"] = names_axis(names, down=True, marked=FIRST_LEARNED)
    figure["bargap"] = 0.25
    return {
        "data": [bars(rates, names, "value", marked=FIRST_LEARNED, text=text)],
        "layout": figure,
    }


def _columns() -> Columns:
    return {_("winner"): list(RATES), _(texts.RATES_TITLE): list(RATES.values())}
