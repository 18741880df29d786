"""Modules: what holds parameters and other modules."""

from collections.abc import Iterable, Iterator
from typing import Any, Self

from absent import absent

import torch
from torch.nn import functional, init
from torch.tensor import Parameter, Tensor

__all__ = ["Parameter"]


def __getattr__(name: str) -> Any:
    return absent(f"torch.nn.{name}")


class Module:
    """Finds its parameters and modules among its attributes, in the order of their making."""

    training = True

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self.forward(*args, **kwargs)  # type: ignore[attr-defined]

    def named_children(self) -> Iterator[tuple[str, "Module"]]:
        yield from ((name, one) for name, one in vars(self).items() if isinstance(one, Module))

    def children(self) -> Iterator["Module"]:
        yield from (one for _name, one in self.named_children())

    def named_modules(self, prefix: str = "") -> Iterator[tuple[str, "Module"]]:
        yield prefix, self
        for name, child in self.named_children():
            yield from child.named_modules(f"{prefix}.{name}" if prefix else name)

    def modules(self) -> Iterator["Module"]:
        yield from (one for _name, one in self.named_modules())

    def named_parameters(self, recurse: bool = True) -> Iterator[tuple[str, Parameter]]:
        """Yield each parameter once, under its first name."""
        seen: set[int] = set()
        modules = self.named_modules() if recurse else [("", self)]
        for scope, module in modules:
            for name, one in vars(module).items():
                if isinstance(one, Parameter) and id(one) not in seen:
                    seen.add(id(one))
                    yield (f"{scope}.{name}" if scope else name), one

    def parameters(self) -> Iterator[Parameter]:
        yield from (one for _name, one in self.named_parameters())

    def register_buffer(self, name: str, tensor: Tensor, persistent: bool = True) -> None:
        setattr(self, name, tensor)

    def train(self, mode: bool = True) -> Self:
        for module in self.modules():
            module.training = mode
        return self

    def eval(self) -> Self:
        return self.train(False)

    def double(self) -> Self:
        for module in self.modules():
            for name, one in module.named_parameters(recurse=False):
                setattr(module, name, Parameter(one.detach().double()))
        return self


class ModuleList(Module):
    """Modules in a row, named by their numbers."""

    def __init__(self, modules: Iterable[Module] = ()) -> None:
        for i, module in enumerate(modules):
            setattr(self, str(i), module)

    def __len__(self) -> int:
        return len(list(self.children()))

    def __iter__(self) -> Iterator[Module]:
        return self.children()

    def __getitem__(self, index: Any) -> Any:
        found = list(self.children())[index]
        return ModuleList(found) if isinstance(index, slice) else found


class Linear(Module):
    """x Wᵀ + b."""

    def __init__(self, d_in: int, d_out: int, bias: bool = True) -> None:
        self.in_features, self.out_features = d_in, d_out
        self.weight = Parameter(torch.empty(d_out, d_in))
        self.bias = Parameter(torch.empty(d_out)) if bias else None
        init.xavier_uniform_(self.weight)

    def forward(self, x: Tensor) -> Tensor:
        """(…, in) -> (…, out)."""
        return functional.linear(x, self.weight, self.bias)


class Embedding(Module):
    """A vector for each number."""

    def __init__(self, count: int, size: int) -> None:
        self.num_embeddings, self.embedding_dim = count, size
        self.weight = Parameter(torch.empty(count, size))
        init.normal_(self.weight)

    def forward(self, ids: Tensor) -> Tensor:
        """(…) -> (…, size)."""
        return self.weight[ids]


class LayerNorm(Module):
    """(x − mean) / √(variance + ε) · weight + bias, over the last dimension."""

    def __init__(self, size: int, eps: float = 1e-5) -> None:
        self.normalized_shape, self.eps = (size,), eps
        self.weight, self.bias = Parameter(torch.ones(size)), Parameter(torch.zeros(size))

    def forward(self, x: Tensor) -> Tensor:
        """(…, size) -> (…, size)."""
        centred = x - x.mean(-1, keepdim=True)
        spread = ((centred * centred).mean(-1, keepdim=True) + self.eps).sqrt()
        return centred / spread * self.weight + self.bias
