"""What the model should have said, what it said, and what the difference costs."""

import math
from typing import Final

import numpy as np
import streamlit as st

from app.charts.learning import loss_bars, target_bars
from app.charts.toolbar import plot_config
from app.components.board import Grid
from app.data.translation import Token
from app.data.walk import Walk
from app.format import escape, grouped
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.picks import word_of
from app.state import Param, decimal
from app.ui.chart import theme_mode
from app.ui.table import fold, table, table_fold
from app.views.walk.learning import texts
from app.views.walk.learning.data import (
    USUAL_SMOOTHING,
    Taught,
    gradients_of,
    smoothing_of,
    taught,
)

REFERENCE: Final = Param[str]("reference", "", str)
SMOOTHING: Final = Param[float | None]("epsilon", None, decimal(0.0, 0.3))
FAVOURITES: Final = 5  # of the model at the chosen place


def lens(walk: Walk) -> Taught:
    """Return the sentence with the translation that the visitor calls right."""
    return taught(walk, REFERENCE.get())


def opened(walk: Walk) -> Taught:
    """Return a sentence that came through the lens as what it is."""
    assert isinstance(walk, Taught)
    return walk


def smoothing(walk: Taught) -> float:
    """Return the ε in use: the one chosen, else the model's own, else the paper's."""
    chosen = SMOOTHING.get()
    if chosen is not None:
        return chosen
    own = smoothing_of(walk.translation.model)
    return min(USUAL_SMOOTHING if own is None else own, 0.3)


def place(walk: Taught) -> int:
    """Return the chosen place in the translation, the most surprising one by default."""
    return word_of(walk.tokens(), int(walk.losses(0).surprises.argmax()))


def reference(walk: Taught) -> None:
    """Draw the box for the right translation, and say what it is compared with."""
    st.text_input(
        _("The right translation"),
        key=REFERENCE.widget(),
        placeholder=walk.translation.output or _("Type here"),
        autocomplete="off",
        help=_("The model reads it as in training. Left empty, its own translation is taken."),
    )
    output = escape(walk.translation.output) or "∅"
    st.caption(_(texts.TYPED).format(output=output) if walk.reference else _(texts.OWN))
    if walk.cut:
        st.info(_(texts.CUT))


def vocabulary(walk: Taught, at: int) -> None:
    """Say what the model can answer, and offer all of it, and both answers drawn whole."""
    word, size = walk.tokens()[at], walk.config.n_tgt_vocab
    st.markdown(
        _(texts.VOCABULARY).format(size=grouped(size), word=escape(word.text), id=word.id)
    )  # fmt: skip
    fold(
        _("All {count} pieces").format(count=grouped(size)), "vocabulary", ":material/dictionary:",
        lambda: table(_vocabulary(walk), "vocabulary"),
    )  # fmt: skip
    fold(
        _("Both answers, one cell for each piece"), "strips", ":material/apps:",
        lambda: _strips(walk, at),
    )  # fmt: skip


def pick_smoothing(walk: Taught, at: int) -> None:
    """Draw the slider for ε, and say what it does to the target."""
    epsilon, size = smoothing(walk), walk.config.n_tgt_vocab
    st.slider(
        _("Smoothing ε"), 0.0, 0.3, step=0.01, key=SMOOTHING.widget(epsilon),
        help=_("How much of the target is taken from the right piece and given to all."),
    )  # fmt: skip
    own = smoothing_of(walk.translation.model)
    st.caption(_(texts.NO_SMOOTHING) if own is None else _(texts.OWN_SMOOTHING).format(own=own))
    word = escape(walk.tokens()[at].text)
    if epsilon == 0:
        st.markdown(_(texts.NOT_SMOOTHED).format(word=word))
        return
    target = walk.target(at, epsilon)
    other = np.format_float_positional(epsilon / size, precision=3, fractional=False)
    right = f"{target[walk.targets[at]]:.6g}"
    st.markdown(_(texts.SMOOTHED).format(word=word, right=right, other=other))


def answers(walk: Taught, at: int) -> None:
    """Draw for each place what should be said and what is said, then the chosen place alone."""
    ids = _pieces(walk, at)
    labels = [walk.token(i).text for i in ids]
    rows = [token.text for token in walk.capture.tgt]
    epsilon = smoothing(walk)
    target = np.stack([walk.target(t, epsilon) for t in range(len(rows))])
    predicted = walk.array("probabilities")
    st.markdown(_(texts.COMPARE))
    items = [
        Grid(
            "", (None, None), target[:, ids], _("the target"), scale="weights", row_labels=rows,
            col_labels=labels,
        ),
        grid(
            walk, "probabilities", (None, None), _("the model's probabilities"), role="output",
            cols=tuple(ids), col_labels=labels,
        ),
    ]  # fmt: skip
    arrays(walk, items, key="answers")
    rest = np.delete(predicted, ids, axis=1).sum(1)
    st.caption(
        _(texts.COLUMNS).format(
            count=grouped(walk.config.n_tgt_vocab - len(ids)), least=f"{rest.min():.3f}",
            most=f"{rest.max():.3f}",
        )
    )  # fmt: skip
    _bars(walk, at, target[at], np.asarray(predicted[at]))


