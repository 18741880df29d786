"""Limits on how long a connection may take and how much it may send, without a load balancer.

uvicorn waits for a request's headers as long as a byte arrives now and then, and it waits without
end for a socket that never reads to empty its buffer. Streamlit exposes no setting for either, and
allows messages of 200 MB. Tests pin the parts of uvicorn that are replaced here.
"""

import math
import os
from asyncio import Transport
from collections import Counter
from contextlib import suppress
from typing import Any, Final

from streamlit.runtime.runtime_util import get_max_widget_state_size_bytes
from uvicorn.protocols.http.auto import AutoHTTPProtocol
from uvicorn.protocols.websockets.websockets_sansio_impl import WebSocketsSansIOProtocol

BESIDE_WIDGETS: Final = 2**20  # bytes of a page's message besides its widgets' values
SECONDS_TO_ASK: Final = 10.0  # for one request's headers; uvicorn closes an idle connection after 5


FOR_PAGES: Final = 1 / 4  # of all files: with fewer left, no page opens any more
FOR_FILES: Final = 1 / 8  # of all files: with fewer left, connections are closed
MAX_CONNECTIONS: Final = 4096  # without a page; or as many as FOR_FILES, if that is less


def open_as_many_as_may_be() -> None:
    """Raise this process's limit on open files and sockets to the most that its system allows.

    On many systems the default is 1,024. Once it is reached, nobody can connect, not even to read
    the reason.
    """
    with suppress(ImportError, OSError, ValueError):  # not on Windows; macOS has its own limit
        import resource

        _soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
        resource.setrlimit(resource.RLIMIT_NOFILE, (hard, hard))


def max_files() -> float:
    """Return how many files and sockets this process may open; inf where that is unknown."""
    try:
        import resource
    except ImportError:  # Windows
        return math.inf
    soft, _hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    return math.inf if soft == resource.RLIM_INFINITY else soft


def files_left() -> float:
    """Return how many more files and sockets this process may open; inf where that is unknown."""
    try:
        return max_files() - len(os.listdir("/dev/fd"))
    except OSError:
        return math.inf


def are_files_short() -> bool:
    """Return whether too few files and sockets are left for one more page."""
    return files_left() < FOR_PAGES * max_files()


class Connections:
    """The open connections that are no page's socket, the oldest first."""

    def __init__(self) -> None:
        self._open: dict[Any, str] = {}  # the protocol of each, and its client's address

    def add(self, protocol: Any) -> None:
        """Count a connection, and close others where there are too many.

        It is the address with the most that loses its oldest ones, first those without a request.
        """
        self._open[protocol] = protocol.client[0] if protocol.client else ""
        share = FOR_FILES * max_files()
        if len(self._open) > min(MAX_CONNECTIONS, share):
            for other in [one for one in self._open if not _is_plain(one)]:
                self.discard(other)
        if len(self._open) > min(MAX_CONNECTIONS, share) or files_left() < share:
            self._close_one()

    def discard(self, protocol: Any) -> None:
        """Count a connection no more: it was closed, or a page has it."""
        self._open.pop(protocol, None)

    def _close_one(self) -> None:
        ((address, _count),) = Counter(self._open.values()).most_common(1)
        theirs = [one for one, name in self._open.items() if name == address]
        chosen = next(filter(_is_idle, theirs), theirs[0])
        self.discard(chosen)
        chosen.transport.abort()


def _is_plain(protocol: Any) -> bool:
    """Return whether a connection is open, and not a page's socket."""
    transport = protocol.transport
    return not transport.is_closing() and transport.get_protocol() is protocol


def _is_idle(protocol: Any) -> bool:
    """Return whether no request of a connection is under way."""
    return protocol.cycle is None or protocol.cycle.response_complete


def bound_accepting(loop: Any) -> None:
    """Accept only as many connections at once as files are left for.

    asyncio accepts 2,048 at once, before it looks at any of them, and logs each that fails.
    """
    accept = getattr(loop, "_accept_connection", None)
    if accept is None:  # Windows
        return

    def accept_what_fits(
        factory: Any, sock: Any, ssl: Any, server: Any, backlog: int, *rest: Any
    ) -> None:
        room = min(backlog, FOR_FILES * files_left())  # three passes are accepted unseen
        accept(factory, sock, ssl, server, max(1, int(room)), *rest)

    loop._accept_connection = accept_what_fits


def bound_connections(seconds: float = SECONDS_TO_ASK) -> None:
    """Bound the connections without a page in number, and in time for a request's headers.

    Each that takes longer than `seconds` for its next request's headers is closed.
    """
    begin, end = AutoHTTPProtocol.connection_made, AutoHTTPProtocol.connection_lost
    connections = Connections()

    def connection_made(self: Any, transport: Transport) -> None:
        begin(self, transport)
        connections.add(self)
        self.loop.call_later(seconds, check, self, None)

    def connection_lost(self: Any, error: Exception | None) -> None:
        connections.discard(self)
        end(self, error)

    def check(self: Any, latest: object) -> None:
        """Close a connection with no request under way now or at the previous check."""
        if not _is_plain(self):
            connections.discard(self)
        elif _is_idle(self) and self.cycle is latest:
            self.transport.abort()
        else:
            self.loop.call_later(seconds, check, self, self.cycle)

    protocol: Any = AutoHTTPProtocol
    protocol.connection_made = connection_made
    protocol.connection_lost = connection_lost


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
