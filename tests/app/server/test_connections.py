"""Connections that never say what they want, say too much, or never listen: all are bounded."""

import asyncio
from asyncio.selector_events import BaseSelectorEventLoop
from collections.abc import Callable, Coroutine
from contextlib import AsyncExitStack, suppress
from inspect import signature
from types import SimpleNamespace
from typing import Any

import pytest
import uvicorn
from starlette.applications import Starlette
from starlette.responses import PlainTextResponse
from starlette.routing import WebSocketRoute
from starlette.types import ASGIApp
from starlette.websockets import WebSocket, WebSocketDisconnect
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol
from websockets import ConnectionClosed, connect

from app.server import connections
from app.server.connections import bound_connections, bound_sockets, open_as_many_as_may_be
from tests.app.server.loops import run
from tests.browser.conftest import free_port

SECONDS = 0.3
TO_BREAK_OFF = 25.0  # long after a bound of SECONDS, on a busy machine
TOO_BIG = 1009  # the reason that a socket gives
END = b"\r\n"
WHOLE = b"GET / HTTP/1.1\r\nHost: a\r\n" + END
UPGRADE = b"Connection: Upgrade\r\nUpgrade: websocket\r\n"


@pytest.fixture(autouse=True)
def _as_before(monkeypatch: pytest.MonkeyPatch) -> None:
    for protocol, name in (
        (AutoHTTPProtocol, "connection_made"),
        (AutoHTTPProtocol, "connection_lost"),
        (WebSocketsSansIOProtocol, "connection_made"),
        (WebSocketsSansIOProtocol, "keepalive_timeout"),
    ):
        monkeypatch.setattr(protocol, name, getattr(protocol, name))


def serve(app: ASGIApp, ask: Callable[[int], Coroutine[Any, Any, None]], **settings: Any) -> None:
    """Run what asks a server on a port, and the server beside it."""
    config = uvicorn.Config(app, port=(port := free_port()), log_config=None, **settings)
    server = uvicorn.Server(config)

    async def serve_and_ask() -> None:
        serving = asyncio.create_task(server._serve())
        while not server.started:
            await asyncio.sleep(0.01)
        try:
            await ask(port)
        finally:
            server.should_exit = True
            await serving

    run(serve_and_ask())


def test_a_connection_that_trickles_is_closed() -> None:
    """A header a minute, and uvicorn held a connection, and its file, for as long as one liked."""
    bound_connections(SECONDS)

    async def ask(port: int) -> None:
        for asked in (b"", WHOLE.removesuffix(END)):
            reader, writer = await asyncio.open_connection("localhost", port)
            writer.write(asked)
            closed = asyncio.create_task(reader.read())
            async with asyncio.timeout(TO_BREAK_OFF):
                while not closed.done():
                    await asyncio.sleep(SECONDS / 5)
                    writer.write(b"a")
            with suppress(ConnectionError):
                assert b"here" not in await closed
        reader, writer = await asyncio.open_connection("localhost", port)
        writer.write(WHOLE)
        assert b"here" in await reader.readuntil(b"here")
        writer.close()

    serve(PlainTextResponse("here"), ask, ws="none")


def test_idle_connections_of_one_address_leave_room_for_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """1,500 connections that asked nothing took all files, and everybody else timed out."""
    monkeypatch.setattr(connections, "max_files", lambda: 80.0)
    monkeypatch.setattr(connections, "files_left", lambda: 40.0)
    bound_connections()

    async def ask(port: int) -> None:
        visitor = await asyncio.open_connection("127.0.0.1", port)
        visitor[1].write(WHOLE)
        await visitor[0].readuntil(b"here")
        idle = [
            await asyncio.open_connection("127.0.0.1", port, local_addr=("127.0.0.2", 0))
            for _ in range(30)
        ]
        async with asyncio.timeout(TO_BREAK_OFF):
            for reader, _writer in idle[:20]:
                with suppress(ConnectionError):
                    assert not await reader.read()
        visitor[1].write(WHOLE)
        assert await visitor[0].readuntil(b"here"), "who has few connections keeps them"
        newest, writer = idle[-1]
        writer.write(WHOLE)
        assert await newest.readuntil(b"here"), "and the newest of the others do"
        for _reader, writer in (visitor, *idle):
            writer.close()

    serve(PlainTextResponse("here"), ask, ws="none")


