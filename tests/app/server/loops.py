"""Coroutines in tests: the browser tests of a worker may have a loop of their own running."""

import asyncio
from collections.abc import Coroutine
from concurrent.futures import ThreadPoolExecutor
from typing import Any


def run(coroutine: Coroutine[Any, Any, None]) -> None:
    """Run a coroutine to its end, in a thread that has no loop yet."""
    with ThreadPoolExecutor(1) as pool:
        pool.submit(asyncio.run, coroutine).result()