def losses(walk: Taught, at: int) -> None:
    """Draw −log p and the loss, of the chosen place in numbers, then of the whole sentence."""
    epsilon, tokens = smoothing(walk), walk.tokens()
    found, size = walk.losses(epsilon), walk.config.n_tgt_vocab
    st.markdown(
        _(texts.SURPRISE).format(
            word=escape(tokens[at].text), p=f"{found.probabilities[at]:.4g}",
            surprise=f"{found.surprises[at]:.4f}", size=grouped(size),
            uniform=f"{math.log(size):.2f}",
        )
    )  # fmt: skip
    if epsilon > 0:
        st.markdown(_(texts.SMOOTH_LOSS).format(size=grouped(size)))
        _formula(walk, at, epsilon)
        target = walk.target(at, epsilon)
        st.caption(_(texts.FLOOR).format(floor=f"{-(target * np.log(target)).sum():.4f}"))
    _sentence(walk, at)


def _formula(walk: Taught, at: int, epsilon: float) -> None:
    surprises = walk.surprises(at)
    own, mean = surprises[walk.targets[at]], surprises.mean()
    loss = walk.losses(epsilon).losses[at]
    st.latex(
        r"\begin{aligned}\text{loss} &= -\textstyle\sum_v \text{target}_v \log p_v \\"
        r"&= (1-\varepsilon)\,(-\log p) + \varepsilon\,\overline{-\log p_v} \\"
        rf"&= {1 - epsilon:.2f}\cdot {own:.4f} + {epsilon:.2f}\cdot {mean:.4f} \\"
        rf"&= \mathbf{{{loss:.4f}}}\end{{aligned}}"
    )


def _sentence(walk: Taught, at: int) -> None:
    found, tokens = walk.losses(smoothing(walk)), walk.tokens()
    labels = [token.text for token in tokens]
    title = _("The loss, word by word")
    figure = loss_bars(
        found.surprises, found.losses, labels, names=("−log p", _("loss, smoothed")),
        value_title=_("nats"), title=title, mode=theme_mode(), chosen=at,
    )  # fmt: skip
    st.plotly_chart(figure, theme=None, config=plot_config("loss"), key="loss", alt=title)
    table_fold("loss", lambda: table(_loss_table(walk), "loss"))
    worst = tokens[int(found.surprises.argmax())]
    st.markdown(
        _(texts.SENTENCE_LOSS).format(
            total=f"{found.total:.4f}", mean=f"{found.mean:.4f}", count=len(tokens),
            word=escape(worst.text),
        )
    )  # fmt: skip
    own = gradients_of(walk, smoothing(walk), None).loss
    st.caption(
        _(texts.TWICE).format(
            numpy=f"{found.total:.6f}", torch=f"{own:.6f}",
            difference=f"{abs(found.total - own):.1e}",
        )
    )  # fmt: skip


def _bars(walk: Taught, at: int, target: np.ndarray, predicted: np.ndarray) -> None:
    ids = _rivals(walk, at)
    rest = _("{count} others").format(count=grouped(len(target) - len(ids), " "))
    title = _("At the chosen place: “{word}”").format(word=walk.tokens()[at].text)
    labels = [*(walk.token(i).text for i in ids), rest]
    wanted, said = (
        np.append(values[ids], np.delete(values, ids).sum()) for values in (target, predicted)
    )
    figure = target_bars(
        wanted, said, labels, names=(_("the target"), _("the model")), value_title=_("probability"),
        title=title, mode=theme_mode(),
    )  # fmt: skip
    st.plotly_chart(figure, theme=None, config=plot_config("target"), key="target", alt=title)
    columns = {_("piece"): labels, _("the target"): wanted.tolist(), _("the model"): said.tolist()}
    table_fold("target", lambda: table(columns, "target"))


def _strips(walk: Taught, at: int) -> None:
    st.caption(_(texts.STRIPS))
    target = walk.target(at, smoothing(walk))
    items = [
        Grid("", (None,), target, _("the target"), scale="weights"),
        grid(walk, "probabilities", (at, None), _("the model's probabilities"), role="output"),
    ]
    arrays(walk, items, key="whole")


def _rivals(walk: Taught, at: int) -> list[int]:
    """Return the right piece at a place, and the model's favourites."""
    best = walk.surprises(at).argsort(kind="stable")[:FAVOURITES].tolist()
    return list(dict.fromkeys([walk.targets[at], *best]))


def _pieces(walk: Taught, at: int) -> list[int]:
    """Return the columns: the pieces of the translation, then the favourites at a place."""
    return list(dict.fromkeys([*walk.targets, *_rivals(walk, at)]))


def _vocabulary(walk: Taught) -> dict[str, list[str | float]]:
    pieces: tuple[Token, ...] = walk.vocabulary()
    return {
        _("number"): [str(piece.id) for piece in pieces],
        _("piece"): [piece.text for piece in pieces],
        _("begins a word"): ["✓" if piece.starts_word else "" for piece in pieces],
    }


def _loss_table(walk: Taught) -> dict[str, list[str | float]]:
    found = walk.losses(smoothing(walk))
    return {
        _("place"): [f"{i + 1} {token.text}" for i, token in enumerate(walk.tokens())],
        "p": found.probabilities.tolist(),
        "−log p": found.surprises.tolist(),
        _("loss, smoothed"): found.losses.tolist(),
    }
