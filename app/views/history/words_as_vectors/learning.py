"""A word as one 1 among zeros, and as a vector that is learned from the company it keeps."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.charts.bars import similarity_bars
from app.charts.curves import Curve, curves
from app.charts.heatmap import vector_strip
from app.charts.theme import Role, Scale
from app.charts.word_map import word_map
from app.data.translation import readable
from app.format import escape, grouped, number, percent
from app.i18n import N_, _
from app.inspector.arrays import array_grid, draw_board
from app.page.kit import (
    Code,
    QuizTask,
    Screens,
    guess,
    pick,
    pick_from_list,
    pick_seed,
    say,
    show_chart,
)
from app.page.live_training import draw_live
from app.state import Param
from app.ui.pickers import live_text
from app.ui.vectors_html import Box, show, stacked
from app.views.history.words_as_vectors import data

KINDS: Final[Mapping[data.Kind, str]] = {"skipgram": N_("Skip-gram"), "cbow": N_("CBOW")}
EXAMPLES: Final = ("throne", "hat", "speak")  # the first sentence with each of them is shown
QUEEN: Final = ("the", "queen", "wears", "a", "golden", "crown")
MIDDLE: Final = 2  # the place of the word, from 0, around which examples are made
SOME: Final = ("king", "queen", "prince", "puppy", "bread")  # whose distances are drawn
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


def pick_way(_choice: data.WordVectorsChoice) -> None:
    pick(data.KIND, _("Way of learning"), KINDS, help=_("Which word is guessed from which."))


def pick_pair(choice: data.WordVectorsChoice) -> None:
    """Draw the fields and, if the two words cannot be compared, say why below them."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        label = _("A word of your own")
        key = data.WORD.widget()
        tip = _("Any word. If our small text uses it, you also see its vectors in the next steps.")
        live_text(label, key, max_chars=data.LONGEST, help=tip, width=220)
        label, tip = _("Compare it with"), _("The word that yours is compared with.")
        st.selectbox(label, data.words(), key=data.OTHER.widget(), help=tip, width=220)
    word = readable(data.WORD.get())
    if not word:
        st.info(_("Type a word to see its vectors."))
    elif choice.word is None:
        text = _(
            "Our small text never uses “{word}”, so it has no place in the list and no "
            "vector. Try “king”, “paris” or “puppy”."
        )
        st.info(escape(text.format(word=word)))
    if choice.word == choice.other:
        st.info(_("Choose two different words to compare them."))


def pick_watched(choice: data.WordVectorsChoice) -> None:
    """Draw the choice of the training and of the words on the map."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        pick_way(choice)
        tip = _("Another number begins with other random vectors, and draws other words.")
        pick_seed(data.SEED, tip, width=170)
        topics = {name: _(title) for name, title in TOPIC_NAMES.items()}
        tip = _("Which words are drawn on the map.")
        pick_from_list(data.TOPIC, _("Words on the map"), topics, help=tip, width=220)
        titles = {"": _("none"), **{word: word for word in data.words()}}
        tip = _("It is drawn on the map as a diamond, whatever its topic; type to search.")
        pick_from_list(FOUND, _("Find a word"), titles, help=tip, width=160)


screens = Screens[data.WordVectorsChoice]()


@screens("one_hot", N_("One-hot: all words equally far apart"), pick=pick_pair, was=("apart",))
def draw_one_hot(choice: data.WordVectorsChoice) -> None:
    """Draw the two words as one-hot vectors."""
    text = _(
        "Write down all words in a list, here the {n} words of a small text. A word is then a "
        "vector with {n} numbers: 1 in its own place, 0 everywhere else. That is a one-hot vector."
    ).format(n=len(data.words()))
    if (pair := choice.pair) is None:
        say(text)
    else:
        names = dict(zip(("word", "other"), pair, strict=True))
        i, j = data.ids(*pair)
        _count, dot, apart, _most = data.word_vectors.pairs_of(data.one_hot(pair))
        one_hot_pair = _(
            "“{word}” has its 1 in place {i}, “{other}” in place {j}. Their dot product is {dot}, "
            "their distance {distance}."
        ).format(i=i + 1, j=j + 1, dot=f"{dot:.0f}", distance=number(apart, 4), **names)
        say(f"{text} {one_hot_pair}")
    pairs, most_alike, least, most = data.word_vectors.pairs_of(data.one_hot(data.words()))
    options = [*SOME[1:], _("all equally far")]
    ask = N_("As one-hot vectors, which word is nearest to “king”?")
    yes, no = N_("Yes: every distance is {distance}."), N_("None is: every distance is {distance}.")
    guess(QuizTask.of(ask, options, [len(options) - 1], yes, no, distance=number(least, 4)))
    left, right = st.columns(2, gap="medium")
    with left:
        if pair is not None:
            draw_strips(pair, data.one_hot(pair), "one-hot", "input", "weights")
    with right:
        ends = {"least": number(least, 4), "most": number(most, 4)}
        text = _(
            "It is the same for all {pairs} pairs of words: the largest dot product is {dot}, the "
            "distances lie between {least} and {most}. So “king” is no nearer to “queen” than to "
            "“bread”. And a word that is not in the list has no place at all."
        )
        say(text.format(pairs=grouped(pairs), dot=f"{most_alike:.0f}", **ends))
        away = data.word_vectors.distances(data.one_hot(SOME))
        labels = {"row_labels": SOME, "col_labels": SOME}
        grid = array_grid(away, _("distance"), "residual", **labels)
        draw_board([grid], "words-apart")


def draw_strips(
    pair: tuple[str, str],
    vectors: np.ndarray,
    name: str,
    role: Role,
    scale: Scale = "signed",
) -> None:
    """Draw two words' vectors, (2, D), as strips, one above the other."""
    strips = {word: (role, vector) for word, vector in zip(pair, vectors, strict=True)}
    columns = {word: row.astype(float).tolist() for word, row in zip(pair, vectors, strict=True)}
    alt = _("The vectors of {words}").format(words=", ".join(pair))
    show_chart(vector_strip(strips, scale=scale), f"words-{name}", alt, lambda: columns)


