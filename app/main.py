"""The app's server: `streamlit run app/main.py`."""

import asyncio
import gc
import sys
from collections import Counter
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import streamlit as st
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import get_option, net_util
from streamlit.runtime import get_instance
from streamlit.web.server.starlette.starlette_websocket import _is_origin_allowed

APP = Path(__file__).resolve().parent
# How many files of the largest size one session may hold, and all of them together.
FILES_OF_ONE: Final = 2
FILES_OF_ALL: Final = 8
SECONDS_TO_LET_GO: Final = 5.0
# What takes seconds to import, and the first page needs.
SLOW: Final = ("app.page.frame", "app.views.training.form", "pandas")
sys.path.append(str(APP.parent))

# At each foreign Origin, Streamlit would ask an outside service for this machine's address, and
# all pages would wait for the answer.
net_util._external_ip = "127.0.0.1"


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


class UploadsThatFit:
    """Refuses a file for which there is no room: Streamlit limits each file, not their sum."""

    def __init__(self, app: ASGIApp) -> None:
        self.app = app
        self.arriving: Counter[str] = Counter()  # bytes by session

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http" or scope["method"] != "PUT":
            return await self.app(scope, receive, send)
        session = scope["path"].split("/")[-2]
        size = int(Headers(scope=scope).get("content-length", _largest()))
        if not self._fits(session, size):
            return await PlainTextResponse("There are too many files.\n", 413)(scope, receive, send)
        self.arriving[session] += size
        try:
            await self.app(scope, receive, send)
        finally:
            self.arriving[session] -= size
            self.arriving = +self.arriving

    def _fits(self, session: str, size: int) -> bool:
        stored: Any = get_instance().uploaded_file_mgr
        held = sum(len(file.data) for file in stored.file_storage.get(session, {}).values())
        within = held + self.arriving[session] + size <= FILES_OF_ONE * _largest()
        return within and stored._total_bytes + size <= FILES_OF_ALL * _largest()


def _largest() -> int:
    return int(get_option("server.maxUploadSize")) * 2**20


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[None]:
    """Free what closed sessions hold: Streamlit waits until yet another one closes."""

    async def expire() -> None:
        sessions: Any = get_instance()._session_mgr
        while True:
            await asyncio.sleep(SECONDS_TO_LET_GO)
            sessions._session_storage._cache.expire()

    for module in SLOW:
        import_module(module)
    gc.freeze()  # what stays for good: walking through it took 0.2 s of somebody's click
    expiring = asyncio.create_task(expire())
    yield
    expiring.cancel()


app = st.App(
    APP / "script.py",
    lifespan=lifespan,
    middleware=[Middleware(OwnPagesOnly), Middleware(UploadsThatFit)],
)
