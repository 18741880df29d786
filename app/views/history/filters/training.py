"""A small network that learns its kernels on the page, and what it sees in a digit."""

from collections.abc import Sequence
from typing import Final

import numpy as np
import streamlit as st

from app.charts.bars import next_token_bars
from app.charts.curves import Curve, curves
from app.charts.theme import Figure, Mode
from app.charts.toolbar import plot_config
from app.i18n import _
from app.page.live_training import live
from app.page.live_training import reports as made
from app.state import Param, whole
from app.ui.chart import theme_mode
from app.ui.table import table, table_fold
from app.views.history.filters import texts
from app.views.history.filters.data import (
    FILTERS,
    HELD_OUT,
    KERNELS,
    LEARNED_FROM,
    Learned,
    digit,
    reading,
    reports,
    train,
    updates,
)
from app.views.history.filters.tiles_chart import tiles

KEY: Final = "filters"
SEED: Final = Param[int]("fseed", 0, whole(0, 999))
DIGIT: Final = Param[int]("fdigit", 1, whole(1, HELD_OUT))
FIRST: Final = 8  # reports made before the page is first seen
SOBEL: Final = ("horizontal", "vertical")
TILE: Final = 66
ACROSS: Final = 4  # so many that they can be seen on a phone


def training() -> None:
    """Draw the training of the network: its curves and the kernels it has learned so far."""
    st.header(_(texts.TRAIN_TITLE), anchor=False)
    first, second = FILTERS
    st.markdown(
        _(texts.TRAIN).format(first=first, second=second, learn=LEARNED_FROM, held_out=HELD_OUT)
    )
    st.number_input(
        _("Random numbers (seed)"), 0, 999, step=1, key=SEED.widget(), help=_(texts.SEED_HELP),
        width=200,
    )  # fmt: skip
    seed = SEED.get()
    live(KEY, seed, lambda: train(seed), reports(), _draw, first=FIRST, before=1)


def learned() -> Learned:
    """Return the network as it stands now."""
    last: Learned = made(KEY)[-1]
    return last


def looked_at() -> int:
    """Return the digit that is looked at, counted from 0."""
    return DIGIT.get() - 1


def seen() -> None:
    """Draw a digit, its feature maps in both layers, and what the network says."""
    st.header(_(texts.READ_TITLE), anchor=False)
    now = learned()
    first, second = FILTERS
    st.markdown(_(texts.READ).format(first=first, second=second, updates=now.update))
    st.slider(_("Digit"), 1, HELD_OUT, key=DIGIT.widget(), help=_(texts.DIGIT_HELP))
    at = looked_at()
    shown, found = digit(at), reading(now, at)
    left, right = st.columns([0.35, 0.65], gap="medium", vertical_alignment="center")
    with left:
        _show(
            "digit",
            tiles(
                shown.greys[None], [_("digit")], across=1, scale="greys", tile=150,
                hover=_hover(), mode=_mode(),
            ),
            _("The digit, 8 × 8 greys"),
        )  # fmt: skip
    said = int(found.probabilities.argmax())
    with right:
        _show(
            "said",
            next_token_bars(
                found.probabilities, [str(i) for i in range(10)], value_title=_("probability"),
                mode=_mode(), chosen=said,
            ),
            _("What the network says: the probability of each digit"),
        )  # fmt: skip
    verdict = texts.VERDICT_RIGHT if said == shown.label else texts.VERDICT_WRONG
    st.markdown(
        _(verdict).format(
            label=shown.label, said=said, p=f"{found.probabilities[said]:.3f}",
            q=f"{found.probabilities[shown.label]:.3f}",
        )
    )  # fmt: skip
    columns = st.columns(2, gap="medium")
    for n, (column, maps) in enumerate(zip(columns, (found.maps1, found.maps2), strict=True), 1):
        with column:
            _maps(maps, _("Feature maps of {layer}").format(layer=_("layer {n}").format(n=n)), n)
    table_fold("filters-maps", lambda: _maps_table(found.maps1))


def _maps(maps: np.ndarray, title: str, layer: int) -> None:
    st.caption(title)
    names = [str(i + 1) for i in range(len(maps))]
    _show(
        f"maps{layer}",
        tiles(maps, names, across=ACROSS, scale="weights", hover=_hover(), tile=TILE, mode=_mode()),
        title,
    )


