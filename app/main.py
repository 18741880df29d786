"""The app's server: `streamlit run app/main.py`."""

import sys
from pathlib import Path

import streamlit as st
from starlette.datastructures import Headers
from starlette.middleware import Middleware
from starlette.responses import PlainTextResponse
from starlette.types import ASGIApp, Receive, Scope, Send
from streamlit import net_util
from streamlit.web.server.starlette.starlette_websocket import _is_origin_allowed

APP = Path(__file__).resolve().parent
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


app = st.App(APP / "script.py", middleware=[Middleware(OwnPagesOnly)])
