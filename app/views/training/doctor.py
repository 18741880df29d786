"""The doctor's findings on a run: what is wrong, what shows it, what to do; and what goes well."""

from typing import Final

import streamlit as st

from app.data.runs import RunSummary
from app.format import escape, grouped, short
from app.i18n import _
from app.views.training import doctor_texts as texts
from app.views.training.data.doctor import Finding, findings_of, is_early
from app.views.training.data.plan import OWN

ICONS: Final = {"bad": ":material/error:", "warn": ":material/warning:", "good": ":material/check:"}


def draw_findings(run: RunSummary, step: int) -> None:
    """Draw the findings up to a step, the worst first."""
    findings = findings_of(run, step)
    if not findings and is_early(run, step):
        st.caption(_(texts.EARLY))
        return
    problems = [finding for finding in findings if finding.level != "good"]
    for finding in problems:
        box = st.error if finding.level == "bad" else st.warning
        box(_text(finding, run), icon=ICONS[finding.level])
    if not problems:
        st.success(_(texts.HEALTHY), icon=ICONS["good"])
    for finding in findings[len(problems) :]:
        st.markdown(f"{ICONS['good']} {_text(finding, run)}")


def _text(finding: Finding, run: RunSummary) -> str:
    advice = texts.ADVICE[finding.code]
    values = {name: _value(value) for name, value in finding.values.items()}
    text = f"**{_(advice.title)}.** {_(advice.seen).format(**values)}"
    todo = (advice.todo_with_own if run.plan.task == OWN else "") or advice.todo
    return f"{text} *{_(todo)}*" if todo else text


def _value(value: float | int | str) -> str:
    """Write a number for people, and escape a visitor's text."""
    if isinstance(value, str):
        return escape(value or "∅")
    if isinstance(value, int):
        return grouped(value)
    return short(value, 3) if abs(value) < 1000 else grouped(round(value))
