"""The perceptron at work on points in the plane, and how many mistakes it may make."""

from collections.abc import Iterable, Sequence
from functools import partial
from itertools import product
from typing import Any, Final

import numpy as np
import streamlit as st

from app.charts.plane import Dots, Line, plane
from app.charts.theme import Figure
from app.components.chart import ChartPoint
from app.format import number, short, tex
from app.i18n import N_, _
from app.page.kit import Code, Screens, pick, say, show_chart
from app.page.live_training import draw_live
from app.state import Param, one_of, whole
from app.ui.table import Columns
from app.views.history.perceptron import data

SET_NAMES: Final = {
    "wide": N_("Wide margin"),
    "narrow": N_("Narrow margin"),
    "nearly": N_("One stray point"),
    "xor": N_("XOR"),
    "own": N_("Your own"),
}
NO_POINTS: Final = N_(
    "There are no points yet. Open “Points of your own” and add some, of both classes."
)
BRUSH_NAMES: Final = {"1": N_("puts a +1"), "-1": N_("puts a −1"), "0": N_("takes away")}
CODE_RULE: Final = N_("The rule: on a mistake, w becomes w + y x")
CODE_SEPARATOR: Final = N_("The largest margin in the plane")
CODE_BOUND: Final = N_("The largest margin")
SPAN = (-5.6, 5.6)
PLACES = np.array([*product(range(-data.REACH, data.REACH + 1), repeat=2)], float)
BRUSH = Param[str]("pbrush", "1", one_of(*BRUSH_NAMES))
X1, X2 = (Param[int](name, 0, whole(-data.REACH, data.REACH)) for name in ("px", "py"))
# The rule is too fast for the eye: seconds to wait after an update, and at most after all of them.
PAUSE, LONGEST = 0.06, 12.0


def pick_set(_choice: data.PerceptronChoice) -> None:
    tip = _("Which points the perceptron learns from.")
    pick(data.SET, _("Points"), SET_NAMES, help=tip, wrap=True)


screens = Screens[data.PerceptronChoice]()


@screens(
    "points",
    "",
    Code(
        CODE_RULE,
        r"y\,(w \cdot x) \le 0 \;\Rightarrow\; w \leftarrow w + y\,x",
        "model.history.perceptron:train",
    ),
    Code(
        CODE_SEPARATOR,
        r"\max_{\lVert (w_1, w_2) \rVert = 1} \min_i y_i\,(w_1 x_{i1} + w_2 x_{i2} + w_3)",
        "model.history.perceptron:separator",
    ),
    Code(
        CODE_BOUND,
        r"\gamma = \max_{\lVert w \rVert = 1} \min_i y_i\,(w \cdot x_i)"
        r" = \min_{\lambda \ge 0,\ \sum \lambda_i = 1} \Big\lVert \sum_i \lambda_i\,y_i\,x_i"
        r" \Big\rVert",
        "model.history.perceptron:bound",
    ),
    pick=pick_set,
    was=("rule",),
)
def draw_training(choice: data.PerceptronChoice) -> None:
    """Draw the training, and the line as it moves."""
    text = _(
        "Each point is written as x = (x₁, x₂, 1): the last 1 makes the threshold a weight like "
        "the others. It is wrong when y (w·x) ≤ 0, where y is the class."
    )
    say(text)
    if choice.training is None:
        st.info(_(NO_POINTS))
        return
    total = len(choice.updates)
    pause = min(PAUSE, LONGEST / total) if total else 0.0
    draw_live(choice.training, total, partial(_draw_update, choice), pause=lambda _count: pause)


@screens.drawer("own", N_("Points of your own"))
def draw_own(choice: data.PerceptronChoice) -> None:
    """Draw the plane, on which a click changes the points, and the line that is found."""
    text = _(
        "Click on the plane to add a point or to take one away. The perceptron learns again "
        "after every click. Can you find points that it never gets right?"
    )
    say(text)
    pick_places()
    points, found = choice.points, data.bound(choice.points) is not None
    left, right = st.columns([0.64, 0.36], gap="medium", vertical_alignment="center")
    with left:
        lines = [line_now(choice.updates if found else ())]
        figure = points_figure(points, (), lines, height=310, clickable=PLACES)
        alt = _("The points, and the line that the perceptron finds")
        clicked = show_chart(figure, "perceptron-own", alt, on_select=partial(_change, figure))
    with right:
        text = (
            N_("It needed {made} updates for these {n} points.")
            if found
            else N_("No line separates these {n} points: it would never come to an end.")
            if points
            else NO_POINTS
        )
        st.markdown(_(text).format(made=len(choice.updates), n=len(points)))
    if clicked:
        st.rerun()  # the whole page: other points are another training


