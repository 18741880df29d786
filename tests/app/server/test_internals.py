"""What Streamlit keeps private is there: another release may call it otherwise."""

from pathlib import Path
from types import SimpleNamespace

import pytest
from streamlit import net_util
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.runtime import Runtime
from streamlit.runtime.session_manager import SessionInfo
from streamlit.runtime.uploaded_file_manager import UploadedFileRec
from streamlit.runtime.websocket_session_manager import WebsocketSessionManager

from app.server import internals

APP = Path(internals.__file__).parents[1]


def test_files_are_counted_and_go_with_their_sessions(monkeypatch: pytest.MonkeyPatch) -> None:
    """780 MB of files stayed when their pages were long closed, and nobody ever freed them.

    Streamlit left a session whose time was over to the garbage collector, which hardly ever runs.
    """
    storage, files = MemorySessionStorage(ttl_seconds=0), MemoryUploadedFileManager("")
    sessions = WebsocketSessionManager(storage, files, None, None)  # type: ignore[arg-type]
    runtime = SimpleNamespace(uploaded_file_mgr=files, _session_mgr=sessions)
    monkeypatch.setattr(internals, "get_instance", lambda: runtime)
    for session, size in (("closed", 2), ("forgotten", 3), ("open", 4)):
        files.add_file(session, UploadedFileRec("one", "x", "", bytes(size)))
    assert internals.uploaded_bytes() == 9
    assert internals.uploaded_bytes(["closed", "none"]) == 2
    ended: list[str] = []
    closed = SimpleNamespace(id="closed", shutdown=lambda: ended.append("closed"))
    storage.save(SessionInfo(None, closed))  # type: ignore[arg-type]
    still = SimpleNamespace(id="open")
    sessions._active_session_info_by_id["open"] = SessionInfo(None, still)  # type: ignore[arg-type, assignment]
    internals.expire_sessions()
    assert ended == ["closed"]
    assert list(files.file_storage) == ["open"]
    assert internals.uploaded_bytes() == 4
    assert isinstance(Runtime.uploaded_file_mgr, property)


def test_nobody_outside_is_asked_for_an_address(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(net_util, "_external_ip", None)
    internals.stay_inside()
    assert net_util.get_external_ip() == "127.0.0.1"


def test_the_servers_other_files_touch_nothing_private() -> None:
    for path in (APP / "main.py", *(APP / "server").glob("*.py")):
        text = path.read_text(encoding="utf-8")
        if path.name != "internals.py":
            assert "_session_mgr" not in text, path
            assert "net_util" not in text, path
            assert "uploaded_file_mgr" not in text, path
