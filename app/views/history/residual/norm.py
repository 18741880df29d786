"""Batch normalisation, and the network of 2015 that it and shortcuts made possible."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import streamlit as st

from app.charts.bars import named_bars
from app.data.images import alexnet, resnet50
from app.format import grouped, number, quoted, tex
from app.i18n import N_, _
from app.inspector.arrays import array_grid, draw_board
from app.page.kit import Code, QuizTask, Screens, everything, guess, pick, say, show_chart
from app.ui.layer_table import draw_parameters, draw_shapes
from app.views.history.residual import data

WEIGHTS: Final = {
    "reduce": N_("1 × 1, {wide} to {narrow} channels"),
    "look": N_("3 × 3, {narrow} to {narrow}"),
    "expand": N_("1 × 1, {narrow} to {wide}"),
    "wide": N_("two of 3 × 3, {wide} to {wide}"),
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
NARROW: Final = 64  # the inner width of ResNet-50's first stage
SIDE = 224  # of a photograph, in pixels


def pick_factors(_choice: data.ResidualChoice) -> None:
    """Draw the choice of a channel, γ and β."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        channels = range(1, data.FEATURES + 1)
        tip = _("Which of the layer's numbers is normalised.")
        pick(data.FEATURE, _("Channel"), channels, help=tip)
        factors = (
            ("γ", data.GAMMA, N_("What the normalised numbers are multiplied by; it is learned.")),
            ("β", data.BETA, N_("What is added to them then; it is learned too.")),
        )
        for name, param, tip in factors:
            st.slider(name, -2.0, 2.0, step=0.1, key=param.widget(), help=_(tip), width=160)


