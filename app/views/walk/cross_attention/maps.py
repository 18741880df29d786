"""What Q, K and V are made of, and where all words of the translation looked."""

from typing import Final

import streamlit as st

from app import state
from app.charts.bars import distribution_bars
from app.format import percent
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.equation import equation
from app.inspect.head import Head, read_from
from app.inspect.naming import follows, token_markdown
from app.ui.chart import show_chart
from app.ui.table import numbered
from app.views.walk.cross_attention import texts

MATRICES: Final = state.Param[bool]("w", False, lambda raw: raw == "1")
PRODUCTS: Final = {
    "q": ("Q", texts.QUERIES),
    "k": ("K_encdec", texts.KEYS),
    "v": ("V_encdec", texts.VALUES),
}


def draw_products(head: Head) -> None:
    """Draw Q from the decoder, K_encdec and V_encdec from the memory: x × W + b each."""
    walk, sizes = head.walk, _sizes(head)
    st.toggle(_("Draw the matrices W, too"), key=MATRICES.widget())
    for vector, (title, text) in PRODUCTS.items():
        read, at = head.reader(vector)[0], (head.head, None, None)
        paragraph = _(text).format(**sizes)
        if vector == "q":
            paragraph += f" {read_from(walk, read)}"
        st.markdown(paragraph)
        x = _("memory") if read == "memory" else "X"
        name = f"{head.scope}.{vector}"
        product = equation(walk, name, at, x, title, matrices=MATRICES.get())
        arrays(walk, product, f"cross-{vector}")
    st.markdown(_(texts.ONCE).format(**sizes))


def map_text(head: Head) -> str:
    """Say how large the map is."""
    return _(texts.MAP).format(**_sizes(head))


def draw_map(head: Head) -> None:
    """Draw all words' weights, and which source word each one looked at most."""
    walk, name = head.walk, f"{head.scope}.weights"
    weights = walk.array(name)[head.head]  # (T, S)
    arrays(walk, [grid(walk, name, (head.head, None, None), _("weights"))], "cross-map")
    words = follows(walk)
    next_word, weight = token_markdown(words[head.query]), percent(float(head.weights[head.most]))
    most = _(texts.MOST)
    source = head.words[head.most]
    st.markdown(most.format(read=head.word, next=next_word, source=source, weight=weight))
    title = _("The source word that each word looked at most")
    sources = [walk.capture.src[i].text for i in weights.argmax(-1)]
    pairs = [f"{word.text} ← {source}" for word, source in zip(words, sources, strict=True)]
    figure = distribution_bars(weights.max(-1), pairs, "key", _("weight"), title, head.query)
    columns = {
        _("read"): numbered([token.text for token in walk.capture.tgt]),
        _("then written"): [word.text for word in words],
        _("looked at most"): [f"{i + 1} {walk.capture.src[i].text}" for i in weights.argmax(-1)],
        _("weight"): weights.max(-1).tolist(),
    }
    show_chart(figure, "most", title, lambda: columns)
    st.markdown(_(texts.OTHERS))


def _sizes(head: Head) -> dict[str, int]:
    capture = head.walk.capture
    return {"targets": len(capture.tgt), "sources": len(capture.src)}
