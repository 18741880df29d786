"""Modes that functions pass through."""

from typing import Any, Self


class TorchFunctionMode:
    """Does nothing: what a mode is for, weights that are not drawn, is so here in any case."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: Any) -> None:
        return None
