"""Limits on how long a connection may take and how much it may send, without a load balancer.

uvicorn waits for a request's headers as long as a byte arrives now and then, and it waits without
end for a socket that never reads to empty its buffer. Streamlit exposes no setting for either, and
allows messages of 200 MB. Tests pin the parts of uvicorn that are replaced here.
"""

from asyncio import Transport
from contextlib import suppress
from typing import Any, Final

from streamlit.runtime.runtime_util import get_max_widget_state_size_bytes
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

BESIDE_WIDGETS: Final = 2**20  # bytes of a page's message besides its widgets' values
SECONDS_TO_ASK: Final = 10.0  # for one request's headers; uvicorn closes an idle connection after 5


def open_as_many_as_may_be() -> None:
    """Raise this process's limit on open files and sockets to the most that its system allows.

    On many systems the default is 1,024. Once it is reached, nobody can connect, not even to read
    the reason.
    """
    with suppress(ImportError, OSError, ValueError):  # not on Windows; macOS has its own limit
        import resource

        _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def bound_connections(seconds: float = SECONDS_TO_ASK) -> None:
    """Close each connection that takes longer than `seconds` for its next request's headers."""
    begin = AutoHTTPProtocol.connection_made

    def connection_made(self: Any, transport: Transport) -> None:
        begin(self, transport)
        self.loop.call_later(seconds, check, self, None)

    def check(self: Any, latest: object) -> None:
        """Close a connection with no request under way now or at the previous check."""
        if self.transport.is_closing() or self.transport.get_protocol() is not self:
            return  # closed, or upgraded to a page's socket
        is_waiting = self.cycle is None or self.cycle.response_complete
        if is_waiting and self.cycle is latest:
            self.transport.abort()
        else:
            self.loop.call_later(seconds, check, self, self.cycle)

    protocol: Any = AutoHTTPProtocol
    protocol.connection_made = connection_made


def bound_sockets() -> None:
    """Refuse messages larger than a page's widgets may be, and drop clients that stop reading.

    Streamlit itself reads a larger message completely and parses it twice before it checks the
    size.
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
