"""A kernel that steps over a picture, number by number."""

import io
from contextlib import suppress
from dataclasses import dataclass
from functools import partial
from typing import Any, Final

import numpy as np
import streamlit as st
from PIL import Image, ImageDraw, ImageFont, ImageOps

from app import state
from app.charts.theme import Figure, axis, layout
from app.components.board import Grid, Op, array_grid, board
from app.components.pad import drawing
from app.data.house import SIDE, Greys, house
from app.data.walk import Block, Cell
from app.format import listed, number, short, tex
from app.i18n import N_, _
from app.inspector.arrays import draw_board
from app.page.declare import Code, Screens
from app.page.live_training import Live, training
from app.page.quiz import Task
from app.page.screens import everything, guess
from app.state import Param, decimal, one_of, whole
from app.ui import player
from app.ui.chart import show_chart
from app.ui.pickers import pick, pick_from_list
from app.ui.section import say
from app.ui.uploader import uploader
from app.views.history.filters.data import cnn, convolution, digits
from app.views.history.filters.tiles_chart import columns_of, tiles

CHANNELS: Final = (N_("red"), N_("green"), N_("blue"))
STRIDES: Final = {1: N_("one pixel"), 2: N_("two pixels"), 3: N_("three pixels")}
PICTURES: Final = {"house": N_("A house"), "letter": N_("A letter"), "own": N_("Your own")}
NO_PICTURE: Final = N_("This file cannot be read as a PNG or JPEG picture: choose another one.")
KERNELS: Final = {
    "horizontal": N_("Sobel, horizontal edges"),
    "vertical": N_("Sobel, vertical edges"),
    "rising": N_("Sobel, rising edges"),
    "falling": N_("Sobel, falling edges"),
    "identity": N_("Identity"),
    "blur": N_("Blur"),
    "own": N_("Your own"),
}
WAYS: Final = {"plain": N_("as it is (networks)"), "turned": N_("turned by 180° (mathematics)")}
SOBEL_NAMES: Final = {
    "horizontal": N_("horizontal"),
    "rising": N_("rising"),
    "vertical": N_("vertical"),
    "falling": N_("falling"),
}
KERNEL: Final = Param[str]("fker", "horizontal", one_of(*KERNELS))
# At first a kernel that sharpens: five times the pixel, minus its four neighbours.
OWN: Final = tuple(
    Param[float](f"fk{i}", weight, decimal(-9, 9))
    for i, weight in enumerate((0.0, -1.0, 0.0, -1.0, 5.0, -1.0, 0.0, -1.0, 0.0))
)
WAY: Final = Param[str]("fway", "plain", one_of(*WAYS))
STRIDE: Final = Param[int]("fstride", 1, whole(1, 3))
PADDING: Final = Param[int]("fpad", 0, whole(0, 2))
SEED: Final = Param[int]("fseed", 0, whole(0, 999))
DIGIT: Final = Param[int]("fdigit", 1, whole(1, digits.HELD_OUT))
DRAWN: Final = Param[str]("fdrawn", "", drawing)
FIRST: Final = 8  # reports made before the page is first seen


@dataclass(frozen=True, eq=False)
class Choice:
    """The stepping kernel, the training of the network, and the digit that it reads, from 0."""

    stepping: convolution.Stepping
    training: Live[cnn.Learned]
    digit: int

    @property
    def network(self) -> cnn.Learned:
        """The network after the latest update."""
        return self.training.reports[-1]


# How bright red, green and blue look to the eye: television's rule (ITU-R BT.601), and PIL's.
BRIGHTNESS: Final = np.array([0.299, 0.587, 0.114])
# How much redder and bluer than its grey each part of the house is, by that grey.
TINTS: Final = {
    0.35: (-0.2, -0.2),  # the ground
    0.95: (0.04, -0.15),  # the wall
    0.15: (0.3, -0.05),  # the roof
    0.4: (-0.2, 0.3),  # the windows
    0.2: (0.15, -0.1),  # the door
}
SKY: Final = (-0.25, 0.2)
PICTURE: Final = Param[str]("fpic", "house", one_of(*PICTURES))
UPLOAD: Final = "filters-upload"
OWN_SIDE: Final = 24
MEGABYTES: Final = 2
MEGAPIXELS: Final = 16
ROOF: Final = (3, 4)  # the place of the roof's left edge in the output
Place = tuple[int, int]  # row and column of a number in the output


