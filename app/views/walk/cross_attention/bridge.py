"""The bridge between encoder and decoder, cut: what the decoder guesses from its own words."""

import streamlit as st

from app.charts.pairs import Series, pair_bars
from app.format import number
from app.i18n import _
from app.inspect.head import Head
from app.inspect.naming import follows, token_markdown
from app.ui.chart import show_chart
from app.ui.table import numbered
from app.views.walk.cross_attention import texts
from app.views.walk.cross_attention.data import with_bridge, without_bridge


def bridge_text(head: Head) -> str:
    """Say how much the probabilities lose, and which word loses most."""
    before, after = with_bridge(head.walk), without_bridge(head.walk)  # (T,) each
    most = int((before - after).argmax())
    return _(texts.BRIDGE).format(
        most=token_markdown(follows(head.walk)[most]),
        before=number(before[most]),
        after=number(after[most]),
        mean=number(before.mean()),
        mean_cut=number(after.mean()),
    )


def draw_bridge(head: Head) -> None:
    """Draw what is left of each word's probability when nothing comes over from the source."""
    before, after = with_bridge(head.walk), without_bridge(head.walk)
    words = [token.text for token in follows(head.walk)]
    pairs: list[Series] = [
        (_("as the model is"), "value", before),
        (_("without encoder-decoder attention"), "key", after),
    ]
    figure = pair_bars(pairs, words, value_title=_("probability"), span=(0, 1.12))
    title = _("Probability of each word of the translation")
    st.markdown(f"**{title}**")
    columns = {_("next word"): numbered(words)}
    probabilities = {name: values.tolist() for name, _role, values in pairs}
    show_chart(figure, "bridge", title, lambda: columns | probabilities)
