"""A block with a skip connection, and what deep networks gain from it."""

import math
from collections.abc import Mapping, Sequence
from functools import partial
from itertools import cycle
from typing import Final

import numpy as np
import streamlit as st

from app.charts.curves import Curve, Look, curves
from app.charts.parts import polyline
from app.charts.theme import Figure, Role, axis, layout, legend_above, role_colour, value_axis
from app.format import label, number, short
from app.i18n import N_, _
from app.inspector.arrays import Grid, Op, array_grid, draw_board
from app.page.kit import (
    Code,
    QuizTask,
    Screens,
    guess,
    pick,
    pick_from_list,
    pick_seed,
    say,
    show_chart,
)
from app.page.live_training import draw_live
from app.ui.table import Columns
from app.views.history.residual import data

NAMES: Final[Mapping[bool, str]] = {
    False: N_("plain, {depth} layers"),
    True: N_("residual, {depth} layers"),
}
LENGTHS: Final = (
    N_("at least a tenth as long"),
    N_("from a tenth to a millionth"),
    N_("less than a millionth"),
)
STARTS: Final[Mapping[data.Start, str]] = {"default": N_("PyTorch's own"), "he": N_("He's (2015)")}


# One number of the channel that is shown: its row and column, from 0, and its x and F(x).
SkippedNumber = tuple[int, int, float, float]
SMALLEST: Final = 1e-300  # 0 has no place on a logarithmic axis
FAR: Final = 1000.0  # the factor from which a gradient is said to vanish or to explode


def pick_block(choice: data.ResidualChoice) -> None:
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        digits = {i: f"{i}: {digit}" for i, digit in enumerate(choice.block.labels, start=1)}
        pick_from_list(data.DIGIT, _("Digit"), digits, help=_("Which digit went in."), width=110)
        channels = range(1, data.CHANNELS + 1)
        tip = _("Which of the channels is shown.")
        pick(data.CHANNEL, _("Channel"), channels, help=tip, wrap=True)
        label = _("γ of the last normalisation")
        tip = _(
            "The last normalisation multiplies by γ: it says how large F(x) is. Training "
            "often begins with 0 here, so that every block begins by doing nothing."
        )
        st.slider(label, 0.0, 2.0, step=0.1, key=data.BLOCK_GAMMA.widget(), help=tip, width=190)
        key = data.SHORTCUT.widget()
        st.toggle(_("Shortcut"), key=key, help=_("Switch it off, and only F(x) is left."))


def pick_networks(_choice: data.ResidualChoice) -> None:
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        tip = _("How many layers both networks have.")
        st.slider(_("Layers"), 2, 50, step=2, key=data.LAYERS.widget(), width=220, help=tip)
        tip = _(
            "How large the random weights are at first. PyTorch's own make the signal smaller "
            "from one ReLU layer to the next; He's are larger, so that it stays about the same."
        )
        pick(data.START, _("First weights"), STARTS, help=tip)
        tip = _("Another number gives both networks other random weights.")
        pick_seed(data.GRADIENT_SEED, tip, width=180)
        tip = _("Normalise after each layer, as the four networks that race do.")
        st.toggle(_("Batch normalisation"), key=data.NORM.widget(), help=tip)


def pick_race(_choice: data.ResidualChoice) -> None:
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        label = _("Layers")
        pick(data.DEPTH, label, data.DEPTHS, help=_("How many layers the two deep networks have."))
        pick_seed(data.SEED, _("Another number gives other random weights and other batches."))


screens = Screens[data.ResidualChoice]()


