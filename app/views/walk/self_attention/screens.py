"""Self-attention: the idea, without parameters, and by hand."""

from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.components.grid import Weights
from app.components.lines import lines
from app.data import attention
from app.data.walk import length
from app.format import localized, number, percent, power, quoted, short
from app.i18n import N_, _
from app.inspector.arrays import Grid, Op, array_grid, arrays, grid, weights_grid
from app.inspector.head import Head
from app.page.kit import Code, QuizTask, Screens, guess, say, show_chart
from app.state import Pin
from app.ui.kept import table_menu
from app.ui.table import Columns, matrix_columns
from app.views.walk.self_attention.picture_chart import seen_figure

BY_HAND: Final = N_("Example by hand.")
PICTURE_TITLE: Final = N_("Not only text: a picture, a sound")
THINGS: Final = {"y": N_("sun"), "s": N_("sky"), "h": N_("house"), "g": N_("grass")}
WORDS: Final = ("Thinking", "Machines")
TIMES: Final = 8  # so often eight numbers follow each other: d_k = 64
QUERY: Final = (2, -1, 1, -2, 1, 2, -1, 1)
KEYS: Final = ((2, 0, 1, -2, 1, 2, 0, 0), (1, -1, 2, -1, 1, 1, -1, 1))  # 14 and 12 a time
VALUES: Final = ((1, 0, 2, -1, 1, 0), (-1, 3, 0, 1, -2, 2))
PATCHES: Final = (
    "sssssssss",
    "ssssssyys",
    "ssrsssyys",
    "srrrsssss",
    "shhhsssss",
    "ghhhggggg",
    "ggggggggg",
)
COLOURS: Final = {  # red, green and blue, from 0 to 1
    "s": (0.45, 0.75, 1.0),
    "y": (1.0, 0.85, 0.1),
    "r": (0.75, 0.2, 0.2),
    "h": (0.9, 0.35, 0.3),
    "g": (0.3, 0.65, 0.25),
}
SHARP: Final = 8.0  # how decidedly a word looks for its colour
X = "src.sum"
EVERY = (None, None)
ALONE = 0.99  # a weight from which nothing else is worth speaking of
# How loud each vowel is at six pitches, from low to high.
VOWELS: Final = {
    "o": (0.6, 1.0, 0.4, 0.0, 0.0, 0.0),
    "í": (1.0, 0.1, 0.0, 0.0, 1.0, 0.6),
    "a": (0.1, 0.4, 1.0, 0.8, 0.1, 0.0),
}
PITCHES: Final = ("300 Hz", "500 Hz", "900 Hz", "1.4 kHz", "2.3 kHz", "3 kHz")
# What is spoken in each frame; in between, one vowel fades into the next.
SPOKEN: Final = ("o", "o", "o", "oí", "í", "í", "í", "ía", "a", "a", "a", "a")
SOUND_SHARP: Final = 3.0
screens = Screens[Head]()


@screens("idea", N_("What attention is"))
def draw_idea(head: Head) -> None:
    """Draw the head's weights as lines, those of the token that looks in front."""
    most, weight = head.words[head.most], percent(float(head.weights[head.most]))
    place = {"layer": head.layer + 1, "head": head.head + 1}
    text = _(
        "In layer {layer}, head {head}, “{word}” gives the largest weight to “{most}”: {weight}. "
        "Click another token to follow its lines."
    )
    say(text, word=head.word, most=most, weight=weight, **place)
    words = [token.text for token in head.walk.capture.src]
    weights = head.walk.array(f"{head.scope}.weights")[head.head]  # (T, T)
    locked, key = Pin(head.query, None), "self-lines"
    lines(Weights(weights, words, words), key=key, locked=locked, on_lock=_choose)
    columns = partial(matrix_columns, _("query ↓ key →"), words, words, weights)
    table_menu(key, columns, key)


