"""2013: word vectors as they are learned, on a map, and what is nearest to a sum of words."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.charts.bars import similarity_bars
from app.charts.word_map import word_map
from app.data.translation import readable
from app.format import escape, grouped, number, percent
from app.i18n import N_, _
from app.inspector.arrays import array_grid, draw_board
from app.page.kit import Code, Screens, everything, pick, pick_seed, say, show_chart
from app.page.live_training import draw_live
from app.ui.pickers import live_text
from app.views.history.words_as_vectors import data

KINDS: Final[Mapping[data.Kind, str]] = {"skipgram": N_("Skip-gram"), "cbow": N_("CBOW")}
TOLD: Final = "the old king lives in the palace the queen wears a golden crown"
STORY: Final = tuple(TOLD.split())


def pick_watched(_choice: data.WordVectorsChoice) -> None:
    """Draw the choice of the training, of the sum, and of the words on the map."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        tip = _("Which word is guessed from which.")
        pick(data.KIND, _("Way of learning"), KINDS, help=tip)
        tip = _("Another number begins with other random vectors, and draws other words.")
        pick_seed(data.SEED, tip, width=170)
        sums = {name: "{} − {} + {}".format(*words) for name, words in data.SUMS.items()}
        tip = _("Calculate with these words, and draw their topic.")
        pick(data.TOPIC, _("Sum of words"), sums, help=tip, wrap=True)


screens = Screens[data.WordVectorsChoice]()


@screens(
    "train",
    N_("Watch the vectors form"),
    Code(
        N_("What is guessed from what"),
        r"(w_t, w_{t+j}) \quad 0 < |j| \le c",
        "model.history.word_vectors:examples",
    ),
    Code(
        N_("One update with negative sampling"),
        r"\ell = -\log \sigma(h \cdot u_0) - \sum_{k=1}^{K} \log \sigma(-h \cdot u_k)",
        "model.history.word_vectors:WordVectors.update",
    ),
    was=("text", "pairs", "sum", "test", "translator", "update", "errors", "changes"),
)
def draw_learning(choice: data.WordVectorsChoice) -> None:
    """Draw the training with its map, its loss, and what is nearest to the sum."""
    say()
    draw_live(choice.training, data.steps(choice.kind), partial(_draw_watched, choice))
    text = _(
        "One-hot, all words are equally far apart. {sentences} short sentences from our templates "
        "teach each a vector by the company it keeps: **skip-gram** guesses a word's neighbours, "
        "**CBOW** a word from them, against a few drawn at random (**negative sampling**)."
    )
    say(text, sentences=grouped(data.SENTENCES))


@screens.drawer("near", N_("Who is near?"), was=("learned", "story", "one_hot", "apart"))
def draw_near(choice: data.WordVectorsChoice) -> None:
    """Draw the words nearest to the chosen one; beside them, a story as a matrix."""
    vectors = choice.training.reports[-1].vectors
    say()
    if not everything():
        pick_word(choice)
    left, right = st.columns(2, gap="medium")
    with left:
        if choice.word is not None:  # else the field says so
            limit = data.chance(vectors)
            draw_bars(data.near(vectors, choice.word), limit, "near")
            text = _(
                "Dashed line, at {chance}: if the cosines with this word were like those of any "
                "two of the {words} words, in 19 of 20 cases not one would reach it."
            )
            st.caption(text.format(chance=number(limit), words=len(data.words())))
    with right:
        rows = vectors[data.ids(*STORY)]
        grid = array_grid(rows, _("the story"), "input", row_labels=STORY, height=200)
        draw_board([grid], "words-story")
        text = _(
            "Look up each word of a story in the table of vectors, and it is a matrix: {n} words, "
            "{size} numbers each. “{word}” appears {times} times in it, with the same vector each "
            "time: what a word means next to its neighbours is left to the layers that follow."
        )
        say(text, n=len(STORY), size=vectors.shape[1], word=STORY[0], times=STORY.count(STORY[0]))


def pick_word(choice: data.WordVectorsChoice) -> None:
    """Draw the field for a word and, if the small text lacks it, say so below."""
    label, key = _("A word of your own"), data.WORD.widget()
    live_text(label, key, max_chars=data.MAX_CHARACTERS, width=220)
    if choice.word is None:
        text = _(
            "Our small text never uses “{word}”, so it has no place in the list and no "
            "vector. Try “king”, “paris” or “puppy”."
        )
        st.info(escape(text.format(word=readable(data.WORD.get()))))


def _draw_watched(choice: data.WordVectorsChoice, so_far: Sequence[data.WordVectorsReport]) -> None:
    vectors = so_far[-1].vectors
    nearest = data.sums(vectors, *choice.sum)
    left, right = st.columns([0.62, 0.38], gap="medium")
    with left:
        explained = _draw_map(choice, vectors, data.words()[nearest[0].token_id])
    with right:
        draw_bars(nearest, data.chance(vectors), "sum")
        start, less, plus = choice.sum
        text = _(
            "Nearest to {start} − {less} + {plus}: **{found}**, cosine {value}. The map is the "
            "plane in which the diamonds differ most ({share} of it)."
        )
        found = {
            "found": data.words()[nearest[0].token_id],
            "value": number(nearest[0].similarity, 3),
        }
        st.markdown(
            text.format(start=start, less=less, plus=plus, share=percent(explained), **found)
        )


def _draw_map(choice: data.WordVectorsChoice, vectors: np.ndarray, answer: str) -> float:
    """Draw the words; return the share of their differences that the plane has."""
    start, less, plus = choice.sum
    four = list(dict.fromkeys((*choice.sum, answer)))
    shown = [*four, *(word for word in data.TOPICS[data.TOPIC.get()] if word not in four)]
    axes_of = four if len(four) > 2 else shown  # two words make a line, not a plane
    flat = data.flat_map(vectors, axes_of, shown)
    points = flat.points
    arrows = [
        (four.index(one), four.index(other))
        for one, other in ((less, start), (plus, answer))
        if one != other
    ]
    first, second = map(percent, flat.explained.tolist())
    figure = word_map(
        points[len(four) :],
        shown[len(four) :],
        points[: len(four)],
        shown[: len(four)],
        x_title=_("first axis ({share} of the spread)").format(share=first),
        y_title=_("second axis ({share})").format(share=second),
        arrows=arrows,
        height=200,
    )
    alt = _("The words on a flat map, as their vectors are now")
    axes = {_("first axis"): points[:, 0].tolist(), _("second axis"): points[:, 1].tolist()}
    show_chart(figure, "words-map", alt, lambda: {_("word"): shown} | axes)
    return float(flat.explained.sum())


def draw_bars(neighbours: Sequence[data.Neighbour], limit: float, name: str) -> None:
    """Draw the cosines of some words, and the line that chance rarely exceeds."""
    labels = [data.words()[neighbour.token_id] for neighbour in neighbours]
    cosines = np.array([neighbour.similarity for neighbour in neighbours])
    titles = {"chance_title": _("chance"), "value_title": _("cosine")}
    figure = similarity_bars(cosines, labels, chance=limit, **titles)
    columns = {_("word"): labels, _("cosine"): cosines.tolist()}
    show_chart(figure, f"words-{name}", _("Cosines with the nearest words"), lambda: columns)
