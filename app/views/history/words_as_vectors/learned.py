"""Word vectors that a network learns, and which words are near."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.charts.bars import similarity_bars
from app.charts.curves import Curve, curves
from app.charts.word_map import word_map
from app.format import number, percent
from app.i18n import N_, _
from app.inspector.arrays import array_grid, draw_board
from app.page.kit import Code, Screens, pick_from_list, pick_seed, say, show_chart
from app.page.live_training import draw_live
from app.state import Param
from app.views.history.words_as_vectors import data
from app.views.history.words_as_vectors.one_hot import draw_strips, pick_pair, pick_way

TOLD: Final = "the old king lives in the palace the queen wears a golden crown"
STORY: Final = tuple(TOLD.split())
AGAIN: Final = "the"
FOUND: Final = Param[str]("wafind", "", data.known)
TOPIC_NAMES: Final = {
    "people": N_("People"),
    "lands": N_("Countries and capitals"),
    "animals": N_("Animals and their young"),
    "verbs": N_("Verbs, today and yesterday"),
}


def pick_watched(choice: data.WordVectorsChoice) -> None:
    """Draw the choice of the training and of the words on the map."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        pick_way(choice)
        tip = _("Another number begins with other random vectors, and draws other words.")
        pick_seed(data.SEED, tip, width=170)
        pick_map(choice)


screens = Screens[data.WordVectorsChoice]()


@screens(
    "train",
    N_("Watch the vectors form"),
    Code(
        N_("The training"),
        r"P(w) \propto \mathrm{count}(w)^{3/4}",
        "model.history.word_vectors:train",
    ),
    pick=pick_watched,
)
def draw_learning(choice: data.WordVectorsChoice) -> None:
    """Draw the training with its map and its loss."""
    start, less, plus = choice.sum
    text = _(
        "All vectors begin at random. The right word's vector moves towards the given ones; "
        "those of the drawn words move away. Diamonds on the map: {start} − {less} + {plus}, "
        "and the nearest to it."
    )
    say(text.format(start=start, less=less, plus=plus))
    draw_live(choice.training, data.steps(choice.kind), partial(_draw_watched, choice))


def pick_map(_choice: data.WordVectorsChoice) -> None:
    topics = {name: _(title) for name, title in TOPIC_NAMES.items()}
    tip = _("Which words are drawn on the map.")
    pick_from_list(data.TOPIC, _("Words on the map"), topics, help=tip, width=220)
    titles = {"": _("none"), **{word: word for word in data.words()}}
    tip = _("It is drawn on the map as a diamond, whatever its topic; type to search.")
    pick_from_list(FOUND, _("Find a word"), titles, help=tip, width=160)


def _draw_watched(choice: data.WordVectorsChoice, so_far: Sequence[data.WordVectorsReport]) -> None:
    left, right = st.columns([0.62, 0.38], gap="medium")
    with left:
        explained = _draw_map(choice, so_far[-1])
    with right:
        _draw_loss(choice, so_far)
        text = _(
            "The plane in which the marked words differ most ({share} of their differences); "
            "the others are projected onto it. Each picture has a plane of its own."
        )
        st.caption(text.format(share=percent(explained)))


def on_map(
    choice: data.WordVectorsChoice, report: data.WordVectorsReport
) -> tuple[list[str], list[str], list[str]]:
    """Return the words of the sum, all words on the map, and those that define its axes."""
    answer = data.words()[data.sums(report.vectors, *choice.sum, n=1)[0].token_id]
    four = list(dict.fromkeys((*choice.sum, answer)))
    others = (word for word in data.TOPICS[data.TOPIC.get()] if word not in (*four, FOUND.get()))
    found = [FOUND.get()] if FOUND.get() and FOUND.get() not in four else []
    shown = [*four, *found, *others]
    return four, shown, four if len(four) > 2 else shown  # two words make a line, not a plane


def _draw_map(choice: data.WordVectorsChoice, report: data.WordVectorsReport) -> float:
    """Draw the words; return the share of their differences that the plane has."""
    (start, less, plus), (four, shown, axes_of) = choice.sum, on_map(choice, report)
    flat = data.flat_map(report.vectors, axes_of, shown)
    points = flat.points
    count = len(four) + (shown[len(four)] == FOUND.get())  # with the word that was searched for
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
    return float(flat.explained.sum())


