"""The model's answers beside the target, and what its loss is."""

from dataclasses import replace
from typing import Final

import numpy as np
import streamlit as st

from app.charts.bars import target_bars
from app.format import (
    escape,
    grouped,
    number,
    power,
    probability,
    quoted,
    share,
    short,
    signed,
    tex,
)
from app.i18n import N_, _
from app.inspector.arrays import Grid, Op, arrays, grid, weights_grid
from app.page.kit import Code, Myth, QuizTask, Screens, guess, say, show_chart
from app.ui.table import numbered
from app.views.walk.learning.data import gradients_of, surprise
from app.views.walk.learning.loss_chart import loss_bars, surprise_curve
from app.views.walk.learning.target import TargetPosition, pick_position, pick_smoothing
from app.views.walk.learning.training import slopes

MYTH: Final = N_("Once the right token is the likeliest one everywhere, there is nothing to learn.")
FAVOURITES: Final = 5  # of the model at the chosen position
EACH: Final = 3  # looks from either end of the scale


def myth(lesson: TargetPosition) -> Myth:
    """Show what positions still pay at which the right token already is the likeliest."""
    walk, losses = lesson.walk, lesson.walk.losses(0)
    right = np.flatnonzero(walk.capture.logits.argmax(-1) == walk.targets)
    if not len(right):
        truth = _(
            "The loss asks for probability, not for first place: a right token that is in front "
            "with p = 0.6 still pays 0.51 nats. (In your sentence the right token is nowhere in "
            "front.)"
        )
        return Myth(_(MYTH), truth)
    least = int(right[losses.probabilities[right].argmin()])
    truth = _(
        "The loss asks for probability, not for first place. At {n} of {count} positions of "
        "your sentence the right token is already the likeliest, and these alone still cost "
        "{loss} nats. “{word}” is in front with p = {p}, and pays {cost} all the same."
    ).format(
        n=len(right),
        count=len(lesson.tokens),
        loss=number(float(losses.surprises[right].sum())),
        word=escape(lesson.tokens[least].text),
        p=share(float(losses.probabilities[least]), 3),
        cost=number(float(losses.surprises[least])),
    )
    return Myth(_(MYTH), truth)


def task(lesson: TargetPosition) -> QuizTask:
    """Ask which look would lower the loss most, among the strongest wishes of both signs."""
    head = slopes(lesson)
    order = head.values[head.mask].argsort(kind="stable")
    ends = sorted({*order[:EACH].tolist(), *order[-EACH:].tolist()})
    cells = [(int(q), int(k)) for q, k in np.argwhere(head.mask)[ends]]
    gradients = [float(head.values[cell]) for cell in cells]
    lowest = min(gradients)
    pairs = [" → ".join(map(quoted, head.words(*cell))) for cell in cells]
    answers = [i for i, gradient in enumerate(gradients) if gradient == lowest]
    right = N_(
        "Yes: {pair} has a gradient of {gradient}, the lowest in the map. Adding 1 to its score "
        "takes about {size} off the loss."
    )
    if head.flat:
        right = N_("Yes, though no look would: all gradients of this map are 0.")
    asked = QuizTask.of(
        N_(
            "In layer {layer}, head {head}: which of these looks would lower the loss most if "
            "its score grew? The gradients are under “Which way is better”."
        ),
        pairs,
        answers,
        right,
        N_(
            "Not that one. Look for the deepest red: a minus means that the loss falls when the "
            "score grows."
        ),
        layer=head.layer + 1,
        head=head.head + 1,
        pair=pairs[answers[0]],
        gradient=signed(lowest, 4),
        size=number(-lowest, 4),
    )
    return asked if head.flat else replace(asked, reasons=[*map(_reason, gradients)])


screens = Screens[TargetPosition]()