@screens.drawer("picture", PICTURE_TITLE, was=("sound",))
def draw_picture(head: Head) -> None:
    """Draw the picture, and the same as each word of the caption sees it."""
    weights = seen()  # (words, H, W)
    thing, word = next(iter(THINGS.items()))
    of_word = np.array([list(row) for row in PATCHES]) == thing
    text = _(
        "The words of a caption look at a picture, cut into {patches} patches. The key of a patch "
        "is its colour, the query of a word the colour it looks for. The softmax lights up what "
        "each word sees: “{word}” gives {weight} to the {n} patches of that colour."
    )
    values = {"patches": of_word.size, "n": int(of_word.sum()), "word": _(word)}
    say(f"**{_(BY_HAND)}** {text}", weight=percent(weights[0, of_word].sum()), **values)
    left, right = st.columns(2, gap="medium")
    with left:
        words = [_(word) for word in THINGS.values()]
        figure = seen_figure(image(), weights, [_("the picture"), *words], _("weight"))

        def columns() -> Columns:
            places = [f"{row + 1}, {col + 1}" for row, col in np.ndindex(weights.shape[1:])]
            shares = {word: of.ravel().tolist() for word, of in zip(words, weights, strict=True)}
            return {_("row, column"): places, **shares}

        show_chart(figure, "attention-picture", _(PICTURE_TITLE), columns)
    with right:
        letter = list(VOWELS)[-1]
        weight = heard()[-1, [letter in spoken for spoken in SPOKEN]].sum()
        values = {"frames": len(SPOKEN), "bands": len(PITCHES), "letter": letter}
        text = _(
            "A recording becomes {frames} frames, each a vector: how loud the sound is at {bands} "
            "pitches. To write “{letter}”, the model needs only the frames in which it is spoken. "
            "They get {weight} of the attention."
        )
        say(f"**{_(BY_HAND)}** {text}", weight=percent(weight), **values)
        numbers = [str(i + 1) for i in range(len(SPOKEN))]
        loud = frames().T[::-1]  # high pitches on top
        pitches = list(map(localized, PITCHES[::-1]))
        labels = {"row_labels": pitches, "col_labels": numbers, "scale": "weights"}
        spectrum = array_grid(loud, _("sound: pitch × frame"), "input", **labels)
        by_letter = weights_grid(heard(), _("weights: letter × frame"), list(VOWELS), numbers)
        arrays(head.walk, [spectrum, by_letter], key="attention-sound")


def _choose(pin: Pin) -> None:
    chosen = pin.query if pin.query is not None else pin.key
    if chosen is not None:
        state.WORD.set(chosen)


def image() -> np.ndarray:
    """Return the picture, a patch a pixel, (H, W, 3)."""
    return np.array([[COLOURS[patch] for patch in row] for row in PATCHES])


def seen() -> np.ndarray:
    """Return the weights of each word over the patches, (words, H, W)."""
    patches = image()
    queries = np.array([COLOURS[thing] for thing in THINGS])
    weights = attention.looks(SHARP * _hue(queries), _hue(patches.reshape(-1, 3)))
    return weights.reshape(-1, *patches.shape[:2])


def _hue(colours: np.ndarray) -> np.ndarray:
    """Return colours (N, 3) as directions from grey, of length 1."""
    apart = 2 * colours - 1
    return np.asarray(apart / length(apart)[:, None])


def frames() -> np.ndarray:
    """Return the sound: how loud it is in each frame at each pitch, (frames, pitches)."""
    return np.array([np.mean([VOWELS[vowel] for vowel in spoken], 0) for spoken in SPOKEN])


def heard() -> np.ndarray:
    """Return the weights of each letter over the frames, (letters, frames)."""
    return attention.looks(SOUND_SHARP * np.array(list(VOWELS.values())), frames())


@screens(
    "simple",
    N_("Attention without parameters"),
    Code(
        N_("Without parameters"),
        r"w'_{ij} = x_i \cdot x_j \qquad w_{ij} = \frac{e^{w'_{ij}}}{\sum_j e^{w'_{ij}}}"
        r" \qquad y_i = \sum_j w_{ij} x_j",
        "model.interpret.calculation.attention:simple_attention",
    ),
    was=("shares", "mix"),
)
def draw_simple(head: Head) -> None:
    """Draw the dot products of X's rows, their softmax, and the weighted averages of X."""
    x, word = np.asarray(head.walk.array(X), dtype=np.float64), head.query  # (T, D)
    simple = attention.simple_attention(x)
    own = float(simple.weights[word, word])
    change = float(np.abs(simple.outputs[word] - x[word]).max())
    text = _(
        "Start with nothing learned. The score of two tokens is the dot product of their vectors, "
        "w′ᵢⱼ = xᵢ · xⱼ. A softmax turns each row of scores into weights in [0, 1] that add up to "
        "1. The output is a weighted average of all tokens: yᵢ = Σⱼ wᵢⱼ xⱼ."
    )
    kept = _(
        "“{word}” scores {score} against itself and gives itself {weight} of its attention; y "
        "differs from x by up to {change}."
    )
    if own > ALONE:
        kept = _(
            "But “{word}” scores {score} against itself and gives itself {weight} of its "
            "attention, so y is x again (largest difference: {change}): nothing was mixed."
        )
    root = float(np.sqrt(x.shape[1]))
    divided = attention.simple_attention(x / np.sqrt(root))  # √ in both factors
    tamed = float(divided.weights[word, word])
    even_so = _(
        "Even with the scores divided by √d_model = {root}, it would keep {tamed} for itself."
    )
    alike = _(
        "And “a looks at b” always scores as “b looks at a”. With learned matrices, what a token "
        "*looks for* and what it *is found by* can differ."
    )
    say(
        text,
        f"{kept} {even_so} {alike}" if tamed > ALONE else f"{kept} {alike}",
        word=head.word,
        weight=percent(own),
        change=power(change, 0),
        score=number(simple.scores[word, word]),
        root=short(root, 3),
        tamed=percent(tamed),
    )
    reach = float(np.abs(x).max())
    items: list[Grid | Op] = [
        grid(head.walk, "simple.likeness", EVERY, "w′ = X Xᵀ"),
        Op("softmax"),
        grid(head.walk, "simple.mixing", EVERY, "w", row_labels=()),
        Op("×"),
        grid(head.walk, X, EVERY, "X", reach=reach, thumb=True),
        Op("="),
        grid(head.walk, "simple.mixture", EVERY, "Y", reach=reach, row_labels=(), thumb=True),
    ]
    arrays(head.walk, items, key="simple")


