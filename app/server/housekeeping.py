"""What the server does every few seconds or hours, whatever a visitor's session holds."""

import asyncio
import logging
from collections.abc import Awaitable, Callable

log = logging.getLogger(__name__)


async def every(seconds: float, work: Callable[[], Awaitable[None]]) -> None:
    """Do some work again and again, for ever: an error in one pass is logged, and the next follows.

    A task of asyncio that raises ends in silence, and nothing would ever be given back.
    """
    while True:
        try:
            await work()
        except Exception:
            log.exception("the server's housekeeping failed, and goes on")
        await asyncio.sleep(seconds)