def choice() -> Choice:
    """Return the choice; start the training with its seed if there is none yet."""
    kernel, seed = convolution.KERNELS.get(KERNEL.get()), SEED.get()
    if kernel is None:
        kernel = np.array([param.get() for param in OWN]).reshape(3, 3)
    flipped = WAY.get() == "turned"
    stepping = convolution.Stepping(picture(), kernel, STRIDE.get(), PADDING.get(), flipped)
    network = training("filters", seed, lambda: cnn.train(seed), FIRST)
    return Choice(stepping, network, DIGIT.get() - 1)


def pick_stepping(choice: Choice) -> None:
    """Draw the choice of a picture and a kernel, and the buttons that step."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        pick_picture()
        _pick_kernel()
        pick_place(choice)
    _pick_weights()


screens = Screens[Choice]()


@screens(
    "step",
    N_("A kernel steps over a picture"),
    pick=pick_stepping,
    code=(
        Code(
            N_("One number of the output"),
            r"y_{r,c} = \sum_{i,j} x_{r s + i,\; c s + j} \; w_{i,j}",
            "model.history.convolution:filtered",
        ),
    ),
    was=("window", "loop"),
)
def draw_steps(choice: Choice) -> None:
    """Draw picture and output side by side, with the window and its number marked."""
    text = _(
        "Lay a small grid of weights, a **kernel**, onto the picture, multiply what lies on top "
        "of each other, and add up: one number of the output. Then move on by {stride}. That is a "
        "**convolution**. The golden frames mark the window and its number; click any number of "
        "the output to go there."
    )
    say(text.format(stride=_(STRIDES[choice.stepping.stride])))
    left, right = st.columns(2, gap="medium")
    with left:
        stepping, at = choice.stepping, place_of(choice)
        window, k = stepping.window(*at), range(len(stepping.kernel))
        items = _picture_and_output(stepping, ("picture", "output"), 224)
        draw_board(
            items,
            "filters-board",
            asked=Cell("output", at),
            lit=[Block("picture", (window.top + i, window.left + j)) for i in k for j in k],
            on_ask=lambda cell: _go(stepping, cell),
        )
    with right:
        row, column = at = place_of(choice)
        total = _number(choice.stepping.window(*at).sum)
        text = _(
            "Row {row}, column {column} of the output: the nine greys in the window, times the "
            "nine weights of the kernel, added up, are **{sum}**."
        )
        say(text.format(row=row + 1, column=column + 1, sum=total))
        window = choice.stepping.window(*place_of(choice))
        st.latex(tex(summed(window.values, window.kernel, window.sum)))


@screens.drawer("colour", N_("Colour is three grids"))
def draw_colour(_choice: Choice) -> None:
    """Draw the picture, its channels, and the grey picture."""
    red, green, blue = (number(share, 3) for share in BRIGHTNESS)
    text = _(
        "In a colour picture each pixel has three numbers: how much red, green and blue. So it is "
        "three grids on top of each other, its three **channels**. {red} of red, {green} of green "
        "and {blue} of blue add up to the grey picture that the kernel steps over."
    )
    say(text.format(red=red, green=green, blue=blue))
    channels = coloured_house()
    left, right = st.columns([0.22, 0.78], gap="small", vertical_alignment="center")
    with left:
        show_chart(_picture(channels), "filters-colour", _("A house in colour"))
    grids = np.stack([*channels, np.tensordot(BRIGHTNESS, channels, 1)])
    names = [_(name) for name in (*CHANNELS, N_("grey"))]
    with right:
        figure = tiles(grids, names, across=4, scale="greys", tile=150)
        show_chart(
            figure,
            "filters-channels",
            _("The three channels of the house, and the grey they add up to"),
            lambda: columns_of(grids, names),
        )


@screens.drawer("size", N_("How large is the output?"))
def draw_size(choice: Choice) -> None:
    """Draw the picture with its zeros, the output, and the formula of its size."""
    text = _(
        "Zeros around the picture (padding) make the output larger, longer steps (stride) make it "
        "smaller: n pixels with p zeros on both sides, a kernel of k, a step of s."
    )
    say(text)
    if not everything():
        pick_steps(choice)
    stepping = choice.stepping
    items = _picture_and_output(stepping, ("", ""), 208)
    n, k, (rows, _columns) = len(stepping.picture), len(stepping.kernel), stepping.shape
    st.latex(
        r"\left\lfloor \frac{n + 2p - k}{s} \right\rfloor + 1 = "
        rf"\left\lfloor \frac{{{n} + 2 \cdot {stepping.padding} - {k}}}{{{stepping.stride}}} "
        rf"\right\rfloor + 1 = \mathbf{{{rows}}}"
    )
    board(items, key="filters-size")


@screens.drawer("turned", N_("The same kernel, turned by 180°"))
def draw_turned(choice: Choice) -> None:
    """Draw the kernel as it is and turned, and the choice between the two."""
    kernel, turned = choice.stepping.kernel, np.rot90(choice.stepping.kernel, 2)
    (row, column), (plain, after) = place_of(choice), map(_number, _sums(choice))
    place = {"row": row + 1, "column": column + 1}
    text = _(
        "In mathematics, the kernel is turned by 180° before it is laid down: only that is called "
        "a convolution. Without the turn, it is a **cross-correlation**. Networks, and PyTorch's "
        "`Conv2d`, do not turn: they learn the kernel anyway. At row {row}, column {column} it "
        "gives **{plain}**, turned **{turned}**."
    ).format(plain=plain, turned=after, **place)
    if np.array_equal(kernel, turned):
        turned_same = _("Turned, this kernel is still the same: the two are equal.")
        say(f"{text} {turned_same}")
    else:
        if np.array_equal(kernel, -turned):
            turned_opposite = _(
                "Turned, this kernel is its own opposite: every number of the output only changes "
                "its sign, and an edge from dark to bright is taken for one from bright to dark."
            )
            say(f"{text} {turned_opposite}")
        else:
            say(text)
    pick(WAY, _("The kernel is laid down"), WAYS, wrap=True)
    items: list[Grid | Op] = [
        array_grid(kernel, _("as it is"), "key"),
        Op("↻ 180°"),
        array_grid(np.rot90(kernel, 2), _("turned"), "key"),
    ]
    draw_board(items, "filters-turned")


def coloured_house() -> Greys:
    """Return the house in colour, (3, H, W), from 0 to 1; its greys are those of the grey house."""
    greys = house()
    red, blue = np.moveaxis(np.array([[TINTS.get(x, SKY) for x in row] for row in greys]), -1, 0)
    r, g, b = BRIGHTNESS
    green = -(r * red + b * blue) / g  # so that the grey stays
    return np.stack([greys + red, greys + green, greys + blue])


def _picture(channels: Greys) -> Figure:
    figure = layout("", height=140)
    figure["margin"] = {"l": 0, "r": 0, "t": 0, "b": 0}
    figure["xaxis"] = axis(visible=False)
    figure["yaxis"] = axis(visible=False, scaleanchor="x", autorange="reversed")
    pixels = np.round(255 * np.moveaxis(channels, 0, -1)).astype(int).tolist()
    return {"data": [{"type": "image", "z": pixels}], "layout": figure}


def picture() -> Greys:
    """Return the chosen picture's greys (H, W), 0 black to 1 white; by default the house."""
    if PICTURE.get() == "letter":
        return letter("A")
    uploaded = st.session_state.get(UPLOAD) if PICTURE.get() == "own" else None
    if uploaded is not None:
        with suppress(ValueError):
            return greys_of(uploaded.getvalue())
    return house()


