"""The only way to watch or change what happens inside a model: a function passed to the call.

Every named activation passes through `hook(name, tensor) -> tensor`. Nothing is ever stored on a
module, so two callers that share a model never see each other's numbers.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Protocol

import numpy as np
from torch import Tensor


class Hook(Protocol):
    """Receives each named activation and returns it, or its replacement."""

    def __call__(self, name: str, tensor: Tensor) -> Tensor: ...

    def at(self, scope: str) -> Hook:
        """Return the same hook for names below `scope`."""
        return _Scoped(self, scope)

    def step(self, index: int) -> Hook:
        """Return the same hook for one step of a loop, which computes one token, (…, 1, D)."""
        return self


class _NoHook(Hook):
    def __call__(self, name: str, tensor: Tensor) -> Tensor:
        return tensor

    def at(self, scope: str) -> Hook:
        return self


NO_HOOK: Hook = _NoHook()


class _Scoped(Hook):
    """A hook below a scope, which it prepends to each name."""

    def __init__(self, hook: Hook, scope: str) -> None:
        self.hook, self.scope = hook, scope

    def __call__(self, name: str, tensor: Tensor) -> Tensor:
        return self.hook(f"{self.scope}.{name}", tensor)

    def step(self, index: int) -> Hook:
        return _Scoped(self.hook.step(index), self.scope)


class _Joined(Hook):
    """A recorder during the later steps of a loop: it appends their rows to the earlier ones."""

    def __init__(self, recorder: Recorder) -> None:
        self.recorder = recorder

    def __call__(self, name: str, tensor: Tensor) -> Tensor:
        before = self.recorder.arrays.pop(name)
        self.recorder(name, tensor)
        rows = self.recorder.arrays[name]
        self.recorder.arrays[name] = np.concatenate([before, rows], axis=-2)
        return tensor


class Recorder(Hook):
    """Keeps a NumPy copy of every activation of one call, batch dimension included."""

    def __init__(self) -> None:
        self.arrays: dict[str, np.ndarray] = {}

    def __call__(self, name: str, tensor: Tensor) -> Tensor:
        assert name not in self.arrays, f"{name} was recorded twice"
        self.arrays[name] = tensor.detach().float().cpu().numpy().copy()
        return tensor

    def step(self, index: int) -> Hook:
        return _Joined(self) if index else self


class Chain(Hook):
    """Two hooks in sequence: the second receives what the first returns."""

    def __init__(self, first: Hook, second: Hook) -> None:
        self.first, self.second = first, second

    def __call__(self, name: str, tensor: Tensor) -> Tensor:
        return self.second(name, self.first(name, tensor))

    def step(self, index: int) -> Hook:
        return Chain(self.first.step(index), self.second.step(index))


class Intervention(Hook):
    """Replaces named activations with the result of a function."""

    def __init__(self, changes: Mapping[str, Callable[[Tensor], Tensor]]) -> None:
        self.changes = changes

    def __call__(self, name: str, tensor: Tensor) -> Tensor:
        change = self.changes.get(name)
        return change(tensor) if change else tensor
