"""Gradients: what is computed from a tensor that needs them remembers how to go back."""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterator, Sequence
from contextlib import ContextDecorator
from functools import wraps
from typing import Any, NamedTuple

import numpy as np

Back = Callable[[np.ndarray], np.ndarray]


class Origin(NamedTuple):
    """What a tensor was computed from: its inputs, and how its gradient goes back to each."""

    inputs: tuple[Any, ...]
    backs: tuple[Back, ...]


LEAF = Origin((), ())


class Remembering(ContextDecorator):
    """Whether what is computed is remembered: so by default, as in PyTorch."""

    now = True

    def __init__(self, wanted: bool) -> None:
        self.wanted = wanted
        self.before: list[bool] = []

    def __enter__(self) -> None:
        self.before.append(Remembering.now)
        Remembering.now = self.wanted

    def __exit__(self, *_: object) -> None:
        Remembering.now = self.before.pop()

    def __call__(self, function: Callable[..., Any]) -> Callable[..., Any]:
        """Decorate a function, or a generator at each of its steps."""
        if not inspect.isgeneratorfunction(function):
            return super().__call__(function)

        @wraps(function)
        def steps(*args: Any, **kwargs: Any) -> Iterator[Any]:
            running = function(*args, **kwargs)
            while True:
                with self:
                    try:
                        made = next(running)
                    except StopIteration:
                        return
                yield made

        return steps


def needed(tensor: Any) -> bool:
    """Return whether what is computed from a tensor is to be remembered."""
    return Remembering.now and getattr(tensor, "requires_grad", False)


def remember(result: Any, inputs: Sequence[Any], backs: Sequence[Back]) -> Any:
    """Return a result that knows its origin, if one of its inputs needs gradients."""
    if any(map(needed, inputs)):
        result.requires_grad, result.origin = True, Origin(tuple(inputs), tuple(backs))
    return result


def grad(output: Any, inputs: Sequence[Any], retain_graph: bool = False) -> tuple[Any, ...]:
    """Return the gradients of a single number by each of some tensors it was computed from."""
    asked = [inputs] if isinstance(inputs, np.ndarray) else list(inputs)
    found = _gradients(output, {id(one) for one in asked})
    return tuple(found[id(one)].view(type(output)) for one in asked)


def backward(output: Any) -> None:
    """Give each tensor that a number was computed from, and that needs it, its gradient."""
    every = list(_in_order(output))
    found = _gradients(output, {id(one) for one in every})
    for one in every:
        if one.requires_grad:
            one.grad = found[id(one)].view(type(output))


def _gradients(output: Any, asked: set[int]) -> dict[int, np.ndarray]:
    """Go back from a number; only ways that lead to what is asked for are gone."""
    assert output.ndim == 0, "the gradient of a single number"
    order = list(_in_order(output))
    leads = set(asked)
    for one in order:
        if any(id(source) in leads for source in one.origin.inputs):
            leads.add(id(one))
    found = {id(output): np.ones_like(np.asarray(output))}
    for one in reversed(order):
        slope = found.get(id(one))
        if slope is None:
            continue
        for source, back in zip(*one.origin, strict=True):
            if id(source) in leads:
                part = _shrunk(back(slope), source)
                found[id(source)] = found[id(source)] + part if id(source) in found else part
    return found


def _in_order(output: Any) -> Iterator[Any]:
    """Yield the tensors that a result was computed from, each after its own inputs."""
    seen: set[int] = set()
    waiting = [(output, False)]
    while waiting:
        one, is_done = waiting.pop()
        if is_done:
            yield one
        elif id(one) not in seen and getattr(one, "requires_grad", False):
            seen.add(id(one))
            waiting.append((one, True))
            waiting += [(source, False) for source in one.origin.inputs]


def _shrunk(slope: np.ndarray, source: Any) -> np.ndarray:
    """Sum a gradient over the dimensions along which its tensor was repeated."""
    extra = tuple(range(slope.ndim - source.ndim))
    slope = slope.sum(axis=extra) if extra else slope
    wide = tuple(i for i, n in enumerate(source.shape) if n == 1 and slope.shape[i] > 1)
    slope = slope.sum(axis=wide, keepdims=True) if wide else slope
    return slope.astype(source.dtype, copy=False)


def _matmul(a: np.ndarray, b: np.ndarray) -> tuple[Back, Back]:
    if b.ndim == 1:
        return lambda g: g[..., None] * b, lambda g: np.swapaxes(a, -1, -2) @ g
    return lambda g: g @ np.swapaxes(b, -1, -2), lambda g: np.swapaxes(a, -1, -2) @ g


# How the gradient g of a result goes back to its operands.
UFUNCS: dict[np.ufunc, Callable[..., tuple[Back, ...]]] = {
    np.add: lambda y, a, b: (lambda g: g, lambda g: g),
    np.subtract: lambda y, a, b: (lambda g: g, lambda g: -g),
    np.multiply: lambda y, a, b: (lambda g: g * b, lambda g: g * a),
    np.true_divide: lambda y, a, b: (lambda g: g / b, lambda g: -g * y / b),
    np.matmul: lambda y, a, b: _matmul(a, b),
    np.negative: lambda y, a: (lambda g: -g,),
    np.power: lambda y, a, b: (lambda g: g * b * a ** (b - 1), lambda g: g * y * np.log(a)),
    np.maximum: lambda y, a, b: (lambda g: g * (a > b), lambda g: g * (b > a)),
    np.exp: lambda y, a: (lambda g: g * y,),
    np.log: lambda y, a: (lambda g: g / a,),
    np.sqrt: lambda y, a: (lambda g: g / (2 * y),),
    np.square: lambda y, a: (lambda g: g * 2 * a,),
    np.tanh: lambda y, a: (lambda g: g * (1 - y * y),),
    np.absolute: lambda y, a: (lambda g: g * np.sign(a),),
}
