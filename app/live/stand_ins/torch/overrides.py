"""Modes that answer for functions."""

from typing import Any, Self

from torch.modes import ACTIVE


class TorchFunctionMode:
    """Answers, while it is entered, for the functions that draw numbers."""

    def __enter__(self) -> Self:
        ACTIVE.append(self)
        return self

    def __exit__(self, *_: Any) -> None:
        ACTIVE.pop()
