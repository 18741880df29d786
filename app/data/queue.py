"""The queue before the model: a few draw and compute at a time, in fair order.

The address that has computed least comes first, and at one address the visitor who has; among
equals, first come, first served. Long work gives way between its steps, and at once to who has
computed less; at one address, so much has begun at a time. Of each visitor, of each address and in
all so much waits, and no more. Who waits for long is told their place, and leaves the queue when
what tells them raises: the page was closed, or asks for something newer.
"""

from __future__ import annotations

import math
import threading
import time
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Final, NamedTuple, TypeVar

from app.server.limits import LIMITS

T = TypeVar("T")
SECONDS_A_SHARE: Final = 0.2  # of computing, before it gives way to others: most work is done then
SECONDS_UNTOLD: Final = 0.5
SECONDS_BEHIND: Final = 1.0  # of computing that whoever was away may be behind the others, at most
MOST_BEGUN: Final = 6  # turns at one address: what has begun holds up to 100 MB until its end
SECONDS_A_HOLD, HOLDS = 5.0, 4  # of who finds the queue full
SECONDS_COUNTED: Final = 3.0  # what takes longer and does not give way keeps nobody from computing


class QueueFullError(Exception):
    """More waits than may: of one visitor, of one address, or in all."""


class MostWaiting(NamedTuple):
    """How many turns may wait: of one visitor, of one address, and in all."""

    visitor: float = math.inf
    address: float = math.inf
    all: float = math.inf


NO_LIMIT: Final = MostWaiting()


@dataclass(eq=False)
class _Turn:
    """A place in the queue, later one of those who compute, until its share is used up."""

    visitor: Hashable
    address: Hashable
    work: Hashable
    until: float = 0.0
    since: float = 0.0  # when it was called
    began: float | None = None  # the same by the clock of its thread, once that goes on
    has_begun: bool = False
    is_light: bool = False  # of who had computed less than all others at the address
    called: threading.Event = field(default_factory=threading.Event)


def _one_of_each(turns: Sequence[_Turn], by: Callable[[_Turn], Hashable]) -> list[_Turn]:
    """Return the first turn of each, then the second of each, and so on."""
    seen: Counter[Hashable] = Counter()
    ranked = []
    for turn in turns:
        ranked.append((seen[by(turn)], turn))
        seen[by(turn)] += 1
    return [turn for _rank, turn in sorted(ranked, key=itemgetter(0))]