@screens("compare", N_("What it should say, and what it says"), pick=pick_position, was=("at",))
def draw_compare(lesson: TargetPosition) -> None:
    """Draw the target and the answer of every position; beside them, those of the chosen one."""
    rest = np.delete(lesson.walk.array("probabilities"), _columns(lesson), axis=1).sum(1)
    text = _(
        "Each row is a position: the token that was just read stands on its left. On the left "
        "is what the model should say next, on the right what it says; all of training makes "
        "the right picture look like the left one. Together, tokens without a column get at "
        "most {most} of a row."
    )
    say(text, most=probability(float(rest.max())))
    walk, at = lesson.walk, lesson.at
    left, right = st.columns(2, gap="medium")
    with left:
        ids = _columns(lesson)
        labels = [walk.token(i).text for i in ids]
        rows = [token.text for token in walk.capture.tgt]
        targets = np.stack([walk.target(t, lesson.smoothing) for t in range(len(rows))])
        look = {"cols": tuple(ids), "col_labels": labels, "row_labels": (), "thumb": True}
        title = _("the model's probabilities")
        answers: list[Grid | Op] = [
            weights_grid(targets[:, ids], _("the target"), rows, labels, thumb=True),
            grid(walk, "probabilities", (None, None), title, role="output", **look),
        ]
        arrays(walk, answers, key="answers")
    with right:
        best = walk.surprises(at).argsort(kind="stable")[:FAVOURITES].tolist()
        text = _(
            "The target beside the answer at the chosen position. “{word}” gets only {p}: the "
            "model would rather say “{other}”. This is what the loss measures."
        )
        if best[0] == walk.targets[at]:
            text = _(
                "The target beside the answer at the chosen position. “{word}” is the model's "
                "favourite, with {p}: the gap to the target is what the loss measures."
            )
        other = escape(walk.token(best[0]).text)
        say(text, word=lesson.word, p=probability(lesson.losses.probabilities[at]), other=other)
        ids = list(dict.fromkeys([walk.targets[at], *best]))
        others = _("{count} others").format(count=grouped(lesson.size - len(ids), " "))
        title = _("At the chosen position: “{word}”").format(word=lesson.tokens[at].text)
        labels = [*(walk.token(i).text for i in ids), others]
        both = (lesson.target, np.asarray(walk.array("probabilities", (at,))))
        target, predicted = (np.append(p[ids], np.delete(p, ids).sum()) for p in both)
        figure = target_bars(target, predicted, labels, title)
        values = {_("the target"): target.tolist(), _("the model"): predicted.tolist()}
        show_chart(figure, "target-bars", title, lambda: {_("token"): labels} | values)


def _columns(lesson: TargetPosition) -> list[int]:
    """Return the ids of the tokens of the right translation, each once."""
    return list(dict.fromkeys(lesson.walk.targets))


@screens(
    "loss",
    N_("The loss"),
    Code(
        N_("The target and its loss"),
        r"\text{loss} = -\sum_v \text{target}_v \log p_v,\qquad "
        r"\text{target}_v = (1-\varepsilon)\,[v = \text{right}] + \tfrac{\varepsilon}{V}",
        "model.training.loss:label_smoothed_loss",
    ),
    pick=pick_position,
)
def draw_loss(lesson: TargetPosition) -> None:
    """Draw −log p as a curve, and on it what the right token has."""
    p, paid = lesson.losses.probabilities[lesson.at], lesson.losses.surprises[lesson.at]
    text = _(
        "How wrong is one answer? The model gave “{word}” the probability {p}, and pays −log p = "
        "**{surprise}** nats. Being sure and right costs 0, and a probability of one half costs "
        "0.69: the less likely the model thought the right token, the more it pays."
    )
    say(text, word=lesson.word, p=short(p), surprise=number(paid, 4))
    size, uniform = grouped(lesson.size), number(float(surprise(1 / lesson.size)))
    asks = N_(
        "A model that knows nothing gives each of {size} tokens the same probability. What does "
        "it pay for the right one, −log p?"
    )
    says = N_("Its p is 1 / {size}, and −log p is {uniform}: a logarithm grows slowly.")
    options = [number(float(surprise(1 / 2))), uniform, size]
    guess(QuizTask.of(asks, options, [1], says, size=size, uniform=uniform))
    title, token = _("What the right token costs, by its probability"), lesson.tokens[lesson.at]
    show_chart(surprise_curve(surprise, p, lesson.size, token.text, title), "surprise", title)


