"""A book's own drawing of charts knows all that the app's charts say."""

import json
import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest

from app.registry import VIEWS
from tests.app.pages import ROOT, opened, revealed

DRAWN: Final = "".join(
    (ROOT / "app/book/chart" / name).read_text(encoding="utf-8") for name in ("chart.js", "axis.js")
)
# What only Plotly needs: for its hover and clicks, or to lay out what a book lays out by itself.
PLOTLYS: Final = frozenset(
    [
        "customdata",
        "hovertemplate",
        "hoverinfo",
        "hovertext",
        "hoverongaps",
        "zhoverformat",
        "hoverformat",
        "hoverlabel",
        "hovermode",
        "clickmode",
        "dragmode",
        "modebar",
        "fixedrange",
        "autosize",
        "uirevision",
        "legendgroup",
        "traceorder",
        "ids",
        "ticklabeloverflow",
        "ticks",
        "constrain",
        "constraintoward",
        "bargroupgap",
        "zmid",
        "plot_bgcolor",
        "family",
        "arrowhead",
        "standoff",
        "startstandoff",
        "pad",
        "outlinewidth",
        "thickness",
        "len",
        "lenmode",
        "xpad",
        "solidity",
        "selectedpoints",
        "selected",
        "unselected",
        "zsmooth",
    ]
)
# Values that a chart draws by: any other would be drawn as something else.
CHOSEN: Final = frozenset(
    [
        "type",
        "mode",
        "dash",
        "shape",
        "symbol",
        "fill",
        "barmode",
        "orientation",
        "side",
        "textposition",
        "fillmode",
        "layer",
        "rangemode",
        "exponentformat",
        "axref",
        "ayref",
    ]
)
PLAIN: Final = frozenset(
    {
        "",
        "solid",
        "scatter",
        "linear",
        "data",
        "none",
        "circle",
        "below",
        "normal",
        "bottom",
        "lines",
        "outside",
        "rect",
        "v",
        "pixel",
        "markers",
        "middle",
        "center",
    }
)


def parts(value: Any, above: str = "") -> Iterator[tuple[str, Any]]:
    """All keys of a figure with what they say; numbers and packed arrays end there."""
    if isinstance(value, list):
        for each in value[:50]:
            yield from parts(each, above) if isinstance(each, dict | list) else [(above, each)]
        return
    for name, each in value.items():
        if name in PLOTLYS:
            continue
        yield name, None
        if (isinstance(each, dict) and "bdata" not in each) or isinstance(each, list):
            yield from parts(each, name)
        else:
            yield name, each


def unknown(figure: dict[str, Any]) -> set[str]:
    """What a figure says that the code of a book's charts never reads."""
    found = set()
    for name, value in parts({"data": figure["data"], **figure["layout"]}):
        key = re.sub(r"^([xy]axis)\d*$", r"\1", name)
        if not is_read(key):
            found.add(key)
        if key in CHOSEN and isinstance(value, str):
            found |= {f"{key}={word}" for word in re.split(r"[ +]", value) if not is_named(word)}
    return found


def is_read(key: str) -> bool:
    if re.fullmatch(r"[xy][01]?|[xy]axis|[xy]ref", key):
        return True  # `trace[side]` and the like
    return bool(re.search(rf"[.{{,\s]{key}\b(?!\()", DRAWN))


def is_named(word: str) -> bool:
    if word in PLAIN:
        return True
    plain = re.sub("-(open|thin|dot)$", "", word)
    return bool(re.search(rf'"{re.escape(plain)}"|\b{re.escape(plain)}: ', DRAWN))


@pytest.mark.parametrize("page", [view.slug for view in VIEWS])
def test_all_that_a_chart_says_is_drawn(models: Path, page: str) -> None:
    """Bars that stack, deviations and smooth lines were once left out without a word."""
    app = revealed(opened(page))
    for chart in app.get("plotly_chart"):
        assert not unknown(json.loads(chart.proto.spec))


@pytest.mark.parametrize(
    ("trace", "layout", "missing"),
    [
        ({"type": "violin"}, {}, {"type=violin"}),
        ({"type": "bar", "error_q": 1}, {}, {"error_q"}),
        ({"line": {"shape": "vhv"}}, {"barmode": "relative"}, {"shape=vhv", "barmode=relative"}),
        ({"type": "bar", "error_x": {"array": [1]}}, {"barmode": "stack"}, set()),
    ],
)
def test_what_no_chart_draws_is_found(
    trace: dict[str, Any], layout: dict[str, Any], missing: set[str]
) -> None:
    assert unknown({"data": [trace], "layout": layout}) == missing
