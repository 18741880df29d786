"""What the model writes at one step of a run: samples, all held-out sentences, the visitor's."""

import html
from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import Any, Final

import numpy as np
import streamlit as st

from app.charts.bars import target_bars
from app.data.errors import worded
from app.data.moments import vocabulary
from app.data.runs import RECORDED, RunSummary
from app.format import escape, grouped, row_names, short
from app.i18n import N_, _
from app.inspector.picks import pick_word
from app.state import Param, one_of, up_to
from app.ui.chart import show_chart
from app.ui.pickers import pick_from_list
from app.ui.table import table
from app.views.training import texts
from app.views.training.data import replay, target_of
from app.views.training.film import FilmScene, draw_film, marked

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
Sample = Mapping[str, Any]
# What an order is called, and what it goes by.
ORDERS: Final[Mapping[str, tuple[str, Callable[[Sample], Any]]]] = {
    "errors": (N_("most wrong words first"), lambda sample: -n_wrong(sample)),
    "longest": (N_("longest sentence first"), lambda sample: -len(sample["src"].split())),
    "shortest": (N_("shortest sentence first"), lambda sample: len(sample["src"].split())),
    "sentence": (N_("by sentence, a to z"), lambda sample: sample["src"].casefold()),
}
ORDER: Final = Param[str]("sort", "errors", one_of(*ORDERS))
WRONG: Final = Param[bool]("wrong", False, lambda raw: raw == "1")
LONGEST: Final = 200  # characters
TYPED: Final = Param[str]("typed", "", up_to(LONGEST))


def draw_samples(run: RunSummary, step: int) -> None:
    """Draw held-out sentences with the model's translations at a step."""
    rows = [row for row in run.folder.samples() if row["step"] <= step]
    if not rows:
        return
    text = _(
        "Held-out sentences, as the model translated them at the moment chosen above. A "
        "solid line marks right words, a dotted line wrong ones."
    )
    st.caption(text)
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


def draw_prediction(scene: FilmScene) -> None:
    """Draw one position of the filmed sentence: its target, and the model's prediction."""
    tokenizer = vocabulary(scene.film.name)
    if tokenizer is None:
        return
    frame = scene.film.frames[scene.at]
    right, other = target_of(scene.film, 0)[:2]
    text = texts.SMOOTHED_TARGET if other else texts.TARGET
    st.caption(_(text).format(right=short(right, 3), other=short(other, 2)))
    targets = tokenizer.tokens(frame.target_ids.tolist())
    *read, last = ["<bos>", *(token.text for token in targets)]
    rows = [  # labelled like the film's: token read → right token
        replace(token, text=name, starts_word=True)
        for name, token in zip(row_names(read, last), targets, strict=True)
    ]
    at = pick_word(rows, _("“a → b”: it has read a, and b is right. Choose one."))
    target_id, top_ids = int(frame.target_ids[at]), frame.top_ids[at].tolist()
    ids = list(dict.fromkeys([target_id, *top_ids]))[:SHOWN]
    p = dict(zip(top_ids, frame.top_p[at].tolist(), strict=True))
    p[target_id] = float(frame.target_p[at])
    labels = [token.text for token in tokenizer.tokens(ids)]
    target, predicted = target_of(scene.film, target_id)[ids], np.array([p[i] for i in ids])
    title = _("Step {step}, “{row}”: the right token is “{word}”").format(
        step=grouped(scene.step), row=rows[at].text, word=targets[at].text
    )
    columns = {
        _("token"): labels,
        _("the target"): target.tolist(),
        _("the model"): predicted.tolist(),
    }
    show_chart(target_bars(target, predicted, labels, title), "expected", title, lambda: columns)


def n_wrong(sample: Sample) -> int:
    """Count the missing, extra and different words, as marked in the samples."""
    words = marked(sample["output"], sample["tgt"])
    n_right = sum(right for _word, right in words)
    return max(len(words), len(sample["tgt"].split())) - n_right


def draw_held_out(run: RunSummary, step: int) -> None:
    """Draw the held-out sentences as they were translated at a step."""
    rows = [row for row in run.folder.samples() if row["step"] <= step]
    if not rows:
        st.info(_("No held-out sentence has been translated yet."))
        return
    samples: list[Sample] = rows[-1]["samples"]
    wrong = [sample for sample in samples if n_wrong(sample)]
    counts = {"count": len(samples), "wrong": len(wrong), "step": grouped(rows[-1]["step"])}
    text = _(
        "{count} held-out sentences, as the model translated them at step {step}; {wrong} "
        "of them have an error. All of this follows the moment chosen above."
    )
    st.caption(text.format(**counts))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        titles = {order: _(title) for order, (title, _key) in ORDERS.items()}
        pick_from_list(ORDER, _("Order"), titles, width=290)
        st.toggle(_("Only those with an error"), key=WRONG.widget())
    shown = sorted(wrong if WRONG.get() else samples, key=ORDERS[ORDER.get()][1])
    if not shown:
        st.success(_("Every one of them is exactly right."))
        return
    columns = {
        _("sentence"): [sample["src"] for sample in shown],
        _("right answer"): [sample["tgt"] for sample in shown],
        _("the model"): [sample["output"] or "∅" for sample in shown],
        _("wrong words"): [str(n_wrong(sample)) for sample in shown],
    }
    table(columns, "held-out")


def draw_replay(run: RunSummary, scene: FilmScene) -> None:
    """Draw a field, and the model's translation of its sentence at each kept checkpoint."""
    st.caption(_(texts.REPLAY))
    if not run.folder.moments():
        st.info(_(texts.REPLAY_RECORDED if run.name.startswith(RECORDED) else texts.REPLAY_NOTHING))
        return
    if run.status.state in ("running", "queued"):
        st.info(_("Pause the run, or wait for it to end, to replay a sentence."))
        return
    usual, help_ = run.plan.probe[0], _("Any sentence of the task; nothing is learned from it.")
    st.text_input(
        _("Your sentence"), key=TYPED.widget(), placeholder=usual, max_chars=LONGEST, help=help_
    )
    try:
        with st.spinner(_("Running the model at every kept moment …")):
            made = replay(run.name, TYPED.get().strip() or usual)
    except ValueError as error:
        st.error(escape(worded(error)))
        return
    if made.attends:
        again = replace(scene, film=made, at=made.at(scene.step))
        draw_film(again, "replay", _("✓ as at the end"), _(texts.REPLAYED))
    else:
        outputs = [frame.output or "∅" for frame in made.frames]
        steps = list(map(str, made.steps))
        table({_("training step"): steps, _("translation"): outputs}, "replay")
