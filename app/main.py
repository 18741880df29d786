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

from app.server import log  # noqa: E402
from app.server.guards import MetricsWithKey, OwnPagesOnly, UploadsThatFit  # noqa: E402
from app.server.headers import SecurityHeaders  # noqa: E402
from app.server.metrics import WAITED, TimedMoves  # noqa: E402
from app.server.settings import Settings  # noqa: E402

SECONDS_TO_LET_GO: Final = 5.0
# What takes seconds to import, and the first page needs.
SLOW: Final = ("app.page.frame", "app.views.training.form", "pandas")
SETTINGS: Final = Settings.of()
log.start(SETTINGS.log)

# At each foreign Origin, Streamlit would ask an outside service for this machine's address, and
# all pages would wait for the answer.
net_util._external_ip = "127.0.0.1"


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
    get_instance().stats_mgr.register_provider(WAITED)
    expiring = asyncio.create_task(expire())
    yield
    expiring.cancel()


def tell(error: Exception) -> bool:
    """Show the visitor one sentence about what no error box of a page caught."""
    return bool(import_module("app.ui.error_box").unforeseen(error))


app = st.App(
    APP / "script.py",
    lifespan=lifespan,
    on_script_error=tell,
    middleware=[
        Middleware(SecurityHeaders, embed_in=SETTINGS.embed_in),
        Middleware(OwnPagesOnly),
        Middleware(MetricsWithKey, key=SETTINGS.metrics_key),
        Middleware(UploadsThatFit),
        Middleware(TimedMoves),
    ],
)
