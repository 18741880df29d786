"""The doctor's findings on a run: what is wrong, what shows it, what to do; and what goes well."""

from collections.abc import Mapping
from pathlib import Path
from typing import Final

import streamlit as st

from app import content
from app.data.runs import RunSummary
from app.format import escape, grouped, short
from app.i18n import _
from app.views.training.data import OWN, Finding, findings_of, is_early

ADVICE: Final[Mapping[str, Mapping[str, str]]] = content.load(
    Path(__file__).with_name("findings.toml")
)
ICONS: Final = {"bad": ":material/error:", "warn": ":material/warning:", "good": ":material/check:"}


def draw_findings(run: RunSummary, step: int) -> None:
    """Draw the findings up to a step, the worst first."""
    findings = findings_of(run, step)
    if not findings and is_early(run, step):
        st.caption(_("The doctor needs a few more steps before it can say anything."))
        return
    problems = [finding for finding in findings if finding.level != "good"]
    for finding in problems:
        box = st.error if finding.level == "bad" else st.warning
        box(_text(finding, run), icon=ICONS[finding.level])
    if not problems:
        healthy = _("The doctor finds nothing wrong with this run.")
        st.success(healthy, icon=ICONS["good"])
    for finding in findings[len(problems) :]:
        st.markdown(f"{ICONS['good']} {_text(finding, run)}")


def _text(finding: Finding, run: RunSummary) -> str:
    advice = ADVICE[finding.code]
    values = {name: _value(value) for name, value in finding.values.items()}
    text = f"**{_(advice['title'])}.** {_(advice['says']).format(**values)}"
    todo = advice.get("todo", "")
    if run.plan.task == OWN:
        todo = advice.get("todo_with_own", todo)
    return f"{text} *{_(todo)}*" if todo else text


def _value(value: float | int | str) -> str:
    """Write a number for people, and escape a visitor's text."""
    if isinstance(value, str):
        return escape(value or "∅")
    if isinstance(value, int):
        return grouped(value)
    return short(value, 3) if abs(value) < 1000 else grouped(round(value))
