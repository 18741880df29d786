"""The part of PyTorch that translating, capturing and changing a run need, on NumPy alone.

In the browser it takes PyTorch's name, so that the model's own lines run there unchanged: there is
no second definition of any number. What it lacks says so when it is called (`absent`).
"""

import importlib
import math
import operator
from collections.abc import Sequence
from functools import partial
from typing import Any, Final

import numpy as np
from absent import absent

from torch.autograd import Remembering, remember
from torch.tensor import Tensor, tensor_of

inf: Final = math.inf
nan: Final = math.nan
float16, float32, float64 = (np.dtype(f"float{bits}") for bits in (16, 32, 64))
int8, int32, int64, uint8 = (np.dtype(name) for name in ("int8", "int32", "int64", "uint8"))
half, double, long, bool = float16, float64, int64, np.dtype("bool")
float = float32
dtype = np.dtype
Shape = int | Sequence[int]


class device:
    """Where a tensor lies: there is one place."""

    def __init__(self, kind: str = "cpu") -> None:
        self.type = kind


no_grad, enable_grad = partial(Remembering, False), partial(Remembering, True)


def inference_mode(mode: Any = True) -> Remembering:
    return Remembering(not mode)


def __getattr__(name: str) -> Any:
    """Return a module of this package, or what stands in the place of one that it lacks."""
    is_module = name[0].islower()
    return importlib.import_module(f"torch.{name}") if is_module else absent(f"torch.{name}")


class backends:
    """What multiplies besides NumPy: nothing does, so that no model is packed."""

    class quantized:
        supported_engines: Final = ()


def get_num_threads() -> int:
    return 1


def set_num_threads(_count: int) -> None:
    """Do nothing: a worker of a page has one."""


# Making tensors.


def tensor(data: Any, dtype: Any = None, device: Any = None, requires_grad: Any = False) -> Tensor:
    """Copy numbers into a tensor; Python's own become float32 or int64."""
    if isinstance(data, list | tuple):  # of numbers, some of them 0-dimensional tensors
        data = [one.tolist() if isinstance(one, np.ndarray) else one for one in data]
    return tensor_of(data, dtype, copy=True).requires_grad_(requires_grad)


def from_numpy(array: np.ndarray) -> Tensor:
    """Return an array as a tensor that shares its memory."""
    return array.view(Tensor)


def full(size: Shape, value: Any, dtype: Any = None, device: Any = None) -> Tensor:
    return tensor_of(np.full(size, value), dtype or tensor_of(value).dtype)


def zeros(*size: Any, dtype: Any = None, device: Any = None) -> Tensor:
    return np.zeros(_shape(size), dtype or float32).view(Tensor)


def ones(*size: Any, dtype: Any = None, device: Any = None) -> Tensor:
    return np.ones(_shape(size), dtype or float32).view(Tensor)


def empty(*size: Any, dtype: Any = None, device: Any = None) -> Tensor:
    """Return a tensor that is filled later; its numbers are not a number until then."""
    return np.full(_shape(size), np.nan, dtype or float32).view(Tensor)


def eye(n: int, dtype: Any = None, device: Any = None) -> Tensor:
    return np.eye(n, dtype=dtype or float32).view(Tensor)


def arange(*args: Any, dtype: Any = None, device: Any = None) -> Tensor:
    is_whole = all(isinstance(one, int | np.integer) for one in args)
    return tensor_of(np.arange(*args), dtype or (None if is_whole else float32))


def _shape(size: Sequence[Any]) -> tuple[int, ...]:
    first = size[0] if size else ()
    return tuple(first) if isinstance(first, Sequence) else tuple(size)


def zeros_like(x: Tensor, dtype: Any = None) -> Tensor:
    return np.zeros(x.shape, dtype or x.dtype).view(Tensor)


def full_like(x: Tensor, value: Any, dtype: Any = None) -> Tensor:
    return np.full(x.shape, value, dtype or x.dtype).view(Tensor)


# Computing with them.


def where(condition: Any, x: Any, y: Any) -> Tensor:
    x, y = (one if isinstance(one, Tensor) else tensor_of(one) for one in (x, y))
    if x.dtype != y.dtype and not (x.ndim and y.ndim):  # a lone number takes the other's type
        strong = x if x.ndim or not y.ndim else y
        x, y = x.to(strong.dtype), y.to(strong.dtype)
    chosen = np.asarray(condition)
    made = np.where(chosen, np.asarray(x), np.asarray(y)).view(Tensor)
    return remember(
        made, (x, y), (lambda g: np.where(chosen, g, 0), lambda g: np.where(chosen, 0, g))
    )


def cat(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Join tensors along a dimension that they have."""
    made = np.concatenate([np.asarray(one) for one in tensors], axis=dim).view(Tensor)
    ends = np.cumsum([one.shape[dim] for one in tensors])
    backs = [
        partial(np.take, indices=range(end - one.shape[dim], end), axis=dim)
        for one, end in zip(tensors, ends, strict=True)
    ]
    return remember(made, tensors, backs)


def stack(tensors: Sequence[Tensor], dim: int = 0) -> Tensor:
    """Join tensors along a new dimension."""
    made = np.stack([np.asarray(one) for one in tensors], axis=dim).view(Tensor)
    backs = [partial(np.take, indices=i, axis=dim) for i in range(len(tensors))]
    return remember(made, tensors, backs)


def isin(x: Tensor, members: Any) -> Tensor:
    return np.isin(np.asarray(x), np.asarray(members)).view(Tensor)


def softmax(x: Tensor, dim: int, dtype: Any = None) -> Tensor:
    return (x if dtype is None else x.to(dtype)).softmax(dim)


def log_softmax(x: Tensor, dim: int, dtype: Any = None) -> Tensor:
    return (x if dtype is None else x.to(dtype)).log_softmax(dim)


def diff(x: Tensor, dim: int = -1, prepend: Tensor | None = None) -> Tensor:
    before = {} if prepend is None else {"prepend": np.asarray(prepend)}
    return np.diff(x._numbers, axis=dim, **before).view(Tensor)


exp, sqrt, tanh = np.exp, np.sqrt, np.tanh
log, relu, sigmoid = Tensor.log, Tensor.relu, Tensor.sigmoid
add, sub, mul, div, pow, neg = (
    getattr(operator, name) for name in ("add", "sub", "mul", "truediv", "pow", "neg")
)


# Drawing tokens.


class Generator:
    """A generator of random numbers: NumPy's, which draws others than PyTorch's from a seed."""

    def manual_seed(self, seed: int) -> "Generator":
        self.random = np.random.default_rng(seed)
        return self


def multinomial(shares: Tensor, count: int, *, generator: Generator) -> Tensor:
    """Draw one number from each row of shares, (B, V) -> (B, 1)."""
    assert count == 1, "tokens are drawn one by one"
    sums = np.cumsum(np.asarray(shares, np.float64), axis=-1)
    drawn = generator.random.random((len(sums), 1)) * sums[:, -1:]
    return np.minimum((sums <= drawn).sum(-1, keepdims=True), sums.shape[-1] - 1).view(Tensor)
