"""What chapters on one kind of attention have alike: the choice of a token, a layer and a head."""

from collections.abc import Callable
from typing import Any

from app.data.translation import Kind
from app.inspector.head import Head, look_of, pick_look
from app.page.declare import WalkPage


def look_page(
    slug: str, kind: Kind, first: Callable[[Head], int], **declared: Any
) -> WalkPage[Head]:
    """Return a page about one token in one head; `first` says which token it is at first.

    The other fields are those of a `WalkPage`.
    """
    return WalkPage(
        slug=slug,
        select=lambda walk: look_of(walk, kind, first),
        pick=pick_look,
        place=lambda head: head.place,
        **declared,
    )
