"""What the search finds: pages, their screens, the glossary's terms, and the model's heads."""

import json
from collections.abc import Iterator
from typing import Final, NamedTuple

from app import state
from app.components.search import Find, Goal, SearchedHead, payload, search
from app.data.translation import ModelUnavailableError, model_info
from app.i18n import N_, _, once_a_language
from app.page import moves
from app.page.contents import every_drawer, every_screen, name_of
from app.registry import Address, view_of
from app.texts.glossary import ENTRIES
from app.ui import chosen

HEADS: Final = N_("{kind} attention, layer {layer}, head {head}")
KINDS: Final[dict[state.Kind, str]] = {
    "encoder": N_("Encoder"),
    "decoder": N_("Decoder"),
    "cross": N_("Encoder-decoder"),
}


def draw() -> None:
    """Draw the search's button, which a key opens, too."""
    search(_written(_sizes()), key="search", on_open=_open)


class _Sizes(NamedTuple):
    """How many heads a layer of a model has, and how many layers each of KINDS has."""

    heads: int
    layers: tuple[int, ...]


@once_a_language
def _written(sizes: _Sizes | None) -> str:
    heads = () if sizes is None else _heads(sizes)
    return json.dumps(payload([*_screens(), *_terms(), *heads]))


def _sizes() -> _Sizes | None:
    """Return the sizes of the chosen model, if it is one that has heads and can be used."""
    name = chosen.model()
    try:
        config = None if name is None else model_info(name).config
    except ModelUnavailableError:
        return None
    if config is None or config.recurrent:
        return None
    return _Sizes(config.n_heads, tuple(map(config.n_attentions, KINDS)))


def _screens() -> Iterator[Find]:
    for address in (*every_screen(), *every_drawer()):
        page = _(view_of(address.page).title)
        if address.screen == "":
            yield Find("page", page, "", *address)
        else:
            yield Find("screen", name_of(address), page, *address)


def _terms() -> Iterator[Find]:
    for entry in ENTRIES:
        yield Find("term", entry.term, _(entry.meaning), *entry.seen)


def _heads(sizes: _Sizes) -> Iterator[Find]:
    for (kind, title), layers in zip(KINDS.items(), sizes.layers, strict=True):
        for layer in range(1, layers + 1):
            for number in range(1, sizes.heads + 1):
                text = _(HEADS).format(kind=_(title), layer=layer, head=number)
                yield Find("head", text, "", "translate", head=SearchedHead(kind, layer, number))


def _open(goal: Goal) -> None:
    if goal.head is not None:
        state.KIND.set(goal.head.kind)
        state.LAYER.set(str(goal.head.layer))
        state.HEAD.set(str(goal.head.number))
        state.VIEW.set("matrix")
    moves.go(Address(goal.page, goal.screen))
