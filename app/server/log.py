"""The server's log: one event per line, as text or JSON, which no visitor can forge.

A visitor's sentence may contain a line break followed by what looks like another event. In the text
form, continuation lines are therefore indented, and other control characters are escaped.
"""

import hashlib
import json
import logging
import re
import sys
import time
from collections import Counter, deque
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any, Final, Literal

import streamlit.logger
from streamlit.runtime.scriptrunner import get_script_run_ctx

Form = Literal["text", "json"]
INDENT: Final = "    "
VISITOR: Final = 8  # digits that tell visitors apart
LATEST: Final = 20  # errors
SECONDS_BETWEEN: Final = 60.0  # two tracebacks of one place in the code
MAX_PLACES: Final = 1000
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
            "message": record.getMessage() + getattr(record, "repeats", ""),
            "traceback": "",
        }
        if record.exc_info and not getattr(record, "is_repeated", False):
            event["traceback"] = self.formatException(record.exc_info)
        if self.form == "json":
            return json.dumps({name: value for name, value in event.items() if value})
        line = " ".join(filter(None, [*event.values()][:-1]))
        lines = "\n".join(filter(None, [line, event["traceback"]])).replace("\n", f"\n{INDENT}")
        return CONTROLS.sub(lambda found: ascii(found[0])[1:-1], lines)


class OncePerMinute(logging.Filter):
    """Lets each error's traceback through once a minute, however often it is raised.

    A repetition with a number stays, without its traceback: a visitor may name the number. All
    others are counted, and the next traceback says how many there were.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        super().__init__()
        self.clock = clock
        self._written: dict[object, float] = {}
        self._dropped: Counter[object] = Counter()

    def filter(self, record: logging.LogRecord) -> bool:
        if not record.exc_info or record.exc_info[0] is None:
            return True
        place, now = _place_of(record), self.clock()
        if now - self._written.get(place, -SECONDS_BETWEEN) < SECONDS_BETWEEN:
            record.is_repeated, record.repeats = True, " (again: see its last traceback)"
            is_named = hasattr(record, "number")
            self._dropped[place] += not is_named
            return is_named
        if len(self._written) >= MAX_PLACES:
            self._written.clear()
            self._dropped.clear()
        self._written[place] = now
        if count := self._dropped.pop(place, 0):
            record.repeats = f" ({count} more times since the last one)"
        return True


def _place_of(record: logging.LogRecord) -> object:
    """Return who logs which kind of error from which line of the code."""
    kind, _error, traceback = record.exc_info or (None, None, None)
    while traceback is not None and traceback.tb_next is not None:
        traceback = traceback.tb_next
    line = traceback and (traceback.tb_frame.f_code.co_filename, traceback.tb_lineno)
    return record.name, kind, line


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
    handler.addFilter(OncePerMinute())
    logging.basicConfig(level=logging.INFO, handlers=[handler, LATEST_ERRORS], force=True)
    streamlit.logger.setup_formatter = _hand_on
    streamlit.logger.update_formatter()


def _hand_on(logger: logging.Logger) -> None:
    """Make a logger of Streamlit pass its events to the one handler."""
    logger.handlers.clear()
    logger.propagate = True