@screens(
    "entropy",
    N_("The cross-entropy, and what no model can avoid"),
    Code(
        N_("The loss of a batch of sentences"),
        r"\text{loss} = \sum_{\text{sentences}} \sum_t \text{loss}_t",
        "model.training.loss:batch_loss",
    ),
    pick=pick_smoothing,
    was=("floor",),
)
def draw_entropy(lesson: TargetPosition) -> None:
    """Write the cross-entropy at the chosen position with its numbers."""
    text = _(
        "With smoothing, the other tokens count too: each has a small target, and pays its own "
        "−log p for it. Added up over the vocabulary, weighted by the target, this is the "
        "*cross-entropy* of target and answer. The line on top marks the mean over all {size} "
        "tokens."
    )
    say(text, size=grouped(lesson.size))
    guess(guess_floor(lesson))
    left, right = st.columns(2, gap="medium")
    with left:
        surprises, epsilon = lesson.walk.surprises(lesson.at), lesson.smoothing
        own, mean = surprises[lesson.walk.targets[lesson.at]], surprises.mean()
        formula = (
            r"\large\begin{aligned}\text{loss} &="
            r" -\textstyle\sum_v \text{target}_v \log p_v \\[6pt]"
            r"&= (1-\varepsilon)\,(-\log p) + \varepsilon\,\overline{-\log p_v} \\[6pt]"
            rf"&= {number(1 - epsilon)}\cdot {number(own, 4)}"
            rf" + {number(epsilon)}\cdot {number(mean, 4)} \\[6pt]"
            rf"&= \mathbf{{{number(lesson.losses.losses[lesson.at], 4)}}}\end{{aligned}}"
        )
        st.latex(tex(formula))
    with right:
        text = _(
            "The cross-entropy has two parts: the *entropy* H of the target, and the "
            "*Kullback–Leibler divergence* KL, which measures how far the answer is from the "
            "target. Only the second depends on the model, so only that part can be learned away."
        )
        say(text)
        entropy, kl = lesson.walk.divergence(lesson.at, lesson.smoothing)
        loss = lesson.losses.losses[lesson.at]
        target, all_ = _("target"), _("loss")
        formula = (
            rf"\large\begin{{aligned}}\text{{{all_}}} &= H(\text{{{target}}})"
            rf" + \mathrm{{KL}}(\text{{{target}}} \,\|\, p) \\[6pt]"
            rf"{number(loss, 4)} &= {number(entropy, 4)} + \mathbf{{{number(kl, 4)}}}"
            r"\end{aligned}"
        )
        st.latex(tex(formula))


@screens.drawer("sentence", N_("The loss, token by token"))
def draw_sentence(lesson: TargetPosition) -> None:
    """Draw the loss of each token, and compare the sum with that of the training's own lines."""
    losses, tokens = lesson.losses, lesson.tokens
    text = _(
        "The whole sentence costs **{total}**, or {mean} per token: {count} tokens, the end "
        "included. Most surprising is “{word}”. Training adds up thousands of such tokens before "
        "each step."
    )
    say(
        text,
        total=number(losses.total, 4),
        mean=number(losses.mean, 4),
        count=len(tokens),
        word=escape(tokens[int(losses.surprises.argmax())].text),
    )
    words = [token.text for token in tokens]
    title = _("The loss, token by token")
    each = losses.probabilities, losses.surprises, losses.losses
    figure = loss_bars(*each, words, lesson.at, title)
    columns = {
        _("position"): numbered(words),
        "p": losses.probabilities.tolist(),
        "−log p": losses.surprises.tolist(),
        _("loss, smoothed"): losses.losses.tolist(),
    }
    show_chart(figure, "loss", title, lambda: columns)
    ours, theirs = losses.total, gradients_of(lesson.walk, lesson.smoothing, None).loss
    text = _(
        "Computed here with NumPy: {numpy}. By the code that trained the model: {torch}. "
        "Difference {difference}."
    )
    twice = {"numpy": number(ours, 6), "torch": number(theirs, 6)}
    st.caption(text.format(**twice, difference=power(abs(ours - theirs))))


def guess_floor(lesson: TargetPosition) -> QuizTask:
    """Ask whether a perfect model pays nothing."""
    entropy, _kl = lesson.walk.divergence(lesson.at, lesson.smoothing)
    says = N_(
        "A one-hot target has entropy 0, so it could; but p = 1 would take an infinite logit."
    )
    if lesson.smoothing:
        says = N_(
            "It could not: a model that says exactly the target still pays its entropy, {floor}."
        )
    asks = N_(
        "The target is smoothed with ε = {epsilon}. Could a perfect model bring the loss down to 0?"
    )
    options, right = [_("Yes"), _("No")], [int(lesson.smoothing > 0)]
    values = {"epsilon": short(lesson.smoothing), "floor": number(entropy, 4)}
    return QuizTask.of(asks, options, right, says, **values)


def _reason(gradient: float) -> str:
    """Say why a look is not the one that lowers the loss most."""
    text = _("Its gradient is {gradient}: no minus, so the loss would not fall.")
    if gradient < 0:
        text = _(
            "Its gradient is {gradient}: the loss would fall, but another score lowers it more."
        )
    return text.format(gradient=signed(gradient, 4))