def pick_picture() -> None:
    """Draw the choice of a picture and the field for a file; say what is wrong with the file."""
    pick(
        PICTURE,
        _("Picture"),
        PICTURES,
        help=_("What the kernel steps over: drawn by our code, or a file of yours."),
    )
    if PICTURE.get() != "own":
        return
    label, tip = (
        _("Your picture (PNG or JPEG, at most {size} MB)").format(size=MEGABYTES),
        _(
            "The middle of it is cut out, turned to greys and shrunk to {side} × {side} pixels. "
            "It is kept for this visit only."
        ).format(side=OWN_SIDE),
    )
    types = ["png", "jpg", "jpeg"]
    uploaded = uploader(label, types, key=UPLOAD, most=MEGABYTES, help=tip)
    if uploaded is None:
        st.caption(_("Until you choose a file, you see the house."))
        return
    try:
        greys_of(uploaded.getvalue())
    except ValueError as error:
        st.error(str(error))


def letter(char: str) -> Greys:
    """Return a letter, white on black, (16, 16)."""
    image = Image.new("L", (SIDE, SIDE), 0)
    middle, font = (SIDE / 2, SIDE / 2), ImageFont.load_default(17)
    ImageDraw.Draw(image).text(middle, char, fill=255, anchor="mm", font=font)
    return np.asarray(image, float) / 255


