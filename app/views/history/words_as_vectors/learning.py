"""Word vectors in training: the map as it forms, arithmetic with words, and neighbours."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.charts.curves import Curve, curves
from app.charts.similarity import similarity_bars
from app.charts.word_map import word_map
from app.format import grouped, number, percent
from app.i18n import _
from app.page.live_training import draw_live
from app.ui.chart import show_chart
from app.ui.pickers import pick_from_list, pick_seed
from app.views.history.words_as_vectors import data, texts
from app.views.history.words_as_vectors.choice import FOUND, SEED, SUM, TOPIC, Choice
from app.views.history.words_as_vectors.data import CONFIGS, SENTENCES, TOPICS, Report, words
from app.views.history.words_as_vectors.story import pick_way

# Where the sum leads to, and the words that make it.
SUMS: Final = (
    ("people", "king", "man", "woman"),
    ("lands", "paris", "france", "italy"),
    ("animals", "puppy", "dog", "cat"),
    ("verbs", "sang", "sings", "walks"),
)


def pick_map(_choice: Choice) -> None:
    """Draw the choice of the words on the map."""
    topics = {name: _(title) for name, title in texts.TOPICS.items()}
    tip = _(texts.TOPIC_HELP)
    pick_from_list(TOPIC, _("Words on the map"), topics, help=tip, width=220)
    titles = {"": _("none"), **{word: word for word in words()}}
    pick_from_list(FOUND, _("Find a word"), titles, help=_(texts.FIND_HELP), width=160)


def pick_watched(choice: Choice) -> None:
    """Draw the choice of the training and of the words on the map."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        pick_way(choice)
        pick_seed(SEED, _(texts.SEED_HELP), width=170)
        pick_map(choice)


def pick_sum(_choice: Choice) -> None:
    """Draw the choice of the words that are added and taken away."""
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        tip = _("Calculate with these words, and draw their topic.")
        for i, preset in enumerate(SUMS):
            label = "{1} − {2} + {3}".format(*preset)
            st.button(label, key=f"words-sum-{i}", on_click=_take, args=preset, help=tip)
    labels = (_("Start from"), _("− take away"), _("+ add"))
    tips = (_(texts.START_HELP), _(texts.LESS_HELP), _(texts.PLUS_HELP))
    for column, param, label, tip in zip(st.columns(3), SUM, labels, tips, strict=True):
        column.selectbox(label, words(), key=param.widget(), help=tip)


def train_text(choice: Choice) -> str:
    """Say what moves, and what is marked."""
    start, less, plus = choice.sum
    return _(texts.TRAIN).format(start=start, less=less, plus=plus)


def draw_learning(choice: Choice) -> None:
    """Draw the training with its map and its loss."""
    draw_live(choice.training, data.steps(choice.kind), partial(_draw_watched, choice))


def near_text(choice: Choice) -> str:
    """Say whose neighbours they are."""
    if choice.word is None:
        return ""
    return _(texts.NEAR).format(word=choice.word)


def draw_near(choice: Choice) -> None:
    """Draw the training with the nearest words to the visitor's."""
    if choice.word is None:  # the field says so
        return
    steps, draw = data.steps(choice.kind), partial(_draw_near, choice, choice.word)
    draw_live(choice.training, steps, draw, again=True)


def draw_sum(choice: Choice) -> None:
    """Draw the training with what is nearest to the sum of words."""
    steps = data.steps(choice.kind)
    draw_live(choice.training, steps, partial(_draw_sum, choice), again=True)


def _read(choice: Choice) -> dict[str, str]:
    """Return how many sentences were read, and how many there are."""
    whole = SENTENCES * CONFIGS[choice.kind].passes
    return {"sentences": grouped(choice.report.sentences), "whole": grouped(whole)}


def _take(topic: str, *chosen: str) -> None:
    TOPIC.set(topic)
    for param, word in zip(SUM, chosen, strict=True):
        param.set(word)


def _draw_watched(choice: Choice, so_far: Sequence[Report]) -> None:
    left, right = st.columns([0.62, 0.38], gap="medium")
    with left:
        _draw_map(choice, so_far[-1])
    with right:
        _draw_loss(choice, so_far)
        share = _explained(choice, so_far[-1])
        st.caption(_(texts.MAP).format(share=share))


