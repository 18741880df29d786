"""What the model should have said, what it said, and what the difference costs."""

import math
from typing import Final

import numpy as np
import streamlit as st

from app.charts.target import target_bars
from app.format import escape, grouped
from app.i18n import _
from app.inspect.arrays import arrays, grid, weights_grid
from app.inspect.picks import pick_word
from app.ui.chart import show_chart
from app.ui.table import Columns, fold, numbered, table
from app.views.walk.learning import texts
from app.views.walk.learning.data import gradients_of, smoothing_of
from app.views.walk.learning.lesson import MOST_SMOOTHING, REFERENCE, SMOOTHING, Lesson
from app.views.walk.learning.loss_chart import loss_bars

FAVOURITES: Final = 5  # of the model at the chosen place


def draw_reference(lesson: Lesson) -> None:
    """Draw the box for the right translation, what it is compared with, and its places."""
    walk = lesson.walk
    st.text_input(
        _("The right translation"),
        key=REFERENCE.widget(),
        placeholder=walk.translation.output or _("Type here"),
        autocomplete="off",
        help=_("The model reads it as in training. Left empty, its own translation is taken."),
    )
    output = escape(walk.translation.output) or "∅"
    st.caption(_(texts.TYPED).format(output=output) if walk.reference else _(texts.OWN))
    if walk.truncated:
        st.info(_(texts.CUT))
    pick_word(lesson.tokens, _("The translation it should write: choose a place"), lesson.at)


def target_text(lesson: Lesson) -> str:
    """Say what the model can answer."""
    piece = lesson.tokens[lesson.at]
    return _(texts.VOCABULARY).format(size=grouped(lesson.size), word=lesson.word, id=piece.id)


def draw_target(lesson: Lesson) -> None:
    """Offer all pieces and both answers drawn whole, and the ε that the target is made with."""
    title = _("All {count} pieces").format(count=grouped(lesson.size))
    pieces = "vocabulary"
    fold(title, pieces, ":material/dictionary:", lambda: table(_vocabulary(lesson), pieces))
    title = _("Both answers, one cell for each piece")
    fold(title, "strips", ":material/apps:", lambda: _draw_strips(lesson))
    about = _("How much of the target is taken from the right piece and given to all.")
    key = SMOOTHING.widget(lesson.smoothing)
    st.slider(_("Smoothing ε"), 0.0, MOST_SMOOTHING, step=0.01, key=key, help=about)
    own = smoothing_of(lesson.walk.translation.model)
    st.caption(_(texts.NO_SMOOTHING) if own is None else _(texts.OWN_SMOOTHING).format(own=own))
    if lesson.smoothing == 0:
        st.markdown(_(texts.NOT_SMOOTHED).format(word=lesson.word))
        return
    share = lesson.smoothing / lesson.size
    other = np.format_float_positional(share, precision=3, fractional=False)
    right = f"{_target(lesson)[lesson.walk.targets[lesson.at]]:.6g}"
    st.markdown(_(texts.SMOOTHED).format(word=lesson.word, right=right, other=other))


def draw_answers(lesson: Lesson) -> None:
    """Draw for each place what should be said and what is said, then the chosen place alone."""
    walk = lesson.walk
    ids = list(dict.fromkeys([*walk.targets, *_rivals(lesson)]))
    labels = [walk.token(i).text for i in ids]
    rows = [token.text for token in walk.capture.tgt]
    target = np.stack([walk.target(t, lesson.smoothing) for t in range(len(rows))])
    name, every, title = "probabilities", (None, None), _("the model's probabilities")
    columns = {"cols": tuple(ids), "col_labels": labels}
    answers = [
        weights_grid(target[:, ids], _("the target"), rows, labels),
        grid(walk, name, every, title, role="output", **columns),
    ]
    arrays(walk, answers, key="answers")
    rest = np.delete(walk.array(name), ids, axis=1).sum(1)
    count, least, most = grouped(lesson.size - len(ids)), f"{rest.min():.3f}", f"{rest.max():.3f}"
    st.caption(_(texts.COLUMNS).format(count=count, least=least, most=most))
    _draw_bars(lesson)


def loss_text(lesson: Lesson) -> str:
    """Say what one answer costs."""
    losses = lesson.losses
    return _(texts.SURPRISE).format(
        word=lesson.word,
        p=f"{losses.probabilities[lesson.at]:.4g}",
        surprise=f"{losses.surprises[lesson.at]:.4f}",
        size=grouped(lesson.size),
        uniform=f"{math.log(lesson.size):.2f}",
    )


