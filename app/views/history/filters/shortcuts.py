"""2015: residual learning, what a block adds, and what deep networks gain from it."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.charts.curves import Curve, Look, curves
from app.charts.theme import Role
from app.data.images import alexnet, resnet50
from app.format import grouped, number, quoted, tex
from app.i18n import N_, _
from app.inspector.arrays import Grid, Op, array_grid, draw_board
from app.page.kit import Code, Screens, pick, pick_seed, say, show_chart
from app.page.live_training import draw_live
from app.ui.layer_table import draw_shapes
from app.ui.table import Columns
from app.views.history.filters import data
from app.views.history.filters.data import FiltersChoice, RaceReport, batch_norm, deep, residual

NAMES: Final[Mapping[bool, str]] = {
    False: N_("plain, {depth} layers"),
    True: N_("residual, {depth} layers"),
}
RESNET_NAMES: Final[Mapping[str, str]] = {
    "conv1": N_("convolution 7 × 7, step 2"),
    "pool1": N_("largest of 3 × 3, step 2"),
    "stage2": N_("3 blocks"),
    "stage3": N_("4 blocks, the first with step 2"),
    "stage4": N_("6 blocks, the first with step 2"),
    "stage5": N_("3 blocks, the first with step 2"),
    "average": N_("mean over all places"),
    "linear": N_("linear, one number for each category"),
}


def pick_block(_choice: FiltersChoice) -> None:
    """Draw the choice of a channel, of γ, and whether the block has its shortcut."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        channels = range(1, residual.CHANNELS + 1)
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


def pick_race(_choice: FiltersChoice) -> None:
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        tip = _("How many layers the two deep networks have.")
        pick(data.DEPTH, _("Layers"), data.DEPTHS, help=tip)
        tip = _("Another number gives other random weights and other batches.")
        pick_seed(data.RACE_SEED, tip)


screens = Screens[FiltersChoice]()


@screens(
    "race",
    N_("2015: deep and plain against deep with shortcuts"),
    Code(
        N_("Two layers, with a shortcut past them"),
        r"y = \text{ReLU}\big(F(x) + x\big)",
        "model.history.deep:Two",
    ),
    pick=pick_race,
    was=("gradient",),
)
def draw_race(choice: FiltersChoice) -> None:
    """Draw the race."""
    say()
    draw_live(choice.race, deep.REPORTS, _draw_curves, before=1)
    text = _(
        "Around 2015 deeper networks learned **worse**, even on their own training examples. Four "
        "networks learn to read digits, on the same batches: {shallow} layers and {depth}, plain "
        "and with a **shortcut** past every two layers (residual)."
    )
    say(text, shallow=deep.SHALLOW, depth=data.DEPTH.get())


def _draw_curves(reports: Sequence[RaceReport]) -> None:
    at, lines = np.array([report.update for report in reports]), []
    racing = data.plans()
    for i, plan in enumerate(racing):
        wrong = np.array([report.laps[i].learned_wrong for report in reports])
        role: Role = "value" if plan.shortcut else "key"
        look: Look = "dash" if plan.depth == deep.SHALLOW else "line"
        name = _(NAMES[plan.shortcut]).format(depth=plan.depth)
        lines.append(Curve(name, at, wrong, role, look))
    titles = _("update"), _("read wrongly")
    figure = curves(lines, *titles, steps=deep.UPDATES, span=(0, 1.0), height=330)
    title = _("Share of the training digits that are read wrongly")
    show_chart(figure, "residual-race", title, partial(_columns, lines))
    last = reports[-1]
    shallow, _short, plain, own = (number(100 * lap.learned_wrong, 1) for lap in last.laps)
    text = _(
        "Wrong after {update} of {updates} updates: **{plain} %** with {depth} plain layers, "
        "{shallow} % with {few}; with shortcuts, {depth} layers: **{own} %**."
    )
    shares = {"shallow": shallow, "plain": plain, "own": own}
    about = {"update": last.update, "updates": deep.UPDATES, "few": deep.SHALLOW}
    st.markdown(text.format(depth=racing[-1].depth, **about, **shares))


def _columns(lines: Sequence[Curve]) -> Columns:
    return {_("update"): lines[0].x.tolist(), **{line.name: line.y.tolist() for line in lines}}


@screens(
    "block",
    N_("Inside a block: F(x) + x"),
    Code(
        N_("The Bottleneck block"),
        r"y = \text{ReLU}\big(F(x) + x\big)",
        "model.history.residual:Bottleneck",
    ),
    Code(
        N_("ResNet-50"),
        r"3 + 4 + 6 + 3 \text{ blocks of } 3 \text{ layers} + 2 = 50",
        "model.history.large_networks:resnet50",
    ),
    pick=pick_block,
    was=("idea", "relu", "block-code", "slope", "bottleneck"),
)
def draw_block(choice: FiltersChoice) -> None:
    """Draw one channel of the block's input, of F(x), of their sum, and of the output."""
    say()
    shown = choice.block
    f = array_grid(choice.part(shown.f), "F(x)", "value")
    items: list[Grid | Op] = [array_grid(choice.part(shown.x), "x"), Op("F →"), f]
    if shown.sum is not None:
        items += [Op("+ x ="), array_grid(choice.part(shown.sum), "F(x) + x")]
    items += [Op("ReLU →"), array_grid(choice.part(shown.out), _("out"), "output")]
    draw_board(items, "residual-block")
    text = _(
        "Kaiming He and others let a block of layers only *add* to what comes in: with γ = 0, x "
        "comes out as it came in, and the gradient goes back past F. This one, a bottleneck, is "
        "three convolutions, 1 × 1 to fewer channels, 3 × 3, and 1 × 1 back. The Transformer has "
        "such a shortcut around each of its sub-layers."
    )
    say(text)


