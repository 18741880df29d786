"""Chapter 2: from words to vectors."""

import numpy as np
import streamlit as st

from app.format import escape, number, quoted
from app.i18n import _
from app.inspector.picks import pick_word
from app.page.declare import Code, Drawer, Myth, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import OPTIONS, Task
from app.ui.pickers import live_text
from app.views.walk.vectors import texts
from app.views.walk.vectors.arithmetic import draw_arithmetic
from app.views.walk.vectors.batch import batch_text, block_text, draw_batch, draw_block
from app.views.walk.vectors.by_hand import draw_by_hand
from app.views.walk.vectors.data import near, similarity
from app.views.walk.vectors.flat_map import draw_map, map_text
from app.views.walk.vectors.merges import draw_merges, merges_text
from app.views.walk.vectors.neighbours import draw_neighbours
from app.views.walk.vectors.picture import draw_picture, picture_text
from app.views.walk.vectors.piece import LONGEST, OWN, Piece, piece_of
from app.views.walk.vectors.row import draw_row, row_text
from app.views.walk.vectors.tokens import draw_tokens, guess_tokens, tokens_text


def pick_own(piece: Piece) -> None:
    """Draw the field for a word of the visitor's own."""
    key, about = OWN.widget(piece.own), _(texts.OWN_WORD_HELP)
    live_text(_(texts.OWN_WORD), key, max_chars=LONGEST, help=about, width=320)


def pick_token(piece: Piece) -> None:
    """Draw the choice of a token."""
    pick_word(piece.walk.capture.src, _("Choose a token"), piece.at)


def pick_all(piece: Piece) -> None:
    """Draw every choice of the page."""
    own, token = st.columns([0.3, 0.7], vertical_alignment="bottom")
    with own:
        pick_own(piece)
    with token:
        pick_token(piece)


def myth(piece: Piece) -> Myth:
    """Refute that ids say something about tokens."""
    walk, here = piece.walk, piece.token.id
    beside = [i for i in (here - 1, here + 1, here + 2) if 0 <= i < walk.tokenizer.vocab_size][:2]
    others = [
        f"{quoted(escape(walk.token(i).text))} ({i}: {number(similarity(walk, here, i))})"
        for i in beside
    ]
    word = escape(piece.token.text)
    truth = _(texts.TRUTH).format(piece=word, id=here, others=", ".join(others))
    for one in near(walk, here)[:1]:
        text, value = escape(walk.token(one.token_id).text), number(one.similarity)
        nearest = _(texts.TRUTH_NEAREST).format(nearest=text, value=value)
        truth = f"{truth} {nearest}"
    return Myth(_(texts.MYTH), truth)


def task(piece: Piece) -> Task:
    """Ask for the token whose nearest neighbour is nearest."""
    walk = piece.walk
    options = list(dict.fromkeys(walk.capture.src))[:OPTIONS]
    nearest = [next(iter(near(walk, token.id)), None) for token in options]
    best = int(np.argmax([-1.0 if one is None else one.similarity for one in nearest]))
    names = [token.text for token in options]
    told = [
        {
            "piece": name,
            "nearest": walk.token(one.token_id).text if one else "",
            "value": number(one.similarity, 3) if one else "",
        }
        for name, one in zip(names, nearest, strict=True)
    ]
    right, reasons = _(texts.RIGHT), [_(texts.REASON).format(**each) for each in told]
    answers = frozenset({best})
    return Task(_(texts.TASK), names, answers, right.format(**told[best]), "", reasons)


SECTIONS = (
    Section(
        "picture",
        texts.PICTURE_TITLE,
        draw_picture,
        picture_text,
        pick=pick_own,
        was=("bytes",),
    ),
    Section(
        "tokens",
        texts.TOKENS_TITLE,
        draw_tokens,
        tokens_text,
        guess=guess_tokens,
        pick=pick_own,
        beside=((merges_text, draw_merges),),
        code=(Code(texts.CODE_MERGE, r"(a, b) \to ab", "model.text.merges:Merges.replay"),),
        was=("merges",),
    ),
    Section(
        "row",
        texts.ROW_TITLE,
        draw_row,
        row_text,
        pick=pick_token,
        code=(
            Code(
                texts.CODE_ROW,
                r"x_t = \sqrt{d_{model}}\; E_{w_t}",
                "model.nn.translator:Translator.lookup",
            ),
            Code(texts.CODE_PAD, r"(B, S)", "model.text.batches:pad"),
        ),
        drawers=(
            Drawer(
                "batch",
                texts.BATCH_TITLE,
                draw_batch,
                batch_text,
                beside=((block_text, draw_block),),
                was=("block",),
            ),
        ),
        was=("scale",),
    ),
    Section(
        "near",
        texts.NEAR_TITLE,
        draw_neighbours,
        texts.NEAR,
        pick=pick_token,
        drawers=(
            Drawer("map", texts.MAP_TITLE, draw_map, map_text),
            Drawer(
                "by-hand",
                texts.HAND_TITLE,
                draw_by_hand,
                texts.HAND,
                beside=((texts.SUM, draw_arithmetic),),
                was=("sum",),
            ),
        ),
        code=(
            Code(
                texts.CODE_COSINE,
                r"\cos(a, b) = \frac{a \cdot b}{\lVert a \rVert\,\lVert b \rVert}",
                "model.interpret.calculation.neighbours:cosines",
            ),
            Code(
                texts.CODE_PCA,
                r"\max_{\lVert a \rVert = 1} \sum_i \big((E_i - \bar{E}) \cdot a\big)^2",
                "model.interpret.calculation.projection:principal_components",
            ),
        ),
    ),
)


PAGE = WalkPage(
    slug="vectors",
    intro=texts.INTRO,
    select=piece_of,
    pick=pick_all,
    task_pick=pick_token,
    sections=SECTIONS,
    myth=myth,
    scopes=lambda _piece: ("src.embed",),
    task=task,
)

if __name__ == "__main__":
    draw_page(PAGE)
