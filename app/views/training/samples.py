"""Sample translations at one step of a run, and how sure the model was of each word."""

import html
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final

import numpy as np
import streamlit as st

from app.charts.bars import target_bars
from app.data.moments import samples_of, vocabulary
from app.data.translation import Token
from app.format import grouped, short
from app.i18n import _
from app.inspector.naming import row_names
from app.inspector.picks import pick_word
from app.ui.chart import show_chart
from app.views.training import texts
from app.views.training.data.target import target_of
from app.views.training.film import Scene, marked

SHOWN: Final = 6  # pieces at one position
FIRST: Final = 5  # held-out sentences
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


def draw_samples(name: str, step: int) -> None:
    """Draw held-out sentences with the model's translations at a step."""
    rows = [row for row in samples_of(name) if row["step"] <= step]
    if not rows:
        return
    st.caption(_(texts.SAMPLES))
    moment = _("at step {step}").format(step=grouped(rows[-1]["step"]))
    titles = (_("sentence"), _("right answer"), moment)
    head = "".join(f"<th>{html.escape(title)}</th>" for title in titles)
    body = "".join(map(_row, rows[-1]["samples"][:FIRST]))
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


def draw_prediction(scene: Scene) -> None:
    """Draw one position of the filmed sentence: its target, and the model's prediction."""
    tokenizer = vocabulary(scene.film.name)
    if tokenizer is None:
        return
    frame = scene.film.frames[scene.at]
    right, other = target_of(scene.film, 0)[:2]
    text = texts.SMOOTHED_TARGET if other else texts.TARGET
    st.caption(_(text).format(right=short(right, 3), other=short(other, 2)))
    targets = tokenizer.tokens(frame.target_ids.tolist())
    rows = predicted_rows(targets)
    at = pick_word(rows, _("“a → b”: it has read a, and b is right. Choose one."))
    target_id, top_ids = int(frame.target_ids[at]), frame.top_ids[at].tolist()
    target = target_of(scene.film, target_id)
    ids = list(dict.fromkeys([target_id, *top_ids]))[:SHOWN]
    p = dict(zip(top_ids, frame.top_p[at].tolist(), strict=True))
    p[target_id] = float(frame.target_p[at])
    title = _("Step {step}, “{row}”: the right token is “{word}”")
    _draw_bars(
        [token.text for token in tokenizer.tokens(ids)],
        target[ids],
        np.array([p[i] for i in ids]),
        title.format(step=grouped(scene.step), row=rows[at].text, word=targets[at].text),
    )


def predicted_rows(targets: Sequence[Token]) -> list[Token]:
    """Return the right tokens, labelled like the film's rows: token read → right token."""
    *read, last = ["<bos>", *(token.text for token in targets)]
    names = row_names(read, last)
    return [
        replace(token, text=name, starts_word=True)
        for name, token in zip(names, targets, strict=True)
    ]


def _draw_bars(labels: list[str], target: np.ndarray, predicted: np.ndarray, title: str) -> None:
    figure = target_bars(target, predicted, labels, title)
    columns = {
        _("token"): labels,
        _("the target"): target.tolist(),
        _("the model"): predicted.tolist(),
    }
    show_chart(figure, "expected", title, lambda: columns)
