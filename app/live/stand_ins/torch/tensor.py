"""A tensor is an array of NumPy with PyTorch's methods, types and names of dimensions."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import Any, Final, NamedTuple

import numpy as np

from torch.modes import through_modes

SINGLE: Final = np.dtype("float32")
DOUBLE: Final = np.dtype("float64")


class Extremes(NamedTuple):
    """The largest or smallest numbers along a dimension, and where they stand."""

    values: Any
    indices: Any


class Tensor(np.ndarray):
    """An array whose methods are PyTorch's; there is one device and there are no gradients."""

    requires_grad = False
    grad = None

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
            return out[0]
        is_double = any(getattr(one, "dtype", None) == DOUBLE for one in plain)
        return tensor_of(result, None if is_double or result.dtype != DOUBLE else SINGLE)

    def __getitem__(self, index: Any) -> Any:
        return np.asarray(np.asarray(self)[_index(index)]).view(Tensor)

    def __setitem__(self, index: Any, value: Any) -> None:
        np.asarray(self)[_index(index)] = value

    def __iter__(self) -> Iterator[Any]:
        return (self[i] for i in range(len(self)))

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
        return self

    cpu = contiguous = detach

    def clone(self) -> Tensor:
        return np.array(self).view(Tensor)

    def requires_grad_(self, needed: bool = True) -> Tensor:
        self.requires_grad = needed
        return self

    # Types.

    def to(self, kind: Any) -> Tensor:
        """Return it in a type, or in that of another tensor; a device changes nothing."""
        kind = kind.dtype if isinstance(kind, np.ndarray) else kind
        if not isinstance(kind, np.dtype | type) or kind == self.dtype:
            return self
        return np.asarray(self).astype(kind).view(Tensor)

    def float(self) -> Tensor:
        return self.to(SINGLE)

    def double(self) -> Tensor:
        return self.to(DOUBLE)

    def long(self) -> Tensor:
        return self.to(np.dtype("int64"))

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
        return np.asarray(self).reshape(*size).view(Tensor)

    def expand(self, *size: Any) -> Tensor:
        """Repeat it along dimensions of length 1; −1 leaves a dimension as it is."""
        wanted = tuple(size[0]) if isinstance(size[0], Sequence) else size
        own = (1,) * (len(wanted) - self.ndim) + self.shape
        shape = tuple(b if a == -1 else a for a, b in zip(wanted, own, strict=True))
        return np.broadcast_to(np.asarray(self), shape).view(Tensor)

    def repeat(self, *times: int) -> Tensor:
        return np.tile(np.asarray(self), times).view(Tensor)

    def repeat_interleave(self, times: Any, dim: int | None = None) -> Tensor:
        return np.repeat(np.asarray(self), np.asarray(times), axis=dim).view(Tensor)

    def transpose(self, first: int, second: int) -> Tensor:
        return np.swapaxes(np.asarray(self), first, second).view(Tensor)

    def permute(self, *dims: int) -> Tensor:
        return np.asarray(self).transpose(dims).view(Tensor)

    def flatten(self, start: int = 0, end: int = -1) -> Tensor:
        end = end % self.ndim
        return self.reshape(*self.shape[:start], -1, *self.shape[end + 1 :])

    def unsqueeze(self, dim: int) -> Tensor:
        return np.expand_dims(np.asarray(self), dim).view(Tensor)

    def squeeze(self, dim: int) -> Tensor:
        return np.squeeze(np.asarray(self), dim).view(Tensor)

    def split(self, size: Any, dim: int = 0) -> tuple[Tensor, ...]:
        whole = self.shape[dim]
        sizes = [size] * math.ceil(whole / size) if isinstance(size, int) else list(size)
        cuts = np.cumsum(sizes)[:-1]
        return tuple(one.view(Tensor) for one in np.split(np.asarray(self), cuts, axis=dim))

    def chunk(self, count: int, dim: int = 0) -> tuple[Tensor, ...]:
        return self.split(math.ceil(self.shape[dim] / count), dim)

    def narrow(self, dim: int, start: int, length: int) -> Tensor:
        """Return a part of a dimension, which shares the memory."""
        index = [slice(None)] * self.ndim
        index[dim] = slice(start, start + length)
        return self[tuple(index)]

    def tril(self) -> Tensor:
        return np.tril(np.asarray(self)).view(Tensor)

    def roll(self, shift: int, dim: int) -> Tensor:
        return np.roll(np.asarray(self), shift, dim).view(Tensor)

    # Choosing.

    def index_select(self, dim: int, index: Tensor) -> Tensor:
        return np.take(np.asarray(self), np.asarray(index), axis=dim).view(Tensor)

    def gather(self, dim: int, index: Tensor) -> Tensor:
        """Return the number at an index of a dimension, in the shape of the index."""
        at = np.asarray(index)
        own = [slice(n) for n in at.shape]  # the other dimensions may be shorter
        own[dim] = slice(None)
        return np.take_along_axis(np.asarray(self)[tuple(own)], at, axis=dim).view(Tensor)

    def masked_fill(self, mask: Tensor, value: float) -> Tensor:
        filled = np.where(np.asarray(mask), self.dtype.type(value), np.asarray(self))
        return filled.view(Tensor)

    def index_fill(self, dim: int, index: Tensor, value: float) -> Tensor:
        return self.clone().index_fill_(dim, index, value)

    def index_fill_(self, dim: int, index: Tensor, value: float) -> Tensor:
        np.moveaxis(np.asarray(self), dim, 0)[np.asarray(index)] = value
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

    def uniform_(self, *_args: Any, **_kwargs: Any) -> Tensor:
        return through_modes(Tensor.uniform_, self)

    def normal_(self, *_args: Any, **_kwargs: Any) -> Tensor:
        return through_modes(Tensor.normal_, self)

    def topk(self, count: int, dim: int = -1) -> Extremes:
        """Return the largest numbers of a dimension, the largest first."""
        indices = np.flip(np.argsort(np.asarray(self), axis=dim, kind="stable"), axis=dim)
        indices = indices.view(Tensor).narrow(dim % self.ndim, 0, count)
        return Extremes(self.gather(dim, indices), indices)

    def sort(self, dim: int = -1, descending: bool = False, stable: bool = True) -> Extremes:
        array = np.asarray(self)
        indices = np.argsort(-array if descending else array, axis=dim, kind="stable").view(Tensor)
        return Extremes(self.gather(dim, indices), indices)

    def argsort(self, dim: int = -1, descending: bool = False) -> Tensor:
        return self.sort(dim, descending).indices

    # Reducing.

    def sum(self, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
        return self._reduced(np.sum, dim, keepdim, dtype)

    def mean(self, dim: Any = None, keepdim: bool = False, dtype: Any = None) -> Any:
        return self._reduced(np.mean, dim, keepdim, dtype)

    def all(self, dim: Any = None, keepdim: bool = False) -> Any:
        return self._reduced(np.all, dim, keepdim)

    def any(self, dim: Any = None, keepdim: bool = False) -> Any:
        return self._reduced(np.any, dim, keepdim)

    def amax(self, dim: Any = None, keepdim: bool = False) -> Any:
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
        return np.cumsum(np.asarray(self), axis=dim).view(Tensor)

    def norm(self, dim: Any = None, keepdim: bool = False) -> Any:
        return (self * self).sum(dim, keepdim) ** 0.5

    def var(self, dim: Any = None, keepdim: bool = False, correction: int = 1) -> Any:
        array = np.asarray(self)
        return tensor_of(np.var(array, axis=dim, keepdims=keepdim, ddof=correction))

    def _reduced(self, function: Any, dim: Any, keepdim: bool, dtype: Any = None) -> Any:
        more = {} if dtype is None else {"dtype": dtype}
        axis = tuple(dim) if isinstance(dim, list) else dim
        return tensor_of(function(np.asarray(self), axis=axis, keepdims=keepdim, **more))

    def softmax(self, dim: int) -> Tensor:
        """Return shares that add up to 1."""
        raised = (self - self.amax(dim, keepdim=True)).exp()
        return raised / raised.sum(dim, keepdim=True)

    def log_softmax(self, dim: int) -> Tensor:
        """Return the logarithms of shares that add up to 1."""
        shifted = self - self.amax(dim, keepdim=True)
        return shifted - shifted.exp().sum(dim, keepdim=True).log()

    # Number by number.

    def clamp(self, min: Any = None, max: Any = None) -> Tensor:
        return np.clip(np.asarray(self), min, max).view(Tensor)

    def mul_(self, factor: float) -> Tensor:
        self *= factor
        return self

    def abs(self) -> Tensor:
        return np.abs(self)

    def exp(self) -> Tensor:
        return np.exp(self)

    def log(self) -> Tensor:
        with np.errstate(divide="ignore"):  # log 0 = −∞
            return np.log(self)

    def sqrt(self) -> Tensor:
        return np.sqrt(self)

    def square(self) -> Tensor:
        return np.square(self)

    def sin(self) -> Tensor:
        return np.sin(self)

    def cos(self) -> Tensor:
        return np.cos(self)

    def tanh(self) -> Tensor:
        return np.tanh(self)

    def floor(self) -> Tensor:
        return np.floor(self)

    def sigmoid(self) -> Tensor:
        return 1 / (1 + (-self).exp())

    def relu(self) -> Tensor:
        return np.maximum(self, 0)

    def isnan(self) -> Tensor:
        return np.isnan(self)

    def isfinite(self) -> Tensor:
        return np.isfinite(self)


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
