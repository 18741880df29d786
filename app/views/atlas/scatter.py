"""Two measures of all heads: one point per head, distinguished by colour and marker."""

from collections.abc import Callable, Mapping, Sequence
from typing import Final

import numpy as np

from app.charts.parts import marks
from app.charts.theme import Role, axis, layout, legend_above, role_colour
from app.data.translation import Kind
from app.format import label, number
from app.i18n import N_, _
from app.ui.chart import show_chart
from app.ui.pickers import pick_from_list
from app.ui.table import Columns
from app.views.atlas import data
from app.views.atlas.choice import (
    AGAINST,
    CARD,
    KINDS,
    AtlasChoice,
    key_of,
    measure_names,
    name_of,
    title_of,
)

SCATTER: Final = N_("Two measures, one point per head")
TICKS: Final = 6
LEFT, BELOW = 64, 48  # pixels, for an axis' numbers and its title
ROOM: Final = 0.06  # of the values' span, at each end
LOOKS: Final[Mapping[Kind, tuple[Role, str]]] = {
    "encoder": ("input", "circle"),
    "decoder": ("query", "square"),
    "cross": ("output", "diamond"),
}


def draw_scatter(choice: AtlasChoice, columns: Callable[[], Columns]) -> None:
    """Draw the points, each with its head's address for clicks; `columns` is their table."""
    pick_from_list(AGAINST, _("Against"), measure_names(), width=300)
    names = choice.measure, choice.against
    values = {one.id: [data.value_of(one, name) for name in names] for one in choice.heads}
    known = {head: pair for head, pair in values.items() if np.isfinite(pair).all()}
    if len(known) < 2:
        return
    pairs = np.array([*known.values()])  # (heads, 2)
    figure = layout("", height=330)
    for place, name, along in zip(("xaxis", "yaxis"), names, pairs.T.tolist(), strict=True):
        fixed = {"range": _range(along), "nticks": TICKS, "automargin": False}
        figure[place] = axis(title_of(name), 4, **fixed)
    legend_above(figure)
    figure["margin"] |= {"l": LEFT, "b": BELOW}
    traces = []
    for kind in data.KINDS:
        if heads := [head for head in known if head.kind == kind]:
            x, y = np.array([known[head] for head in heads]).T.tolist()
            role, symbol = LOOKS[kind]
            trace = marks(
                x,
                y,
                role_colour(role),
                symbol,
                9,
                outline=[3 if head == choice.open.id else 0 for head in heads],
                name=label(_(KINDS[kind])),
                customdata=[[label(name_of(head)), key_of(head)] for head in heads],
                hovertemplate="%{customdata[0]}<br>%{x}, %{y}<extra></extra>",
            )
            traces.append(trace)
    text = _("Rank correlation over the heads shown: {r}.")
    show_chart(
        {"data": traces, "layout": figure},
        "atlas-scatter",
        _(SCATTER),
        columns,
        caption=text.format(r=number(data.correlation(*pairs.T))),
        on_select=lambda point: CARD.set(traces[point.trace]["customdata"][point.at][1]),
    )


def _range(values: Sequence[float]) -> list[float]:
    """Return the ends of an axis; giving them saves the browser a second layout."""
    low, high = min(values), max(values)
    room = ROOM * (high - low) or 1.0
    return [low - room, high + room]
