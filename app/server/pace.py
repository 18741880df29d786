"""Rate limits: a visitor who exceeds them first gets a sentence as the answer, and then nothing."""

import asyncio
import secrets
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from google.protobuf.message import DecodeError
from starlette.types import ASGIApp, Message, Receive, Scope, Send
from streamlit.proto.BackMsg_pb2 import BackMsg

from app.server.limits import LIMITS
from app.server.visitors import Signer, address_of, cookies_of

OF_TIMER: Final = 0.1  # the cost of a request by a page's own timer, as a share of a move's
NO_MESSAGE: Final = b"\xff"  # stands for a text message, which no page sends
INVALID: Final = 1007  # the websocket close code for invalid data
SECONDS_BETWEEN_PAGES: Final = 0.05  # of one address
MOST_KNOWN: Final = 10_000  # visitors


class Allowance:
    """An allowance of one minute's requests for each visitor, refilled continuously.

    A visitor may go into debt by the same number of requests, and is told to wait meanwhile.
    """

    def __init__(self, a_minute: int, clock: Callable[[], float] = time.monotonic) -> None:
        self.a_minute, self.clock = a_minute, clock
        self._left: dict[str, tuple[float, float]] = {}  # requests left, and at what time

    def take(self, visitor: str, cost: float = 1.0) -> float:
        """Count a request, and return how many seconds to hold it back."""
        left = self._now(visitor) - cost
        if len(self._left) >= MOST_KNOWN and visitor not in self._left:
            waiting = [name for name in self._left if self._now(name) < self.a_minute]
            self._left = {name: self._left[name] for name in waiting}
        self._left[visitor] = left, self.clock()
        return max(0.0, -self.a_minute - left) * 60 / self.a_minute

    def wait(self, visitor: str) -> float:
        """Return how many seconds a visitor must wait for answers; 0 if they need not wait."""
        return max(0.0, -self._now(visitor)) * 60 / self.a_minute

    def _now(self, visitor: str) -> float:
        left, then = self._left.get(visitor, (float(self.a_minute), 0.0))
        return min(self.a_minute, left + (self.clock() - then) * self.a_minute / 60)


class Spacing:
    """Spaces out the pages that one address opens: to begin a page takes time from all others."""

    def __init__(self, seconds: float, clock: Callable[[], float] = time.monotonic) -> None:
        self.seconds, self.clock = seconds, clock
        self._next: dict[str, float] = {}

    def take(self, address: str) -> float:
        """Return how many seconds to hold back a page that opens now."""
        now = self.clock()
        if len(self._next) >= MOST_KNOWN:
            self._next = {name: then for name, then in self._next.items() if then > now}
        then = max(now, self._next.get(address, 0.0))
        self._next[address] = then + self.seconds
        return then - now


PACE: Final = Allowance(LIMITS.requests)
OF_ADDRESSES: Final = Allowance(LIMITS.address_requests)
OPENED: Final = Spacing(SECONDS_BETWEEN_PAGES)


@dataclass
class AtTheirPace:
    """Counts the requests of each visitor and address, and delays them if there are far too many.

    A connection that sends what no page sends is closed: Streamlit would log a traceback for each
    such message.
    """

    app: ASGIApp
    signer: Signer | None = None
    pace: Allowance = PACE
    of_addresses: Allowance = OF_ADDRESSES
    opened: Spacing = OPENED

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "websocket":
            return await self.app(scope, receive, send)
        visitor = self.signer.visitor(cookies_of(scope)) if self.signer else ""
        # A visitor who is not identified yet has a pace for each page: with a common one, a single
        # visitor could keep all others from logging in.
        visitor, address = visitor or secrets.token_hex(8), address_of(scope)

        async def receive_at_pace() -> Message:
            message = await receive()
            if message["type"] != "websocket.receive":
                return message
            try:
                asked = BackMsg.FromString(message.get("bytes") or NO_MESSAGE)
            except DecodeError:
                return {"type": "websocket.disconnect", "code": INVALID}
            of_timer = asked.rerun_script.is_auto_rerun
            cost = OF_TIMER if of_timer else 1.0
            seconds = self.pace.take(visitor, cost), self.of_addresses.take(address, cost)
            await asyncio.sleep(max(seconds))
            return {**message, "bytes": without_presses(asked)} if of_timer else message

        opening = self.of_addresses.take(address)  # opening a page counts as a move
        await asyncio.sleep(max(opening, self.opened.take(address)))
        return await self.app(scope, receive_at_pace, send)


def without_presses(asked: BackMsg) -> bytes:
    """Return a request of a page's timer without the presses of buttons that it carries.

    The browser sends a press by itself too, a moment later: a timer that fires in between would
    make it count twice, and *Pause* play on.
    """
    states = asked.rerun_script.widget_states.widgets
    kept = [state for state in states if "trigger" not in (state.WhichOneof("value") or "")]
    del states[:]
    states.extend(kept)
    return asked.SerializeToString()