@screens("two", N_("Two tokens by hand"), pick=False, was=("half", "total"))
def draw_two(head: Head) -> None:
    """Draw the query, the keys and their scores; then weights, values and their sum."""
    hand, (a, b) = example(), WORDS
    own, other, x, y = (f"{score:.0f}" for score in (*hand.scores, *hand.scaled))
    sizes = {"d_k": len(hand.q), "root": short(np.sqrt(len(hand.q)), 3)}
    text = _(
        "“{a}” looks at itself and at “{b}”. Its query q has {d_k} numbers, and so has each key "
        "k. Multiply number by number and add up: {own} against its own key, {other} against the "
        "other one. Divided by √{d_k} = {root}, that is {x} and {y}."
    )
    say(f"**{_(BY_HAND)}** {text}", a=a, b=b, own=own, other=other, x=x, y=y, **sizes)
    gap, ratio = hand.scaled[0] - hand.scaled[1], hand.weights[0] / hand.weights[1]
    plain = float(hand.scaled[0] / hand.scaled.sum())
    shares = [percent(share) for share in (plain, float(hand.weights[0]), 1.0)]
    values = {"share": shares[1], "gap": f"{gap:.0f}", "ratio": number(ratio, 1)}
    asked = QuizTask.of(
        N_(
            "The scores of “{a}” are {x} and {y}. How much of its attention does it keep for "
            "itself?"
        ),
        shares,
        [1],
        N_(
            "Yes: only {x} − {y} = {gap} counts. e to the power of {gap} is {ratio}, so one "
            "weight is {ratio} times the other."
        ),
        N_(
            "It is {share}: only {x} − {y} = {gap} counts. e to the power of {gap} is "
            "{ratio}, so one weight is {ratio} times the other."
        ),
        a=a,
        x=x,
        y=y,
        **values,
    )
    guess(asked)
    items: list[Grid | Op] = [
        array_grid(hand.q, f"q · {quoted(a)}", "query"),
        Op("·"),
        array_grid(hand.k, "K", "key", row_labels=WORDS, thumb=True),
        Op("="),
        array_grid(hand.scores[:, None], "q · k"),
        Op(f"÷ {sizes['root']} ="),
        array_grid(hand.scaled[:, None], _("scaled")),
    ]
    arrays(head.walk, items, key="hand-1")
    own, other = map(number, hand.weights)
    text = _(
        "The softmax turns {x} and {y} into {own} and {other}. Multiply each value v by its "
        "weight and add up: z. (Of the {d_k} numbers of v, {drawn} are drawn.)"
    )
    shown = {"d_k": len(hand.q), "drawn": len(hand.z)}
    st.markdown(text.format(x=x, y=y, own=own, other=other, **shown))
    total: list[Grid | Op] = [
        array_grid(hand.scaled[:, None], _("scaled"), row_labels=WORDS),
        Op("softmax"),
        weights_grid(hand.weights[:, None], _("weight")),
        Op("×"),
        array_grid(hand.v, "V", "value"),
        Op("="),
        array_grid(hand.z, "z", "output"),
    ]
    arrays(head.walk, total, key="hand-2")


def example() -> attention.QueryAttention:
    """Return what “Thinking” does in the example of the slides."""
    q, k = np.tile(QUERY, TIMES), np.tile(KEYS, TIMES)
    return attention.QueryAttention(*(np.array(each, dtype=float) for each in (q, k, VALUES)))
