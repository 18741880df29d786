"""The queue before the model is fair, tells places, and is left by whoever does not wait on."""

import threading
import time
from collections.abc import Callable, Iterator
from concurrent.futures import Future, ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import pytest

from app.data import cache as caches
from app.data import queue as queues
from app.data.cache import BoundedCache
from app.data.child import timed
from app.data.queue import (
    MOST_BEGUN,
    SECONDS_A_SHARE,
    SECONDS_COUNTED,
    MostWaiting,
    Queue,
    QueueFullError,
    giving_way,
)
from app.page import live_training
from app.page.live_training import Live

SOON = 60.0  # seconds, by which all that is waited for here has long happened


class GoneError(BaseException):
    """What ends the run of a page that was closed."""


@dataclass
class Crowd:
    """Visitors in threads of their own; all they do in a turn is to say so."""

    queue: Queue
    pool: ThreadPoolExecutor
    said: list[str] = field(default_factory=list)
    names: threading.local = field(default_factory=threading.local)

    def ask(
        self, name: str, visitor: str = "", do: Callable[[], object] = int, named: bool = True
    ) -> "Future[None]":
        """Let somebody enter the queue, and come back when they are in it or have their turn."""

        def work() -> None:
            self.names.visitor = visitor or name
            with self.queue.turn(name if named else None):
                self.said.append(name)
                do()

        asked = self.pool.submit(work)
        # The queue's length tells nothing: others enter and leave it meanwhile.
        until(lambda: asked.done() or name in self.said or self.waits(name))
        return asked

    def waits(self, name: str) -> bool:
        with self.queue._lock:  # who is called at once is put into the queue first
            return any(name in (turn.work, turn.visitor) for turn in self.queue._waiting)

    @contextmanager
    def busy(self) -> Iterator[None]:
        """Let somebody compute all the while."""
        over = threading.Event()
        first = self.ask("busy", do=lambda: over.wait(SOON))
        try:
            yield
        finally:
            over.set()
            first.result(SOON)


def until(holds: Callable[[], bool]) -> None:
    end = time.monotonic() + SOON
    while not holds():
        assert time.monotonic() < end
        time.sleep(0.001)


@pytest.fixture
def crowd(monkeypatch: pytest.MonkeyPatch) -> Iterator[Crowd]:
    """Visitors, some of them at an address, of a machine with one core on which no time passes."""
    with ThreadPoolExecutor(16) as pool:
        crowd = Crowd(Queue(1, patience=0.001, clock=lambda: 0.0, now=lambda: 0.0), pool)
        crowd.queue.who = lambda: getattr(crowd.names, "visitor", "")
        crowd.queue.where = lambda: getattr(crowd.names, "visitor", "").partition("@")[2]
        for module in (queues, caches, live_training):
            monkeypatch.setattr(module, "QUEUE", crowd.queue)
        yield crowd


def end(*asked: "Future[Any]") -> None:
    """Wait until all is over."""
    for one in asked:
        one.result(SOON)


def test_first_come_first_served_and_who_asks_much_comes_after_others(crowd: Crowd) -> None:
    with crowd.busy():
        asked = [crowd.ask(f"greedy {i}", "greedy") for i in range(3)]
        asked += [crowd.ask(name) for name in ("ann", "bob")]
        assert [crowd.queue.place(name) for name in ("greedy 1", "ann", "bob")] == [4, 2, 3]
    end(*asked)
    assert crowd.said == ["busy", "greedy 0", "ann", "bob", "greedy 1", "greedy 2"]


def test_many_pages_at_one_address_come_after_another_addresses(crowd: Crowd) -> None:
    """Fifty sockets without a cookie were fifty visitors, and another one waited for them all."""
    with crowd.busy():
        asked = [crowd.ask(f"{i}@stranger") for i in range(4)] + [crowd.ask("ann@home")]
        assert [crowd.queue.place(name) for name in ("1@stranger", "ann@home")] == [3, 2]
    end(*asked)
    assert crowd.said[:3] == ["busy", "0@stranger", "ann@home"]


