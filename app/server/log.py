"""The server's log: one event per line, as text or JSON, which no visitor can forge.

A visitor's sentence may contain a line break followed by what looks like another event. In the text
form, continuation lines are therefore indented, and other control characters are escaped.
"""

import hashlib
import json
import logging
import re
import sys
from collections import deque
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal

import streamlit.logger
from streamlit.runtime.scriptrunner import get_script_run_ctx

Form = Literal["text", "json"]
INDENT: Final = "    "
VISITOR: Final = 8  # digits that tell visitors apart
LATEST: Final = 20  # errors
CONTROLS: Final = re.compile(r"[\x00-\x08\x0b-\x1f\x7f-\x9f\u2028\u2029\u202a-\u202e\u2066-\u2069]")


class EventFormatter(logging.Formatter):
    """Writes an event with its time in UTC, its visitor and the number that an error box shows."""

    def __init__(self, form: Form) -> None:
        super().__init__()
        self.form = form

    def format(self, record: logging.LogRecord) -> str:
        event: dict[str, Any] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname.lower(),
            "logger": record.name,
            "visitor": visitor(),
            "number": getattr(record, "number", ""),
            "message": record.getMessage(),
            "traceback": self.formatException(record.exc_info) if record.exc_info else "",
        }
        if self.form == "json":
            return json.dumps({name: value for name, value in event.items() if value})
        line = " ".join(filter(None, [*event.values()][:-1]))
        lines = "\n".join(filter(None, [line, event["traceback"]])).replace("\n", f"\n{INDENT}")
        return CONTROLS.sub(lambda found: ascii(found[0])[1:-1], lines)


@dataclass(frozen=True)
class Failure:
    """An error in the log: its time (seconds since 1970), its number, and what it was."""

    when: float
    number: str
    what: str


class LatestErrors(logging.Handler):
    """Keeps the latest errors, for the teacher's page."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.failures: deque[Failure] = deque(maxlen=LATEST)

    def emit(self, record: logging.LogRecord) -> None:
        kind = record.exc_info[0].__name__ if record.exc_info and record.exc_info[0] else ""
        what = ": ".join(filter(None, [record.getMessage(), kind]))
        self.failures.append(Failure(record.created, getattr(record, "number", ""), what))


LATEST_ERRORS: Final = LatestErrors()


def visitor() -> str:
    """Return digits that tell visitors apart without identifying them; "" outside a session."""
    context = get_script_run_ctx(suppress_warning=True)
    if context is None:
        return ""
    return hashlib.sha256(context.session_id.encode()).hexdigest()[:VISITOR]


def start(form: Form) -> None:
    """Write everything that is logged, including by Streamlit, as such events to standard error."""
    handler = logging.StreamHandler(sys.stderr)
    handler.setFormatter(EventFormatter(form))
    logging.basicConfig(level=logging.INFO, handlers=[handler, LATEST_ERRORS], force=True)
    streamlit.logger.setup_formatter = _hand_on
    streamlit.logger.update_formatter()


def _hand_on(logger: logging.Logger) -> None:
    """Make a logger of Streamlit pass its events to the one handler."""
    logger.handlers.clear()
    logger.propagate = True