@screens(
    "block",
    N_("Inside a block: F(x) + x"),
    Code(
        N_("The Bottleneck block"),
        r"y = \text{ReLU}\big(F(x) + x\big)",
        "model.history.residual:Bottleneck",
    ),
    pick=pick_block,
    was=("idea", "relu", "block-code"),
)
def draw_block(choice: data.ResidualChoice) -> None:
    """Draw one channel of the block's input, of F(x), of their sum, and of the output."""
    height, width = choice.block.x.shape[2:]
    sizes = {"channels": data.CHANNELS, "height": height, "width": width}
    block = _(
        "This block, a bottleneck, is three convolutions: 1 × 1 to fewer channels, 3 × 3 to "
        "look around, 1 × 1 back. Its x is a digit after one convolution: {channels} channels "
        "of {height} × {width} numbers, one of them drawn. After the sum, ReLU turns what is "
        "negative into 0."
    )
    idea = _(
        "Kaiming He and others found a simple cure: let a block of layers only *add* to what "
        "comes in, x + F(x). Then doing nothing is easy: set γ to 0, and x comes out as it came "
        "in. The Transformer does the same around each of its sub-layers."
    )
    say(f"{idea} {block.format(**sizes)}")
    shown = choice.block
    f = array_grid(choice.part(shown.f), "F(x)", "value")
    items: list[Grid | Op] = [array_grid(choice.part(shown.x), "x"), Op("F →"), f]
    if shown.sum is not None:
        items += [Op("+ x ="), array_grid(choice.part(shown.sum), "F(x) + x")]
    items += [Op("ReLU →"), array_grid(choice.part(shown.out), _("out"), "output")]
    draw_board(items, "residual-block")
    _draw_place(choice)


@screens.drawer("slope", N_("On the way back: 1 + F′(x)"))
def draw_slope(choice: data.ResidualChoice) -> None:
    """Draw the slopes of F and, with the shortcut, those of the sum."""
    own = slopes_of(choice)
    least = number(float(own.flat[int(np.abs(own).argmin())]), 3)
    text = (
        N_(
            "Raise one number of x a little: how much does the result change there? Without the "
            "shortcut only by F′(x), as little as {least}: so little of the gradient gets through."
        )
        if choice.block.sum is None
        else N_(
            "Raise one number of x a little: how much does the result change there? Through F "
            "alone by F′(x), as little as {least}; with the shortcut by 1 + F′(x). The 1 lets the "
            "gradient through."
        )
    )
    say(_(text).format(least=least))
    items: list[Grid | Op] = [array_grid(own, "F′(x)", "value")]
    if choice.block.sum is not None:
        items += [Op("+ 1 ="), array_grid(own + 1, "1 + F′(x)")]
        st.latex(r"\frac{\partial}{\partial x}\big(x + F(x)\big) = 1 + F'(x)")
    draw_board(items, "residual-slope")


def _place(choice: data.ResidualChoice, sizes: np.ndarray) -> SkippedNumber:
    row, column = (int(i) for i in np.unravel_index(int(sizes.argmax()), sizes.shape))
    x, f = choice.part(choice.block.x), choice.part(choice.block.f)
    return row, column, float(x[row, column]), float(f[row, column])


def _draw_place(choice: data.ResidualChoice) -> None:
    """Write out the sum at the place where |F(x)| is largest."""
    block = choice.block
    if not block.f.any():
        st.info(
            _("F(x) is 0 everywhere: without the shortcut, nothing gets through at all.")
            if block.sum is None
            else _(
                "F(x) is 0 everywhere: with the shortcut, the block hands on exactly what came in."
            )
        )
        return
    row, column, x, f = _place(choice, np.abs(choice.part(block.f)))
    out = number(float(choice.part(block.out)[row, column]), 3)
    if block.sum is None:
        calculation = f"ReLU({number(f, 3)}) = {out}"
    else:
        total = number(float(choice.part(block.sum)[row, column]), 3)
        calculation = f"{number(x, 3)} + ({number(f, 3)}) = {total}, ReLU({total}) = {out}"
    text = _("At row {row}, column {column}, where F(x) is farthest from 0: {calculation}")
    st.markdown(text.format(row=row + 1, column=column + 1, calculation=f"`{calculation}`"))


def slopes_of(choice: data.ResidualChoice) -> np.ndarray:
    """Return the derivatives of F(x) by x at the same place, in the shown channel, (H, W)."""
    return data.slopes(data.SEED.get(), data.BLOCK_GAMMA.get(), choice.picture, choice.channel)