def greys_of(data: bytes) -> Greys:
    """Read a PNG or JPEG file as greys (24, 24); raises ValueError with what is wrong with it.

    The number of pixels is read and limited before any of them is decoded.
    """
    if len(data) > MEGABYTES * 2**20:
        raise ValueError(
            _("This file has more than {size} MB: choose a smaller one.").format(size=MEGABYTES)
        )
    try:
        image = Image.open(io.BytesIO(data), formats=("PNG", "JPEG"))
    except Exception:  # a broken file may raise anything
        raise ValueError(_(NO_PICTURE)) from None
    if image.width * image.height > MEGAPIXELS * 10**6:
        size = {"width": image.width, "height": image.height}
        raise ValueError(
            _(
                "This picture has {width} × {height} pixels, more than {most} million: choose a "
                "smaller one."
            ).format(most=MEGAPIXELS, **size)
        )
    try:
        return _decoded(image)
    except Exception:
        raise ValueError(_(NO_PICTURE)) from None


def _decoded(image: Image.Image) -> Greys:
    """Cut out the middle, with transparent parts on white."""
    image.draft("RGB", (4 * OWN_SIDE, 4 * OWN_SIDE))  # so that a JPEG is decoded at a small size
    upright = ImageOps.exif_transpose(image).convert("RGBA")
    white = Image.new("RGBA", upright.size, "white")
    grey = Image.alpha_composite(white, upright).convert("L")
    return np.asarray(ImageOps.fit(grey, (OWN_SIDE, OWN_SIDE)), float) / 255


def pick_place(choice: Choice) -> None:
    """Draw the buttons that step over the picture."""
    rows, columns = choice.stepping.shape
    ready = _most_telling(choice.stepping)
    player.tick(rows * columns, ready=ready)
    player.controls(rows * columns, ready=ready)


def pick_steps(_choice: Choice) -> None:
    """Draw the choice of stride and padding."""
    with st.container(horizontal=True, gap="medium"):
        pick(
            STRIDE,
            _("Step (stride)"),
            [1, 2, 3],
            help=_("How many pixels the kernel goes on at each step."),
        )
        pick(
            PADDING,
            _("Zeros around (padding)"),
            [0, 1, 2],
            help=_("How many lines of zeros are put around the picture."),
        )


def _pick_kernel() -> None:
    names = {name: _(title) for name, title in KERNELS.items()}
    pick_from_list(
        KERNEL,
        _("Kernel"),
        names,
        help=_("Nine weights. Sobel kernels are large where the brightness changes."),
        width=230,
    )


def _pick_weights() -> None:
    """Draw the nine fields of the visitor's own kernel."""
    if KERNEL.get() != "own":
        return
    st.caption(_("Your kernel, row by row:"))
    look: dict[str, Any] = {"width": 96, "format": "%.2f", "label_visibility": "collapsed"}
    for row in range(3):
        with st.container(horizontal=True, gap="small"):
            for column in range(3):
                key = OWN[3 * row + column].widget()
                label = _("Row {row}, column {column}").format(row=row + 1, column=column + 1)
                tip = _("This weight of your kernel, from −9 to 9.")
                st.number_input(label, -9.0, 9.0, step=1.0, key=key, help=tip, **look)


def place_of(choice: Choice) -> Place:
    """Return the place of the output's number that is shown."""
    rows, columns = choice.stepping.shape
    step = player.step_of(rows * columns, ready=_most_telling(choice.stepping))
    row, column = divmod(step - 1, columns)
    return row, column


def _most_telling(stepping: convolution.Stepping) -> int:
    """Return the initial step, where the kernel responds most: the very first is on a flat sky."""
    return int(np.abs(stepping.output()).round(9).argmax()) + 1