def _draw_near(choice: Choice, word: str, so_far: Sequence[Report]) -> None:
    _draw_bars(data.near(so_far[-1].vectors, word), choice, "near")
    limit = data.chance(choice.kind)
    st.caption(_(texts.CHANCE).format(chance=number(limit), words=len(words())))


def _draw_sum(choice: Choice, so_far: Sequence[Report]) -> None:
    report, (start, less, plus) = so_far[-1], choice.sum
    nearest = data.sums(report.vectors, start, less, plus)
    best, test = nearest[0], data.quiz(report.vectors).total
    found = {"found": words()[best.token_id], "value": number(best.similarity, 3)}
    counts = {"asked": test.asked, "right": test.right}
    text = _(texts.RESULT).format(start=start, less=less, plus=plus, **found, **counts)
    if len(so_far) < data.steps(choice.kind):
        text = f"{text} {_(texts.UNTRAINED).format(**_read(choice))}"
    left, right = st.columns([0.6, 0.4], gap="medium", vertical_alignment="center")
    with left:
        _draw_bars(nearest, choice, "sum")
    with right:
        st.markdown(text)


def on_map(choice: Choice, report: Report) -> tuple[list[str], list[str], list[str]]:
    """Return the words of the sum, all words on the map, and those that its axes are made for."""
    answer = words()[data.sums(report.vectors, *choice.sum, n=1)[0].token_id]
    four = list(dict.fromkeys((*choice.sum, answer)))
    others = (word for word in TOPICS[TOPIC.get()] if word not in (*four, FOUND.get()))
    found = [FOUND.get()] if FOUND.get() and FOUND.get() not in four else []
    shown = [*four, *found, *others]
    return four, shown, four if len(four) > 2 else shown  # two words make a line, no plane


def _draw_map(choice: Choice, report: Report) -> None:
    (start, less, plus), (four, shown, axes_of) = choice.sum, on_map(choice, report)
    flat = data.flat_map(report.vectors, axes_of, shown)
    points = flat.points
    count = len(four) + (shown[len(four)] == FOUND.get())  # with the word that was looked for
    arrows = [
        (four.index(one), four.index(other))
        for one, other in ((less, start), (plus, four[-1]))
        if one != other
    ]
    first, second = map(percent, flat.explained.tolist())
    figure = word_map(
        points[count:],
        shown[count:],
        points[:count],
        shown[:count],
        x_title=_("first axis ({share} of the spread)").format(share=first),
        y_title=_("second axis ({share})").format(share=second),
        arrows=arrows,
        height=262,
    )
    alt = _("The words on a flat map, as their vectors are now")
    axes = {_("first axis"): points[:, 0].tolist(), _("second axis"): points[:, 1].tolist()}
    show_chart(figure, "words-map", alt, lambda: {_("word"): shown} | axes)


def _explained(choice: Choice, report: Report) -> str:
    _four, shown, axes_of = on_map(choice, report)
    return percent(float(data.flat_map(report.vectors, axes_of, shown).explained.sum()))


def _draw_loss(choice: Choice, so_far: Sequence[Report]) -> None:
    at = np.array([report.sentences for report in so_far])
    loss = Curve(_("loss"), at, np.array([report.loss for report in so_far]), "residual")
    steps = SENTENCES * CONFIGS[choice.kind].passes
    figure = curves([loss], _("sentences"), _("loss"), height=150, steps=steps)
    show_chart(figure, "words-loss", _("The mean loss of an update as training goes on"))


def _draw_bars(neighbours: Sequence[data.Neighbour], choice: Choice, name: str) -> None:
    limit = data.chance(choice.kind)
    labels = [words()[neighbour.token_id] for neighbour in neighbours]
    cosines = np.array([neighbour.similarity for neighbour in neighbours])
    titles = {"chance_title": _("chance"), "value_title": _("cosine")}
    figure = similarity_bars(cosines, labels, chance=limit, **titles)
    columns = {_("word"): labels, _("cosine"): cosines.tolist()}
    show_chart(figure, f"words-{name}", _("Cosines with the nearest words"), lambda: columns)