class Queue:
    """Lets a few threads compute at a time.

    `tell` is called now and then by who waits, with the place in the queue from 1 on, and with 0
    when the waiting is over; `who` says whose work it is, and `where` from which address. The
    `clock` is that of a thread's own computing: on a busy machine a share lasts longer.
    """

    def __init__(
        self,
        at_once: int,
        patience: float = SECONDS_UNTOLD,
        clock: Callable[[], float] = time.thread_time,
        now: Callable[[], float] = time.monotonic,
        most: MostWaiting = NO_LIMIT,
        holds: int = 0,
    ) -> None:
        self.most, self.holds = most, holds
        self.at_once, self.patience, self.clock, self.now = at_once, patience, clock, now
        self.tell: Callable[[int], None] = lambda place: None
        self.who: Callable[[], Hashable] = lambda: None
        self.where: Callable[[], Hashable] = lambda: None
        self._lock = threading.Lock()
        self._waiting: list[_Turn] = []
        self._computing: list[_Turn] = []
        self._own = threading.local()  # the turn of this thread
        # The seconds that each has computed, since somebody was here last.
        self._of_address: dict[Hashable, float] = {}
        self._of_visitor: dict[Hashable, float] = {}

    def __len__(self) -> int:
        return len(self._waiting)

    @contextmanager
    def turn(self, work: Hashable = None) -> Iterator[None]:
        """Wait for a turn and compute within it; within another turn, it is the same one.

        Raises QueueFullError where too much waits already.
        """
        if self._mine is not None:
            yield
            return
        turn = self._own.turn = _Turn(self.who(), self.where(), work)
        try:
            self._enter_in_time(turn)
            yield
        finally:
            self._own.turn = None
            self._leave(turn)

    def give_way(self) -> None:
        """Let others compute who have computed less, and all who wait once this had its share."""
        turn = self._mine
        if turn is None:
            return
        had_share = self._waiting and self.clock() >= turn.until
        others = [*self._ready(), *self._counted()]
        if had_share or any(self._has_less(other, turn) for other in others):
            self._enter(turn)

    @contextmanager
    def aside(self) -> Iterator[None]:
        """Let others compute while this thread waits for something else than its turn."""
        turn = self._mine
        if turn is not None:
            self._leave(turn)
        yield
        if turn is not None:
            self._enter(turn)

    def wait_for(self, work: Hashable, done: threading.Event) -> None:
        """Wait until another thread has done some work."""
        with self.aside():
            self._wait(done, work)

    def place(self, work: Hashable) -> int:
        """Return the place of a turn or its work in the queue, from 1 on; 0 if it does not wait."""
        with self._lock:
            order = self._in_order()
        return next((i + 1 for i, turn in enumerate(order) if work in (turn, turn.work)), 0)

    @property
    def _mine(self) -> _Turn | None:
        return getattr(self._own, "turn", None)

    def _refuse_too_many(self, turn: _Turn, most: MostWaiting) -> None:
        waiting = [
            sum(other.visitor == turn.visitor for other in self._waiting),
            sum(other.address == turn.address for other in self._waiting),
            len(self._waiting),
        ]
        if any(count >= limit for count, limit in zip(waiting, most, strict=True)):
            raise QueueFullError

    def _enter_in_time(self, turn: _Turn) -> None:
        """Enter the queue; who finds it full is held for a while before they are told so.

        Else they would ask again at once: drawing what says no slows down those who compute.
        """
        for _ in range(self.holds):
            with suppress(QueueFullError):
                return self._enter(turn, self.most)
            time.sleep(SECONDS_A_HOLD)
            self.tell(len(self) + 1)
        return self._enter(turn, self.most)

    def _enter(self, turn: _Turn, most: MostWaiting = NO_LIMIT) -> None:
        turn.called.clear()
        with self._lock:  # of those who come at once, none is let in before the others count
            self._stop(turn)
            self._refuse_too_many(turn, most)
            self._account(turn)
            self._waiting.append(turn)
            self._call()
        self._wait(turn.called, turn)
        turn.began = self.clock()
        turn.until = turn.began + SECONDS_A_SHARE

    def _account(self, turn: _Turn) -> None:
        """Open an account for who is new, as full as the least one; none lies far behind."""
        here = [*self._waiting, *self._computing]
        if not here:
            self._of_address.clear()
            self._of_visitor.clear()
        neighbours = [other.visitor for other in here if other.address == turn.address]
        if turn.visitor in self._of_visitor:
            own = self._of_visitor[turn.visitor] + SECONDS_A_SHARE
            turn.is_light = all(own < self._of_visitor[other] for other in neighbours)
        for seconds, name, others in (
            (self._of_address, turn.address, [other.address for other in here]),
            (self._of_visitor, turn.visitor, neighbours),
        ):
            least = min((seconds[other] for other in others), default=0.0)
            seconds[name] = max(seconds.get(name, least), least - SECONDS_BEHIND)

    def _rank(self, turn: _Turn) -> tuple[float, float]:
        return self._of_address[turn.address], self._of_visitor[turn.visitor]

    def _has_less(self, one: _Turn, other: _Turn) -> bool:
        """Whether one has computed less than another, by more than a share."""
        at = int(one.address == other.address)  # who share an address are compared as visitors
        return self._rank(one)[at] + SECONDS_A_SHARE < self._rank(other)[at]

    def _counted(self) -> list[_Turn]:
        """Return who computes, but for who does so for long and gives no way."""
        now = self.now()
        return [turn for turn in self._computing if now - turn.since < SECONDS_COUNTED]

    def _ready(self) -> list[_Turn]:
        """Return who waits and may be called: at one address only so many have begun at a time."""
        here = (*self._waiting, *self._computing)
        begun = Counter(turn.address for turn in here if turn.has_begun)
        return [
            turn
            for turn in self._waiting
            if turn.has_begun or turn.is_light or begun[turn.address] < MOST_BEGUN
        ]

    def _leave(self, turn: _Turn) -> None:
        """Leave the queue, or let the next one compute."""
        with self._lock:
            self._stop(turn)
            self._call()

    def _stop(self, turn: _Turn) -> None:
        """Take a turn out of the queue, and note how long this thread has computed in it."""
        if turn.began is not None:
            spent = self.clock() - turn.began
            self._of_address[turn.address] += spent
            self._of_visitor[turn.visitor] += spent
            turn.began = None
        for turns in (self._waiting, self._computing):
            if turn in turns:
                turns.remove(turn)

    def _call(self) -> None:
        """Let who comes next compute, but none beside others who have computed less.

        There is one interpreter: who computes beside another makes it several times slower.
        """
        while len(counted := self._counted()) < self.at_once:
            turn = min(self._ready(), key=self._rank, default=None)
            if turn is None or any(self._has_less(other, turn) for other in counted):
                return
            self._waiting.remove(turn)
            # To the end: first what is of the same address, and after it the same visitor's.
            self._waiting.sort(
                key=lambda other: (other.address == turn.address, other.visitor == turn.visitor)
            )
            self._computing.append(turn)
            turn.since, turn.has_begun = self.now(), True
            turn.called.set()

    def _in_order(self) -> list[_Turn]:
        """Return who waits about as they will be called: the first of each, then the second."""
        by_visitor = _one_of_each(sorted(self._waiting, key=self._rank), lambda turn: turn.visitor)
        return _one_of_each(by_visitor, lambda turn: turn.address)

    def _wait(self, event: threading.Event, work: Hashable) -> None:
        place = 0
        # Who is far behind looks less often: each look takes time from those who compute.
        while not event.wait(self.patience * (1 + min(place // 10, 3))):
            with self._lock:
                self._call()
            place = self.place(work)
            self.tell(place)
        if place:
            self.tell(0)


QUEUE: Final = Queue(
    LIMITS.at_once,
    most=MostWaiting(LIMITS.waiting, LIMITS.address_waiting, LIMITS.all_waiting),
    holds=HOLDS,
)


def giving_way(steps: Iterable[T]) -> Iterator[T]:
    """Yield each step of long work, and let others compute in between."""
    for step in steps:
        yield step
        QUEUE.give_way()
