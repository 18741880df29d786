"""What the browser's worker asks of a session: names and values go to and fro as JSON."""

import json
from typing import Any

from app.i18n import _
from app.live.session import LiveSession

_SESSIONS: list[LiveSession] = []


def answer(call: str, arguments: str) -> str:
    """Begin a session, or call a method of it; what fails is told as {"error": …}."""
    return json.dumps(_answer(call, json.loads(arguments)))


def _answer(call: str, arguments: Any) -> Any:
    if call == "begin":
        _SESSIONS[:] = [LiveSession(**arguments)]
        return {}
    try:
        return getattr(_SESSIONS[0], call)(*arguments)
    except MemoryError:
        raise
    except Exception as error:  # whatever the app does not foresee, the page goes on
        told = f"{type(error).__name__}: {error}"
        return {"error": _("This could not be computed. ({error})").format(error=told)}
