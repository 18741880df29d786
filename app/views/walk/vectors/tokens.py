"""From letters to tokens, and how they are found."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import partial
from itertools import starmap
from typing import Final

import numpy as np
import streamlit as st
from PIL import Image, ImageDraw, ImageFont

from app.components.board import pixels
from app.data.translation import Token, readable
from app.data.walk import Walk
from app.format import escape, grouped, number
from app.i18n import N_, _
from app.inspector.arrays import draw_board
from app.inspector.picks import pick_word, word_of
from app.page.kit import Code, QuizTask, Screens, guess, say
from app.state import Param, up_to
from app.ui import vectors_html as boxes
from app.ui.kept import table_menu
from app.ui.pickers import live_text
from app.ui.table import Columns
from app.ui.vectors_html import Box, Row
from app.views.walk.vectors.data import Replay, merges, pieces_of, scored

NO_WORD: Final = N_("Type a word to see its bytes and its tokens.")
SPACE: Final = N_("“␣” is the space in front of a word.")
HEIGHT = 9  # of the ladder on the page, in rem: it scrolls
SLIDES_WORD: Final = "slaughter"  # the word of the lecture
LONGEST: Final = 40
OWN: Final = Param[str | None]("own", None, up_to(LONGEST))


@dataclass(frozen=True, eq=False)
class Piece:
    """One token of the sentence, `own` the visitor's word as it was typed."""

    walk: Walk
    at: int
    own: str

    @property
    def token(self) -> Token:
        return self.walk.capture.src[self.at]

    @property
    def word(self) -> str:
        """The visitor's word, without what cannot be read."""
        return readable(self.own)


def piece_of(walk: Walk) -> Piece:
    """Return what is chosen; the longest token and the word of most tokens to begin with."""
    lengths = [0 if token.special else len(token.text) for token in walk.capture.src]
    typed = OWN.get()
    at = word_of(walk.capture.src, lengths.index(max(lengths)))
    return Piece(walk, at, telling_word(walk) if typed is None else typed)


def pick_own(piece: Piece) -> None:
    """Draw the field for a word of the visitor's own."""
    key = OWN.widget(piece.own)
    about = _("Type any word, in any script: you see its bytes, then its tokens.")
    live_text(_("A word of your own"), key, max_chars=LONGEST, help=about, width=320)


def pick_token(piece: Piece) -> None:
    """Draw the choice of a token."""
    pick_word(piece.walk.capture.src, _("Choose a token"), piece.at)


screens = Screens[Piece]()


@screens(
    "picture", N_("A picture is numbers already, a word is not"), pick=pick_own, was=("bytes",)
)
def draw_picture(piece: Piece) -> None:
    """Draw a word as the pixels of a picture, then as bytes."""
    height, width = _greys(SLIDES_WORD).shape
    text = _(
        "This is the word “{word}” as a camera sees it: {height} × {width} greys from 0 (black) "
        "to 255 (white). A network can compute with them right away, and pictures that look alike "
        "have numbers that are alike."
    )
    say(text, word=SLIDES_WORD, height=height, width=width)
    camera = pixels(_greys(SLIDES_WORD), _("“{word}” in grey").format(word=SLIDES_WORD))
    draw_board([camera], "vectors-picture")
    octets = SLIDES_WORD.encode()
    text = _(
        "As text, “{word}” is {n} bytes, written here in hexadecimal. Take away the first one, "
        "{first}, and “laughter” is left: nearly the same bytes, a very different meaning. The "
        "model needs numbers that say something about the word. Try a word of your own."
    )
    st.markdown(text.format(word=SLIDES_WORD, n=len(octets), first=f"{octets[0]:02X}"))
    boxes.show(boxes.byte_boxes(SLIDES_WORD))
    if not piece.word:
        st.info(_(NO_WORD))
        return
    boxes.show(boxes.byte_boxes(piece.word))
    letter = next((letter for letter in piece.word if len(letter.encode()) > 1), None)
    if letter is not None:
        text = _("In UTF-8, the letters of English take one byte. “{letter}” takes {n}: {bytes}.")
        n, shown = len(letter.encode()), boxes.hexadecimal(letter)
        st.caption(escape(text.format(letter=letter, n=n, bytes=shown)))
    table_menu("bytes", partial(_columns, piece.word), "bytes")


def _columns(word: str) -> Columns:
    octets = [(letter, byte) for letter in word for byte in letter.encode()]
    return {
        _("letter"): [letter for letter, _byte in octets],
        _("hexadecimal"): [f"{byte:02X}" for _letter, byte in octets],
        _("decimal"): [str(byte) for _letter, byte in octets],
        _("binary"): [f"{byte:08b}" for _letter, byte in octets],
    }


@st.cache_data(show_spinner=False)
def _greys(word: str) -> np.ndarray:
    """Write a word, black on white, and return its pixels, (H, W)."""
    font = ImageFont.load_default(9)
    left, top, right, bottom = map(round, font.getbbox(word))
    image = Image.new("L", (right - left + 2, bottom - top + 2), 255)
    ImageDraw.Draw(image).text((1 - left, 1 - top), word, fill=0, font=font)
    return np.asarray(image)


