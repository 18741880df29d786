"""How long a connection may take to say what it wants, where no balancer stands before the app.

uvicorn waits for a request's headers as long as somebody sends a byte now and then, and Streamlit
hands it no setting for that. A test pins what is replaced of it here.
"""

from __future__ import annotations

from asyncio import Transport
from typing import Any, Final

from uvicorn.protocols.http.auto import AutoHTTPProtocol

SECONDS_TO_ASK: Final = 10.0  # for one request; a connection that waits idly is closed after 5


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