@pytest.mark.parametrize(
    "most", [MostWaiting(visitor=2), MostWaiting(address=2), MostWaiting(all=2)]
)
def test_so_much_waits_and_no_more(crowd: Crowd, most: MostWaiting) -> None:
    """All that was asked for waited, in a thread and with a page's memory each."""
    crowd.queue.most = most
    with crowd.busy():
        waiting = [crowd.ask(str(i), "greedy@home") for i in range(2)]
        with pytest.raises(QueueFullError):
            end(crowd.ask("one too many", "greedy@home"))
        assert len(crowd.queue) == 2
        if most.all > 2:
            waiting.append(crowd.ask("ann@work"))
    end(*waiting)
    end(crowd.ask("later", "greedy@home"))
    assert "one too many" not in crowd.said


class SlowLock:
    """A lock after which a thread rests: whatever two blocks under it do, others come between."""

    def __init__(self) -> None:
        self.lock = threading.Lock()

    def __enter__(self) -> None:
        self.lock.acquire()

    def __exit__(self, *_error: object) -> None:
        self.lock.release()
        time.sleep(0.05)


def test_of_a_burst_no_more_wait_than_may(crowd: Crowd, monkeypatch: pytest.MonkeyPatch) -> None:
    """Fifteen who came at once each saw an empty queue, and then all of them waited in it."""
    crowd.queue.most = MostWaiting(all=2)
    with crowd.busy():
        monkeypatch.setattr(crowd.queue, "_lock", SlowLock())
        asked = [crowd.pool.submit(crowd.queue.turn().__enter__) for _ in range(8)]
        until(lambda: sum(one.done() for one in asked) == 6)
        assert len(crowd.queue) == 2
    full = [one for one in asked if isinstance(one.exception(SOON), QueueFullError)]
    assert len(full) == 6


def test_what_takes_long_and_gives_no_way_keeps_nobody_out(crowd: Crowd) -> None:
    """Two who load large models would have held a whole class."""
    now = 0.0
    crowd.queue.now = lambda: now
    with crowd.busy():
        waits = crowd.ask("ann")
        assert len(crowd.queue) == 1
        now = SECONDS_COUNTED
        end(waits)


def test_the_place_that_one_is_told_counts_down(crowd: Crowd) -> None:
    told: dict[str, list[int]] = {"ann": [], "bob": []}  # who does not wait is told nothing
    crowd.queue.tell = lambda place: told[crowd.names.visitor].append(place)
    ends = {name: threading.Event() for name in ("first", "ann")}
    first = crowd.ask("first", do=lambda: ends["first"].wait(SOON))
    asked = [crowd.ask("ann", do=lambda: ends["ann"].wait(SOON), named=False)]
    asked.append(crowd.ask("bob", named=False))  # as pages are: there is no work of the same name
    until(lambda: 1 in told["ann"] and 2 in told["bob"])
    ends["first"].set()
    until(lambda: told["bob"][-1] == 1)
    ends["ann"].set()
    end(first, *asked)
    assert list(dict.fromkeys(told["ann"])) == [1, 0], "0: no line is left on the page"
    assert list(dict.fromkeys(told["bob"])) == [2, 1, 0]


def test_who_closes_the_page_leaves_the_queue(crowd: Crowd) -> None:
    def tell(place: int) -> None:
        if crowd.names.visitor == "ann" and crowd.queue.place("bob"):
            raise GoneError

    crowd.queue.tell = tell
    with crowd.busy():
        gone, waits = crowd.ask("ann"), crowd.ask("bob")
        with pytest.raises(GoneError):
            end(gone)
        until(lambda: crowd.queue.place("bob") == 1)
    end(waits)
    assert crowd.said == ["busy", "bob"]