@screens("race", N_("Deep and plain against deep with shortcuts"), pick=pick_race)
def draw_race(choice: data.ResidualChoice) -> None:
    """Draw the race."""
    sizes = {"shallow": data.SHALLOW, "depth": choice.depth, "width": data.deep.WIDTH}
    text = _(
        "Four networks learn to read handwritten digits, on the same batches: {shallow} layers "
        "and {depth}, plain and with a **shortcut** past every two layers (residual). Each layer "
        "has {width} numbers and batch normalisation."
    )
    say(text.format(**sizes))
    racing = data.plans(choice.depth, data.SEED.get())
    draw_live(choice.training, data.deep.REPORTS, partial(_draw, racing), before=1)


def _draw(racing: Sequence[data.StackPlan], reports: Sequence[data.RaceReport]) -> None:
    at, lines = np.array([report.update for report in reports]), []
    for i, plan in enumerate(racing):
        wrong = np.array([report.laps[i].learned_wrong for report in reports])
        role: Role = "value" if plan.shortcut else "key"
        look: Look = "dash" if plan.depth == data.SHALLOW else "line"
        lines.append(Curve(_name(plan), at, wrong, role, look))
    titles = _("update"), _("read wrongly")
    figure = curves(lines, *titles, steps=data.deep.UPDATES, span=(0, 1.0), height=250)
    left, right = st.columns([0.68, 0.32], gap="small", vertical_alignment="center")
    with left:
        title = _("Share of the training digits that are read wrongly")
        numbers = partial(_columns, racing, reports)
        show_chart(figure, "residual-race", title, numbers)
    with right:
        _draw_result(racing[-1].depth, reports[-1])


def _draw_result(depth: int, last: data.RaceReport) -> None:
    shallow, _short, plain, residual = (lap.learned_wrong for lap in last.laps)
    shares = {"shallow_wrong": shallow, "plain_wrong": plain, "residual_wrong": residual}
    written = {name: number(100 * share, 1) for name, share in shares.items()}
    about = {
        "update": last.update,
        "updates": data.deep.UPDATES,
        "shallow": data.SHALLOW,
        "depth": depth,
    }
    text = _(
        "Wrong on the training digits after {update} of {updates} updates:\n- plain, "
        "{shallow} layers: {shallow_wrong} %\n- plain, {depth} layers: {plain_wrong} %\n- "
        "residual, {depth} layers: {residual_wrong} %"
    )
    st.markdown(text.format(**about, **written))
    if last.update == data.deep.UPDATES and plain > 2 * max(shallow, residual):
        says = _(
            "As in 2015, the deep plain network is worse even on its training examples: it is "
            "harder to train."
        )
        st.markdown(says)


def _columns(racing: Sequence[data.StackPlan], reports: Sequence[data.RaceReport]) -> Columns:
    columns: dict[str, list[float]] = {_("update"): [report.update for report in reports]}
    for i, plan in enumerate(racing):
        name, own = _name(plan), [report.laps[i] for report in reports]
        held_out = _("{name}: wrong, held out").format(name=name)
        columns[_("{name}: loss").format(name=name)] = [lap.loss for lap in own]
        columns[_("{name}: wrong").format(name=name)] = [lap.learned_wrong for lap in own]
        columns[held_out] = [lap.held_out_wrong for lap in own]
    return columns


def _name(plan: data.StackPlan) -> str:
    return _(NAMES[plan.shortcut]).format(depth=plan.depth)