@screens(
    "text",
    N_("Learn a word by the company it keeps"),
    Code(
        N_("What is guessed from what"),
        r"(w_t, w_{t+j}) \quad 0 < |j| \le c",
        "model.history.word_vectors:examples",
    ),
    pick=pick_way,
    was=("pairs",),
)
def draw_text(choice: data.WordVectorsChoice) -> None:
    """Draw a few sentences of the small text; beside them, what is guessed from what."""
    text = _(
        "We wrote {sentences} short sentences from templates of our own, such as these. None "
        "says what a word means. But kings and queens sit on thrones; he loses his hat, she "
        "loses her hat. Whatever structure the vectors find lies in how words are used, "
        "because we put it there."
    )
    say(text.format(sentences=grouped(data.SENTENCES)))
    left, right = st.columns(2, gap="medium")
    with left:
        sentences = (next(each for each in data.text() if one in each) for one in EXAMPLES)
        rows = (
            [Box(word, str(data.words().index(word))) for word in sentence]
            for sentence in sentences
        )
        show("".join(map(stacked, rows)))
    with right:
        config = data.CONFIGS[choice.kind]
        way = (
            N_(
                "**Skip-gram** is given the word in the middle and guesses each neighbour, up to "
                "{window} places away: {pairs} examples here."
            )
            if choice.kind == "skipgram"
            else N_(
                "**CBOW** (continuous bag of words) is given the mean of the neighbours, up to "
                "{window} places away, and guesses the word in the middle: {pairs} example here."
            )
        )
        examples = data.examples_around(choice.kind, QUEEN, MIDDLE)
        text = _(way).format(window=config.window, pairs=len(examples))
        negatives = _(
            "To guess among all words would cost too much. So the network only tells the right "
            "word from {negatives} others, drawn at random: **negative sampling**."
        )
        say(f"{text} {negatives.format(negatives=config.negatives)}")
        for given, target in examples:
            roles = {i: _("given") for i in given} | {target: _("guessed")}
            show(stacked([Box(word, roles.get(i, "·")) for i, word in enumerate(QUEEN)]))


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
            draw_strips(pair, vectors[data.ids(*pair)], "learned", "value")


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
    rows = choice.report.vectors[data.ids(*STORY)]
    grid = array_grid(rows, _("the story"), "input", row_labels=STORY, height=200)
    draw_board([grid], "words-story")


def _draw_near(
    choice: data.WordVectorsChoice, word: str, so_far: Sequence[data.WordVectorsReport]
) -> None:
    vectors = so_far[-1].vectors
    limit = data.chance(vectors)
    draw_bars(data.near(vectors, word), limit, "near")
    text = _(
        "Dashed line, at {chance}: if the cosines with this word were like those of any two of the "
        "{words} words, in 19 of 20 cases not one would reach it."
    )
    st.caption(text.format(chance=number(limit), words=len(data.words())))


def draw_bars(neighbours: Sequence[data.Neighbour], limit: float, name: str) -> None:
    """Draw the cosines of some words, and the line that chance rarely exceeds."""
    labels = [data.words()[neighbour.token_id] for neighbour in neighbours]
    cosines = np.array([neighbour.similarity for neighbour in neighbours])
    titles = {"chance_title": _("chance"), "value_title": _("cosine")}
    figure = similarity_bars(cosines, labels, chance=limit, **titles)
    columns = {_("word"): labels, _("cosine"): cosines.tolist()}
    show_chart(figure, f"words-{name}", _("Cosines with the nearest words"), lambda: columns)
