"""Where the links of a book lead: to the screens that it has."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from app.book.assets import NAME
from app.page.contents import title_of
from app.registry import Address


@dataclass(frozen=True)
class Links:
    """The screens of a book by their names, in their order, and its own title, "" for none."""

    screens: Mapping[str, Address]
    title: str = ""

    @cached_property
    def first(self) -> Mapping[str, str]:
        """The name of each page's first screen."""
        return {address.page: name for name, address in reversed([*self.screens.items()])}

    @cached_property
    def last(self) -> Mapping[str, str]:
        """The name of each page's last screen."""
        return {address.page: name for name, address in self.screens.items()}

    def title_of(self, address: Address) -> str:
        """Return what a browser calls a screen."""
        return f"{title_of(address)} · {self.title or NAME}"

    def shape(self, kind: str, fixed: Any) -> Any:
        """Return what a component draws, as far as the book has what it leads to."""
        if kind != "search":
            return fixed
        finds = [find for find in fixed["finds"] if find[0] != "head" and self._has(find)]
        return fixed | {"finds": finds}

    def _has(self, find: Sequence[str]) -> bool:
        page, screen = find[3], find[4]
        return f"{page}.{screen}" in self.screens if screen else page in self.first