def _change(figure: Figure, clicked: ChartPoint) -> None:
    trace = figure["data"][clicked.trace]
    change_point(*(round(trace[side][clicked.at]) for side in "xy"))


@screens.drawer("margin", N_("Not the best line, but a line"), was=("bound",))
def draw_margin(choice: data.PerceptronChoice) -> None:
    """Draw the best line with its edges and the perceptron's; beside them, why training ends."""
    best = data.separator(choice.points)
    if best is None:
        text = _(
            "There is no margin here: no line separates these points, or they are of one class. "
            "Choose other points."
        )
        say(text)
    else:
        own = data.perceptron.distances(choice.updates[-1].after, choice.points).min()
        text = _(
            "The perceptron stops at the first line that makes no mistake: its nearest point is "
            "{own} away. The line with the largest margin runs midway between the two classes, "
            "{margin} from the nearest point of each."
        )
        say(text.format(margin=number(best.margin), own=number(float(own))))
    lines, dots = [], []
    if best is not None:
        lines, (w1, w2, w3) = [line_now(choice.updates), *best_line(choice.points)], best.weights
        for kind in (1, -1):  # the edges of the strip without points
            edge, name = (w1, w2, w3 - kind * best.margin), _("its edge at {kind}")
            lines.append(Line(name.format(kind=side(kind)), edge, "query", "dot"))
        dots = [Dots(_("nearest"), best.nearest, "residual", "diamond-open", size=9)]
    figure = points_figure(choice.points, dots, lines)
    alt = _("The points, the line with the largest margin, and the perceptron's line")
    left, right = st.columns([0.58, 0.42], gap="medium", vertical_alignment="center")
    with left:
        show_chart(figure, "perceptron-margin", alt)
    with right:
        if choice.points:
            draw_bound(choice)


def draw_bound(choice: data.PerceptronChoice) -> None:
    """Say what the bound consists of, and how many mistakes were made within it."""
    limit = data.bound(choice.points)
    if limit is None:
        says = _(
            "No line separates these points: there is no margin γ, so there is no bound. The "
            "rule repairs one mistake and makes another, for ever; here training stops after "
            "{most} updates."
        )
        st.info(says.format(most=data.MOST))
        return
    formula = (
        rf"k \le \left(\frac{{R}}{{\gamma}}\right)^2 = \left(\frac{{{number(limit.radius, 4)}}}"
        rf"{{{number(limit.margin, 4)}}}\right)^2 = {number(limit.mistakes, 1)}"
    )
    bound_text = _(
        "If a line separates the points, the perceptron finds one. Albert Novikoff proved in 1962 "
        "that it makes at most (R/γ)² mistakes: R is the length of the longest x, γ the largest "
        "margin among the vectors x = (x₁, x₂, 1)."
    )
    squeeze = _(
        "Each mistake takes w at least γ further, but after k mistakes w is at most √k · R long: "
        "k γ cannot pass √k · R."
    )
    st.markdown(f"{bound_text} {squeeze}")
    st.latex(tex(formula))
    made = len(choice.updates)
    text = _("Mistakes with these points: **{made}**; the bound allows **{bound}**.")
    st.markdown(text.format(made=made, bound=number(limit.mistakes, 1)))


def points_figure(
    points: data.Points,
    dots: Sequence[Dots],
    lines: Sequence[Line],
    height: int = 315,
    clickable: np.ndarray | None = None,
) -> Figure:
    """Return the plane with all points, dots and lines."""
    kinds = [
        Dots("+1", _places(points, 1), "input", "circle", size=12),
        Dots("−1", _places(points, -1), "key", "square-open", size=12),
    ]
    look: dict[str, Any] = {"across": SPAN, "clickable": clickable, "height": height}
    return plane([*kinds, *dots], lines, x_title="x₁", y_title="x₂", **look)


def line_now(so_far: Sequence[data.Correction]) -> Line:
    """Return the perceptron's line after some updates."""
    weights = so_far[-1].after if so_far else (0, 0, 0)
    return Line(_("w·x = 0"), weights, "input", filled=bool(so_far))


def best_line(points: data.Points) -> list[Line]:
    """Return the line with the largest margin, where there is one."""
    best = data.separator(points)
    return [] if best is None else [Line(_("largest margin"), best.weights, "query", "dash")]


def _places(points: data.Points, kind: int) -> np.ndarray:
    return np.array([(p.x1, p.x2) for p in points if p.side == kind], float).reshape(-1, 2)


def change_point(x1: int, x2: int) -> None:
    """Apply the brush at a place: put a point there, or remove it."""
    side = int(BRUSH.get())
    others = tuple(point for point in data.points_of() if (point.x1, point.x2) != (x1, x2))
    _own((*others, data.Point(x1, x2, side)) if side else others)


