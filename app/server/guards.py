"""Who is answered, and how much is taken in."""

from __future__ import annotations

import hmac
from collections import Counter
from collections.abc import Sequence
from typing import Any, Final

from starlette.datastructures import Headers
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import get_option
from streamlit.runtime import get_instance
from streamlit.web.server.starlette.starlette_websocket import _is_origin_allowed

from app.server.limits import LIMITS
from app.server.visitors import SESSIONS_OF, Signer, cookies_of

METRICS: Final = "/_stcore/metrics"


class OwnPagesOnly:
    """Refuses what asks for a foreign host or comes from another site's page."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] == "lifespan" or _is_own(Headers(scope=scope)):
            return await self.app(scope, receive, send)
        refusal = PlainTextResponse("Refused: see server.allowedHosts.\n", 403)
        return await refusal(scope, receive, send)


def _is_own(headers: Headers) -> bool:
    return _is_origin_allowed(headers.get("origin"), headers.get("host"))


class MetricsWithKey:
    """Gives the server's metrics to who has the key, as a bearer token; without one, to nobody."""

    def __init__(self, app: ASGIApp, key: str = "") -> None:
        self.app, self.key = app, key

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or not scope["path"].rstrip("/").endswith(METRICS):
            return await self.app(scope, receive, send)
        given = Headers(scope=scope).get("authorization", "").removeprefix("Bearer ")
        if self.key and hmac.compare_digest(given.encode(), self.key.encode()):
            return await self.app(scope, receive, send)
        return await PlainTextResponse("Metrics need their key.\n", 403)(scope, receive, send)


class UploadsThatFit:
    """Refuses a file for which there is no room: Streamlit limits each file, not their sum.

    With a `signer` the sum is a visitor's, over all their pages, and no file goes into a page of
    somebody else.
    """

    def __init__(self, app: ASGIApp, signer: Signer | None = None) -> None:
        self.app, self.signer = app, signer
        self.arriving: Counter[str] = Counter()  # bytes by session, or by visitor

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "PUT":
            return await self.app(scope, receive, send)
        session = scope["path"].split("/")[-2]
        owner, sessions = session, [session]
        if self.signer is not None:
            owner = self.signer.visitor(cookies_of(scope))
            sessions = SESSIONS_OF.of(owner)
            if session not in sessions:
                refusal = PlainTextResponse("This page is somebody else's.\n", 403)
                return await refusal(scope, receive, send)
        size = int(Headers(scope=scope).get("content-length", _largest()))
        if not self._fits(owner, sessions, size):
            return await PlainTextResponse("There are too many files.\n", 413)(scope, receive, send)
        self.arriving[owner] += size
        try:
            await self.app(scope, receive, send)
        finally:
            self.arriving[owner] -= size
            self.arriving = +self.arriving

    def _fits(self, owner: str, sessions: Sequence[str], size: int) -> bool:
        stored: Any = get_instance().uploaded_file_mgr
        files = (file for name in sessions for file in stored.file_storage.get(name, {}).values())
        held = sum(len(file.data) for file in files)
        within = held + self.arriving[owner] + size <= LIMITS.uploads * _largest()
        return within and stored._total_bytes + size <= LIMITS.all_uploads * _largest()


def _largest() -> int:
    return int(get_option("server.maxUploadSize")) * 2**20
