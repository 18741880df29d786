"""Compresses pages and files once each: a laptop that serves a class has no proxy that would.

Streamlit sends its own files, three quarters of a first visit, as they are: to compress them for
each request takes longer than sending them.
"""

import asyncio
import gzip
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.server.files import FOLDER
from app.server.visitors import is_page

FILES: Final = ("/static/", f"{FOLDER}/")
TEXTS: Final = ("text/", "application/javascript", "application/json", "application/wasm")
MIN_BYTES: Final = 1000
LEVEL: Final = 6  # the highest takes twice the time to save two percent


class Compressed:
    """Compresses texts with an ETag, by which they are known once they were sent."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self._known: dict[str, bytes] = {}

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not _is_for_all(scope["path"]):
            return await self.app(scope, receive, send)
        headers = MutableHeaders(raw=list(scope["headers"]))
        accepts = "gzip" in headers.get("accept-encoding", "")
        del headers["accept-encoding"]  # or Streamlit compresses it each time
        start: Message = {}
        body = bytearray()

        async def send_compressed(message: Message) -> None:
            if message["type"] == "http.response.start":
                found = MutableHeaders(scope=message)
                if _is_text(found):
                    found.add_vary_header("Accept-Encoding")
                    if accepts and message["status"] == 200 and scope["method"] == "GET":
                        start.update(message)
                        return
            elif start:
                body.extend(message.get("body", b""))
                if message.get("more_body", False):
                    return
                found = MutableHeaders(scope=start)
                packed = await self._compressed(found["etag"], bytes(body))
                found["etag"] = "W/" + found["etag"].removeprefix("W/")
                found["content-encoding"] = "gzip"
                found["content-length"] = str(len(packed))
                await send(start)
                message = {**message, "body": packed}
            await send(message)

        return await self.app({**scope, "headers": headers.raw}, receive, send_compressed)

    async def _compressed(self, etag: str, body: bytes) -> bytes:
        if etag not in self._known:
            self._known[etag] = await asyncio.to_thread(gzip.compress, body, LEVEL, mtime=0)
        return self._known[etag]


def _is_for_all(path: str) -> bool:
    """Return whether an answer is the same for all visitors."""
    return path.startswith(FILES) or is_page(path)


def _is_text(headers: Headers) -> bool:
    """Return whether an answer is a text that is worth compressing and has an ETag."""
    known, is_text = "etag" in headers, headers.get("content-type", "").startswith(TEXTS)
    return known and is_text and int(headers.get("content-length", MIN_BYTES)) >= MIN_BYTES
