"""What Streamlit keeps private is there: another release may call it otherwise."""

from inspect import getsource
from json import dumps, loads
from pathlib import Path
from re import findall
from types import SimpleNamespace

import pytest
from streamlit import net_util
from streamlit.proto.WidgetStates_pb2 import WidgetState
from streamlit.runtime.app_session import AppSession
from streamlit.runtime.fragment import MemoryFragmentStorage
from streamlit.runtime.memory_session_storage import MemorySessionStorage
from streamlit.runtime.memory_uploaded_file_manager import MemoryUploadedFileManager
from streamlit.runtime.runtime import Runtime
from streamlit.runtime.session_manager import SessionInfo
from streamlit.runtime.state import SessionState
from streamlit.runtime.state.common import WidgetMetadata
from streamlit.runtime.state.session_state import WStates
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
    closed = Session("closed")
    storage.save(SessionInfo(None, closed))  # type: ignore[arg-type]
    still = Session("open")
    sessions._active_session_info_by_id["open"] = SessionInfo(None, still)  # type: ignore[arg-type, assignment]
    assert internals.expire_sessions() == 1
    assert (closed.is_over, still.is_over) == (True, False)
    assert list(files.file_storage) == ["open"]
    assert internals.uploaded_bytes() == 4
    assert isinstance(Runtime.uploaded_file_mgr, property)


class Session:
    """A session as Streamlit has them, with a part of its page and what a click there calls."""

    def __init__(self, name: str) -> None:
        self.id, self.is_over = name, False
        self._fragment_storage, self._session_state = MemoryFragmentStorage(), SessionState()
        self._fragment_storage.register("a-part", lambda: None)
        self._session_state["chosen"] = "something large"

    def shutdown(self) -> None:
        self.is_over = True


def test_of_sessions_that_went_unseen_nothing_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    """The 129th that closed pushed the first one out, and nobody ended that: its page stayed."""
    storage = MemorySessionStorage(maxsize=1, ttl_seconds=1000)
    sessions = WebsocketSessionManager(storage, files := MemoryUploadedFileManager(""), None, None)  # type: ignore[arg-type]
    runtime = SimpleNamespace(uploaded_file_mgr=files, _session_mgr=sessions)
    monkeypatch.setattr(internals, "get_instance", lambda: runtime)
    monkeypatch.setattr(internals, "_known", {})
    first, second = Session("first"), Session("second")
    storage.save(SessionInfo(None, first))  # type: ignore[arg-type]
    assert internals.expire_sessions() == 0
    assert first._fragment_storage.contains("a-part")
    storage.save(SessionInfo(None, second))  # type: ignore[arg-type]
    assert internals.expire_sessions() == 1
    assert (first.is_over, second.is_over) == (True, False)
    assert not first._fragment_storage.contains("a-part")
    assert "chosen" not in first._session_state
    assert second._fragment_storage.contains("a-part")
    made = getsource(AppSession.__init__)
    assert {"self._fragment_storage", "self._session_state"} <= set(findall(r"self\.\w+", made))


def test_what_a_browser_sent_and_nobody_can_read_keeps_no_session(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Half a JSON in a widget's value raised as its session was cleared: nothing was freed again.

    Neither of that session, nor of any other, for as long as the server ran.
    """
    storage, files = MemorySessionStorage(ttl_seconds=1000), MemoryUploadedFileManager("")
    sessions = WebsocketSessionManager(storage, files, None, None)  # type: ignore[arg-type]
    runtime = SimpleNamespace(uploaded_file_mgr=files, _session_mgr=sessions)
    monkeypatch.setattr(internals, "get_instance", lambda: runtime)
    monkeypatch.setattr(internals, "_known", {})
    poisoned, broken, later = Session("poisoned"), Broken("broken"), Session("later")
    widgets = poisoned._session_state._new_widget_state
    widgets.set_widget_from_proto(WidgetState(id="a", json_value="{"))
    widgets.set_widget_metadata(
        WidgetMetadata("a", deserializer=loads, serializer=dumps, value_type="json_value")
    )
    with pytest.raises(ValueError, match="Expecting property name"):
        poisoned._session_state.clear()
    for session in (poisoned, broken, later):
        storage.save(SessionInfo(None, session))  # type: ignore[arg-type]
        files.add_file(session.id, UploadedFileRec("one", "x", "", b"a"))
    assert internals.expire_sessions() == 0
    storage._cache.clear()
    assert internals.expire_sessions() == 3
    assert poisoned.is_over
    assert later.is_over
    for session in (poisoned, broken, later):
        assert "chosen" not in session._session_state
        assert not session._session_state._new_widget_state.states
        assert not session._fragment_storage.contains("a-part")
    assert not internals.uploaded_bytes()


class Broken(Session):
    """A session that cannot even be ended."""

    def shutdown(self) -> None:
        raise RuntimeError("it is still at work")


def test_a_value_that_cannot_be_read_was_never_sent(monkeypatch: pytest.MonkeyPatch) -> None:
    """Values of wrong types, and of no widget, wrote 321 lines of tracebacks in 11 seconds."""
    for name in ("__getitem__", "set_widget_from_proto"):
        monkeypatch.setattr(WStates, name, getattr(WStates, name))
    internals.pass_over_unreadable()
    widgets = WStates()
    widgets.set_widget_from_proto(WidgetState(id="none", json_value="1"))
    assert not widgets.states
    good, bad = "$$ID-good-None", "$$ID-bad-None"
    for name, value in ((good, "[1]"), (bad, "{")):
        widgets.set_widget_from_proto(WidgetState(id=name, json_value=value))
        widgets.set_widget_metadata(
            WidgetMetadata(name, deserializer=list, serializer=dumps, value_type="json_value")
        )
    assert widgets[good] == [1]
    assert bad not in widgets
    assert list(widgets) == [good]


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