def _draw(so_far: Sequence[Learned]) -> None:
    now = so_far[-1]
    at = np.array([one.update for one in so_far])
    left, right = st.columns(2, gap="medium")
    loss = Curve(_("loss"), at, np.array([one.loss for one in so_far]), "residual")
    right_ones = Curve(_("accuracy"), at, np.array([one.accuracy for one in so_far]), "output")
    with left:
        _show(
            "loss",
            curves([loss], step_title=_("update"), value_title="", title=_(texts.LOSS_TITLE),
                   steps=updates(), mode=_mode()),
            _("Loss of each batch"),
        )  # fmt: skip
    with right:
        _show(
            "accuracy",
            curves([right_ones], step_title=_("update"), value_title="", steps=updates(),
                   title=_("Held-out digits read rightly"), span=(0, 1.05), mode=_mode()),
            _("Share of the held-out digits that are read rightly"),
        )  # fmt: skip
    st.markdown(
        _(texts.RIGHT).format(percent=f"{100 * now.accuracy:.1f}", n=HELD_OUT, updates=now.update)
    )
    _kernels(now)


def _kernels(now: Learned) -> None:
    """Draw the learned kernels beside Sobel's, and say which two are most alike."""
    own = now.weights["conv1.weight"][:, 0]  # (8, 3, 3)
    made_by_hand = np.stack([KERNELS[name] for name in SOBEL])
    # Sobel's weights are whole numbers: they are brought to the size of the learned ones.
    reach = np.abs(own).max() / np.abs(made_by_hand).max()
    names = [f"{i + 1}" for i in range(len(own))]
    hands = [_("Sobel h"), _("Sobel v")]
    st.caption(_(texts.FILTERS).format(n=len(own)))
    _show(
        "kernels",
        tiles(
            np.concatenate([own, made_by_hand * reach]), [*names, *hands], across=5,
            scale="signed", hover=_hover(), tile=TILE, mode=_mode(),
        ),
        _("The learned kernels and the two Sobel kernels"),
    )  # fmt: skip
    cosines = cosines_of(own, made_by_hand)
    k, edge = np.unravel_index(int(np.abs(cosines).argmax()), cosines.shape)
    st.markdown(
        _(texts.ALIKE).format(
            k=int(k) + 1, name=_(texts.EDGES[SOBEL[int(edge)]]),
            cosine=f"{cosines[k, edge]:.2f}".replace("-", "−"),
        )
    )  # fmt: skip
    table_fold("filters-kernels", lambda: _kernels_table(own, cosines))


def cosines_of(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the cosine of each kernel with each other one: (N, k, k) and (M, k, k) to (N, M)."""
    flat, other = (one.reshape(len(one), -1).astype(float) for one in (some, others))
    lengths = np.outer(np.linalg.norm(flat, axis=1), np.linalg.norm(other, axis=1))
    cosines: np.ndarray = flat @ other.T / lengths
    return cosines


def _kernels_table(own: np.ndarray, cosines: np.ndarray) -> None:
    columns = {_("kernel"): [str(i + 1) for i in range(len(own))]}
    places = [(row, column) for row in range(3) for column in range(3)]
    numbers = {f"[{r + 1}, {c + 1}]": own[:, r, c].astype(float).tolist() for r, c in places}
    alike = {
        _("cosine with Sobel {edges}").format(edges=_(texts.EDGES[name])): cosines[:, i].tolist()
        for i, name in enumerate(SOBEL)
    }
    table(columns | numbers | alike, "kernels")


def _maps_table(maps: np.ndarray) -> None:
    """Offer the first layer's maps as columns, a pixel a row."""
    rows, columns = maps.shape[1:]
    places = [f"{r + 1}, {c + 1}" for r in range(rows) for c in range(columns)]
    kept = {str(i + 1): one.ravel().astype(float).tolist() for i, one in enumerate(maps)}
    table({_("row, column"): places} | kept, "feature-maps")


def _show(name: str, figure: Figure, alt: str) -> None:
    st.plotly_chart(figure, theme=None, config=plot_config(name), key=f"filters-{name}", alt=alt)


def _hover() -> str:
    return _("{name}, row {row}, column {column}: {value}")


def _mode() -> Mode:
    return theme_mode()
