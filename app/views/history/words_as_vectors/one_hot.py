"""A word as one 1 among zeros, and what a text says about it."""

from collections.abc import Mapping
from typing import Final

import numpy as np
import streamlit as st

from app.charts.boxes import Box
from app.charts.heatmap import vector_strip
from app.charts.theme import Role, Scale
from app.data.translation import readable
from app.format import escape, grouped, number
from app.i18n import N_, _
from app.inspector.arrays import array_grid, draw_board
from app.page.kit import Code, QuizTask, Screens, guess, pick, say, show_chart
from app.ui.pickers import live_text
from app.ui.vectors_html import show, stacked
from app.views.history.words_as_vectors import data

KINDS: Final[Mapping[data.Kind, str]] = {"skipgram": N_("Skip-gram"), "cbow": N_("CBOW")}
EXAMPLES: Final = ("throne", "hat", "speak")  # the first sentence with each of them is shown
QUEEN: Final = ("the", "queen", "wears", "a", "golden", "crown")
MIDDLE: Final = 2  # the place of the word, from 0, around which examples are made
SOME: Final = ("king", "queen", "prince", "puppy", "bread")  # whose distances are drawn


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
        one, two = data.one_hot(pair)
        names: dict[str, object] = {"word": pair[0], "i": int(one.argmax()) + 1}
        names |= {"other": pair[1], "j": int(two.argmax()) + 1}
        _count, dot, apart, _most = data.pairs_of(data.one_hot(pair))
        one_hot_pair = _(
            "“{word}” has its 1 in place {i}, “{other}” in place {j}. Their dot product is {dot}, "
            "their distance {distance}."
        )
        say(f"{text} {one_hot_pair.format(dot=f'{dot:.0f}', distance=number(apart, 4), **names)}")
    pairs, most_alike, least, most = data.pairs_of(data.one_hot(data.words()))
    options = [*SOME[1:], _("all equally far")]
    ask = N_("As one-hot vectors, which word is nearest to “king”?")
    yes, no = N_("Yes: every distance is {distance}."), N_("None is: every distance is {distance}.")
    guess(QuizTask.of(ask, options, [len(options) - 1], yes, no, distance=number(least, 4)))
    left, right = st.columns(2, gap="medium")
    with left:
        if pair is not None:
            draw_strips(pair, (one, two), "one-hot", "input", "weights")
    with right:
        ends = {"least": number(least, 4), "most": number(most, 4)}
        text = _(
            "It is the same for all {pairs} pairs of words: the largest dot product is {dot}, the "
            "distances lie between {least} and {most}. So “king” is no nearer to “queen” than to "
            "“bread”. And a word that is not in the list has no place at all."
        )
        say(text.format(pairs=grouped(pairs), dot=f"{most_alike:.0f}", **ends))
        labels = {"row_labels": SOME, "col_labels": SOME}
        grid = array_grid(data.distances(data.one_hot(SOME)), _("distance"), "residual", **labels)
        draw_board([grid], "words-apart")


def draw_strips(
    pair: tuple[str, str],
    vectors: tuple[np.ndarray, np.ndarray],
    name: str,
    role: Role,
    scale: Scale = "signed",
) -> None:
    """Draw two words' vectors as strips, one above the other."""
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
        text = _(way).format(
            window=config.window, pairs=len(data.examples_around(choice.kind, QUEEN, MIDDLE))
        )
        negatives = _(
            "To guess among all words would cost too much. So the network only tells the right "
            "word from {negatives} others, drawn at random: **negative sampling**."
        )
        say(f"{text} {negatives.format(negatives=config.negatives)}")
        for given, target in data.examples_around(choice.kind, QUEEN, MIDDLE):
            roles = {i: _("given") for i in given} | {target: _("guessed")}
            show(stacked([Box(word, roles.get(i, "·")) for i, word in enumerate(QUEEN)]))
