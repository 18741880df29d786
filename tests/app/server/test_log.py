"""A line of the log is one event, told by the server alone."""

import json
import logging
import re
import shutil
import sys
from contextlib import suppress
from pathlib import Path
from typing import Any

import pytest
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg

from app.server.log import EventFormatter, Form
from app.server.settings import Settings
from tests.app.visitor import Visitor, visit_as
from tests.browser.conftest import ROOT, serve

FORGED = "Hola\n2026-01-01T00:00:00.000+00:00 error app all is lost\r\x1b[2J\u2028x\u202ey"


def written(form: Form) -> str:
    """The event of a failure whose message and error hold a visitor's sentence."""
    try:
        raise KeyError(FORGED)
    except KeyError:
        record = logging.LogRecord(
            "app.page", logging.ERROR, "", 0, "failed with %s", (FORGED,), sys.exc_info()
        )
    record.number = "3fa9c1d2"
    return EventFormatter(form).format(record)


def test_a_sentence_forges_no_event_in_text() -> None:
    first, *others = written("text").splitlines()
    assert re.match(r"\S+\+00:00 error app\.page 3fa9c1d2 failed with Hola$", first)
    assert others
    assert all(line.startswith("    ") for line in others)
    assert not re.search(r"[\r\x1b\u2028\u202e]", "".join(others))


def test_an_event_in_json_is_one_line() -> None:
    line = written("json")
    assert "\n" not in line
    event = json.loads(line)
    assert event["message"] == f"failed with {FORGED}"
    assert event["number"] == "3fa9c1d2"
    assert "KeyError" in event["traceback"]
    assert "visitor" not in event


def test_the_form_is_one_of_two() -> None:
    assert Settings.of({"ILLUMINATED_LOG": "json"}).log == "json"
    with pytest.raises(ValueError, match="ILLUMINATED_LOG: 'xml' is neither text nor json"):
        Settings.of({"ILLUMINATED_LOG": "xml"})


BROKEN = f"""
import sys
sys.path.insert(0, {str(ROOT)!r})
import streamlit as st
from app import main
from app.views.people import sources
del sources.AUTHORS
app = st.App("")
app = main.app
"""


class Reader(Visitor):
    """Notes the errors that a page shows."""

    def __init__(self, *given: Any) -> None:
        super().__init__(*given)
        self.errors: list[str] = []

    def take(self, told: ForwardMsg) -> None:
        super().take(told)
        if told.delta.new_element.WhichOneof("type") == "alert":
            self.errors.append(told.delta.new_element.alert.body)


def look_at_a_broken_page(work: Path) -> list[str]:
    """Return the errors on a page that fails, and then on one that does not.

    The server's log has the traceback, which is what it asserts that it has not.
    """
    shutil.copytree(ROOT / "app/.streamlit", work / "app/.streamlit")
    (work / "app" / "main.py").write_text(BROKEN, encoding="utf-8")
    serving = serve(work, root=work, cwd=str(ROOT), ILLUMINATED_LOG="json")
    with suppress(AssertionError), serving as address, visit_as(Reader, address) as visitor:
        visitor.look("people", "lang=es")
        visitor.look("glossary")
    return visitor.errors


def test_what_nobody_foresaw_is_one_sentence_with_its_number_in_the_log(tmp_path: Path) -> None:
    """Streamlit's own sentence was in English alone, and named nothing to look for in the log."""
    (sentence,) = look_at_a_broken_page(tmp_path)
    found = re.fullmatch(r"No se pudo mostrar esta página; .* \((\w{8})\)", sentence)
    assert found, sentence
    lines = (tmp_path / "log.txt").read_text(encoding="utf-8").splitlines()
    events = [json.loads(line) for line in lines if line.startswith("{")]
    (event,) = [event for event in events if event.get("number") == found[1]]
    assert "ImportError" in event["traceback"]
    assert re.fullmatch(r"\w{8}", event["visitor"])
    assert not [line for line in lines if "Error" in line and not line.startswith("{")]