@screens(
    "tokens",
    N_("Your sentence as tokens"),
    Code(
        N_("Merging the neighbours that were learned first"),
        r"(a, b) \to ab",
        "model.text.merges:Merges.replay",
    ),
    pick=pick_own,
    was=("merges",),
)
def draw_tokens(piece: Piece) -> None:
    """Draw the tokens of the sentence, those of one word joined, with their ids."""
    text = _(
        "Your sentence is cut into **tokens**: frequent words stay whole, rarer ones are split "
        "into pieces. Each token has an **id**, its place in the list of all {vocabulary} that "
        "this model knows. Ids count from 0, and so do positions, pairs and times, as in the "
        "formulas; layers, heads and rows count from 1."
    )
    say(text, vocabulary=grouped(piece.walk.tokenizer.vocab_size))
    text, n = piece.walk.translation.text, len(piece.walk.capture.src)
    words = len(text.split())
    options = sorted({words, n, n + 3, len(text)})
    asks = N_("You typed {words} words. How many tokens does the encoder read?")
    yes = N_("Yes: {n}. The last one, <eos>, marks the end of the sentence.")
    no = N_("It reads {n}. The last one, <eos>, marks the end of the sentence.")
    shown, answers = list(map(str, options)), [options.index(n)]
    guess(QuizTask.of(asks, shown, answers, yes, no, words=words, n=n))
    left, right = st.columns(2, gap="medium")
    with left:
        tokens = piece.walk.capture.src
        joined = [i > 0 and not token.starts_word for i, token in enumerate(tokens)]
        boxes.show(boxes.stacked([Box(t.text, str(t.id)) for t in tokens], joined))
        columns = {_("token"): [t.text for t in tokens], "id": [str(t.id) for t in tokens]}
        table_menu("tokens", lambda: columns, "tokens")
    with right:
        draw_merges(piece)


def draw_merges(piece: Piece) -> None:
    """Say how words are cut; draw the visitor's as bytes, and its tokens after each merge."""
    cut = scored(piece.walk, piece.word)
    if cut is not None:
        text = _(
            "Whole words are too many to list, single letters say too little. This model's "
            "**tokens** lie in between. They were not merged: a unigram model knows how often each "
            "piece occurs in the text that it was trained on. It cuts a word into the pieces whose "
            "probabilities p have the largest product, which is the largest sum of log p."
        )
        say(text)
    else:
        learned = merges(piece.walk)
        text = _(
            "Whole words are too many to list, single bytes say too little. **Byte pair "
            "encoding** (BPE) finds **tokens** in between: join the two neighbours that are "
            "most frequent in the training text, and repeat, {merges} times. A word is cut by "
            "the same merges, the earliest learned first."
        )
        say(text, merges=grouped(len(learned)))
    if not piece.word:
        st.info(_(NO_WORD))
        return
    if cut is not None:
        _draw_scored(cut)
        return
    replay = learned.replay(piece.word)
    rows = _rows(replay, len(learned))
    ladder = "".join(starmap(boxes.step, rows))
    boxes.show(boxes.scroll(ladder, _("How the tokens were merged"), HEIGHT))
    end = [token.text for token in replay.pieces]
    counts = {"merges": len(replay.merges), "bytes": len(replay.start), "pieces": len(end)}
    text = _("After {merges} merges, {bytes} bytes have become {pieces} tokens: {cut}.")
    if len(end) == 1:
        text = _(
            "After {merges} merges, {bytes} bytes have become one token: this model knows “{cut}” "
            "as a whole."
        )
    st.markdown(f"{text.format(cut=escape(' · '.join(end)), **counts)} {_(SPACE)}")
    if replay.merges:
        table_menu("merges", partial(_merges_columns, replay), "merges")


def _draw_scored(cut: Sequence[tuple[str, float | None]]) -> None:
    """Draw the pieces that are together the likeliest."""
    boxes.show(boxes.step(_("tokens"), [Box(text.replace("▁", "␣")) for text, _score in cut]))
    known = [score for _text, score in cut if score is not None]
    if len(known) < len(cut):
        st.markdown(_("Some of these letters were never learned: the model reads <unk> for them."))
        return
    shown = _("The sum of log p is {sum} = {total}: no other cut has a larger one.")
    if len(known) == 1:
        shown = _("As a whole, the word has log p = {total}: no cut has a larger sum.")
    first, *others = (number(score, 2) for score in known)
    added = " ".join([first, *(f"{one[0]} {one[1:]}" for one in others)])  # −1.4 − 2.6
    st.markdown(f"{shown.format(sum=added, total=number(sum(known), 2))} {_(SPACE)}")
    columns: Columns = {_("token"): [text for text, _score in cut], "log p": known}
    table_menu("merges", lambda: columns, "merges")


def _rows(replay: Replay, learned: int) -> list[Row]:
    start = _("{n} bytes").format(n=len(replay.start))
    rows: list[Row] = [(start, [Box(_spaced(token)) for token in replay.start])]
    for merge in replay.merges:
        name = _("merge {number} of {all}")
        row = [Box(_spaced(token)) for token in merge.pieces]
        row[merge.at] = replace(row[merge.at], look="new")
        rows.append((name.format(number=grouped(merge.number), all=grouped(learned)), row))
    return rows


def _merges_columns(replay: Replay) -> Columns:
    return {
        _("step"): [str(i) for i in range(1, len(replay.merges) + 1)],
        _("merge"): [str(merge.number) for merge in replay.merges],
        _("left"): [_spaced(merge.left) for merge in replay.merges],
        _("right"): [_spaced(merge.right) for merge in replay.merges],
        _("tokens"): [" · ".join(map(_spaced, merge.pieces)) for merge in replay.merges],
    }


def _spaced(token: Token) -> str:
    """Write the space that a token may begin with, to tell it from one without."""
    return f"␣{token.text}" if token.starts_word and token.text != "␣" else token.text


def telling_word(walk: Walk) -> str:
    """Return the sentence's word of most tokens; of several, the longest."""
    words = (word.strip(" .,;:!?¡¿…«»\"'()") for word in walk.translation.source.words[:-1])
    known = [word for word in words if 0 < len(word) <= LONGEST]
    return max(known, key=lambda word: (len(pieces_of(walk, word)), len(word)), default=SLIDES_WORD)
