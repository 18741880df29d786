"""The chapter's own charts."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from app.charts import theme
from app.charts.parts import cells, colour_bar, frame, marks, note, polyline, upright_line
from app.charts.theme import Figure, Floats, Role
from app.format import label, power, short, signed
from app.i18n import _

NAME, GAP = 0.09, 0.04  # the room above a heatmap for its name, and below it
HIGH, DOTS_HIGH = 126, 300  # of a heatmap, in pixels: the page does not scroll


@dataclass(frozen=True)
class Encodings:
    """Encodings (N, D) in one layout, what it is called, and the components to mark."""

    title: str
    values: Floats
    marked: Sequence[int]


def encoding_heatmaps(layouts: Sequence[Encodings], here: int) -> Figure:
    """Draw encodings one below the other, positions downwards.

    A frame marks the position, a triangle each of the marked components.
    """
    N, D = layouts[0].values.shape
    figure = theme.layout("", height=HIGH * len(layouts) + 40)
    component, position = _("component"), _("position")
    figure["xaxis"] = theme.axis(component, range=[0.5, D + 0.5], anchor=_y_axis(len(layouts) - 1))
    figure["shapes"], figure["annotations"] = [], []
    top = -0.5 - 0.06 * N  # room for the triangles
    hover = f"{label(position)} %{{y}} · {label(component)} %{{x}}: %{{z}}<extra></extra>"
    deep = (1 - NAME * len(layouts) - GAP * (len(layouts) - 1)) / len(layouts)
    beside = {"xref": "paper", "xanchor": "left", "yref": "paper", "yanchor": "bottom"}
    data: list[Figure] = []
    for i, shown in enumerate(layouts):
        y_axis, high = _y_axis(i), 1 - NAME - i * (deep + GAP + NAME)
        figure[y_axis.replace("y", "yaxis")] = theme.axis(
            position, range=[N - 0.5, top], domain=[max(high - deep, 0), high]
        )
        figure["shapes"].append({**frame(0.5, D + 0.5, here - 0.5, here + 0.5), "yref": y_axis})
        name = f"<b>{label(shown.title)}</b>"
        figure["annotations"].append(note(name, 0, high, size=14, **beside))
        trace = _cells(shown.values, 1.0, 2, hover)
        trace["colorbar"] |= {"y": 0, "yanchor": "bottom", "len": 1 - NAME}
        # Components count from 1; one scale is enough for all.
        data.append({**trace, "x0": 1, "yaxis": y_axis, "showscale": i == 0})
        places = [x + 1 for x in shown.marked], [(top - 0.5) / 2] * len(shown.marked)
        options = {"yaxis": y_axis, "showlegend": False, "hoverinfo": "skip"}
        data.append(marks(*places, theme.INK, "triangle-down", 12, **options))
    return {"data": data, "layout": figure}


def _y_axis(i: int) -> str:
    return f"y{i + 1}" if i else "y"


def dots_heatmap(dots: Floats, here: int, title: str) -> Figure:
    """Draw the dot product of each pair of positions (N, N), with one row marked."""
    N = len(dots)
    figure = theme.layout(title, height=DOTS_HIGH)
    figure["xaxis"] = theme.axis(_("position"), range=[-0.5, N - 0.5])
    figure["yaxis"] = theme.axis(_("position"), range=[N - 0.5, -0.5])
    figure["shapes"] = [frame(-0.5, N - 0.5, here - 0.5, here + 0.5)]
    reach = float(np.abs(dots).max()) or 1.0
    hover = "p[%{y}] · p[%{x}] = %{z}<extra></extra>"
    return {"data": [_cells(dots, reach, 3, hover)], "layout": figure}


def dots_row(row: Floats, captured: Floats, words: Sequence[str], here: int, title: str) -> Figure:
    """Draw one position's dot products (N,): a curve, and the sentence's own tokens (T,) on it."""
    figure = theme.layout(title, height=DOTS_HIGH)
    figure["xaxis"] = theme.axis(_("position"), range=[-0.6, max(len(captured) + 4, 16) - 0.4])
    # Above the highest dot, its word needs room.
    span = [min(0.0, float(row.min())), 1.3 * row.max()]
    figure["yaxis"] = theme.value_axis(_("dot product"), range=span)
    # A turned text is put by its middle: its lower end then stands above the dot.
    above: Figure = {"textangle": -90, "yanchor": "bottom", "yshift": 8}
    figure["annotations"] = [
        note(label(word), i, float(captured[i]), size=11, **above)
        for i, word in enumerate(words if len(words) <= 12 else ())
    ]
    figure["shapes"] = [upright_line(here, dash="dot")]
    curve = polyline(
        list(range(len(row))),
        np.round(row, 4).tolist(),
        {"color": theme.QUIET, "width": 1.5},
        mode="lines+markers",
        marker={"color": theme.QUIET, "size": 4},
        hovertemplate="%{x}: %{y}<extra></extra>",
    )
    points = marks(
        list(range(len(captured))),
        np.round(captured, 4).tolist(),
        theme.role_colour("input"),
        "circle",
        [13 if i == here else 9 for i in range(len(captured))],
        outline=1,
        text=[label(word) for word in words],
        cliponaxis=False,
        hovertemplate="%{text} (%{x}): %{y}<extra></extra>",
    )
    return {"data": [curve, points], "layout": figure}


def _cells(values: Floats, reach: float, digits: int, hover: str) -> Figure:
    return cells(
        # An array is packed, which a list is not.
        np.round(values, digits).astype(np.float32),
        "signed",
        reach,
        hovertemplate=hover,
        colorbar=colour_bar(
            tickvals=[-reach, 0, reach],
            ticktext=[f"−{short(reach, 3)}", "0", f"+{short(reach, 3)}"],
        ),
    )


LEAST = 1e-8  # an exact 0 has no place on the scale: it stands at its left end
LOOKS: tuple[tuple[Role, str], ...] = (("residual", "circle"), ("input", "diamond"))


def reorder_chart(without: Floats, moved: Floats, words: Sequence[str], chosen: int) -> Figure:
    """Draw two distances (S,) for each word: without positions, and `moved` with them."""
    S = len(words)
    figure = theme.layout("", height=22 * S + 110)
    figure["xaxis"] = theme.value_axis(
        _("largest difference between the token's two outputs"),
        type="log",
        range=[-8.3, 1.6],
        tickvals=[10.0**n for n in range(-8, 2, 2)],
        ticktext=["0", "10⁻⁶", "10⁻⁴", short(0.01), "1"],
    )
    figure["yaxis"] = theme.names_axis(words, down=True, marked=chosen)
    theme.legend_above(figure)
    thin = {"type": "line", "line": {"color": theme.QUIET, "width": 1}, "layer": "below"}
    figure["shapes"] = [
        {**thin, "x0": max(a, LEAST), "x1": max(b, LEAST), "y0": i, "y1": i}
        for i, (a, b) in enumerate(zip(without.tolist(), moved.tolist(), strict=True))
    ]
    names = _("without positions"), _("with positions")
    data = [
        marks(
            np.maximum(values, LEAST).tolist(),
            list(range(S)),
            theme.role_colour(role),
            symbol,
            11,
            outline=1,
            name=name,
            customdata=[[label(word), power(v, 2)] for word, v in zip(words, values, strict=True)],
            hovertemplate="%{customdata[0]}: %{customdata[1]}<extra></extra>",
        )
        for name, values, (role, symbol) in zip(names, (without, moved), LOOKS, strict=True)
    ]
    return {"data": data, "layout": figure}


STEP = -2.6  # from the middle of a row to that of the next, which is below it


@dataclass(frozen=True)
class Wave:
    """One pair: its name, its curve, and the model's numbers where the tokens stand."""

    name: str
    rate: float  # radians a position
    sines: Floats  # (T,)
    cosines: Floats  # (T,)


