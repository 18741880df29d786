"""What Q, K and V are made of, and where all tokens of the translation looked."""

import numpy as np
import streamlit as st

from app.charts.bars import distribution_bars
from app.components.board import Grid, Op
from app.format import percent
from app.i18n import _
from app.inspector.arrays import arrays, grid
from app.inspector.equation import LOW, equation
from app.inspector.head import Head, read_from
from app.inspector.naming import follows, token_markdown
from app.inspector.steps import MADE, MADE_NAMES, parts_text
from app.page.moves import go
from app.registry import Address
from app.ui.chart import show_chart
from app.ui.pickers import pick
from app.ui.table import numbered
from app.views.walk.cross_attention import texts


def made_text(head: Head) -> str:
    """Say what queries, keys and values are made of, and when."""
    return f"{_(texts.MADE).format(**_sizes(head))} {read_from(head.walk, head.reader('q')[0])}"


def draw_made(head: Head) -> None:
    """Draw X × W_Q + b_Q = Q, or the memory that becomes K or V."""
    pick(MADE, _("Make"), MADE_NAMES, label_visibility="collapsed")
    walk, vector = head.walk, MADE.get()
    x, title = ("X", "Q") if vector == "q" else (_("memory"), f"{vector.upper()}_encdec")
    rows = grid(walk, head.reader(vector)[0], (None, None), x, thumb=True, height=LOW)
    at = (head.head, None, None)
    product = equation(walk, f"{head.scope}.{vector}", at, rows, title, thumb=True)
    arrays(walk, product, f"cross-{vector}")


def steps_text(head: Head) -> str:
    """Say how the query meets the source, and what comes over."""
    return parts_text(head, texts.STEPS)


def draw_steps(head: Head) -> None:
    """Draw one query against all keys, the weights, and the values that they mix."""
    walk, every = head.walk, (head.head, None, None)
    reach = float(np.abs(walk.array(f"{head.scope}.v")[head.head]).max())
    look = {"reach": reach, "thumb": True}
    items: list[Grid | Op] = [
        grid(walk, f"{head.scope}.q", (head.head, head.query, None), head.title("q")),
        Op("·"),
        grid(walk, f"{head.scope}.k", every, _("k of every token"), thumb=True),
        Op(f"÷ √{head.d_k} ="),
        head.column("scaled", "q · k ÷ √d_k", row_labels=()),
        Op("softmax"),
        head.column("weights", _("weight")),
        Op("×"),
        grid(walk, f"{head.scope}.v", every, _("v of every token"), row_labels=(), **look),
        Op("="),
        grid(
            walk, f"{head.scope}.context", (*every[:1], head.query, None), head.title("z"), **look
        ),
    ]
    arrays(walk, items, "cross-steps")
    icon, there = ":material/hub:", Address("self_attention", "score")
    st.button(
        _(texts.STEPS_LINK), "cross-to-self", type="tertiary", icon=icon, on_click=go, args=(there,)
    )


def map_text(head: Head) -> str:
    """Say how large the map is."""
    return _(texts.MAP).format(**_sizes(head))


def most_text(head: Head) -> str:
    """Say what the chosen row serves to write."""
    return _(texts.MOST).format(
        read=head.word,
        next=token_markdown(follows(head.walk)[head.query]),
        source=head.words[head.most],
        weight=percent(float(head.weights[head.most])),
    )


def draw_map(head: Head) -> None:
    """Draw all tokens' weights."""
    name, every = f"{head.scope}.weights", (head.head, None, None)
    arrays(head.walk, [grid(head.walk, name, every, _("weights"))], "cross-map")


def draw_most(head: Head) -> None:
    """Draw which source token was looked at most to write each token."""
    walk = head.walk
    weights, words = walk.array(f"{head.scope}.weights")[head.head], follows(walk)  # (T, S)
    title = _("The source token that each token looked at most")
    sources = [walk.capture.src[i].text for i in weights.argmax(-1)]
    pairs = [f"{word.text} ← {source}" for word, source in zip(words, sources, strict=True)]
    figure = distribution_bars(weights.max(-1), pairs, "key", _("weight"), "", head.query)
    columns = {
        _("read"): numbered([token.text for token in walk.capture.tgt]),
        _("then written"): [word.text for word in words],
        _("looked at most"): [f"{i + 1} {walk.capture.src[i].text}" for i in weights.argmax(-1)],
        _("weight"): weights.max(-1).tolist(),
    }
    show_chart(figure, "most", title, lambda: columns)


def _sizes(head: Head) -> dict[str, int]:
    capture = head.walk.capture
    return {"targets": len(capture.tgt), "sources": len(capture.src)}
