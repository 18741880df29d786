"""A line of the log is one event, told by the server alone."""

import json
import logging
import re
import sys

from app.server.log import EventFormatter, Form, OncePerMinute

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


def test_a_sentence_forges_no_event() -> None:
    first, *others = written("text").splitlines()
    assert re.match(r"\S+\+00:00 error app\.page 3fa9c1d2 failed with Hola$", first)
    assert others
    assert all(line.startswith("    ") for line in others)
    assert not re.search(r"[\r\x1b\u2028\u202e]", "".join(others))
    line = written("json")
    assert "\n" not in line
    event = json.loads(line)
    assert (event["message"], event["number"]) == (f"failed with {FORGED}", "3fa9c1d2")
    assert "KeyError" in event["traceback"]
    assert "visitor" not in event


def test_an_error_that_repeats_is_written_once_a_minute() -> None:
    """119 MB of the same traceback were written in three minutes, and 321 lines in 11 seconds."""
    now = 0.0
    once, written = OncePerMinute(lambda: now), EventFormatter("text")

    def fail(kind: type[Exception], number: str = "") -> str:
        try:
            raise kind("too many open files")
        except kind:
            record = logging.LogRecord(
                "asyncio", logging.ERROR, "", 0, "no socket", (), sys.exc_info()
            )
        if number:
            record.number = number
        return written.format(record) if once.filter(record) else ""

    assert "Traceback" in fail(OSError)
    assert not any(fail(OSError) for _ in range(500))
    assert "Traceback" in fail(ValueError), "another error is told at once"
    named = fail(OSError, "3fa9c1d2")
    assert "3fa9c1d2" in named, "a visitor may ask for it"
    assert "Traceback" not in named
    now = 61.0
    told = fail(OSError)
    assert "(500 more times since the last one)" in told
    assert "Traceback" in told
    plain = logging.LogRecord("app", logging.INFO, "", 0, "a visit", (), None)
    assert once.filter(plain)
    assert once.filter(plain)