def test_what_goes_wrong_in_a_turn_ends_it(crowd: Crowd) -> None:
    with pytest.raises(ZeroDivisionError):
        end(crowd.ask("ann", do=lambda: 1 // 0))
    end(crowd.ask("bob"))


def test_long_work_gives_way_between_its_steps_once_it_had_its_share(crowd: Crowd) -> None:
    """One sentence of a hundred tokens held all others until its end."""
    now, step, asked, begun = 0.0, threading.Semaphore(0), [], list[int]()
    crowd.queue.clock = lambda: now

    def write() -> None:
        for token in giving_way(range(4)):
            begun.append(token)
            assert step.acquire(timeout=SOON)
            crowd.said.append(f"token {token}")

    long = crowd.ask("long", do=write)
    asked.append(crowd.ask("ann"))
    step.release(2)
    until(lambda: 2 in begun)
    assert crowd.said == ["long", "token 0", "token 1"], "not before it had its share"
    now = SECONDS_A_SHARE
    step.release()
    asked[0].result(SOON)
    until(lambda: len(crowd.queue) == 0)
    assert crowd.said[3:] == ["token 2", "ann"]
    step.release()
    end(long)
    assert crowd.said[5:] == ["token 3"]


def test_thirty_who_want_the_same_compute_it_once_and_others_meanwhile(crowd: Crowd) -> None:
    """Who waits for another's work takes no turn from those who could compute."""
    cache, computed, over = BoundedCache(2**20), [], threading.Event()
    crowd.queue.at_once = 2

    def example() -> str:
        computed.append("example")
        assert over.wait(SOON)
        return "translated"

    with ThreadPoolExecutor(30) as pool:
        class_ = [pool.submit(cache.get, "example", example) for _ in range(30)]
        until(lambda: computed == ["example"])
        assert cache.get("another", lambda: "at once") == "at once"
        over.set()
        assert {one.result(SOON) for one in class_} == {"translated"}
    assert computed == ["example"]


def test_work_that_needs_what_waits_for_its_turn_lets_it_through(crowd: Crowd) -> None:
    """A run with changes needs the unchanged one, which may be another visitor's in the queue."""
    cache, begun, go_on = BoundedCache(2**20), threading.Event(), threading.Event()

    def changed() -> str:
        begun.set()
        assert go_on.wait(SOON)
        return "changed " + cache.get("original", lambda: "run")

    one = crowd.pool.submit(cache.get, "changed", changed)
    assert begun.wait(SOON)
    other = crowd.pool.submit(cache.get, "original", lambda: "run")
    until(lambda: len(crowd.queue) == 1)
    go_on.set()
    assert (one.result(SOON), other.result(SOON)) == ("changed run", "run")


def test_who_takes_over_what_another_left_computes_it(crowd: Crowd) -> None:
    cache, fails = BoundedCache(2**20), threading.Event()

    def leave() -> str:
        assert fails.wait(SOON)
        raise GoneError

    first = crowd.pool.submit(cache.get, "key", leave)
    until(lambda: "key" in cache._computing)
    second = crowd.pool.submit(cache.get, "key", lambda: "value")
    fails.set()
    with pytest.raises(GoneError):
        end(first)
    assert second.result(SOON) == "value"


def test_a_training_on_the_page_outlives_a_wait_that_was_broken_off(crowd: Crowd) -> None:
    """It gives way to others between its steps, and while it lets the eye follow."""
    live = Live("live", "about", timed(lambda: iter("abc")))

    def tell(place: int) -> None:
        if crowd.names.visitor == "trains":
            raise GoneError

    crowd.queue.tell = tell
    begun = threading.Event()

    def train() -> None:
        live.advance(2, pause=lambda count: 0.001 if begun.wait(SOON) else 0.0)

    trains = crowd.ask("trains", do=train)
    with ThreadPoolExecutor(1) as pool:
        busy = pool.submit(crowd.ask, "ann", do=lambda: until(trains.done))
        until(lambda: len(crowd.queue) == 1)
        begun.set()
        with pytest.raises(GoneError):
            end(trains)
        busy.result(SOON).result(SOON)
    assert (live.reports, live.over) == (["a"], False)
    live.advance()
    assert live.reports == ["a", "b", "c"]


def test_who_computed_less_comes_first_and_at_once(crowd: Crowd) -> None:
    """A stranger's forty long sentences had every other turn: five visitors waited 20 times longer.

    Each turn was worth the same, 0.2 s of theirs and 0.02 s of the others'.
    """
    crowd.queue.at_once = 2
    clock, step, begun = threading.local(), threading.Semaphore(0), list[int]()
    crowd.queue.clock = lambda: getattr(clock, "seconds", 0.0)

    def write() -> None:
        for token in giving_way(range(9)):
            begun.append(token)
            clock.seconds = crowd.queue.clock() + SECONDS_A_SHARE
            assert step.acquire(timeout=SOON)

    over = threading.Event()
    long = [crowd.ask(f"{i}@stranger", do=write) for i in range(3)]
    until(lambda: len(crowd.queue) == 1)
    step.release(6)  # each has had shares
    until(lambda: len(begun) == 6 + 2)  # and two wait for a step: a thread may run late
    assert len(crowd.said) == 3
    ann = crowd.ask("ann@home", do=lambda: over.wait(SOON))
    step.release(2)
    # Before the third, and with nobody beside.
    until(lambda: len(crowd.queue) == 3 and crowd.said[3:] == ["ann@home"])
    over.set()
    end(ann)
    step.release(99)
    end(*long)


def test_whoever_was_away_is_not_far_behind(crowd: Crowd) -> None:
    """Else who comes once a day could compute for long while nobody else does."""
    queue = crowd.queue
    busy, away = (queues._Turn(name, name, None) for name in ("busy", "away"))
    queue._account(busy)
    queue._computing.append(busy)
    queue._account(away)
    assert queue._rank(away) == queue._rank(busy), "who is new is not put before others"
    queue._of_address["busy"] = queue._of_visitor["busy"] = 60.0
    queue._account(away)
    assert queue._rank(away) == (59.0, 0.0)


def test_of_an_address_few_have_begun_at_a_time_but_who_computed_less(crowd: Crowd) -> None:
    """Forty long sentences were each half done, with 25 to 100 MB: 2.5 GB."""
    crowd.queue.where = lambda: "network"
    crowd.queue.clock = lambda: getattr(crowd.names, "clock", 0.0)
    step, begun, at_a_time = threading.Semaphore(0), set[str](), set[int]()

    def write() -> None:
        name = crowd.names.visitor
        begun.add(name)
        for _token in giving_way(range(3)):
            assert step.acquire(timeout=SOON)
            crowd.names.clock = crowd.queue.clock() + SECONDS_A_SHARE
            at_a_time.add(len(begun))
        begun.remove(name)

    long = [crowd.ask(f"long {i}", do=write) for i in range(MOST_BEGUN + 2)]
    step.release(MOST_BEGUN)
    until(lambda: len(begun) == MOST_BEGUN and not step._value)
    crowd.queue._of_visitor["ann"] = -1.0  # is known, and has computed less than all
    ann = crowd.ask("ann")
    step.release(1)
    end(ann)
    assert len(begun) == MOST_BEGUN
    step.release(99)
    end(*long)
    assert max(at_a_time) == MOST_BEGUN


def test_nobody_gives_way_to_who_may_not_begin_yet(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Six long sentences took turns after each token, as a seventh had not computed at all."""
    queue = crowd.queue
    begun = [queues._Turn(name, "network", None) for name in range(MOST_BEGUN)]
    new = queues._Turn("new", "network", None)
    queue._of_address["network"] = 60.0
    for turn in (*begun, new):
        turn.has_begun = turn is not new
        queue._of_visitor[turn.visitor] = 10.0 * turn.has_begun
    queue._computing, queue._waiting, queue._own.turn = begun[:1], [*begun[1:], new], begun[0]
    begun[0].until = queue.clock() + SECONDS_A_SHARE
    entered: list[object] = []
    monkeypatch.setattr(queue, "_enter", entered.append)
    queue.give_way()
    assert not entered
    queue._waiting.pop(0)  # one of the six is over
    queue.give_way()
    assert entered == begun[:1]


def test_who_finds_the_queue_full_is_held_and_comes_in_when_there_is_room(
    crowd: Crowd, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Sixty who were told so at once asked again at once, 24 times a second."""
    monkeypatch.setattr(queues, "SECONDS_A_HOLD", 0.02)
    crowd.queue.most, crowd.queue.holds = MostWaiting(all=1), 10_000
    told: list[int] = []
    crowd.queue.tell = told.append
    with crowd.busy():
        first = crowd.ask("ann")
        second = crowd.pool.submit(crowd.queue.turn().__enter__)
        until(lambda: 2 in told)
        assert len(crowd.queue) == 1
    end(first, second)
