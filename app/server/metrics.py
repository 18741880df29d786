"""The server's metrics, for Prometheus and anybody who has the metrics' key.

They add to Streamlit's own metrics: open pages, how long visitors wait for each move, and memory.
"""

import math
import time
from bisect import bisect_left
from collections import deque
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import accumulate
from threading import Lock
from typing import Final

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg
from streamlit.proto.ForwardMsg_pb2 import ForwardMsg
from streamlit.runtime.stats import GaugeStat, HistogramStat, Stat

from app.server.memory import memory

PAGES: Final = "open_pages"
WAITING: Final = "move_seconds"
MEMORY: Final = "process_memory_bytes"
BOUNDS: Final = (0.05, 0.1, 0.2, 0.5, 1.0, 1.5, 2.0, 5.0, 10.0, 30.0, math.inf)  # seconds
LATEST: Final = 500  # moves
STARTED: Final = time.time()  # when this server started
SMALL: Final = 200  # bytes: more than the message that a run has ended, which has no picture, takes


@dataclass
class Waiting:
    """How long visitors waited: counts of all moves by bounds, and the latest waits in seconds."""

    counts: list[int] = field(default_factory=lambda: [0] * len(BOUNDS))
    seconds: float = 0.0
    latest: deque[float] = field(default_factory=lambda: deque(maxlen=LATEST))
    pages: int = 0
    lock: Lock = field(default_factory=Lock)

    def add(self, seconds: float) -> None:
        """Record one move."""
        with self.lock:
            self.counts[bisect_left(BOUNDS, seconds)] += 1
            self.seconds += seconds
            self.latest.append(seconds)

    def quantile(self, share: float) -> float | None:
        """Return the seconds within which a share of the latest moves ended; None before any."""
        with self.lock:
            latest = sorted(self.latest)
        return latest[math.ceil(share * len(latest)) - 1] if latest else None

    @property
    def stats_families(self) -> Sequence[str]:
        return PAGES, WAITING, MEMORY

    def get_stats(self, _families: Sequence[str] | None = None) -> Mapping[str, Sequence[Stat]]:
        """Return the measurements in the form that Streamlit's metrics need."""
        with self.lock:
            buckets = tuple(zip(BOUNDS, accumulate(self.counts), strict=True))
            seconds = self.seconds
        waited = HistogramStat(
            WAITING,
            buckets,
            seconds,
            buckets[-1][1],
            unit="seconds",
            help="From a move to its end.",
        )
        return {
            PAGES: [GaugeStat(PAGES, self.pages, help="Pages that are open in a browser.")],
            WAITING: [waited],
            MEMORY: [GaugeStat(MEMORY, memory(), unit="bytes", help="Memory of the server.")],
        }


WAITED: Final = Waiting()


class TimedMoves:
    """Measures each move of a visitor from the message that requests it to the one that ends it."""

    def __init__(self, app: ASGIApp, waiting: Waiting = WAITED) -> None:
        self.app, self.waiting = app, waiting

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            return await self.app(scope, receive, send)
        asked: list[float] = []  # when the current run was first requested

        async def receive_timed() -> Message:
            message = await receive()
            if _asks(message) and not asked:
                asked.append(time.perf_counter())
            return message

        async def send_timed(message: Message) -> None:
            await send(message)
            if asked and _ends(message):
                self.waiting.add(time.perf_counter() - asked.pop())

        self.waiting.pages += 1
        try:
            await self.app(scope, receive_timed, send_timed)
        finally:
            self.waiting.pages -= 1


def _asks(message: Message) -> bool:
    try:
        return BackMsg.FromString(message.get("bytes") or b"").HasField("rerun_script")
    except DecodeError:
        return False


def _ends(message: Message) -> bool:
    data: bytes = message.get("bytes") or b""
    if len(data) > SMALL:
        return False
    told = ForwardMsg.FromString(data)
    ended = told.WhichOneof("type") == "script_finished"
    return ended and told.script_finished != ForwardMsg.FINISHED_EARLY_FOR_RERUN