class WaveStyle(NamedTuple):
    """How the sines are drawn, or the cosines."""

    of: Callable[[Floats], Floats]
    role: Role
    dash: str
    symbol: str


WAYS = (
    WaveStyle(np.sin, "input", "solid", "circle"),
    WaveStyle(np.cos, "query", "dash", "diamond"),
)


def waves(pairs: Sequence[Wave], *, length: int, here: int, chosen: int) -> Figure:
    """Draw pairs one below the other: curves by formula, dots as captured, a line at `here`."""
    figure = theme.layout("", height=35 * len(pairs) + 80)
    theme.legend_above(figure)
    figure["xaxis"] = theme.axis(_("position"), range=[-0.6, length - 0.4], tickformat="d")
    middles = [STEP * i for i in range(len(pairs))]
    figure["yaxis"] = theme.axis(
        tickvals=middles,
        # What a pair is, above how fast it turns.
        ticktext=[
            f"<b>{name}</b>" if i == chosen else name
            for i, name in enumerate(label(pair.name).replace(": ", "<br>") for pair in pairs)
        ],
        range=[middles[-1] - 1.3, 1.3],
    )
    faint: Figure = {"type": "line", "x0": 0, "x1": 1, "xref": "paper", "layer": "below"}
    faint["line"] = {"color": theme.GRID, "width": 1}
    figure["shapes"] = [{**faint, "y0": y, "y1": y} for y in middles]
    figure["shapes"].append(upright_line(here, dash="dot"))
    time = np.arange(0, length - 1 + 0.05, 0.1)
    data: list[Figure] = []
    sines, cosines = [pair.sines for pair in pairs], [pair.cosines for pair in pairs]
    names = label(_("sine")), label(_("cosine"))
    for way, name, dots in zip(WAYS, names, (sines, cosines), strict=True):
        curves = [way.of(time * pair.rate) for pair in pairs]
        for strong in (False, True):
            rows = [i for i in range(len(pairs)) if (i == chosen) == strong]
            data.append(_curves(time, curves, rows, way, name, strong))
        data.append(_dots(dots, chosen, way, name))
    return {"data": data, "layout": figure}


def _curves(
    time: Floats,
    curves: Sequence[Floats],
    rows: Sequence[int],
    way: WaveStyle,
    name: str,
    strong: bool,
) -> Figure:
    """Return the curves of some rows as one line with gaps: many would be slow."""
    return polyline(
        np.tile(np.append(time, np.nan), len(rows)).astype(np.float32),
        np.array([y for i in rows for y in (*curves[i] + STEP * i, np.nan)], np.float32),
        {"color": theme.role_colour(way.role), "width": 2.5 if strong else 1.5, "dash": way.dash},
        opacity=1.0 if strong else 0.75,
        hoverinfo="skip",
        name=name,
        showlegend=strong,
    )


def _dots(dots: Sequence[Floats], chosen: int, way: WaveStyle, name: str) -> Figure:
    """Return the model's numbers (T,) of every row."""
    trace = marks(
        [position for row in dots for position in range(len(row))],
        np.round([y + STEP * i for i, row in enumerate(dots) for y in row], 4).tolist(),
        theme.role_colour(way.role),
        way.symbol,
        8,
        outline=1,
        customdata=[signed(x, 5) for x in np.concatenate(dots).tolist()],
        hovertemplate="%{x}: %{customdata}" + f"<extra>{name}</extra>",
        name=name,
        showlegend=False,
    )
    opacity = [1.0 if i == chosen else 0.75 for i, row in enumerate(dots) for _each in row]
    trace["marker"]["opacity"] = opacity
    return trace
