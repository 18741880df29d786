"""Bar charts: a distribution, columns, a target, cosines, stacked parts, series, and stages."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from app.charts.parts import bars, note, texts, upright_line
from app.charts.theme import (
    GRID,
    INK,
    QUIET,
    Figure,
    Role,
    axis,
    layout,
    legend_above,
    names_axis,
    role_colour,
    value_axis,
)
from app.format import label, number, probability
from app.i18n import _

ROW = 22  # pixels per bar
GAP = 0.03  # between two columns, as a fraction of the width
ROOM = 0.75  # free beside the longest bar, for its number
FEW = 16  # more pairs than this are drawn smaller
QUARTERS = [0, 0.25, 0.5, 0.75, 1]
PATTERNS = ("", "/", "x", ".")  # tell the series apart without colour
Series = tuple[str, Role, NDArray[np.floating]]  # its name, its colour, its values (N,)


def distribution_bars(
    probabilities: NDArray[np.floating],
    labels: Sequence[str],
    role: Role,
    value_title: str,
    title: str = "",
    marked: int | None = None,
) -> Figure:
    """Draw probabilities (N,), the first on top, always from 0 to 1."""
    text = [probability(p) for p in probabilities.tolist()]
    # A little more than 1, so that the number beside a full bar is still inside.
    scale = {"range": [0, 1.12], "tickvals": QUARTERS}
    figure = named_bars(probabilities, labels, role, text, value_title, scale, marked, title)
    opacity = [1.0 if marked in (None, i) else 0.55 for i in range(len(labels))]
    figure["data"][0]["marker"]["opacity"] = opacity
    return figure


def named_bars(
    values: NDArray[np.number],
    names: Sequence[str],
    role: Role,
    text: Sequence[str],
    value_title: str,
    scale: Figure,
    marked: int | None = None,
    title: str = "",
    row: int = ROW,
) -> Figure:
    """Draw values (N,), the first on top, each with its text; `scale` is Plotly's of their axis."""
    figure = layout(title, height=row * len(names) + (95 if title else 62))
    figure["xaxis"] = value_axis(value_title, **scale)
    figure["yaxis"] = names_axis(names, down=True, marked=marked)
    figure["bargap"] = 0.25
    return {"data": [bars(values, names, role, marked=marked, text=text)], "layout": figure}


def columns(
    values: NDArray[np.floating],
    names: Sequence[str],
    *,
    y_title: str,
    x_title: str = "",
    role: Role = "output",
    marked: int | None = None,
) -> Figure:
    """Draw values (N,) as bars from 0, with the `marked` one outlined."""
    N = len(names)
    figure = layout("", height=300)
    turned: Figure = {"tickangle": -90 if N > 6 else 0, "range": [-0.6, N - 0.4]}
    figure["xaxis"] = names_axis(names, marked=marked, title=x_title, **turned)
    top = float(values.max(initial=0.0)) or 1.0
    low = min(0.0, float(values.min(initial=0.0))) * 1.1
    figure["yaxis"] = value_axis(y_title, range=[low, top * 1.15])
    text = [number(value) for value in values] if N <= 16 else None
    trace = bars(values, names, role, upright=True, marked=marked, text=text)
    return {"data": [trace], "layout": figure}


def target_bars(
    target: NDArray[np.floating], predicted: NDArray[np.floating], labels: Sequence[str], title: str
) -> Figure:
    """Draw a model's target (K,) above its prediction (K,) for each piece, always from 0 to 1."""
    pairs: list[Series] = [
        (_("the target"), "residual", target),
        (_("the model"), "output", predicted),
    ]
    # More than 1, so that the number beside a full bar is still inside.
    look: Figure = {"span": (0, 1.18), "title": title, "write": probability}
    return pair_bars(pairs, labels, value_title=_("probability"), **look)


def similarity_bars(
    cosines: NDArray[np.floating],
    labels: Sequence[str],
    *,
    chance: float,
    chance_title: str,
    value_title: str,
) -> Figure:
    """Draw cosines (N,), the first on top, on an axis from 0, or the smallest, to 1.

    A dashed line marks `chance`; bars that do not pass it are pale.
    """
    count = len(labels)
    figure = layout("", height=14 * count + 84)
    end = 1.02  # of the axis: the largest cosine is 1
    lowest = min(0.0, float(cosines.min(initial=0.0)) - 0.05)
    figure["xaxis"] = value_axis(
        value_title, range=[lowest, end], tickvals=[-1, -0.5, 0, 0.25, 0.5, 0.75, 1]
    )
    figure["margin"]["r"] = 44  # the numbers stand here, clear of the dashed line
    figure["yaxis"] = names_axis(labels, down=True, range=[count - 0.5, -1.6])
    figure["bargap"] = 0.25
    figure["shapes"] = [upright_line(chance, width=2)]
    name = {"yref": "paper", "xanchor": "left", "yanchor": "top", "xshift": 4}
    figure["annotations"] = [note(label(chance_title), chance, 1, colour=QUIET, size=11, **name)]
    trace = bars(cosines, labels, "input")
    trace["marker"]["opacity"] = [0.8 if value > chance else 0.35 for value in cosines.tolist()]
    numbers = [number(value, 3) for value in cosines.tolist()]
    ends = texts([end] * count, list(range(count)), numbers, "middle right", INK, 12)
    return {"data": [trace, ends], "layout": figure}


@dataclass(frozen=True)
class Part:
    """One kind of part: its name, its colour and pattern, and its count in each block."""

    name: str
    role: Role
    pattern: str
    counts: Sequence[int]