def pick_use(choice: data.ResidualChoice) -> None:
    """Draw the choice of the other digits, and of how many batches were seen."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        pick_batch(choice)
        label = _("Batches seen in training")
        tip = _("How many batches the running averages were made from.")
        st.slider(label, 0, 200, key=data.SEEN.widget(), help=tip, width=320)


screens = Screens[data.ResidualChoice]()


@screens(
    "normalise",
    N_("Batch normalisation: its four formulas"),
    Code(
        N_("Batch normalisation"),
        r"y = \gamma\, \frac{x - \mu}{\sqrt{\sigma^2 + \varepsilon}} + \beta",
        "model.history.batch_norm:BatchNorm",
    ),
    pick=pick_factors,
    was=("moments",),
)
def draw_norm(choice: data.ResidualChoice) -> None:
    """Draw one channel normalised, scaled and shifted, with the formulas for its first digit."""
    batch, k = choice.batch, choice.feature
    compared = _(
        "In 2015 Sergey Ioffe and Christian Szegedy kept the numbers inside a network on one "
        "scale: each number is compared with its counterparts in all other examples of the "
        "batch. Here one linear layer gave {features} numbers (channels) for each of {count} "
        "digits."
    )
    text = _(
        "Normalised, the numbers of channel {n} have mean 0 and variance 1 (ε only avoids a "
        "division by 0). Then γ and β, which are learned, give them the scale and the place that "
        "suit the next layer."
    )
    say(f"{compared.format(features=data.FEATURES, count=data.COMPANY)} {text.format(n=k + 1)}")
    x, mean, variance = batch.x[:, k], batch.mean[k], batch.variance[k]
    rows = np.stack([x, batch.normalised[:, k], batch.out[:, k]])
    names = {"row_labels": ["x", "x̂", "y"], "col_labels": _digits(batch)}
    title = _("channel {n}").format(n=k + 1)
    items = [array_grid(rows, title, "residual", height=66, **names)]
    draw_board(items, "residual-norm")
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
        rf"{number(choice.gamma, 1)} \cdot ({normalised}) + ({number(choice.beta, 1)}) = "
        rf"{number(batch.out[0, k], 3)}",
    }
    columns = (*st.columns(2), *st.columns(2))
    for column, (name, formula) in zip(columns, formulas.items(), strict=True):
        with column:
            st.markdown(f"**{name}**\n\n$$\n{tex(formula)}\n$$")


@screens.drawer("norm", N_("Batch normalisation: who is compared"))
def draw_batch(choice: data.ResidualChoice) -> None:
    """Draw the batch, with one row per channel."""
    text = _(
        "All that the layer gave for the batch: one column for each digit, one row for each "
        "channel. The numbers of a row are compared with each other. The first digit stays; "
        "choose the others."
    )
    say(text)
    if not everything():
        pick_batch(choice)
    batch = choice.batch
    channels = [_("channel {n}").format(n=i + 1) for i in range(data.FEATURES)]
    labels = {"row_labels": channels, "col_labels": _digits(batch)}
    whole_batch = array_grid(batch.x.T, _("what the layer gave"), "input", **labels)
    draw_board([whole_batch], "residual-batch")


def pick_batch(_choice: data.ResidualChoice) -> None:
    label, tip = _("Other digits"), _("Which other digits are in the batch with the first one.")
    st.slider(label, 1, 20, key=data.OTHERS.widget(), help=tip, width=200)


def _digits(batch: data.Normed) -> list[str]:
    """Name the digits of the batch; some may show the same digit."""
    return [quoted(str(digit)) for digit in batch.labels]


def _averaged(formula: str, values: np.ndarray, result: float) -> str:
    """Write a mean with its numbers, in lines that fit on a phone."""
    terms = [f"({number(value, 3)})" if value < 0 else number(value, 3) for value in values]
    lines = [" + ".join(terms[i : i + 3]) for i in range(0, len(terms), 3)]
    added = r" \\ & \quad + ".join(lines)
    return (
        rf"\begin{{aligned}} {formula} & = \tfrac{{1}}{{{len(terms)}}}\big({added}\big)"
        rf" \\ & = {number(result, 3)} \end{{aligned}}"
    )


@screens("use", N_("In training and in use"), pick=pick_use)
def draw_use(choice: data.ResidualChoice) -> None:
    """Draw the outputs in training and in use."""
    batch, k = choice.batch, choice.feature
    averages = {"mean": batch.running_mean, "variance": batch.running_variance}
    averages |= {"own_mean": batch.mean, "own_variance": batch.variance}
    written = {name: number(float(values[k]), 3) for name, values in averages.items()}
    text = _(
        "In training, what comes out for a digit depends on the others in its batch. In use it "
        "must not: there, mean and variance are running averages of the batches seen in training. "
        "After {seen} batches they are {mean} and {variance}; this batch has {own_mean} and "
        "{own_variance}."
    )
    say(text.format(seen=data.SEEN.get(), **written))
    options = [_("It stays the same"), _("It changes")]
    used = number(float(batch.used[0, k]), 3)
    asked = QuizTask.of(
        N_(
            "Other digits come into the batch. In use, what happens to the output for the "
            "first digit?"
        ),
        options,
        [0],
        N_("Yes: it is {used}, whatever the others are."),
        N_("It stays {used}, whatever the others are: try it."),
        used=used,
    )
    guess(asked)
    named = {_("y, in training"): batch.out, _("y, in use"): batch.used}
    labels = {"col_labels": _digits(batch)}
    items = [array_grid(y[:, k], title, "output", **labels) for title, y in named.items()]
    draw_board(items, "residual-use")
    trained, used = (f"**{number(float(y[0, k]), 3)}**" for y in (batch.out, batch.used))
    says = _("The first digit comes out as {trained} in training and as {used} in use.")
    st.markdown(says.format(trained=trained, used=used))


@screens(
    "resnet",
    N_("ResNet-50"),
    Code(
        N_("ResNet-50"),
        r"3 + 4 + 6 + 3 \text{ blocks of } 3 \text{ layers} + 2 = 50",
        "model.history.large_networks:resnet50",
    ),
    pick=False,
    was=("bottleneck",),
)
def draw_resnet(_choice: data.ResidualChoice) -> None:
    """Draw the parameters of the stages as bars; beside them, the weights of two kinds of block."""
    layers = resnet50()
    total = sum(layer.parameters for layer in layers)
    less = f"{100 * total / sum(layer.parameters for layer in alexnet()):.0f}"
    share = number(100 * layers[-1].parameters / total, 1)
    text = _(
        "{blocks} bottleneck blocks in four stages; with the first convolution and the last linear "
        "layer, 50 layers with weights. Built by our own code, it has **{total}** parameters: "
        "{less} % of AlexNet's, in 50 layers instead of 8. Only {share} % are in its linear layer."
    )
    say(text.format(blocks=data.BLOCKS, total=grouped(total), less=less, share=share))
    left, right = st.columns(2, gap="medium")
    with left:
        draw_parameters(layers, "resnet", _("convolutions and normalisation"))
    with right:
        counts = data.sizes(NARROW)
        three = sum(counts.values()) - counts["wide"]
        numbers = {"three": grouped(three), "two": grouped(counts["wide"])}
        times = f"{counts['wide'] / three:.0f}"
        text = _(
            "The narrow middle saves weights. With {wide} channels, the three convolutions of a "
            "**bottleneck** have {three} weights; two of 3 × 3, as in the shallower networks of "
            "2015, would have {two}: {times} times as many."
        )
        say(text.format(wide=4 * NARROW, times=times, **numbers))
        channels = {"wide": 4 * NARROW, "narrow": NARROW}
        names = [_(WEIGHTS[name]).format(**channels) for name in counts]
        values = np.array(list(counts.values()))
        most = 1.18 * float(values.max())  # room for the number beside the longest bar
        scale, texts = {"range": [0, most], "nticks": 5}, list(map(grouped, values.tolist()))
        figure = named_bars(values, names, "value", texts, _("weights"), scale, row=28)
        columns = {_("convolution"): names, _("weights"): values.tolist()}
        alt = _("Weights of the convolutions of a block")
        show_chart(figure, "residual-weights", alt, lambda: columns)


@screens.drawer("stages", N_("ResNet-50, stage by stage"))
def draw_resnet_shapes(_choice: data.ResidualChoice) -> None:
    """Draw the output shape of each stage."""
    grids = [layer.shape for layer in resnet50() if len(layer.shape) > 1]
    most, last = max(shape[0] for shape in grids), grids[-1][1]
    text = _(
        "Each stage after the first halves the side of the grids and doubles their number: {side} "
        "× {side} pixels end as {last} × {last} places with {most} channels. Then the mean over "
        "all places replaces two of AlexNet's large linear layers."
    )
    say(text.format(side=SIDE, last=last, most=most))
    draw_shapes(resnet50(), RESNET_NAMES, "resnet-layers")
