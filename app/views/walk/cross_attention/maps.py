"""What Q, K and V are made of, and where all tokens of the translation looked."""

from app.charts.bars import distribution_bars
from app.format import percent
from app.i18n import _
from app.inspect.arrays import arrays, grid
from app.inspect.equation import LOW, equation
from app.inspect.head import Head, read_from
from app.inspect.naming import follows, token_markdown
from app.ui.chart import show_chart
from app.ui.table import numbered
from app.views.walk.cross_attention import texts


def queries_text(head: Head) -> str:
    """Say what queries are made of."""
    return f"{_(texts.QUERIES).format(**_sizes(head))} {read_from(head.walk, head.reader('q')[0])}"


def keys_text(head: Head) -> str:
    """Say what keys are made of."""
    return _(texts.KEYS).format(**_sizes(head))


def values_text(head: Head) -> str:
    """Say what values are made of, and when."""
    return _(texts.VALUES).format(**_sizes(head))


def draw_queries(head: Head) -> None:
    """Draw X × W_Q + b_Q = Q."""
    _draw_product(head, "q", "X", "Q")


def draw_keys(head: Head) -> None:
    """Draw memory × W_K + b_K = K_encdec."""
    _draw_product(head, "k", _("memory"), "K_encdec")


def draw_values(head: Head) -> None:
    """Draw memory × W_V + b_V = V_encdec."""
    _draw_product(head, "v", _("memory"), "V_encdec")


def map_text(head: Head) -> str:
    """Say how large the map is."""
    return _(texts.MAP).format(**_sizes(head))


def draw_map(head: Head) -> None:
    """Draw all tokens' weights."""
    name, every = f"{head.scope}.weights", (head.head, None, None)
    arrays(head.walk, [grid(head.walk, name, every, _("weights"))], "cross-map")


def most_text(head: Head) -> str:
    """Say what the chosen row serves to write."""
    return _(texts.MOST).format(
        read=head.word,
        next=token_markdown(follows(head.walk)[head.query]),
        source=head.words[head.most],
        weight=percent(float(head.weights[head.most])),
    )


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


def _draw_product(head: Head, vector: str, x: str, title: str) -> None:
    walk, read = head.walk, head.reader(vector)[0]
    rows = grid(walk, read, (None, None), x, thumb=True, height=LOW)
    at = (head.head, None, None)
    product = equation(walk, f"{head.scope}.{vector}", at, rows, title, thumb=True)
    arrays(walk, product, f"cross-{vector}")


def _sizes(head: Head) -> dict[str, int]:
    capture = head.walk.capture
    return {"targets": len(capture.tgt), "sources": len(capture.src)}
