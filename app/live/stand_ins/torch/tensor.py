"""A tensor is an array of NumPy with PyTorch's methods, types and names of dimensions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
from absent import AbsentError, absent

from torch.autograd import LEAF, UFUNCS, Back, backward, needed, remember

SINGLE: Final = np.dtype("float32")
DOUBLE: Final = np.dtype("float64")
ALIKE: Final = ("abs", "exp", "sqrt", "square", "sin", "cos", "tanh", "floor", "isnan", "isfinite")


class Extremes(NamedTuple):
    """The largest or smallest numbers along a dimension, and where they stand."""

    values: Any
    indices: Any


class Tensor(np.ndarray):
    """An array whose methods are PyTorch's; there is one device."""

    requires_grad = False
    origin = LEAF
    grad: Any = None

    def __array_ufunc__(
        self, ufunc: np.ufunc, method: str, *inputs: Any, out: Any = None, **options: Any
    ) -> Any:
        """Compute as NumPy does, in single precision unless an array of doubles takes part."""
        shaped = any(isinstance(one, np.ndarray) and one.ndim for one in inputs)
        plain = [_operand(one, shaped) for one in inputs]
        if out is not None:
            options["out"] = tuple(np.asarray(one) for one in out)
        result = getattr(ufunc, method)(*plain, **options)
        if out is not None:
            assert not any(map(needed, inputs)), "what needs gradients is not written over"
            return out[0]
        is_double = any(isinstance(one, np.ndarray) and one.dtype == DOUBLE for one in plain)
        made = tensor_of(result, None if is_double or result.dtype != DOUBLE else SINGLE)
        if made.dtype.kind != "f" or not any(map(needed, inputs)):
            return made
        if ufunc not in UFUNCS:
            raise AbsentError(f"torch.autograd of {ufunc.__name__}")
        return remember(made, inputs, UFUNCS[ufunc](np.asarray(made), *plain))

    def __getitem__(self, index: Any) -> Any:
        own = _index(index)

        def back(g: np.ndarray) -> np.ndarray:
            whole = np.zeros(self.shape, g.dtype)
            parts = own if isinstance(own, tuple) else (own,)
            if any(isinstance(part, np.ndarray | list) for part in parts):
                # A list of places may name one of them twice.
                np.add.at(whole, own, g)
            else:
                whole[own] = g
            return whole

        return self._made(np.asarray(np.asarray(self)[own]), back)

    def __setitem__(self, index: Any, value: Any) -> None:
        np.asarray(self)[_index(index)] = value

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

    def _made(self, result: np.ndarray, back: Back) -> Tensor:
        """Return what was made of this tensor alone, and how its gradient goes back."""
        made: Tensor = remember(result.view(Tensor), (self,), (back,))
        return made

    @property
    def _numbers(self) -> np.ndarray:
        """Its numbers, for what no gradient goes through."""
        if needed(self):
            raise AbsentError("torch.autograd of this function")
        return np.asarray(self)

    def backward(self) -> None:
        backward(self)

    # What it is.

    @property
    def device(self) -> Any:
        import torch

        return torch.device("cpu")

    def dim(self) -> int:
        return self.ndim

    def numel(self) -> int:
        return int(np.asarray(self).size)

    def numpy(self) -> np.ndarray:
        return np.asarray(self)

    def detach(self) -> Tensor:
        return np.asarray(self).view(Tensor)

    def cpu(self) -> Tensor:
        return self

    contiguous = cpu

    def clone(self) -> Tensor:
        return self._made(np.array(self), lambda g: g)

    def retain_grad(self) -> None:
        """Do nothing: all gradients are kept."""

    def requires_grad_(self, needed: bool = True) -> Tensor:
        self.requires_grad = needed
        return self

    # Types.

    def to(self, kind: Any) -> Tensor:
        """Return it in a type, or in that of another tensor; a device changes nothing."""
        kind = kind.dtype if isinstance(kind, np.ndarray) else kind
        if not isinstance(kind, np.dtype | type) or kind == self.dtype:
            return self
        return self._made(np.asarray(self).astype(kind), lambda g: g)

    def float(self) -> Tensor:
        return self.to(SINGLE)

    def double(self) -> Tensor:
        return self.to(DOUBLE)

    def new_empty(self, *size: int) -> Tensor:
        return np.full(size, 0, self.dtype).view(Tensor)

    new_zeros = new_empty

    # Shapes.

    def view(self, *size: Any) -> Any:
        """Return it in another shape; or as NumPy does in another type."""
        if size and isinstance(size[0], type | np.dtype):
            return super().view(*size)
        return self.reshape(*size)

    def reshape(self, *size: Any) -> Tensor:
        return self._made(np.asarray(self).reshape(*size), lambda g: g.reshape(self.shape))

    def expand(self, *size: Any) -> Tensor:
        """Repeat it along dimensions of length 1; −1 leaves a dimension as it is."""
        wanted = tuple(size[0]) if isinstance(size[0], Sequence) else size
        own = (1,) * (len(wanted) - self.ndim) + self.shape
        shape = tuple(b if a == -1 else a for a, b in zip(wanted, own, strict=True))
        return self._made(np.broadcast_to(np.asarray(self), shape), lambda g: g)

    def repeat(self, *times: int) -> Tensor:
        return np.tile(self._numbers, times).view(Tensor)

    def repeat_interleave(self, times: Any, dim: int | None = None) -> Tensor:
        return np.repeat(self._numbers, np.asarray(times), axis=dim).view(Tensor)

    def transpose(self, first: int, second: int) -> Tensor:
        swapped = np.swapaxes(np.asarray(self), first, second)
        return self._made(swapped, lambda g: np.swapaxes(g, first, second))

    def permute(self, *dims: int) -> Tensor:
        back = np.argsort(dims)
        return self._made(np.asarray(self).transpose(dims), lambda g: g.transpose(back))

    def flatten(self, start: int = 0, end: int = -1) -> Tensor:
        end = end % self.ndim
        return self.reshape(*self.shape[:start], -1, *self.shape[end + 1 :])

    def split(self, size: Any, dim: int = 0) -> tuple[Tensor, ...]:
        whole = self.shape[dim]
        sizes = [size] * math.ceil(whole / size) if isinstance(size, int) else list(size)
        starts = np.cumsum([0, *sizes[:-1]])
        ends = (min(start + n, whole) for start, n in zip(starts, sizes, strict=True))
        return tuple(
            self.narrow(dim % self.ndim, start, end - start)
            for start, end in zip(starts, ends, strict=True)
        )

    def chunk(self, count: int, dim: int = 0) -> tuple[Tensor, ...]:
        return self.split(math.ceil(self.shape[dim] / count), dim)

    def narrow(self, dim: int, start: int, length: int) -> Tensor:
        """Return a part of a dimension, which shares the memory."""
        index = [slice(None)] * self.ndim
        index[dim] = slice(start, start + length)
        return self[tuple(index)]

    def tril(self) -> Tensor:
        return np.tril(self._numbers).view(Tensor)

    # Choosing.

    def index_select(self, dim: int, index: Tensor) -> Tensor:
        return np.take(self._numbers, np.asarray(index), axis=dim).view(Tensor)

    def gather(self, dim: int, index: Tensor) -> Tensor:
        """Return the number at an index of a dimension, in the shape of the index."""
        at = np.asarray(index)
        own = [slice(n) for n in at.shape]  # the other dimensions may be shorter
        own[dim] = slice(None)
        return np.take_along_axis(self._numbers[tuple(own)], at, axis=dim).view(Tensor)

    def masked_fill(self, mask: Tensor, value: float) -> Tensor:
        closed = np.asarray(mask)
        filled = np.where(closed, self.dtype.type(value), np.asarray(self))
        return self._made(filled, lambda g: np.where(closed, 0, g))

    def index_fill(self, dim: int, index: Tensor, value: float) -> Tensor:
        return self.clone().index_fill_(dim, index, value)

    def index_fill_(self, dim: int, index: Tensor, value: float) -> Tensor:
        np.moveaxis(self._numbers, dim, 0)[np.asarray(index)] = value
        return self

    def scatter_(self, dim: int, index: Tensor, values: Tensor) -> Tensor:
        """Put values at an index of a dimension."""
        np.put_along_axis(np.asarray(self), np.asarray(index), np.asarray(values), axis=dim)
        return self

    def copy_(self, other: Tensor) -> Tensor:
        np.asarray(self)[...] = np.asarray(other)
        return self

    def fill_(self, value: float) -> Tensor:
        np.asarray(self)[...] = value
        return self

    def zero_(self) -> Tensor:
        return self.fill_(0)

    uniform_ = normal_ = absent("torch.uniform_")

    def topk(self, count: int, dim: int = -1) -> Extremes:
        """Return the largest numbers of a dimension, the largest first."""
        indices = np.flip(np.argsort(self._numbers, axis=dim, kind="stable"), axis=dim)
        indices = indices.view(Tensor).narrow(dim % self.ndim, 0, count)
        return Extremes(self.gather(dim, indices), indices)

    def sort(self, dim: int = -1, descending: bool = False, stable: bool = True) -> Extremes:
        array = self._numbers
        indices = np.argsort(-array if descending else array, axis=dim, kind="stable").view(Tensor)
        return Extremes(self.gather(dim, indices), indices)

    def argsort(self, dim: int = -1, descending: bool = False) -> Tensor:
        return self.sort(dim, descending).indices

    # Reducing.

    def sum(self, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
        return self._spread(self._reduced(np.sum, dim, keepdim, dtype), dim, keepdim, 1)

    def mean(self, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
        mean = self._reduced(np.mean, dim, keepdim, dtype)
        return self._spread(mean, dim, keepdim, self.numel() // max(mean.numel(), 1))

    def _spread(self, reduced: Tensor, dim: Any, keepdim: bool, count: int) -> Tensor:
        """Let the gradient of a sum, or that of a mean by its count, go to each number."""
        axis = tuple(range(self.ndim)) if dim is None else dim

        def back(g: np.ndarray) -> np.ndarray:
            whole = g if keepdim else np.expand_dims(g, axis)
            return np.broadcast_to(whole / count, self.shape)

        return remember(reduced, (self,), (back,)) if reduced.dtype.kind == "f" else reduced

    def all(self, dim: Any = None, keepdim: bool = False) -> Any:
        return self._reduced(np.all, dim, keepdim)

    def any(self, dim: Any = None, keepdim: bool = False) -> Any:
        return self._reduced(np.any, dim, keepdim)

    def amax(self, dim: Any = None, keepdim: bool = False) -> Any:
        _ = self._numbers
        return self._reduced(np.max, dim, keepdim)

    def argmax(self, dim: Any = None, keepdim: bool = False) -> Any:
        return self._reduced(np.argmax, dim, keepdim)

    def max(self, dim: Any = None, keepdim: bool = False) -> Any:
        largest = self.amax(dim, keepdim)
        return largest if dim is None else Extremes(largest, self.argmax(dim, keepdim))

    def min(self, dim: Any = None) -> Any:
        least = self._reduced(np.min, dim, False)
        return least if dim is None else Extremes(least, self.argmin(dim))

    def argmin(self, dim: Any = None, keepdim: bool = False) -> Any:
        return self._reduced(np.argmin, dim, keepdim)

    def cumsum(self, dim: int) -> Tensor:
        return np.cumsum(self._numbers, axis=dim).view(Tensor)

    def norm(self, dim: Any = None, keepdim: bool = False) -> Any:
        return (self * self).sum(dim, keepdim) ** 0.5

    def var(self, dim: Any = None, keepdim: bool = False, correction: int = 1) -> Any:
        array = self._numbers
        return tensor_of(np.var(array, axis=dim, keepdims=keepdim, ddof=correction))

    def _reduced(self, function: Any, dim: Any, keepdim: bool, dtype: Any = None) -> Any:
        more = {} if dtype is None else {"dtype": dtype}
        axis = tuple(dim) if isinstance(dim, list) else dim
        return tensor_of(function(np.asarray(self), axis=axis, keepdims=keepdim, **more))

    def softmax(self, dim: int) -> Tensor:
        raised = (self - self.detach().amax(dim, keepdim=True)).exp()
        return raised / raised.sum(dim, keepdim=True)

    def log_softmax(self, dim: int) -> Tensor:
        shifted = self - self.detach().amax(dim, keepdim=True)
        return shifted - shifted.exp().sum(dim, keepdim=True).log()

    # Number by number.

    def clamp(self, min: Any = None, max: Any = None) -> Tensor:
        return np.clip(self._numbers, min, max).view(Tensor)

    def log(self) -> Tensor:
        with np.errstate(divide="ignore"):  # log 0 = −∞
            return np.log(self)

    def sigmoid(self) -> Tensor:
        return 1 / (1 + (-self).exp())

    def relu(self) -> Tensor:
        return np.maximum(self, 0)

    def __getattr__(self, name: str) -> Any:
        """Return a method that NumPy has as a function of its name."""
        if name not in ALIKE:
            raise AttributeError(name)
        return partial(getattr(np, name), self)


class Parameter(Tensor):
    """A tensor that a module learns."""

    requires_grad = True

    def __new__(cls, data: Tensor, requires_grad: bool = True) -> Parameter:
        return np.asarray(data).view(cls).requires_grad_(requires_grad)


def tensor_of(data: Any, dtype: Any = None, copy: bool = False) -> Tensor:
    """Return numbers as a tensor; Python's own fractions are of single precision."""
    given = isinstance(data, np.ndarray | np.generic)
    array = np.array(data) if copy else np.asarray(data)
    if dtype is None and not given and array.dtype == DOUBLE:
        dtype = SINGLE
    if dtype is not None and array.dtype != dtype:
        array = array.astype(dtype)
    return array.view(Tensor)


def _operand(one: Any, shaped: bool) -> Any:
    """Return an operand as NumPy weighs its type: a lone number takes that of an array."""
    if isinstance(one, np.generic) or (shaped and isinstance(one, Tensor) and not one.ndim):
        return one.item()
    return np.asarray(one) if isinstance(one, Tensor) else one


def _index(index: Any) -> Any:
    if isinstance(index, tuple):
        return tuple(map(_index, index))
    return np.asarray(index) if isinstance(index, Tensor) else index