def pick_places() -> None:
    """Draw the choice of what a click does, and the fields to do the same by typing."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        tip = _("What a click on the plane does there.")
        pick(BRUSH, _("A click on the plane"), BRUSH_NAMES, help=tip)
        tip = _("Where to do it, if you would rather type than click.")
        for param, name in ((X1, "x₁"), (X2, "x₂")):
            key = param.widget()
            st.number_input(name, -data.REACH, data.REACH, step=1, key=key, help=tip, width=100)
        label, icon = _("Do it there"), ":material/add_location_alt:"
        st.button(label, "points-put", tip, lambda: change_point(X1.get(), X2.get()), icon=icon)
        label, icon = _("Clear"), ":material/delete_sweep:"
        tip = _("Takes all points away, so that you can begin with your own.")
        st.button(label, "points-clear", tip, lambda: _own(()), icon=icon)


def _own(points: data.Points) -> None:
    data.OWN.set(data.write(points))
    data.SET.set("own")


def _draw_update(choice: data.PerceptronChoice, so_far: Sequence[data.Correction]) -> None:
    left, right = st.columns([0.58, 0.42], gap="medium", vertical_alignment="center")
    with left:
        lines, rings = [line_now(so_far)], []
        for last in so_far[-1:]:
            lines.append(Line(_("before"), last.before, "residual", "dot"))
            place = np.array([(last.point.x1, last.point.x2)])
            rings.append(Dots(_("last mistake"), place, "residual", "circle-open", (), 24))
        lines += best_line(choice.points)
        figure = points_figure(choice.points, rings, lines, height=270)
        alt = _("The points, the perceptron's line, and the line with the largest margin")
        numbers = partial(_columns, so_far) if so_far else None
        show_chart(figure, "perceptron", alt, numbers, file="updates")
    with right:
        st.latex(r"y\,(w \cdot x) \le 0 \;\Rightarrow\; w \leftarrow w + y\,x")
        if so_far:
            st.markdown(_update(so_far))
            st.latex(_sum(so_far[-1]))
        st.markdown(_left(choice, so_far))


def _update(so_far: Sequence[data.Correction]) -> str:
    """Say which point was wrong, and how."""
    update = so_far[-1]
    point = update.point
    where = _("on the wrong side") if update.score else _("on the line itself")
    numbers = {"x1": short(point.x1), "x2": short(point.x2), "score": short(update.score)}
    numbers |= {"side": side(point.side), "where": where}
    return _(
        "**Update {n}**, pass {passes}: the point ({x1}, {x2}) is a {side}, but w·x = {score}, "
        "which is {where}. So:"
    ).format(n=len(so_far), passes=update.passes + 1, **numbers)


def _sum(update: data.Correction) -> str:
    """Write the update as a sum of columns, in LaTeX."""
    sign = "+" if update.point.side > 0 else "-"
    return (
        rf"\underset{{w}}{{{_column(update.before)}}} {sign}"
        rf" \underset{{x}}{{{_column(update.point.x)}}} = \underset{{w}}{{{_column(update.after)}}}"
    )


def _left(choice: data.PerceptronChoice, so_far: Sequence[data.Correction]) -> str:
    """Say how many points are still wrong."""
    if not so_far:
        return _("The weights begin at w = (0, 0, 0). No update has been made yet.")
    n = len(so_far)
    left = data.perceptron.mistakes(so_far[-1].after, choice.points)
    text = (
        N_("Now {left} of the {n} points are wrong.")
        if left
        else N_("Every point is on its correct side: it has learned. Updates made: {made}.")
    )
    if left and n == len(choice.updates):
        text = N_(
            "We stopped after {made} updates. {left} of the {n} points are still wrong, and it "
            "would go on for ever: no line separates these points."
        )
    return _(text).format(left=left, n=len(choice.points), made=n)


def _columns(so_far: Sequence[data.Correction]) -> Columns:
    return {
        _("update"): [str(n) for n in range(1, len(so_far) + 1)],
        _("pass"): [str(update.passes + 1) for update in so_far],
        "x": [vector(update.point.x) for update in so_far],
        "y": [side(update.point.side) for update in so_far],
        "w·x": [short(update.score) for update in so_far],
        _("w before"): [vector(update.before) for update in so_far],
        _("w after"): [vector(update.after) for update in so_far],
    }


def side(kind: int) -> str:
    return "+1" if kind > 0 else "−1"


def vector(numbers: Iterable[int]) -> str:
    return f"({', '.join(map(short, numbers))})"


def _column(numbers: Sequence[int]) -> str:
    rows = r" \\ ".join(map(str, numbers))
    return rf"\begin{{pmatrix}}{rows}\end{{pmatrix}}"
