"""Coroutines in tests: the browser tests of a worker may have a loop of their own running."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any

from starlette.types import Message, Receive, Scope


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine to its end, in a thread that has no loop yet."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, coroutine).result()


async def nothing() -> Message:
    """What comes from who sends no more than a request."""
    return {"type": "http.request"}


def told(guard: Any, scope: Scope, receive: Receive = nothing) -> list[Message]:
    """What a guard says to a request."""
    sent: list[Message] = []

    async def send(message: Message) -> None:
        sent.append(message)

    run(guard(scope, receive, send))
    return sent
