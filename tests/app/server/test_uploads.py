"""Files that come in: only where a page asked for one, and only what fits, while they are read."""

from collections.abc import Callable, Iterator, Sequence

import pytest
from starlette.responses import PlainTextResponse
from starlette.types import Message, Receive, Scope, Send

from app.server import uploads
from app.server.limits import Limits
from app.server.uploads import FORM, MEGABYTE, UploadFields, UploadsThatFit
from app.server.visitors import Sessions, Signer
from tests.app.server.loops import run, told

PART = bytes(MEGABYTE)
stored: dict[str, int] = {}


async def take(scope: Scope, receive: Receive, send: Send) -> None:
    """Read a file to its end and keep it, as Streamlit does."""
    size, more = 0, True
    while more:
        message = await receive()
        size += len(message["body"])
        more = message["more_body"]
    stored[scope["path"].split("/")[-2]] = size
    await PlainTextResponse("", 204)(scope, receive, send)


@pytest.fixture
def guard(monkeypatch: pytest.MonkeyPatch) -> Iterator[UploadsThatFit]:
    """A server that holds 8 MB of files, 5 of one page, where two pages asked for 4 each."""
    monkeypatch.setattr(uploads, "LIMITS", Limits(upload_megabytes=5, all_upload_megabytes=8))

    def held(sessions: Sequence[str] | None = None) -> int:
        return sum(stored.get(name, 0) for name in (stored if sessions is None else sessions))

    monkeypatch.setattr(uploads, "uploaded_bytes", held)
    fields = UploadFields()
    for session in "abc":
        fields.note(session, 4 * MEGABYTE)
    yield UploadsThatFit(take, fields=fields)
    stored.clear()


def put(
    guard: UploadsThatFit,
    session: str,
    parts: int,
    between: Callable[[int], object] = int,
    announced: int | None = None,
) -> int:
    """Send a file of some megabytes; return the status of the answer."""
    left = list(range(parts, 0, -1))

    async def receive() -> Message:
        between(left[0])
        return {"body": PART, "more_body": left.pop(0) > 1}

    size = str(parts * MEGABYTE if announced is None else announced).encode()
    scope = {
        "type": "http",
        "method": "PUT",
        "path": f"/_stcore/upload_file/{session}/a-file",
        "headers": [] if announced == 0 else [(b"content-length", size)],
    }
    return int(told(guard, scope, receive)[0]["status"])


def test_no_file_is_taken_that_no_page_asked_for(guard: UploadsThatFit) -> None:
    """An exhibit, where nothing is loaded, took a file of any size."""
    assert put(guard, "d", 1) == 403
    assert put(guard, "a", 4) == 204
    assert put(guard, "b", 5) == 413, "larger than the page said"


def test_what_lies_about_its_size_is_refused_while_it_is_read(guard: UploadsThatFit) -> None:
    came: list[int] = []
    assert put(guard, "a", 9, came.append, announced=0) == 413
    assert len(came) == 4 + FORM // MEGABYTE + 1
    assert put(guard, "a", 9, announced=1) == 413
    assert not guard.arriving, "what was refused counts no more"


def test_files_at_once_fit_together(guard: UploadsThatFit) -> None:
    """Of all files at once each was let in: only what had come to its end was counted in all."""
    others: list[int] = []

    def send_more(left: int) -> None:
        if left == 1:
            others.append(put(guard, "b", 4, also))

    def also(left: int) -> None:
        if left == 1:
            others.append(put(guard, "c", 4))

    assert put(guard, "a", 4, send_more) == 204
    assert others == [413, 204], "3 + 3 MB are on their way"
    assert put(guard, "c", 4) == 413, "8 MB are held"
    assert sum(stored.values()) == 8 * MEGABYTE


def test_a_file_that_trickles_in_is_cut_off(guard: UploadsThatFit) -> None:
    now = 0.0

    def wait(_left: int) -> None:
        nonlocal now
        now += 200

    slow = UploadsThatFit(take, fields=guard.fields, clock=lambda: now)
    assert put(slow, "a", 4, wait) == 408
    assert put(guard, "a", 4, wait) == 204


def test_no_file_is_taken_where_memory_is_short(
    guard: UploadsThatFit, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(uploads, "is_short", lambda: True)
    assert put(guard, "a", 1) == 413
    monkeypatch.setattr(f"{__name__}.PART", bytes(1000))  # smaller than what is between two looks
    assert put(guard, "a", 1, announced=1000) == 413


def test_in_a_class_files_are_read_at_a_pace_that_leaves_time_for_pages(
    guard: UploadsThatFit, monkeypatch: pytest.MonkeyPatch, slept: list[float]
) -> None:
    """Five files of 390 MB at once kept the server's one loop busy, and all pages waited."""
    monkeypatch.setattr(guard, "clock", lambda: 100.0)

    async def read() -> None:
        for _megabyte in range(16):
            await guard._keep_pace(MEGABYTE)

    run(read())
    assert slept[-1] == pytest.approx(2.0), "8 MB a second"


def test_a_file_is_deleted_by_its_own_visitor_alone(
    guard: UploadsThatFit, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Whoever knew a page's session could delete its file, though nobody else could send one."""
    signer, sessions = Signer(b"a secret"), Sessions()
    monkeypatch.setattr(uploads, "SESSIONS_OF", sessions)
    reached: list[Scope] = []

    async def delete(scope: Scope, receive: Receive, send: Send) -> None:
        reached.append(scope)
        await PlainTextResponse("", 204)(scope, receive, send)

    sessions.note("a", "a" * 32)
    own = UploadsThatFit(delete, signer=signer, fields=guard.fields)

    def ask(visitor: str) -> int:
        cookie = signer.visitor_cookie(visitor * 32).partition(";")[0].encode()
        path = "/_stcore/upload_file/a/a-file"
        head = {"type": "http", "method": "DELETE", "path": path, "headers": [(b"cookie", cookie)]}
        return int(told(own, head)[0]["status"])

    assert ask("b") == 403
    assert not reached
    assert ask("a") == 204


@pytest.mark.parametrize("path", ["foo", "*", "", "/", "/a", "/_stcore/upload_file/a"])
@pytest.mark.parametrize("method", ["PUT", "DELETE"])
def test_what_is_no_files_address_is_refused(guard: UploadsThatFit, method: str, path: str) -> None:
    """`PUT foo` was an error of the server, with a traceback in its log."""
    answer = told(guard, {"type": "http", "method": method, "path": path, "headers": []})
    assert answer[0]["status"] == 404
