"""What Streamlit keeps private and the server needs; a test pins each of them."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from streamlit import net_util
from streamlit.runtime import get_instance
from streamlit.web.server.starlette.starlette_websocket import is_host_allowed

__all__ = ["expire_sessions", "is_host_allowed", "stay_inside", "uploaded_bytes"]


def stay_inside() -> None:
    """Keep Streamlit from asking an outside service for this machine's address.

    At each foreign Origin it would, and all pages would wait for the answer.
    """
    net_util._external_ip = "127.0.0.1"


def expire_sessions() -> None:
    """Free what closed sessions hold: Streamlit waits until yet another one closes.

    Then it leaves them to the garbage collector, and their files stay for minutes or hours.
    """
    runtime: Any = get_instance()
    sessions, stored = runtime._session_mgr, runtime.uploaded_file_mgr
    for _name, info in sessions._session_storage._cache.expire():
        info.session.shutdown()
    known = {info.session.id for info in sessions.list_sessions()}
    for session in set(stored.file_storage) - known:  # too many were closed at once
        stored.remove_session_files(session)


def uploaded_bytes(sessions: Iterable[str] | None = None) -> int:
    """Return the bytes of the files that some sessions hold, or all of them."""
    stored: Any = get_instance().uploaded_file_mgr
    if sessions is None:
        return int(stored._total_bytes)
    files = (file for name in sessions for file in stored.file_storage.get(name, {}).values())
    return sum(len(file.data) for file in files)