@screens(
    "gradient",
    N_("What arrives at the first layer"),
    Code(
        N_("The gradient of each layer"),
        r"\left\lVert \frac{\partial\,\text{loss}}{\partial W_l} \right\rVert",
        "model.history.deep:gradient_norms",
    ),
    pick=pick_networks,
)
def draw_gradients(choice: data.ResidualChoice) -> None:
    """Draw both networks' gradients, and what they mean for the first layer."""
    text = _(
        "A layer learns from the gradient of the loss, which comes from the end, through all "
        "layers after it. This is how long it is in each layer of two networks that have not "
        "learned anything yet. The axis is logarithmic: one line up is ten times as long, or more."
    )
    say(text)
    plain, residual = choice.gradients
    times = float(plain[0] / plain[-1])
    answer = 0 if times >= 0.1 else 1 if times >= 1e-6 else 2
    options = [_(option) for option in LENGTHS]
    ask = N_(
        "How long is the gradient in the first of {depth} plain layers, compared with the last one?"
    )
    yes, no = N_("Yes: {times} times as long."), N_("It is {times} times as long.")
    values = {"depth": len(plain), "times": short(times, 3)}
    guess(QuizTask.of(ask, options, [answer], yes, no, **values))
    layers = np.arange(1, len(plain) + 1)
    names = _("without shortcuts"), _("with shortcuts")
    lines = [Curve(names[0], layers, plain, "key"), Curve(names[1], layers, residual, "value")]
    layer, title = _("layer, the first one on the left"), _("Length of the gradient in each layer")
    figure = depth_lines(lines, layer_title=layer, value_title=title)
    lengths = {names[0]: plain.tolist(), names[1]: residual.tolist()}
    columns = {_("layer"): [str(layer) for layer in layers], **lengths}
    left, right = st.columns([0.66, 0.34], gap="small", vertical_alignment="center")
    with left:
        show_chart(figure, "residual-gradients", title, lambda: columns)
    with right:
        _draw_lengths(choice)


def _draw_lengths(choice: data.ResidualChoice) -> None:
    plain, residual = choice.gradients
    times, residual_times = plain[0] / plain[-1], residual[0] / residual[-1]
    lengths = {"plain": plain[0], "residual": residual[0]}
    lengths |= {"plain_times": times, "residual_times": residual_times}
    written = {name: short(length, 3) for name, length in lengths.items()}
    sentences = [
        _(
            "In the first of {depth} layers it is **{plain}** long without shortcuts, "
            "{plain_times} times the last one's, and **{residual}** with them, {residual_times} "
            "times."
        ).format(depth=len(plain), **written)
    ]
    if times < 1 / FAR:
        sentences.append(
            _("Without shortcuts it **vanishes**: the first layers learn next to nothing.")
        )
    if times > FAR:
        sentences.append(
            _(
                "Without shortcuts it **explodes**: a step that suits the last layers is far too "
                "large for the first ones."
            )
        )
    if residual[0] > FAR and not data.NORM.get():
        sentences.append(
            _(
                "With shortcuts, everything is added up and nothing keeps it small: it grows from "
                "block to block. Switch batch normalisation on."
            )
        )
    st.markdown(" ".join(sentences))


def brightest(choice: data.ResidualChoice) -> SkippedNumber:
    """Return the place where x is largest."""
    return _place(choice, choice.part(choice.block.x))


def depth_lines(drawn: Sequence[Curve], *, layer_title: str, value_title: str) -> Figure:
    """Draw curves over the layers, from layer 1; each has its own colour, line and marker."""
    figure = layout("", height=260)
    last = max(int(curve.x[-1]) for curve in drawn)
    span, apart = [0.5, last + 0.5], max(1, last // 10)
    figure["xaxis"] = axis(layer_title, standoff=4, range=span, tick0=1, dtick=apart)
    ends = [max(float(one), SMALLEST) for curve in drawn for one in (curve.y.min(), curve.y.max())]
    decades = math.log10(max(ends) / min(ends))
    figure["yaxis"] = value_axis(
        value_title, type="log", exponentformat="power", dtick=max(1, math.ceil(decades / 8))
    )
    legend_above(figure)
    lines = list(map(_depth_line, drawn, cycle(("diamond", "circle"))))
    return {"data": lines, "layout": figure}


def _depth_line(curve: Curve, symbol: str) -> Figure:
    colour = role_colour(curve.role)
    return polyline(
        curve.x.tolist(),
        [float(f"{max(y, SMALLEST):.5g}") for y in curve.y],
        {"color": colour, "dash": "dot" if curve.look == "dash" else "solid", "width": 2},
        mode="lines+markers",
        name=label(curve.name),
        marker={"color": colour, "symbol": symbol, "size": 7},
        hovertemplate="%{x}: %{y}<extra>" + label(curve.name) + "</extra>",
    )
