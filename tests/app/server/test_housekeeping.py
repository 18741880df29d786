"""What the server does every few seconds goes on, whatever happens in one pass."""

import asyncio
import logging

import pytest

from app.server.housekeeping import every
from tests.app.server.loops import run


def test_an_error_in_one_pass_is_logged_and_the_next_pass_follows(
    caplog: pytest.LogCaptureFixture,
) -> None:
    """The task ended at its first error, nothing was logged, and memory was never given back."""
    passes: list[int] = []

    async def work() -> None:
        passes.append(len(passes))
        if len(passes) < 3:
            raise ValueError("half a JSON")

    async def keep_house() -> None:
        task = asyncio.create_task(every(0, work))
        async with asyncio.timeout(60):
            while len(passes) < 4:
                await asyncio.sleep(0)
        assert not task.done()
        task.cancel()

    with caplog.at_level(logging.ERROR):
        run(keep_house())
    assert ["half a JSON" in str(record.exc_info) for record in caplog.records] == [True, True]
