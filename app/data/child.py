"""Generators in a process of their own: what they compute does not hold this server's interpreter.

The child is this file as a command. It gets the generator, pickled, makes an item each time it is
asked for one, and ends with the page that asks.
"""

import pickle
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from itertools import islice
from pathlib import Path
from typing import Any, Final, TypeVar

from model.background import give_way

R = TypeVar("R")
ROOT: Final = Path(__file__).parents[2]
NICE: Final = 10


def timed(begin: Callable[[], Iterator[R]]) -> Iterator[tuple[float, R]]:
    """Yield each item of a generator with the seconds that it took to compute."""
    start = time.perf_counter()
    for item in begin():
        yield time.perf_counter() - start, item
        start = time.perf_counter()


def in_child(begin: Callable[[], Iterator[R]]) -> Iterator[tuple[float, R]]:
    """Yield what `here` does, computed in another process but for the first item.

    The first is what a page opens with: most visitors want no more. `begin` can be pickled, and
    gives the same items each time. Raises EOFError where the process ends before its time.
    """
    yield from islice(timed(begin), 1)
    yield from islice(_rest(begin), 1, None)


def _rest(begin: Callable[[], Iterator[R]]) -> Iterator[tuple[float, R]]:
    command = [sys.executable, "-m", "app.data.child", str(NICE)]
    pipe = subprocess.PIPE
    with subprocess.Popen(command, stdin=pipe, stdout=pipe, cwd=ROOT) as child:
        assert child.stdin is not None
        assert child.stdout is not None
        try:
            pickle.dump(begin, child.stdin)
            while True:
                child.stdin.write(b"\n")
                child.stdin.flush()
                if (item := pickle.load(child.stdout)) is None:
                    return
                yield item
        finally:
            child.kill()


def _answer() -> None:
    """Compute as the child, an item for each byte that comes."""
    give_way(int(sys.argv[1]))
    begin: Callable[[], Iterator[Any]] = pickle.load(sys.stdin.buffer)
    items = timed(begin)
    while sys.stdin.buffer.read(1):
        pickle.dump(next(items, None), sys.stdout.buffer)
        sys.stdout.buffer.flush()


if __name__ == "__main__":
    _answer()
