"""The bridge between encoder and decoder, cut: what the decoder guesses from its own words."""

from typing import Final

from app.charts.pairs import Series, pair_bars
from app.format import number
from app.i18n import _
from app.inspector.head import Head
from app.inspector.naming import follows, token_markdown
from app.page.quiz import Task
from app.ui.chart import show_chart
from app.ui.section import section
from app.ui.table import numbered
from app.views.walk.cross_attention import texts
from app.views.walk.cross_attention.data import with_bridge, without_bridge

MOST_HIGH: Final = 250  # pixels of the chart, so that its step fits a laptop's screen


def bridge_text(head: Head) -> str:
    """Say how much the probabilities lose, and which token loses most."""
    before, after = with_bridge(head.walk), without_bridge(head.walk)  # (T,) each
    most = int((before - after).argmax())
    return _(texts.BRIDGE).format(
        most=token_markdown(follows(head.walk)[most]),
        before=number(before[most]),
        after=number(after[most]),
        mean=number(before.mean()),
        mean_cut=number(after.mean()),
    )


def guess_bridge(head: Head) -> Task:
    """Ask what is left of the probabilities."""
    before, after = with_bridge(head.walk).mean(), without_bridge(head.walk).mean()
    says = texts.BRIDGE_SAYS if after < before else texts.BRIDGE_RISES
    options, right = [_(texts.MORE), _(texts.LESS)], [int(2 * after < before)]
    values = {"mean": number(before, 3), "mean_cut": number(after, 3)}
    return Task.of(texts.BRIDGE_ASK, options, right, says, says, **values)


def draw_bridge(head: Head) -> None:
    """Draw what is left of each token's probability when nothing comes over from the source."""
    section("", bridge_text(head))
    before, after = with_bridge(head.walk), without_bridge(head.walk)
    words = [token.text for token in follows(head.walk)]
    pairs: list[Series] = [
        (_("as the model is"), "value", before),
        (_("without encoder-decoder attention"), "key", after),
    ]
    figure = pair_bars(pairs, words, value_title=_("probability"), span=(0, 1.12))
    figure["layout"]["height"] = min(figure["layout"]["height"], MOST_HIGH)
    title = _("Probability of each token of the translation")
    columns = {_("next token"): numbered(words)}
    probabilities = {name: values.tolist() for name, _role, values in pairs}
    show_chart(figure, "bridge", title, lambda: columns | probabilities)