def _picture_and_output(
    stepping: convolution.Stepping, names: tuple[str, str], height: int
) -> list[Grid | Op]:
    """Return both as grids, the picture `height` pixels high; `names` make cells clickable."""
    values = np.round(stepping.output(), 9) + 0  # 0 in place of −0 and of rounding errors
    small: dict[str, Any] = {"square": True, "thumb": True}
    greys = small | {"scale": "greys", "reach": 1.0, "height": height}
    output = small | {"height": height * len(values) / len(stepping.padded)}
    return [
        array_grid(stepping.padded, _("picture"), "input", name=names[0], **greys),
        Op("→"),
        array_grid(values, _("output"), "output", name=names[1], **output),
    ]


def _go(stepping: convolution.Stepping, cell: Cell) -> None:
    """Step to a number of the output, or to the first one that a pixel contributes to."""
    row, column = cell.index
    if cell.name == "picture":
        row, column = (
            min(max(0, -(-(place - len(stepping.kernel) + 1) // stepping.stride)), last - 1)
            for place, last in zip((row, column), stepping.shape, strict=True)
        )
    state.STEP.set(row * stepping.shape[1] + column + 1)


def summed(values: Greys, kernel: Greys, total: float) -> str:
    """Write the sum of products as LaTeX, one line per row of the kernel."""
    factors = [[f"({short(w, 3)})" if w < 0 else short(w, 3) for w in row] for row in kernel]
    lines = [
        " + ".join(rf"{number(value)} \cdot {factor}" for value, factor in zip(*row, strict=True))
        for row in zip(values, factors, strict=True)
    ]
    joined = r" \\ + \; & ".join(lines)
    result = number(round(total, 9), 3)  # 0 in place of a rounding error
    return rf"\begin{{aligned}} & {joined} \\ = \; & \mathbf{{{result}}} \end{{aligned}}"


def _sums(choice: Choice) -> tuple[float, float]:
    stepping = choice.stepping
    values = stepping.window(*place_of(choice)).values
    # Rounded to 0 in place of −0 and of rounding errors.
    plain, turned = (
        round(float((values * each).sum()), 9) + 0
        for each in (stepping.kernel, np.rot90(stepping.kernel, 2))
    )
    return plain, turned


def _number(value: float) -> str:
    return number(round(value, 9), 3)


@screens("sobel", N_("Four Sobel kernels"), pick=False)
def draw_sobel(_choice: Choice) -> None:
    """Draw the four kernels, and below them their outputs."""
    text = _(
        "Turn the ring of eight weights by 45°, and the kernel for horizontal edges answers to "
        "diagonal ones; by 90°, to vertical ones. Blue: brighter on the side of the positive "
        "weights; red: darker."
    )
    say(text)
    names = [_(name) for name in SOBEL_NAMES.values()]
    answers = np.array([each[ROOF] for each in outputs().values()])
    pairs = zip(names, answers.tolist(), strict=True)
    values = {
        "numbers": listed(f"{name} {number(answer)}" for name, answer in pairs),
        "row": ROOF[0] + 1,
        "column": ROOF[1] + 1,
    }
    best = [int(np.abs(answers).argmax())]
    guess(
        Task.of(
            N_(
                "The left edge of the roof rises from bottom left to top right. Which kernel "
                "answers to it with the number farthest from 0?"
            ),
            names,
            best,
            N_("Yes: {numbers}."),
            N_("At row {row}, column {column} of the outputs: {numbers}."),
            **values,
        )
    )
    kernels = [
        array_grid(_kernel(kernel), name, "key")
        for kernel, name in zip(SOBEL_NAMES, names, strict=True)
    ]
    board(kernels, key="filters-sobel")
    drawn = np.stack(list(outputs().values()))
    figure = tiles(drawn, names, across=4, scale="signed", tile=110)
    columns = partial(columns_of, drawn, names)
    show_chart(
        figure, "filters-sobel-outputs", _("What the four Sobel kernels make of the house"), columns
    )


def outputs() -> dict[str, np.ndarray]:
    """Return the output of each of the four kernels on the house, (P, Q)."""
    return {name: convolution.filtered(house(), _kernel(name)) for name in SOBEL_NAMES}


def _kernel(name: str) -> np.ndarray:
    return convolution.KERNELS[name]
