"""Hands out the app's own files, and compresses all that is the same for everybody, once.

Streamlit sends its own files, three quarters of a first visit, as they are: to compress them for
each request takes longer than sending them. And a laptop that serves a class has no proxy.
"""

import asyncio
import gzip
from pathlib import PurePath
from typing import Final

from starlette.datastructures import Headers, MutableHeaders
from starlette.requests import Request
from starlette.responses import PlainTextResponse, Response
from starlette.routing import Route
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from app.server.files import FOLDER, PUBLISHED
from app.server.visitors import is_page

TYPES: Final = {".js": "text/javascript", ".json": "application/json"}
FOR_EVER: Final = "public, max-age=31536000, immutable"
FILES: Final = ("/static/", f"{FOLDER}/")
TEXTS: Final = ("text/", "application/javascript", "application/json", "application/wasm")
MIN_BYTES: Final = 1000
LEVEL: Final = 6  # the highest takes twice the time to save two percent


async def _send(request: Request) -> Response:
    name = request.path_params["name"]
    if name not in PUBLISHED:
        return PlainTextResponse("There is no such file.\n", 404, {"Cache-Control": "no-store"})
    headers = {"Cache-Control": FOR_EVER, "ETag": f'"{name}"'}
    return Response(PUBLISHED[name], headers=headers, media_type=TYPES[PurePath(name).suffix])


ROUTES: Final = [Route(f"{FOLDER}/{{name}}", _send)]


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
