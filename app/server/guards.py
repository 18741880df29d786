"""Guards of the app: which requests are answered, and the headers of every response."""

import base64
import hashlib
import hmac
import re
from collections.abc import Sequence
from functools import cache
from pathlib import Path
from typing import Final

import streamlit
from starlette.datastructures import Headers, MutableHeaders
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit import get_option

from app.server.internals import is_host_allowed

HTML: Final = "text/html"
# What Streamlit's page reads before it looks for its server. It stands beside the address's name.
ADDRESS: Final = 'window.__streamlit={BACKEND_BASE_URL:new URL(".",location.href).href}'
METRICS: Final = "/_stcore/metrics"
PARTS: Final = (
    "text/javascript",
    "application/javascript",
    "text/css",
    "font/",
)  # a page has a hundred of them
OF_PARTS: Final = {"Referrer-Policy": "same-origin", "X-Content-Type-Options": "nosniff"}
INDEX = Path(streamlit.__file__).parent / "static" / "index.html"


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


class PageKnowsItsServer:
    """Tells each page where its server is.

    A page other than the first looks for it below its own address first: two requests that fail.
    """

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        asks = Headers(scope=scope).get("accept", "") if scope["type"] == "http" else ""
        if HTML not in asks or scope["method"] != "GET":
            return await self.app(scope, receive, send)
        plain = [(name, raw) for name, raw in scope["headers"] if name != b"accept-encoding"]
        start: Message | None = None
        page = b""

        async def send_with_address(message: Message) -> None:
            nonlocal start, page
            if message["type"] == "http.response.start":
                kind = Headers(raw=message["headers"]).get("content-type", "")
                if kind.startswith(HTML) and message["status"] == 200:
                    start = message
                    return
            elif start is not None:
                page += message.get("body", b"")
                if message.get("more_body"):
                    return
                page = page.replace(b"<head>", f"<head><script>{ADDRESS}</script>".encode(), 1)
                MutableHeaders(scope=start)["content-length"] = str(len(page))
                await send(start)
                message = {"type": "http.response.body", "body": page}
            await send(message)

        return await self.app({**scope, "headers": plain}, receive, send_with_address)


class SecurityHeaders:
    """Adds the headers that block foreign scripts and frames and hide the address from other sites.

    `embed_in` are the origins whose pages may show the app in a frame: none by default.
    `embed_views` are the pages that they may show: all by default.
    """

    def __init__(
        self, app: ASGIApp, embed_in: Sequence[str] = (), embed_views: Sequence[str] = ()
    ) -> None:
        self.app, self.embed_views = app, embed_views
        self.alone, self.framed = headers(), headers(embed_in)

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            return await self.app(scope, receive, send)

        is_framed = not self.embed_views or scope["path"].strip("/") in self.embed_views
        more = self.framed if is_framed else self.alone

        async def send_with_headers(message: Message) -> None:
            if message["type"] == "http.response.start":
                found = MutableHeaders(scope=message)
                is_part = found.get("content-type", "").startswith(PARTS)
                found.update(OF_PARTS if is_part else more)
            await send(message)

        return await self.app(scope, receive, send_with_headers)


def headers(embed_in: Sequence[str] = ()) -> dict[str, str]:
    """Return the headers of a response that pages of the given origins may frame."""
    own = {} if embed_in else {"X-Frame-Options": "DENY"}
    return own | {
        "Content-Security-Policy": content_policy(embed_in),
        "Cross-Origin-Opener-Policy": "same-origin",
        "Permissions-Policy": "camera=(), geolocation=(), microphone=(), payment=(), usb=()",
        "Referrer-Policy": "same-origin",
        "X-Content-Type-Options": "nosniff",
    }


def content_policy(embed_in: Sequence[str] = ()) -> str:
    """Return the Content-Security-Policy: nothing loads from other hosts, no text runs as a script.

    Streamlit passes a component's script to the page as a blob, styles its elements inline, and
    computes long numbers in WebAssembly.
    """
    rules = {
        "default-src": "'self'",
        "script-src": " ".join(["'self'", "blob:", "'wasm-unsafe-eval'", *inline_scripts()]),
        "style-src": "'self' 'unsafe-inline' blob:",
        "img-src": "'self' data: blob:",
        "font-src": "'self' data:",
        "worker-src": "'self' blob:",
        "object-src": "'none'",
        "base-uri": "'self'",
        "form-action": "'self'",
        "frame-ancestors": " ".join(embed_in) or "'none'",
    }
    return "; ".join(f"{name} {value}" for name, value in rules.items())


@cache
def inline_scripts() -> tuple[str, ...]:
    """Return the hash of each inline script in Streamlit's own page, and of ours."""
    scripts = re.findall(r"<script>(.*?)</script>", INDEX.read_text(encoding="utf-8"), re.DOTALL)
    hashes = (hashlib.sha256(script.encode()).digest() for script in (*scripts, ADDRESS))
    return tuple(f"'sha256-{base64.b64encode(digest).decode()}'" for digest in hashes)