@screens.drawer("resnet", N_("ResNet-50, stage by stage"), was=("stages",))
def draw_resnet(_choice: FiltersChoice) -> None:
    """Draw the output shape of each stage."""
    layers = resnet50()
    total = sum(layer.parameters for layer in layers)
    text = _(
        "Bottleneck blocks in four stages; with the first convolution and the last linear layer, "
        "50 layers with weights. Built by our own code, it has **{total}** parameters: {less} % of "
        "AlexNet's, in 50 layers instead of 8."
    )
    less = f"{100 * total / sum(layer.parameters for layer in alexnet()):.0f}"
    say(text, total=grouped(total), less=less)
    draw_shapes(layers, RESNET_NAMES, "resnet-layers")


@screens.drawer("normalise", N_("Batch normalisation"), was=("moments", "norm", "use"))
def draw_norm(_choice: FiltersChoice) -> None:
    """Draw one channel normalised, scaled and shifted, with the formulas for its first digit."""
    say()
    _pick_batch()
    batch, k = data.batch(), data.FEATURE.get() - 1
    x, mean, variance = batch.x[:, k], batch.mean[k], batch.variance[k]
    rows = np.stack([x, batch.normalised[:, k], batch.out[:, k]])
    digits_of = [quoted(str(digit)) for digit in batch.labels]
    title = _("channel {n}").format(n=k + 1)
    labels = {"row_labels": ["x", "x̂", "y"], "col_labels": digits_of}
    draw_board([array_grid(rows, title, "residual", height=66, **labels)], "residual-norm")
    means = r"\mu = \tfrac{1}{B}\textstyle\sum_i x_i"
    squares = r"\sigma^2 = \tfrac{1}{B}\textstyle\sum_i (x_i - \mu)^2"
    normalised = number(batch.normalised[0, k], 3)
    formulas = {
        _("1. The mean of the batch"): _averaged(means, x, mean),
        _("2. The variance of the batch"): _averaged(squares, (x - mean) ** 2, variance),
        _("3. Normalise"): r"\hat{x}_1 = \frac{x_1 - \mu}{\sqrt{\sigma^2 + \varepsilon}} = "
        rf"\frac{{{number(x[0], 3)} - ({number(mean, 3)})}}"
        rf"{{\sqrt{{{number(variance, 3)} + 10^{{-5}}}}}} = {normalised}",
        _("4. Scale and shift"): r"y_1 = \gamma \hat{x}_1 + \beta = "
        rf"{number(data.GAMMA.get(), 1)} \cdot ({normalised}) + ({number(data.BETA.get(), 1)}) = "
        rf"{number(batch.out[0, k], 3)}",
    }
    columns = (*st.columns(2), *st.columns(2))
    for column, (name, formula) in zip(columns, formulas.items(), strict=True):
        with column:
            st.markdown(f"**{name}**\n\n$$\n{tex(formula)}\n$$")
    text = _(
        "In 2015 Sergey Ioffe and Christian Szegedy kept the numbers inside a network on one "
        "scale: each number is compared with its counterparts in all other examples of the "
        "batch. Here one linear layer gave {features} numbers (channels) for each of {count} "
        "digits. γ and β are learned. In use, mean and variance are running averages of the "
        "batches seen in training, so that other examples no longer matter."
    )
    say(text, features=batch_norm.FEATURES, count=batch_norm.COMPANY)


def _pick_batch() -> None:
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        channels = range(1, batch_norm.FEATURES + 1)
        tip = _("Which of the layer's numbers is normalised.")
        pick(data.FEATURE, _("Channel"), channels, help=tip)
        tip = _("Which other digits are in the batch with the first one.")
        st.slider(_("Other digits"), 1, 20, key=data.OTHERS.widget(), help=tip, width=160)
        factors = (
            ("γ", data.GAMMA, N_("What the normalised numbers are multiplied by; it is learned.")),
            ("β", data.BETA, N_("What is added to them then; it is learned too.")),
        )
        for name, param, tip in factors:
            st.slider(name, -2.0, 2.0, step=0.1, key=param.widget(), help=_(tip), width=160)


def _averaged(formula: str, values: np.ndarray, result: float) -> str:
    """Write a mean with its numbers, in lines that fit on a phone."""
    terms = [f"({number(value, 3)})" if value < 0 else number(value, 3) for value in values]
    lines = [" + ".join(terms[i : i + 3]) for i in range(0, len(terms), 3)]
    added = r" \\ & \quad + ".join(lines)
    return (
        rf"\begin{{aligned}} {formula} & = \tfrac{{1}}{{{len(terms)}}}\big({added}\big)"
        rf" \\ & = {number(result, 3)} \end{{aligned}}"
    )