def test_pages_are_no_idle_connections(monkeypatch: pytest.MonkeyPatch) -> None:
    """Pages that had just opened counted as connections, and the next one was closed for them."""
    monkeypatch.setattr(connections, "max_files", lambda: 80.0)
    monkeypatch.setattr(connections, "files_left", lambda: 40.0)
    bound_connections()

    async def stay(socket: WebSocket) -> None:
        await socket.accept()
        with suppress(WebSocketDisconnect):
            await socket.receive_bytes()

    async def ask(port: int) -> None:
        async with AsyncExitStack() as opened:
            for _ in range(25):
                await opened.enter_async_context(connect(f"ws://localhost:{port}/"))

    serve(Starlette(routes=[WebSocketRoute("/", stay)]), ask)


def test_no_more_is_accepted_at_once_than_there_are_files_for(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """asyncio accepts 2,048 connections before one is looked at, and logs each that fails."""
    accepted: list[tuple[object, ...]] = []
    left = iter((1000, 80, 3))
    monkeypatch.setattr(connections, "files_left", lambda: float(next(left)))
    loop = SimpleNamespace(_accept_connection=lambda *args: accepted.append(args))
    connections.bound_accepting(loop)
    for _ in range(3):
        loop._accept_connection("factory", "socket", None, "server", 100, 60)
    assert [args[4] for args in accepted] == [100, 10, 1]
    taken = [*signature(BaseSelectorEventLoop._accept_connection).parameters]  # type: ignore[attr-defined]
    assert taken[1:6] == ["protocol_factory", "sock", "sslcontext", "server", "backlog"]


def test_a_message_too_large_is_refused_before_it_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    """200 MB were kept and parsed twice, before the page that sent them was told."""
    monkeypatch.setattr(connections, "get_max_widget_state_size_bytes", lambda: 1000)
    monkeypatch.setattr(connections, "BESIDE_WIDGETS", 24)
    bound_sockets()

    async def echo(socket: WebSocket) -> None:
        await socket.accept()
        while True:
            await socket.send_bytes(await socket.receive_bytes())

    async def ask(port: int) -> None:
        async with connect(f"ws://localhost:{port}/", max_size=None) as socket:
            await socket.send(bytes(1024))
            assert await socket.recv() == bytes(1024)
            await socket.send(bytes(1025))
            with pytest.raises(ConnectionClosed) as closed:
                await socket.recv()
        assert closed.value.rcvd is not None
        assert closed.value.rcvd.code == TOO_BIG

    serve(Starlette(routes=[WebSocketRoute("/", echo)]), ask)


def test_who_never_reads_is_dropped() -> None:
    """What was written to such a socket stayed in memory until its other side closed."""
    bound_sockets()
    dropped = asyncio.Event()

    async def pour(socket: WebSocket) -> None:
        await socket.accept()
        try:
            while True:
                await socket.send_bytes(bytes(2**20))
        finally:
            dropped.set()

    async def ask(port: int) -> None:
        reader, writer = await asyncio.open_connection("localhost", port, limit=1000)
        key = b"Sec-WebSocket-Key: AAAAAAAAAAAAAAAAAAAAAA==\r\nSec-WebSocket-Version: 13\r\n"
        writer.write(WHOLE.removesuffix(END) + UPGRADE + key + END)
        async with asyncio.timeout(TO_BREAK_OFF):
            await dropped.wait()
        assert not reader.at_eof(), "it has not read what came"

    app = Starlette(routes=[WebSocketRoute("/", pour)])
    serve(app, ask, ws_ping_interval=SECONDS, ws_ping_timeout=SECONDS)


def test_a_server_opens_as_many_files_as_it_may() -> None:
    """With the 1,024 that many systems begin with, 500 pages were all: each next one hung."""
    resource = pytest.importorskip("resource")
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    try:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft // 2, hard))
        open_as_many_as_may_be()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (hard, hard)
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
