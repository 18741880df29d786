"""How long a connection may take to say what it wants, and how much, where no balancer stands by.

uvicorn waits for a request's headers as long as somebody sends a byte now and then, and for a
socket that never reads until its buffer is empty; Streamlit hands it no setting for either, and
lets a message have 200 MB. Tests pin what is replaced of it here.
"""

from __future__ import annotations

from asyncio import Transport
from contextlib import suppress
from typing import Any, Final

from streamlit.runtime.runtime_util import get_max_widget_state_size_bytes
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

BESIDE_WIDGETS: Final = 2**20  # bytes of a page's message that are not what is typed
SECONDS_TO_ASK: Final = 10.0  # for one request; a connection that waits idly is closed after 5


def open_as_many_as_may_be() -> None:
    """Let this process have as many files and sockets open as its system allows at all.

    Many systems let it have 1,024 of them unless it asks; then nobody gets in, not even to read
    why.
    """
    with suppress(ImportError, OSError, ValueError):  # none of Windows, or a limit of macOS's own
        import resource

        _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def bound_connections(seconds: float = SECONDS_TO_ASK) -> None:
    """Close each connection that takes longer for the headers of its next request."""
    begin = AutoHTTPProtocol.connection_made

    def connection_made(self: Any, transport: Transport) -> None:
        begin(self, transport)
        self.loop.call_later(seconds, check, self, None)

    def check(self: Any, latest: object) -> None:
        """Close a connection that has no request under way, and had none a while ago."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return  # gone, or a page's socket by now
        is_waiting = self.cycle is None or self.cycle.response_complete
        if is_waiting and self.cycle is latest:
            self.transport.abort()
        else:
            self.loop.call_later(seconds, check, self, self.cycle)

    protocol: Any = AutoHTTPProtocol
    protocol.connection_made = connection_made


def bound_sockets() -> None:
    """Refuse a message larger than a page's widgets may be, and drop who reads no more.

    A larger one was read whole, and parsed twice, before Streamlit compared its size.
    """
    protocol: Any = WebSocketsSansIOProtocol
    begin, time_out = protocol.connection_made, protocol.keepalive_timeout

    def connection_made(self: Any, transport: Transport) -> None:
        begin(self, transport)
        self.conn.max_message_size = get_max_widget_state_size_bytes() + BESIDE_WIDGETS

    def keepalive_timeout(self: Any) -> None:
        time_out(self)
        self.transport.abort()

    protocol.connection_made = connection_made
    protocol.keepalive_timeout = keepalive_timeout