def block_bars(blocks: Sequence[str], parts: Sequence[Part], *, value_title: str) -> Figure:
    """Draw one bar per block, the first on top; colour and pattern tell the parts apart."""
    count = len(blocks)
    figure = layout("", height=ROW * count + 132)
    figure |= {"barmode": "stack", "bargap": 0.25, "showlegend": True}
    below = {"x": 0, "y": -58 / (ROW * count), "yanchor": "top"}
    figure["legend"] = {"orientation": "h", **below}
    figure["xaxis"] = value_axis(value_title, standoff=4, nticks=5, rangemode="tozero")
    figure["yaxis"] = names_axis(blocks, down=True)
    data = [
        bars(
            np.array(part.counts),
            blocks,
            part.role,
            name=label(part.name),
            hovertemplate="%{customdata}<br>%{fullData.name}: %{x:,}<extra></extra>",
            marker={
                "line": {"color": INK, "width": 0.5},
                "pattern": {"shape": part.pattern, "fillmode": "overlay", "size": 7},
            },
        )
        for part in parts
    ]
    return {"data": data, "layout": figure}


def pair_bars(
    pairs: Sequence[Series],
    labels: Sequence[str],
    *,
    value_title: str,
    span: tuple[float, float] | None = None,
    title: str = "",
    write: Callable[[float], str] = number,
) -> Figure:
    """Draw one to four named series (N,), each with its colour, as groups of bars from 0.

    `span` fixes the ends of the axis; without it, the axis spans the numbers. NaN has no bar.
    """
    assert len(pairs) <= len(PATTERNS), "a pattern for each series"
    count = len(labels)
    figure = layout(title, height=int(np.clip(FEW / count, 0.6, 1) * 18 * len(pairs) * count) + 150)
    low, high = span or _span(np.concatenate([values for _, _, values in pairs]))
    figure["xaxis"] = value_axis(value_title, range=[low, high], zeroline=True, zerolinecolor=INK)
    figure["yaxis"] = names_axis(labels, down=True)
    figure |= {"barmode": "group", "bargap": 0.25}
    legend_above(figure)
    if len(pairs) > 2:
        figure["margin"]["t"] += 22  # on a phone the legend has two lines
    data = [
        bars(
            values,
            labels,
            role,
            name=label(name),
            text=["" if math.isnan(value) else write(value) for value in values.tolist()],
            hovertemplate=f"%{{customdata}}, {label(name)}: %{{x}}<extra></extra>",
            marker={
                "line": {"color": role_colour(role), "width": 1},
                "pattern": {"shape": pattern, "fillmode": "overlay"},
            },
        )
        for (name, role, values), pattern in zip(pairs, PATTERNS, strict=False)
    ]
    return {"data": data, "layout": figure}


def _span(values: NDArray[np.floating]) -> tuple[float, float]:
    """Return the ends of the axis, with room for the number at the end of the longest bar."""
    low, high = min(float(values.min()), 0.0), max(float(values.max()), 0.0)
    room = 0.14 * ((high - low) or 1.0)
    return (low - room if low < 0 else 0.0), high + room


@dataclass(frozen=True)
class Column:
    """One stage: its numbers (N,), NaN where there is none, and how they are written."""

    title: str
    values: NDArray[np.floating]
    texts: Sequence[str]
    role: Role = "residual"
    top: float | None = None  # the value of a full bar; None: the largest number


def stage_bars(
    columns: Sequence[Column],
    labels: Sequence[str],
    *,
    marked: int | None = None,
    quiet: int | None = None,
) -> Figure:
    """Draw the columns side by side, the row `marked` in bold and the row `quiet` in italics."""
    count = len(labels)
    figure = layout("", height=24 * count + 60)
    figure["margin"]["t"] = 44
    figure["yaxis"] = names_axis(labels, down=True, marked=marked)
    if quiet is not None:
        figure["yaxis"]["ticktext"][quiet] = f"<i>{label(labels[quiet])}</i>"
    figure["bargap"] = 0.25
    figure["annotations"] = []
    above = {"xref": "paper", "yref": "paper", "xanchor": "left", "yanchor": "bottom"}
    width = (1 + GAP) / len(columns)
    for i, column in enumerate(columns):
        domain = [i * width, (i + 1) * width - GAP]
        figure[f"xaxis{i + 1}" if i else "xaxis"] = _scale(column, domain)
        title, colour = f"<b>{label(column.title)}</b>", role_colour(column.role)
        figure["annotations"].append(note(title, domain[0], 1, colour=colour, size=13, **above))
    data = [_bars(column, i, labels, marked) for i, column in enumerate(columns)]
    return {"data": data, "layout": figure}


def _scale(column: Column, domain: list[float]) -> Figure:
    finite = column.values[np.isfinite(column.values)]
    low = min(0.0, float(finite.min(initial=0.0)))
    high = max(0.0, float(finite.max(initial=0.0))) if column.top is None else column.top
    reach = (high - low) or 1.0
    return axis(
        domain=domain,
        range=[low - (ROOM * reach if low < 0 else 0), high + ROOM * reach],
        showticklabels=False,
        zeroline=True,
        zerolinecolor=GRID,
    )


def _bars(column: Column, place: int, labels: Sequence[str], marked: int | None) -> Figure:
    texts = [label(text) if text else "" for text in column.texts]
    trace = bars(
        column.values,
        labels,
        column.role,
        marked=marked,
        xaxis=f"x{place + 1}" if place else "x",
        text=texts,
        textfont={"color": INK},
        hovertemplate="%{customdata}: %{text}<extra></extra>",
    )
    trace["marker"]["opacity"] = [1.0 if i == marked else 0.6 for i in range(len(labels))]
    trace["marker"]["line"]["color"] = QUIET
    return trace
