"""Guards that decide which requests are answered."""

import hmac
from typing import Final

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import get_option

from app.server.internals import is_host_allowed

METRICS: Final = "/_stcore/metrics"


class OwnPagesOnly:
    """Refuses requests for a foreign host and requests from another site's pages."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or _is_own(Headers(scope=scope)):
            return await self.app(scope, receive, send)
        refusal = PlainTextResponse("Refused: see server.allowedHosts.\n", 403)
        return await refusal(scope, receive, send)


def _is_own(headers: Headers) -> bool:
    """Compare host and port: Streamlit accepts pages from any port of this machine."""
    host, origin = headers.get("host"), headers.get("origin")
    if not is_host_allowed(host) or origin is None:
        return is_host_allowed(host)
    return origin.partition("://")[2] == host or origin in get_option("server.corsAllowedOrigins")


class MetricsWithKey:
    """Serves metrics only to requests with the key as a bearer token; without a key, to nobody."""

    def __init__(self, app: ASGIApp, key: str = "") -> None:
        self.app, self.key = app, key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].rstrip("/").endswith(METRICS):
            return await self.app(scope, receive, send)
        given = Headers(scope=scope).get("authorization", "").removeprefix("Bearer ")
        if self.key and hmac.compare_digest(given.encode(), self.key.encode()):
            return await self.app(scope, receive, send)
        return await PlainTextResponse("Metrics need their key.\n", 403)(scope, receive, send)