def _draw_loss(choice: data.WordVectorsChoice, so_far: Sequence[data.WordVectorsReport]) -> None:
    at = np.array([report.sentences for report in so_far])
    loss = Curve(_("loss"), at, np.array([report.loss for report in so_far]), "residual")
    steps = data.SENTENCES * data.CONFIGS[choice.kind].passes
    figure = curves([loss], _("sentences"), _("loss"), height=150, steps=steps)
    show_chart(figure, "words-loss", _("The mean loss of an update as training goes on"))


@screens(
    "near",
    N_("Who is near?"),
    Code(
        N_("The map's axes"),
        r"\max_{\lVert a \rVert = 1} \sum_i \big((v_i - \bar{v}) \cdot a\big)^2",
        "model.interpret.calculation.neighbours:principal_components",
    ),
    pick=pick_pair,
    was=("learned",),
)
def draw_nearest(choice: data.WordVectorsChoice) -> None:
    """Draw the words nearest to the chosen one; beside them, both words' vectors."""
    if choice.word is None:
        say()
    else:
        text = _(
            "Which words' vectors point most nearly the same way as that of “{word}”? Train "
            "on, and see."
        )
        say(text.format(word=choice.word))
    left, right = st.columns(2, gap="medium")
    with left:
        if choice.word is not None:  # else the field says so
            draw = partial(_draw_near, choice, choice.word)
            draw_live(choice.training, data.steps(choice.kind), draw, again=True)
    with right:
        if (pair := choice.pair) is not None:
            vectors, about = choice.report.vectors, dict(zip(("word", "other"), pair, strict=True))
            learned = number(data.cosine(vectors, *pair), 3)
            sizes = {"size": vectors.shape[1], "n": len(data.words())}
            text = _(
                "The vectors of “{word}” and “{other}” as they are now: {size} numbers each "
                "instead of {n}. No number has a meaning of its own; the angle between the "
                "vectors counts. Its cosine is {learned}; of the one-hot vectors it was {one_hot}."
            )
            say(text.format(one_hot="0", learned=learned, **about, **sizes))
            rows = vectors[data.words().index(pair[0])], vectors[data.words().index(pair[1])]
            draw_strips(pair, rows, "learned", "value")


@screens.drawer("story", N_("A story becomes vectors"))
def draw_story(choice: data.WordVectorsChoice) -> None:
    """Draw the story's words as the rows of a matrix."""
    size, times = choice.report.vectors.shape[1], STORY.count(AGAIN)
    text = _(
        "Look up each word of a story in the table of vectors, and it is a matrix: {n} words, "
        "{size} numbers each. “{word}” appears {times} times in it, with the same vector each "
        "time: what a word means next to its neighbours is left to the layers that follow."
    )
    say(text.format(n=len(STORY), size=size, word=AGAIN, times=times))
    rows = np.stack([choice.report.vectors[data.words().index(word)] for word in STORY])
    title, look = _("the story"), {"row_labels": STORY, "height": 200}
    grid = array_grid(rows, title, "input", **look)
    draw_board([grid], "words-story")


def _draw_near(
    choice: data.WordVectorsChoice, word: str, so_far: Sequence[data.WordVectorsReport]
) -> None:
    draw_bars(data.near(so_far[-1].vectors, word), choice, "near")
    limit = data.chance(choice.kind)
    text = _(
        "Dashed line, at {chance}: in 19 of 20 cases, none of {words} random directions would "
        "reach it."
    )
    st.caption(text.format(chance=number(limit), words=len(data.words())))


def draw_bars(
    neighbours: Sequence[data.Neighbour], choice: data.WordVectorsChoice, name: str
) -> None:
    """Draw the cosines of some words, and the line that chance rarely exceeds."""
    limit = data.chance(choice.kind)
    labels = [data.words()[neighbour.token_id] for neighbour in neighbours]
    cosines = np.array([neighbour.similarity for neighbour in neighbours])
    titles = {"chance_title": _("chance"), "value_title": _("cosine")}
    figure = similarity_bars(cosines, labels, chance=limit, **titles)
    columns = {_("word"): labels, _("cosine"): cosines.tolist()}
    show_chart(figure, f"words-{name}", _("Cosines with the nearest words"), lambda: columns)