def draw_losses(lesson: Lesson) -> None:
    """Draw the loss of the chosen place in numbers, then that of the whole sentence."""
    if lesson.smoothing > 0:
        st.markdown(_(texts.SMOOTH_LOSS).format(size=grouped(lesson.size)))
        _draw_formula(lesson)
        target = _target(lesson)
        st.caption(_(texts.FLOOR).format(floor=f"{-(target * np.log(target)).sum():.4f}"))
    losses, tokens = lesson.losses, lesson.tokens
    title = _("The loss, word by word")
    words = [token.text for token in tokens]
    figure = loss_bars(losses.surprises, losses.losses, words, lesson.at, title)
    show_chart(figure, "loss", title, lambda: _loss_columns(lesson))
    sentence = _(texts.SENTENCE_LOSS).format(
        total=f"{losses.total:.4f}",
        mean=f"{losses.mean:.4f}",
        count=len(tokens),
        word=escape(words[int(losses.surprises.argmax())]),
    )
    st.markdown(sentence)
    ours, theirs = losses.total, gradients_of(lesson.walk, lesson.smoothing, None).loss
    twice = {"numpy": f"{ours:.6f}", "torch": f"{theirs:.6f}"}
    st.caption(_(texts.TWICE).format(**twice, difference=f"{abs(ours - theirs):.1e}"))


def _target(lesson: Lesson) -> np.ndarray:
    """Return what should be said at the chosen place, (V,)."""
    return lesson.walk.target(lesson.at, lesson.smoothing)


def _draw_formula(lesson: Lesson) -> None:
    surprises, epsilon = lesson.walk.surprises(lesson.at), lesson.smoothing
    own, mean = surprises[lesson.walk.targets[lesson.at]], surprises.mean()
    st.latex(
        r"\begin{aligned}\text{loss} &= -\textstyle\sum_v \text{target}_v \log p_v \\"
        r"&= (1-\varepsilon)\,(-\log p) + \varepsilon\,\overline{-\log p_v} \\"
        rf"&= {1 - epsilon:.2f}\cdot {own:.4f} + {epsilon:.2f}\cdot {mean:.4f} \\"
        rf"&= \mathbf{{{lesson.losses.losses[lesson.at]:.4f}}}\end{{aligned}}"
    )


def _draw_bars(lesson: Lesson) -> None:
    """Draw the target beside the model's answer at the chosen place."""
    walk, at, ids = lesson.walk, lesson.at, _rivals(lesson)
    rest = _("{count} others").format(count=grouped(lesson.size - len(ids), " "))
    title = _("At the chosen place: “{word}”").format(word=lesson.tokens[at].text)
    labels = [*(walk.token(i).text for i in ids), rest]
    both = (_target(lesson), np.asarray(walk.array("probabilities", (at,))))
    target, predicted = (np.append(p[ids], np.delete(p, ids).sum()) for p in both)
    figure = target_bars(target, predicted, labels, title)
    columns = {
        _("piece"): labels,
        _("the target"): target.tolist(),
        _("the model"): predicted.tolist(),
    }
    show_chart(figure, "target", title, lambda: columns)


def _draw_strips(lesson: Lesson) -> None:
    st.caption(_(texts.STRIPS))
    title, at = _("the model's probabilities"), (lesson.at, None)
    predicted = grid(lesson.walk, "probabilities", at, title, role="output")
    arrays(lesson.walk, [weights_grid(_target(lesson), _("the target")), predicted], key="whole")


def _rivals(lesson: Lesson) -> list[int]:
    """Return the right piece at the chosen place, and the model's favourites."""
    best = lesson.walk.surprises(lesson.at).argsort(kind="stable")[:FAVOURITES].tolist()
    return list(dict.fromkeys([lesson.walk.targets[lesson.at], *best]))


def _vocabulary(lesson: Lesson) -> Columns:
    tokenizer = lesson.walk.tokenizer
    pieces = tokenizer.tokens(range(tokenizer.vocab_size))
    return {
        _("number"): [str(piece.id) for piece in pieces],
        _("piece"): [piece.text for piece in pieces],
        _("begins a word"): ["✓" if piece.starts_word else "" for piece in pieces],
    }


def _loss_columns(lesson: Lesson) -> Columns:
    losses = lesson.losses
    return {
        _("place"): numbered([token.text for token in lesson.tokens]),
        "p": losses.probabilities.tolist(),
        "−log p": losses.surprises.tolist(),
        _("loss, smoothed"): losses.losses.tolist(),
    }
