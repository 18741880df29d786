"""The app's server: `streamlit run app/main.py`."""

import asyncio
import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Any, Final

import streamlit as st
from starlette.middleware import Middleware
from streamlit import net_util
from streamlit.runtime import get_instance

APP = Path(__file__).resolve().parent
sys.path.append(str(APP.parent))

from app.server.memory import share_heaps  # noqa: E402

share_heaps()

from app.data import visitors  # noqa: E402
from app.server import log  # noqa: E402
from app.server.guards import MetricsWithKey, OwnPagesOnly, UploadsThatFit  # noqa: E402
from app.server.headers import SecurityHeaders  # noqa: E402
from app.server.limits import LIMITS  # noqa: E402
from app.server.metrics import WAITED, TimedMoves  # noqa: E402
from app.server.pace import PACE, AtTheirPace  # noqa: E402
from app.server.settings import SETTINGS  # noqa: E402
from app.server.teacher import teacher_routes  # noqa: E402
from app.server.visitors import SESSIONS_OF, KnownVisitors, OwnSessionsOnly  # noqa: E402

SECONDS_TO_LET_GO: Final = 5.0
SECONDS_ALONE: Final = 100.0  # once the last sessions are gone
# What takes seconds to import, and the first page needs.
SLOW: Final = ("app.page.frame", "app.views.training.form", "pandas")
SECONDS_TO_SWEEP: Final = 3600.0
OF_CLASS: Final = SETTINGS.serve == "class"
log.start(SETTINGS.log)

# At each foreign Origin, Streamlit would ask an outside service for this machine's address, and
# all pages would wait for the answer.
net_util._external_ip = "127.0.0.1"


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[None]:
    """Free what closed sessions hold: Streamlit waits until yet another one closes.

    When nobody was here for a while, what was computed for those who were is freed, too.
    """

    async def expire() -> None:
        sessions: Any = get_instance()._session_mgr
        alone = 0.0
        while True:
            await asyncio.sleep(SECONDS_TO_LET_GO)
            sessions._session_storage._cache.expire()
            alone = 0.0 if WAITED.pages else alone + SECONDS_TO_LET_GO
            if alone == SECONDS_ALONE:
                await asyncio.to_thread(import_module("app.data.cache").let_go)

    for module in SLOW:
        import_module(module)
    gc.freeze()  # what stays for good: walking through it took 0.2 s of somebody's click
    get_instance().stats_mgr.register_provider(WAITED)

    async def sweep() -> None:
        while True:
            await asyncio.to_thread(visitors.sweep)
            await asyncio.sleep(SECONDS_TO_SWEEP)

    tasks = [asyncio.create_task(expire())]
    if OF_CLASS:
        tasks.append(asyncio.create_task(sweep()))
    yield
    for task in tasks:
        task.cancel()


def guards_of_class() -> list[Middleware]:
    """Return what tells visitors apart, and holds each to their share."""
    if not OF_CLASS:
        return []
    signer = visitors.signer()
    by_cookie = [] if SETTINGS.login else [Middleware(KnownVisitors, signer=signer)]
    return [
        *by_cookie,
        Middleware(OwnSessionsOnly, signer=signer, sessions=SESSIONS_OF, pages=LIMITS.pages),
        Middleware(AtTheirPace, signer=signer, pace=PACE),
    ]


def tell(error: Exception) -> bool:
    """Show the visitor one sentence about what no error box of a page caught."""
    return bool(import_module("app.ui.error_box").unforeseen(error))


app = st.App(
    APP / "script.py",
    lifespan=lifespan,
    on_script_error=tell,
    middleware=[
        Middleware(SecurityHeaders, embed_in=SETTINGS.embed_in, embed_views=SETTINGS.embed_views),
        Middleware(OwnPagesOnly),
        Middleware(MetricsWithKey, key=SETTINGS.metrics_key),
        *guards_of_class(),
        Middleware(UploadsThatFit, signer=visitors.signer() if OF_CLASS else None),
        Middleware(TimedMoves),
    ],
    routes=teacher_routes(visitors.signer()) if OF_CLASS and SETTINGS.teacher_key else [],
)
