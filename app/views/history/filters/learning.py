"""A small network that learns its kernels on the page."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.charts.curves import Curve, curves
from app.format import number
from app.i18n import _
from app.page.live_training import draw_live
from app.ui.chart import show_chart
from app.ui.pickers import pick_seed
from app.ui.table import Columns
from app.views.history.filters import texts
from app.views.history.filters.choice import SEED, Choice
from app.views.history.filters.data import cnn, convolution, digits
from app.views.history.filters.tiles_chart import tiles

SOBEL: Final = ("horizontal", "vertical")


def pick_training(_choice: Choice) -> None:
    """Draw the choice of the seed."""
    pick_seed(SEED, _(texts.SEED_HELP))


def learning_text(_choice: Choice) -> str:
    """Describe the network, the digits and what is drawn beside its kernels."""
    first, second = cnn.FILTERS
    sizes = {"learn": digits.LEARNED_FROM, "held_out": digits.HELD_OUT}
    network = _(texts.TRAIN).format(first=first, second=second, **sizes)
    return f"{network} {_(texts.FILTERS).format(n=first)}"


def draw_learning(choice: Choice) -> None:
    """Draw the training of the network with its curves, and the kernels it has learned so far."""
    draw_live(choice.training, cnn.REPORTS, _draw_training, before=1)


def _draw_training(so_far: Sequence[cnn.Learned]) -> None:
    network = so_far[-1]
    at = np.array([report.update for report in so_far])
    losses, shares = np.array([(report.loss, report.accuracy) for report in so_far]).T
    draw = partial(curves, step_title=_("update"), value_title="", steps=cnn.UPDATES, height=230)
    left, middle, right = st.columns(3, gap="medium")
    with left:
        loss = Curve(_("loss"), at, losses, "residual")
        figure = draw([loss], title=_("Loss: −ln p of the right digit"))
        show_chart(figure, "filters-loss", _("Loss of each batch"))
    with middle:
        accuracy = Curve(_("accuracy"), at, shares, "output")
        figure = draw([accuracy], title=_("Accuracy on held-out digits"), span=(0, 1.05))
        show_chart(figure, "filters-accuracy", _("Share of the held-out digits that it reads"))
    with right:
        alike = _draw_kernels(network)
    percent = number(100 * network.accuracy, 1)
    right_now = _(texts.RIGHT).format(percent=percent, n=digits.HELD_OUT, updates=network.update)
    st.markdown(f"{right_now} {alike}")


def _draw_kernels(network: cnn.Learned) -> str:
    """Draw the learned kernels beside Sobel's, and return which two are most alike."""
    own = network.weights["conv1.weight"][:, 0].astype(float)  # (8, 3, 3)
    by_hand = np.stack([convolution.KERNELS[name] for name in SOBEL])
    # Sobel's weights are whole numbers: they are brought to the size of the learned ones.
    reach = np.abs(own).max() / np.abs(by_hand).max()
    names = [*(str(i + 1) for i in range(len(own))), _("Sobel h"), _("Sobel v")]
    kernels = np.concatenate([own, by_hand * reach])
    alt = _("The learned kernels and the two Sobel kernels")
    cosines = cosines_of(own, by_hand)
    figure = tiles(kernels, names, across=5, scale="signed", tile=64)
    show_chart(figure, "filters-kernels", alt, partial(_columns, own, cosines))
    k, edge = map(int, np.unravel_index(np.abs(cosines).argmax(), cosines.shape))
    name, cosine = _(texts.EDGES[SOBEL[edge]]), number(cosines[k, edge])
    return _(texts.ALIKE).format(k=k + 1, name=name, cosine=cosine)


def cosines_of(some: np.ndarray, others: np.ndarray) -> np.ndarray:
    """Return the cosine of each kernel with each other one: (N, k, k) and (M, k, k) to (N, M)."""
    flat, other = (one.reshape(len(one), -1).astype(float) for one in (some, others))
    lengths = np.outer(np.linalg.norm(flat, axis=1), np.linalg.norm(other, axis=1))
    cosines: np.ndarray = flat @ other.T / lengths
    return cosines


def _columns(own: np.ndarray, cosines: np.ndarray) -> Columns:
    columns = {_("kernel"): [str(i + 1) for i in range(len(own))]}
    weights = {f"[{r + 1}, {c + 1}]": own[:, r, c].tolist() for r, c in np.ndindex(3, 3)}
    alike = {
        _("cosine with Sobel {edges}").format(edges=_(texts.EDGES[name])): cosines[:, i].tolist()
        for i, name in enumerate(SOBEL)
    }
    return columns | weights | alike
