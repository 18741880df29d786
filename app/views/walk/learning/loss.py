"""What an answer costs: −log p, the cross-entropy with a smoothed target, the whole sentence."""

import math

import numpy as np
import streamlit as st

from app.format import escape, grouped, number, power, share, short, tex
from app.i18n import _
from app.page.declare import Myth
from app.page.quiz import Task
from app.ui.chart import show_chart
from app.ui.table import Columns, numbered
from app.views.walk.learning import texts
from app.views.walk.learning.data import gradients_of
from app.views.walk.learning.lesson import Lesson
from app.views.walk.learning.loss_chart import loss_bars, surprise_curve


def loss_text(lesson: Lesson) -> str:
    """Say what one answer costs."""
    losses = lesson.losses
    return _(texts.SURPRISE).format(
        word=lesson.word,
        p=short(losses.probabilities[lesson.at]),
        surprise=number(losses.surprises[lesson.at], 4),
    )


def guess_loss(lesson: Lesson) -> Task:
    """Ask what a model pays that knows nothing."""
    size, uniform = grouped(lesson.size), number(math.log(lesson.size))
    options = [number(math.log(2)), uniform, size]
    says = texts.LOSS_SAYS
    return Task.of(texts.LOSS_ASK, options, [1], says, says, size=size, uniform=uniform)


def draw_loss(lesson: Lesson) -> None:
    """Draw −log p as a curve, and on it what the right token has."""
    title = _("What the right token costs, by its probability")
    p = float(lesson.losses.probabilities[lesson.at])
    figure = surprise_curve(p, lesson.size, lesson.tokens[lesson.at].text, title)
    show_chart(figure, "surprise", title)


def entropy_text(lesson: Lesson) -> str:
    """Say what the cross-entropy adds up."""
    return _(texts.SMOOTH_LOSS).format(size=grouped(lesson.size))


def draw_entropy(lesson: Lesson) -> None:
    """Write the cross-entropy at the chosen position with its numbers."""
    surprises, epsilon = lesson.walk.surprises(lesson.at), lesson.smoothing
    own, mean = surprises[lesson.walk.targets[lesson.at]], surprises.mean()
    formula = (
        r"\large\begin{aligned}\text{loss} &= -\textstyle\sum_v \text{target}_v \log p_v \\[6pt]"
        r"&= (1-\varepsilon)\,(-\log p) + \varepsilon\,\overline{-\log p_v} \\[6pt]"
        rf"&= {number(1 - epsilon)}\cdot {number(own, 4)}"
        rf" + {number(epsilon)}\cdot {number(mean, 4)} \\[6pt]"
        rf"&= \mathbf{{{number(lesson.losses.losses[lesson.at], 4)}}}\end{{aligned}}"
    )
    st.latex(tex(formula))


def guess_floor(lesson: Lesson) -> Task:
    """Ask whether a perfect model pays nothing."""
    entropy, _kl = lesson.walk.divergence(lesson.at, lesson.smoothing)
    says = texts.FLOOR_SAYS if lesson.smoothing else texts.NO_FLOOR_SAYS
    options, answer = [_(texts.YES), _(texts.NO)], int(lesson.smoothing > 0)
    values = {"epsilon": short(lesson.smoothing), "floor": number(entropy, 4)}
    return Task.of(texts.FLOOR_ASK, options, [answer], says, says, **values)


def draw_floor(lesson: Lesson) -> None:
    """Write the loss as entropy and divergence."""
    entropy, kl = lesson.walk.divergence(lesson.at, lesson.smoothing)
    loss = lesson.losses.losses[lesson.at]
    target, all_ = _(texts.TARGET_MATH), _(texts.LOSS_MATH)
    formula = (
        rf"\large\begin{{aligned}}\text{{{all_}}} &= H(\text{{{target}}})"
        rf" + \mathrm{{KL}}(\text{{{target}}} \,\|\, p) \\[6pt]"
        rf"{number(loss, 4)} &= {number(entropy, 4)} + \mathbf{{{number(kl, 4)}}}\end{{aligned}}"
    )
    st.latex(tex(formula))


def sentence_text(lesson: Lesson) -> str:
    """Say what the whole sentence costs."""
    losses, tokens = lesson.losses, lesson.tokens
    return _(texts.SENTENCE_LOSS).format(
        total=number(losses.total, 4),
        mean=number(losses.mean, 4),
        count=len(tokens),
        word=escape(tokens[int(losses.surprises.argmax())].text),
    )


def draw_sentence(lesson: Lesson) -> None:
    """Draw the loss of each token, and compare the sum with that of the training's own lines."""
    losses, words = lesson.losses, [token.text for token in lesson.tokens]
    title = _("The loss, token by token")
    figure = loss_bars(losses.surprises, losses.losses, words, lesson.at, title)
    show_chart(figure, "loss", title, lambda: _columns(lesson))
    ours, theirs = losses.total, gradients_of(lesson.walk, lesson.smoothing, None).loss
    twice = {"numpy": number(ours, 6), "torch": number(theirs, 6)}
    st.caption(_(texts.TWICE).format(**twice, difference=power(abs(ours - theirs))))


def myth(lesson: Lesson) -> Myth:
    """Show what positions still pay at which the right token already is the likeliest."""
    walk, losses = lesson.walk, lesson.walk.losses(0)
    right = np.flatnonzero(walk.capture.logits.argmax(-1) == walk.targets)
    if not len(right):
        return Myth(_(texts.MYTH), _(texts.MYTH_NONE))
    least = int(right[losses.probabilities[right].argmin()])
    truth = _(texts.MYTH_TRUTH).format(
        n=len(right),
        count=len(lesson.tokens),
        loss=number(float(losses.surprises[right].sum())),
        word=escape(lesson.tokens[least].text),
        p=share(float(losses.probabilities[least]), 3),
        cost=number(float(losses.surprises[least])),
    )
    return Myth(_(texts.MYTH), truth)


def _columns(lesson: Lesson) -> Columns:
    losses = lesson.losses
    return {
        _("position"): numbered([token.text for token in lesson.tokens]),
        "p": losses.probabilities.tolist(),
        "−log p": losses.surprises.tolist(),
        _("loss, smoothed"): losses.losses.tolist(),
    }
