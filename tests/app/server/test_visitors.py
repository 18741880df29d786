"""Who asks: cookies that nobody forges, sessions that nobody takes over, and a bearable pace."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import fields
from pathlib import Path
from typing import Any

import pytest
from starlette.responses import PlainTextResponse
from starlette.testclient import TestClient
from starlette.types import Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from uvicorn import Config

from app.server.limits import Limits, variable
from app.server.pace import Allowance, AtTheirPace, Spacing, without_presses
from app.server.visitors import (
    TEACHER,
    VISITOR,
    KnownVisitors,
    MostPages,
    OpenPages,
    PagesThatFit,
    Sessions,
    Signer,
    address_of,
)
from tests.app.server.loops import nothing, run, told

KEY = "the teacher's own key"
SIGNER = Signer(b"secret", KEY)
ALICE, BOB = "a" * 32, "b" * 32
AS_ALICE, AS_BOB = (SIGNER.visitor_cookie(name).partition(";")[0] for name in (ALICE, BOB))
MOVE = BackMsg(clear_cache=True).SerializeToString()


def cookies(signed: str) -> dict[str, str]:
    """What a browser sends back of a Set-Cookie."""
    name, _, value = signed.split(";")[0].partition("=")
    return {name: value}


def opening(cookie: str = "", host: str = "192.0.2.1") -> dict[str, Any]:
    """A page's websocket."""
    headers = [(b"cookie", cookie.encode())]
    path = "/_stcore/stream"
    return {"type": "websocket", "path": path, "headers": headers, "client": (host, 50_000)}


def test_a_visitor_is_known_again_and_cannot_be_forged() -> None:
    given = cookies(AS_ALICE)
    assert SIGNER.visitor(given) == ALICE
    assert re.fullmatch("[0-9a-f]{32}", SIGNER.visitor(cookies(SIGNER.visitor_cookie())))
    value = given[VISITOR]
    forged = (
        "", ".", ALICE, f"{ALICE}.", value[:-1], f"{value}0", value.upper(),
        value.replace("a", "b", 1), f"{BOB}.{value.partition('.')[2]}", "é.é",
        f"../../etc.{value.partition('.')[2]}",
    )  # fmt: skip
    for text in forged:
        assert SIGNER.visitor({VISITOR: text}) == "", text
    assert Signer(b"another").visitor(given) == ""
    odd = cookies(SIGNER.visitor_cookie("../escape"))
    assert SIGNER.visitor(odd) == "", "signed, and yet no visitor's name"


def test_a_teacher_is_who_had_the_key_and_not_for_ever(monkeypatch: pytest.MonkeyPatch) -> None:
    given = cookies(SIGNER.teacher_cookie({}))
    assert SIGNER.is_teacher(given)
    assert [SIGNER.knows(key) for key in (KEY, "", KEY + " ")] == [True, False, False]
    assert not Signer(b"secret", "a new key of theirs").is_teacher(given), "the key was changed"
    assert not Signer(b"secret").is_teacher(cookies(Signer(b"secret").teacher_cookie({})))
    assert not SIGNER.is_teacher({TEACHER: AS_ALICE.split("=")[1]})
    late = 9_999_999_999
    assert not SIGNER.is_teacher({TEACHER: f"{late}.{given[TEACHER].partition('.')[2]}"})
    monkeypatch.setattr("time.time", lambda: late)
    assert not SIGNER.is_teacher(given)


def answered(path: str, *headers: tuple[bytes, bytes], status: int = 200) -> dict[str, str]:
    """The headers of an answer that passed the guard."""

    async def app(_scope: Scope, _receive: Receive, send: Send) -> None:
        await send({"type": "http.response.start", "status": status, "headers": []})

    scope = {"type": "http", "scheme": "http", "path": path, "headers": headers}
    (answer,) = told(KnownVisitors(app, SIGNER), scope)
    return {name.decode(): value.decode() for name, value in answer["headers"]}


def test_a_page_brings_a_cookie_that_no_script_and_no_other_site_gets() -> None:
    given = answered("/training")["set-cookie"]
    assert {"HttpOnly", "SameSite=Lax"} < {*given.split("; ")}
    assert "Secure" not in given
    again = answered("/", (b"cookie", given.partition(";")[0].encode()))["set-cookie"]
    assert SIGNER.visitor(cookies(again)) == SIGNER.visitor(cookies(given)), "kept, and kept fresh"
    assert answered("/", (b"x-forwarded-proto", b"https"))["set-cookie"].endswith("; Secure")
    for path in ("/_stcore/health", "/static/index.js", "/media/x", "/favicon.png"):
        assert "set-cookie" not in answered(path), "asked for before the page's own cookie came"
    assert "set-cookie" not in answered("/", status=500)


