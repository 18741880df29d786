"""The app's server: `streamlit run app/main.py`."""

import asyncio
import gc
import sys
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from importlib import import_module
from pathlib import Path
from typing import Final

import streamlit as st
from starlette.middleware import Middleware
from streamlit.runtime import get_instance

APP = Path(__file__).resolve().parent
sys.path.append(str(APP.parent))

from app.server.memory import Release, share_heaps  # noqa: E402

share_heaps()

from app import i18n  # noqa: E402
from app.data import visitors  # noqa: E402
from app.server import log  # noqa: E402
from app.server.connections import (  # noqa: E402
    bound_accepting,
    bound_connections,
    bound_sockets,
    open_as_many_as_may_be,
)
from app.server.delivery import ROUTES, Compressed  # noqa: E402
from app.server.guards import MetricsWithKey, OwnPagesOnly, PageKnowsItsServer, SecurityHeaders  # noqa: E402
from app.server.housekeeping import every  # noqa: E402
from app.server.internals import expire_sessions, pass_over_unreadable, stay_inside  # noqa: E402
from app.server.limits import LIMITS  # noqa: E402
from app.server.metrics import WAITED, TimedMoves  # noqa: E402
from app.server.pace import AtTheirPace  # noqa: E402
from app.server.settings import SETTINGS  # noqa: E402
from app.server.teacher import teacher_routes  # noqa: E402
from app.server.uploads import UploadsThatFit  # noqa: E402
from app.server.visitors import SESSIONS_OF, KnownVisitors, MostPages, OwnSessionsOnly, PagesThatFit  # noqa: E402

SECONDS_TO_LET_GO: Final = 5.0
# Modules that the first page needs and that take seconds to import.
SLOW: Final = ("app.page.frame", "app.views.training.form", "pandas")
SECONDS_TO_SWEEP: Final = 3600.0
OF_CLASS: Final = SETTINGS.serve == "class"
SIGNER: Final = visitors.signer() if OF_CLASS else None
MOST_PAGES: Final = MostPages(LIMITS.pages, LIMITS.address_pages, LIMITS.all_pages)
log.start(SETTINGS.log)
stay_inside()
pass_over_unreadable()
open_as_many_as_may_be()
bound_connections()
bound_sockets()


@asynccontextmanager
async def lifespan(_app: st.App) -> AsyncIterator[None]:
    """Free the memory of closed sessions, and clear the caches when nobody has visited for a while.

    Where memory is short, the caches are cleared at once.
    """
    bound_accepting(asyncio.get_running_loop())
    release = Release()

    async def expire() -> None:
        if expire_sessions():
            await asyncio.to_thread(gc.collect)
        if release.is_due(WAITED.pages):
            await asyncio.to_thread(import_module("app.data.cache").let_go)

    async def sweep() -> None:
        await asyncio.to_thread(visitors.sweep)

    for module in SLOW:
        import_module(module)
    gc.freeze()  # these objects stay for good; collecting them delayed a visitor's click by 0.2 s
    get_instance().stats_mgr.register_provider(WAITED)

    tasks = [asyncio.create_task(every(SECONDS_TO_LET_GO, expire))]
    if SETTINGS.serve != "exhibit":  # where nothing is written
        tasks.append(asyncio.create_task(every(SECONDS_TO_SWEEP, sweep)))
    yield
    for task in tasks:
        task.cancel()


def guards_of_class() -> list[Middleware]:
    """Return the middleware that tells the visitors of a class apart."""
    if SIGNER is None:
        return []
    by_cookie = [] if SETTINGS.login else [Middleware(KnownVisitors, signer=SIGNER)]
    return [*by_cookie, Middleware(OwnSessionsOnly, signer=SIGNER, sessions=SESSIONS_OF)]


def tell(error: Exception) -> bool:
    """Show one sentence about an error that no error box caught, in place of Streamlit's box."""
    box = import_module("app.ui.error_box")
    box.tell(error, i18n.gettext(box.PAGE_FAILED))
    return True


app = st.App(
    APP / "script.py",
    lifespan=lifespan,
    on_script_error=tell,
    middleware=[
        Middleware(SecurityHeaders, embed_in=SETTINGS.embed_in, embed_views=SETTINGS.embed_views),
        Middleware(PageKnowsItsServer),
        Middleware(OwnPagesOnly),
        Middleware(MetricsWithKey, key=SETTINGS.metrics_key),
        *guards_of_class(),
        Middleware(PagesThatFit, most=MOST_PAGES, signer=SIGNER),
        Middleware(AtTheirPace, signer=SIGNER),
        Middleware(UploadsThatFit, signer=SIGNER),
        Middleware(TimedMoves),
        Middleware(Compressed),
    ],
    routes=[*ROUTES, *(teacher_routes(SIGNER) if SIGNER and SETTINGS.teacher_key else [])],
)
