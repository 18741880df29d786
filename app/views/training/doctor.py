"""The doctor's word on a run: what is wrong, what shows it, what to do; and what goes well."""

from typing import Final

import streamlit as st

from app.data.runs import RunSummary
from app.format import escape, grouped
from app.i18n import _
from app.views.training import doctor_texts as lesson
from app.views.training.data.doctor import Finding, findings_of

FEWEST_STEPS: Final = 10
ICONS: Final = {"bad": ":material/error:", "warn": ":material/warning:", "good": ":material/check:"}


def draw(one: RunSummary) -> None:
    """Draw the findings, the worst first."""
    found = findings_of(one)
    ill = [finding for finding in found if finding.level != "good"]
    if not found and one.status.step <= FEWEST_STEPS:
        st.caption(_(lesson.EARLY))
        return
    for finding in ill:
        box = st.error if finding.level == "bad" else st.warning
        box(_said(finding), icon=ICONS[finding.level])
    if not ill:
        st.success(_(lesson.HEALTHY), icon=ICONS["good"])
    for finding in found[len(ill) :]:
        st.markdown(f"{ICONS['good']} {_said(finding)}")


def _said(finding: Finding) -> str:
    advice = lesson.ADVICE[finding.code]
    values = {name: _value(value) for name, value in finding.values.items()}
    texts = [f"**{_(advice.title)}.** {_(advice.seen).format(**values)}"]
    if advice.todo:
        texts.append(f"*{_(advice.todo)}*")
    return " ".join(texts)


def _value(value: float | int | str) -> str:
    """Write a number as people read it, and a visitor's text as text."""
    if isinstance(value, str):
        return escape(value or "∅")
    if isinstance(value, int):
        return grouped(value)
    return f"{value:.3g}" if abs(value) < 1000 else grouped(round(value))
