"""Connections that never say what they want: a bounded wait, without a balancer too."""

import asyncio
from contextlib import suppress

import pytest
import uvicorn
from starlette.responses import PlainTextResponse
from uvicorn.protocols.http.auto import AutoHTTPProtocol

from app.server.connections import bound_connections
from tests.app.server.loops import run
from tests.browser.conftest import free_port

SECONDS = 0.3


def test_a_connection_that_trickles_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """A header a minute, and uvicorn held a connection, and its file, for as long as one liked."""
    monkeypatch.setattr(AutoHTTPProtocol, "connection_made", AutoHTTPProtocol.connection_made)
    bound_connections(SECONDS)
    config = uvicorn.Config(
        PlainTextResponse("here"), port=(port := free_port()), ws="none", log_config=None
    )
    server = uvicorn.Server(config)

    async def trickle(first: bytes) -> float:
        """Send a byte now and then; return after how many seconds the server closed."""
        reader, writer = await asyncio.open_connection("localhost", port)
        start = asyncio.get_running_loop().time()
        writer.write(first)
        ended = asyncio.create_task(reader.read())
        while not ended.done() and asyncio.get_running_loop().time() < start + 30:
            await asyncio.sleep(SECONDS / 5)
            writer.write(b"a")
        with suppress(ConnectionError):
            assert b"here" in await ended or not first.startswith(
                b"GET / HTTP/1.1\r\nHost: a\r\n\r\n"
            )
        return asyncio.get_running_loop().time() - start

    async def serve_and_ask() -> None:
        serving = asyncio.create_task(server._serve())
        while not server.started:
            await asyncio.sleep(0.01)
        asked = b"GET / HTTP/1.1\r\nHost: a\r\n"
        took.extend(await asyncio.gather(trickle(b""), trickle(asked), trickle(asked + b"\r\n")))
        server.should_exit = True
        await serving

    took: list[float] = []
    run(serve_and_ask())
    assert all(seconds < 25 for seconds in took), took
