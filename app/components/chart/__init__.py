"""A chart, drawn as SVG from its description in Plotly's words; its points can be read and chosen.

Plotly's own script is 4.7 MB, and takes a third of a second for what this draws in a few
milliseconds. `tests/app/chart_words.py` knows which of Plotly's words this reads.
"""

from collections.abc import Callable, Mapping
from typing import Any, NamedTuple

from app.charts.theme import Figure, coloured
from app.components.shared import mount
from app.i18n import _


class ChartPoint(NamedTuple):
    """A point of a chart: its trace, and its place in the trace's data."""

    trace: int
    at: int


def chart(
    figure: Figure, alt: str, *, key: str, on_select: Callable[[ChartPoint], None] | None = None
) -> ChartPoint | None:
    """Show a chart; return the point that was clicked since the last run, after `on_select`."""
    fixed = payload(figure, alt, on_select is not None)
    return mount("chart", _read, key=key, fixed=fixed, chosen=None, on_event=on_select)


def payload(figure: Figure, alt: str, chooses: bool = False) -> Mapping[str, Any]:
    """Return what the browser draws: colours have their names, as it knows the page's mode."""
    hint = _("Point at the picture, or move with the arrow keys, to read its numbers.")
    return {"figure": coloured(figure, None), "alt": alt, "hint": hint, "chooses": chooses}


def _read(sent: Any) -> ChartPoint:
    match sent:
        case {"trace": int(trace), "at": int(at)} if min(trace, at) >= 0:
            return ChartPoint(trace, at)
    raise ValueError(sent)
