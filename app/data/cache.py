"""One cache for all that is computed from models, bounded in bytes: the least recently used goes.

All visitors share what is cached: nothing may change it.
"""

import gc
import sys
import threading
from collections import Counter, OrderedDict
from collections.abc import Callable, Hashable
from functools import wraps
from types import BuiltinFunctionType, FunctionType, ModuleType
from typing import Any, Final, ParamSpec, TypeVar

import numpy as np

from app.data.queue import QUEUE
from model.training.processor import trim_memory

P = ParamSpec("P")
R = TypeVar("R")
MOST_BYTES: Final = 512 * 2**20
NOT_HELD: Final = (type, ModuleType, FunctionType, BuiltinFunctionType)


class BoundedCache:
    """Values by key; `n_bytes` is what they hold together, an array that many share once."""

    def __init__(self, most_bytes: int) -> None:
        self.most_bytes = most_bytes
        self.n_bytes = 0
        self._values: OrderedDict[Hashable, tuple[Any, dict[int, int]]] = OrderedDict()
        self._holders: Counter[int] = Counter()
        self._lock = threading.Lock()
        self._computing: dict[Hashable, threading.Event] = {}  # set when it is done

    def __len__(self) -> int:
        return len(self._values)

    def get(self, key: Hashable, compute: Callable[[], R]) -> R:
        """Return a value, computed once even if several visitors wait for it."""
        while True:
            with self._lock:
                if key in self._values:
                    self._values.move_to_end(key)
                    return self._values[key][0]
                others = self._computing.get(key)
                if others is None:
                    done = self._computing[key] = threading.Event()
                    break
            QUEUE.wait_for(key, others)
        try:
            with QUEUE.turn(key):
                value = compute()
            self._keep(key, value)
        finally:
            with self._lock:
                del self._computing[key]
            done.set()
        return value

    def clear(self) -> None:
        """Forget everything."""
        with self._lock:
            while self._values:
                self._drop_oldest()

    def _keep(self, key: Hashable, value: object) -> None:
        parts = sizes(value)
        if sum(parts.values()) > self.most_bytes:
            return
        with self._lock:
            self._values[key] = value, parts
            for part, size in parts.items():
                self.n_bytes += 0 if self._holders[part] else size
                self._holders[part] += 1
            while self.n_bytes > self.most_bytes:
                self._drop_oldest()

    def _drop_oldest(self) -> None:
        _key, (_value, parts) = self._values.popitem(last=False)
        for part, size in parts.items():
            self._holders[part] -= 1
            if not self._holders[part]:
                del self._holders[part]
                self.n_bytes -= size


def sizes(value: object) -> dict[int, int]:
    """Return the bytes of each array and tensor in a value by address, of the rest by its own id.

    A view counts as the whole array that it keeps alive.
    """
    found, seen, left = {id(value): 0}, {id(value)}, [value]
    while left:
        part = left.pop()
        if isinstance(part, np.ndarray):
            while isinstance(part.base, np.ndarray):
                part = part.base
            found[part.ctypes.data] = part.nbytes
        elif (address := getattr(part, "data_ptr", None)) is not None:  # a tensor
            found[address()] = getattr(part, "nbytes", 0)
        else:
            found[id(value)] += sys.getsizeof(part)
        if isinstance(part, tuple) and part and isinstance(part[0], int):
            continue  # ids of tokens, 100,000 of them in a long beam, which share few objects
        for inner in gc.get_referents(part):
            if id(inner) not in seen and not isinstance(inner, NOT_HELD):
                seen.add(id(inner))
                left.append(inner)
    return found


CACHE: Final = BoundedCache(MOST_BYTES)


def let_go() -> None:
    """Give back all the memory of what was computed: it costs the next visitor a moment."""
    CACHE.clear()
    gc.collect()
    trim_memory()


def cached(by: str = "key") -> Callable[[Callable[P, R]], Callable[P, R]]:
    """Cache what a function makes of its arguments; one with an attribute `by` counts as that."""

    def decorate(function: Callable[P, R]) -> Callable[P, R]:
        @wraps(function)
        def from_cache(*args: P.args, **kwargs: P.kwargs) -> R:
            assert not kwargs, "what is cached is told by the order of its arguments"
            plain = (getattr(arg, by, arg) for arg in args)
            key = (function, *(tuple(arg) if isinstance(arg, list) else arg for arg in plain))
            return CACHE.get(key, lambda: function(*args, **kwargs))

        return from_cache

    return decorate
