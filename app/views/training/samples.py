"""Sample translations at one moment of a run, and how sure it was of each word."""

import html
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import streamlit as st

from app.charts.learning import target_bars
from app.charts.toolbar import plot_config
from app.data.moments import samples_of, vocabulary
from app.data.translation import Token
from app.format import grouped
from app.i18n import _
from app.inspect.picks import pick_word
from app.ui.chart import theme_mode
from app.ui.table import table, table_fold
from app.views.training import texts
from app.views.training.film import Scene, marked

SHOWN: Final = 6  # pieces of one place
STYLE = """<style>
.samples { width: 100%; border-collapse: collapse; font-size: 0.95rem; }
.samples th { text-align: left; font-weight: 400; font-size: 0.8rem; padding: 0.2rem 0.6rem 0 0; }
.samples td { padding: 0.3rem 0.6rem 0.3rem 0; vertical-align: top; overflow-wrap: anywhere; }
.samples tr + tr td { border-top: 1px solid light-dark(#E3E5EC, #303644); }
.samples .quiet, .samples th { color: light-dark(#5A6170, #A9AFBD); }
.samples .right { border-bottom: 2px solid light-dark(#1B7A3D, #5FCB82); font-weight: 600; }
.samples .wrong { border-bottom: 2px dotted light-dark(#5A6170, #A9AFBD); }
@media (max-width: 640px) {
  .samples thead { display: none; }
  .samples td { display: block; border-top: 0 !important; padding: 0.1rem 0; }
  .samples td:last-child { padding-bottom: 0.7rem; }
}
</style>"""


def samples(name: str, step: int) -> None:
    """Draw held-out sentences with their translation by the model at a step."""
    rows = [row for row in samples_of(name) if row["step"] <= step]
    if not rows:
        return
    st.caption(_(texts.SAMPLES))
    head = "".join(
        f"<th>{html.escape(title)}</th>"
        for title in (_("sentence"), _("as it should be"), _("at step {step}"))
    ).format(step=grouped(rows[-1]["step"]))
    body = "".join(map(_row, rows[-1]["samples"]))
    st.html(
        f'{STYLE}<table class="samples"><thead><tr>{head}</tr></thead><tbody>{body}</tbody></table>'
    )


def _row(sample: dict[str, Any]) -> str:
    words = " ".join(
        f'<span class="{"right" if right else "wrong"}">{html.escape(word)}</span>'
        for word, right in marked(sample["output"], sample["tgt"])
    )
    exact = " ✓" if sample["output"] == sample["tgt"] else ""
    cells = (f'<td class="quiet">{html.escape(sample[side])}</td>' for side in ("src", "tgt"))
    return f"<tr>{''.join(cells)}<td>{words or '∅'}{exact}</td></tr>"


def answers(now: Scene) -> None:
    """Draw one place of the filmed sentence: the one-hot target beside what was expected."""
    tokenizer = vocabulary(now.film.name)
    if tokenizer is None:
        return
    frame = now.film.frames[now.at]
    st.caption(_(texts.TARGET))
    targets = tokenizer.tokens(frame.target_ids.tolist())
    at = pick_word(targets, _("The right words: choose a place"))
    likeliest = frame.top_ids[at].tolist()
    ids = list(dict.fromkeys([int(frame.target_ids[at]), *likeliest]))[:SHOWN]
    p = dict(zip(frame.top_ids[at].tolist(), frame.top_p[at].tolist(), strict=True))
    p[ids[0]] = float(frame.target_p[at])
    labels = [token.text for token in tokenizer.tokens(ids)]
    wanted, said = np.array([1.0, *[0.0] * (len(ids) - 1)]), np.array([p[i] for i in ids])
    _bars(targets[at], labels, wanted, said, now.step)


def _bars(
    word: Token, labels: Sequence[str], wanted: np.ndarray, said: np.ndarray, step: int
) -> None:
    title = _("Step {step}: what should come is “{word}”").format(
        step=grouped(step), word=word.text
    )
    figure = target_bars(
        wanted, said, labels, names=(_("the target"), _("the model")),
        value_title=_("probability"), title=title, mode=theme_mode(),
    )  # fmt: skip
    st.plotly_chart(figure, theme=None, config=plot_config("expected"), key="expected", alt=title)
    columns = {_("piece"): labels, _("the target"): wanted.tolist(), _("the model"): said.tolist()}
    table_fold("expected", lambda: table(columns, "expected"))
