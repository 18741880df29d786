"""Private parts of Streamlit that the server needs; a test pins each of them."""

import logging
from collections.abc import Iterable
from typing import Any, Final

from streamlit import net_util
from streamlit.runtime import get_instance
from streamlit.runtime.state.session_state import WStates
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

log = logging.getLogger(__name__)
OF_STREAMLIT: Final = "$$"  # begins each id that Streamlit gives
_known: Final[dict[str, Any]] = {}  # the sessions at the previous check, by id

__all__ = [
    "expire_sessions",
    "is_host_allowed",
    "pass_over_unreadable",
    "stay_inside",
    "uploaded_bytes",
]


def stay_inside() -> None:
    """Keep Streamlit from asking an outside service for this machine's address.

    It would ask for each foreign Origin, and all pages would wait for the answer.
    """
    net_util._external_ip = "127.0.0.1"


def pass_over_unreadable() -> None:
    """Let a widget's value that cannot be read, or is of no widget, count as not sent.

    Streamlit would raise wherever it reads it, with a traceback in the log for each such message.
    """
    states: Any = WStates
    read, take = states.__getitem__, states.set_widget_from_proto

    def take_of_widget(self: Any, sent: Any) -> None:
        if sent.id.startswith(OF_STREAMLIT):
            take(self, sent)

    def read_or_forget(self: Any, name: str) -> Any:
        try:
            return read(self, name)
        except KeyError:
            raise
        except Exception as error:
            self.states.pop(name, None)
            raise KeyError(name) from error

    states.__getitem__ = read_or_forget
    states.set_widget_from_proto = take_of_widget


def expire_sessions() -> int:
    """Free what closed sessions hold, and return how many ended since the last call.

    Streamlit removes them only when another session closes or too many are closed at once. Even
    then it leaves them to the garbage collector, and their pages and files stay for minutes or
    hours.
    """
    runtime: Any = get_instance()
    manager, stored = runtime._session_mgr, runtime.uploaded_file_mgr
    over = [info.session for _name, info in manager._session_storage._cache.expire()]
    sessions = {info.session.id: info.session for info in manager.list_sessions()}
    ended = {one.id: one for one in (*over, *_known.values()) if one.id not in sessions}
    _known.clear()
    _known.update(sessions)
    for session in ended.values():
        _end(session)
    for name in set(stored.file_storage) - sessions.keys():  # it came and went between checks
        stored.remove_session_files(name)
    return len(ended)


def _end(session: Any) -> None:
    """Free what a session holds, whatever its browser sent.

    Streamlit's own `clear()` first reads every value: one that cannot be read would stay, with all
    the others.
    """
    state = session._session_state
    parts = session._fragment_storage, state._new_widget_state.states, state
    for free in (session.shutdown, *(part.clear for part in parts)):
        try:
            free()
        except Exception:
            log.exception("a closed session keeps a part of what it held")


def uploaded_bytes(sessions: Iterable[str] | None = None) -> int:
    """Return the bytes of the files that the given sessions hold, or all sessions."""
    stored: Any = get_instance().uploaded_file_mgr
    if sessions is None:
        return int(stored._total_bytes)
    files = (file for name in sessions for file in stored.file_storage.get(name, {}).values())
    return sum(len(file.data) for file in files)