def test_a_session_is_of_whoever_was_first() -> None:
    sessions = Sessions()
    sessions.note("of-alice", ALICE)
    sessions.note("of-alice", BOB)
    assert [sessions.of(name) for name in (ALICE, BOB, "")] == [["of-alice"], [], []]


def test_a_visitor_opens_only_so_many_pages_and_is_told_so() -> None:
    """A page beyond them stayed empty for ever: its socket was refused, and nothing said so."""
    refused: list[Message] = []
    answers: dict[str, Any] = {}

    async def app(scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "http":
            await PlainTextResponse("a page")(scope, receive, send)
            return
        refused.extend(await asyncio.to_thread(told, guard, opening(AS_ALICE)))
        for path in ("/training", "/static/x.js", "/auth/logout", "/teacher", "/_stcore/health"):
            answers[path] = await asyncio.to_thread(asked, path, AS_ALICE)
        answers["bob"] = await asyncio.to_thread(asked, "/training", AS_BOB)

    def asked(path: str, cookie: str) -> Any:
        browser = TestClient(guard, headers={"cookie": cookie, "accept-language": "fr-FR,fr"})
        return browser.get(path)

    guard = PagesThatFit(app, MostPages(1, 10, 10), SIGNER, OpenPages(), patience=0)
    assert told(guard, opening(AS_ALICE)) == []
    assert [message["type"] for message in refused] == ["websocket.close"]
    assert not guard.pages.by_visitor, "closed pages count no more"
    assert not guard.pages.by_address
    page = answers.pop("/training")
    assert (page.status_code, page.headers["refresh"]) == (429, "5")
    assert "fermez-en une" in page.text
    assert {answer.text for answer in answers.values()} == {"a page"}


def test_pages_without_a_cookie_are_bounded_by_their_address_and_in_all() -> None:
    """None of 200 sockets was refused: the bound was for those with a cookie alone.

    Fifty of them, with a long sentence each, let another visitor wait for 31 seconds.
    """
    closed: list[str] = []
    hosts = ["2001:db8::1", "2001:db8::2", "2001:db8::3", "192.0.2.7", "192.0.2.8", "192.0.2.9"]
    answers: dict[str, str] = {}
    leave = asyncio.Event()

    async def hold(_scope: Scope, _receive: Receive, _send: Send) -> None:
        await leave.wait()

    async def open_page(host: str) -> None:
        async def send(message: Message) -> None:
            assert message["type"] == "websocket.close"
            closed.append(host)

        await guard(opening(host=host), nothing, send)

    async def come_and_go() -> None:
        opened = [asyncio.create_task(open_page(host)) for host in hosts]
        await asyncio.sleep(0)
        answers["address"] = await asyncio.to_thread(asked, "2001:db8::4", "es")
        answers["all"] = await asyncio.to_thread(asked, "192.0.2.9", "fr")
        leave.set()
        await asyncio.gather(*opened)

    def asked(host: str, language: str) -> str:
        browser = TestClient(guard, headers={"accept-language": language}, client=(host, 1))
        answer = browser.get("/translate")
        assert answer.status_code == 429
        return answer.text

    guard = PagesThatFit(hold, MostPages(100, 2, 4), pages=OpenPages(), patience=0)
    run(come_and_go())
    assert closed == ["2001:db8::3", "192.0.2.9"], "one customer has many addresses of IPv6"
    assert "red" in answers["address"]
    assert "serveur" in answers["all"]
    assert not guard.pages.by_address, "closed pages count no more"


def test_a_socket_too_many_is_told_so_after_a_while(slept: list[float]) -> None:
    """A hundred asked again each second: a quarter of the server's time went into saying no."""

    async def page(_scope: Scope, _receive: Receive, _send: Send) -> None:
        pytest.fail("no page may open")

    guard = PagesThatFit(page, MostPages(0, 0, 0), pages=OpenPages(), patience=7.0)
    assert [message["type"] for message in told(guard, opening())] == ["websocket.close"]
    assert slept == [7.0]


def test_an_address_is_what_a_trusted_proxy_says_and_nobody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Behind a balancer all would come from one address, and anybody can write a header."""
    seen: list[str] = []

    async def app(scope: Scope, _receive: Receive, _send: Send) -> None:
        seen.append(address_of(scope))

    monkeypatch.setenv("FORWARDED_ALLOW_IPS", "10.9.0.0/24")
    config = Config(app, http="h11", ws="none")
    config.load()
    for client, forwarded in (
        ("10.9.0.2", b"192.0.2.1"),
        ("10.9.0.2", b"203.0.113.9, 192.0.2.1"),
        ("192.0.2.5", b"192.0.2.1"),
        ("::ffff:10.9.0.2", b""),
    ):
        headers = [(b"x-forwarded-for", forwarded)]
        scope = {"type": "http", "client": (client, 1), "headers": headers, "path": "/"}
        told(config.loaded_app, scope)
    assert seen == ["192.0.2.1", "192.0.2.1", "192.0.2.5", "10.9.0.2"]


def test_who_asks_too_often_waits_and_others_do_not() -> None:
    now = 0.0
    pace = Allowance(60, lambda: now)
    assert [pace.take(ALICE) for _ in range(60)] == [0.0] * 60
    assert pace.wait(ALICE) == 0
    assert pace.take(ALICE) == 0, "that is told, and not held back"
    assert pace.wait(ALICE) == pytest.approx(1)
    assert pace.wait(BOB) == pace.take(BOB) == 0
    held = [pace.take(ALICE) for _ in range(62)]
    assert held[58] == 0 < held[-1]
    now = 1000.0
    assert pace.wait(ALICE) == 0


def pages_of(guard: AtTheirPace, scope: Scope, *messages: bytes) -> None:
    """Open a page that sends messages."""
    left = list(messages)

    async def receive() -> Message:
        return {"type": "websocket.receive", "bytes": left.pop(0)}

    told(guard, scope, receive)


async def read_all(scope: Scope, receive: Receive, _send: Send) -> None:
    for _message in range(scope["messages"]):
        await receive()


def test_a_flood_is_held_back_and_timers_count_less(slept: list[float]) -> None:
    by_timer = BackMsg()
    by_timer.rerun_script.is_auto_rerun = True
    messages = [by_timer.SerializeToString()] * 20 + [MOVE] * 10
    guard = AtTheirPace(read_all, SIGNER, Allowance(5, lambda: 0.0), Allowance(1000), Spacing(0))
    for _page in range(2):
        pages_of(guard, opening() | {"messages": 30}, *messages)
        assert slept[:29] == [0.0] * 29, "a flood of nobody's holds no other nobody back"
        slept.clear()
    pages_of(guard, opening(AS_ALICE) | {"messages": 30}, *messages)
    assert slept[:29] == [0.0] * 29, "1 to open the page, 2 of timers, 5 free, and 5 in debt"
    assert all(seconds > 0 for seconds in slept[29:])


def test_many_pages_of_nobody_have_one_pace_at_an_address(slept: list[float]) -> None:
    """Each page without a cookie had a pace of its own, and so they had none together."""
    guard = AtTheirPace(read_all, None, Allowance(5), Allowance(5, lambda: 0.0), Spacing(0))
    for host in ["192.0.2.1"] * 10 + ["192.0.2.2"]:
        pages_of(guard, opening(host=host) | {"messages": 1}, MOVE)
    assert slept[:10] == [0.0] * 10
    assert all(seconds > 0 for seconds in slept[10:20])
    assert slept[20:] == [0.0] * 2, "another address has its own"


def test_pages_of_one_address_open_one_after_another(slept: list[float]) -> None:
    """Two hundred that began at once kept those who were already there waiting for two seconds."""
    guard = AtTheirPace(read_all, None, Allowance(5), Allowance(100), Spacing(0.5, lambda: 7.0))
    for host in ["192.0.2.1"] * 3 + ["192.0.2.2"]:
        pages_of(guard, opening(host=host) | {"messages": 0})
    assert slept == [0.0, 0.5, 1.0, 0.0]


def test_a_press_beside_a_timer_counts_once() -> None:
    """On a busy machine, Pause played on: the timer's request brought the same press as well."""
    asked = BackMsg()
    asked.rerun_script.is_auto_rerun = True
    asked.rerun_script.widget_states.widgets.add(id="pause", trigger_value=True)
    asked.rerun_script.widget_states.widgets.add(id="cell", json_trigger_value="[1]")
    asked.rerun_script.widget_states.widgets.add(id="text", string_value="nunca")
    left = BackMsg.FromString(without_presses(asked)).rerun_script
    assert left.is_auto_rerun
    assert [state.id for state in left.widget_states.widgets] == ["text"]


def test_limits_come_from_the_environment_and_all_are_in_the_docs() -> None:
    assert Limits.of({}) == Limits()
    assert Limits.of({"ILLUMINATED_LIMIT_STEPS": "500"}).steps == 500
    for odd in ("many", "-1", "0", "1.5"):
        with pytest.raises(ValueError, match="ILLUMINATED_LIMIT_DAYS"):
            Limits.of({"ILLUMINATED_LIMIT_DAYS": odd})
    docs = (Path(__file__).parents[3] / "docs/serving.md").read_text(encoding="utf-8")
    found = dict(re.findall(r"^\| `(ILLUMINATED_LIMIT_\w+)` \| ([\d,]+) \|", docs, re.MULTILINE))
    known: Mapping[str, int] = {variable(f.name): getattr(Limits(), f.name) for f in fields(Limits)}
    assert {name: int(value.replace(",", "")) for name, value in found.items()} == known
