"""What the search finds: pages, their screens, the glossary's terms, and the model's heads."""

import json
from collections.abc import Iterator
from typing import Final

from app import state
from app.components.search import Find, Goal, SearchedHead, payload, search
from app.data.translation import ModelInfo
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
    search(_written(chosen.info_of(chosen.model())), key="search", on_open=_open)


@once_a_language
def _written(info: ModelInfo | None) -> str:
    terms = (Find("term", entry.term, _(entry.meaning), *entry.seen) for entry in ENTRIES)
    heads = () if info is None or info.config.recurrent else _heads(info)
    return json.dumps(payload([*_screens(), *terms, *heads]))


def _screens() -> Iterator[Find]:
    for address in (*every_screen(), *every_drawer()):
        page = _(view_of(address.page).title)
        if address.screen == "":
            yield Find("page", page, "", *address)
        else:
            yield Find("screen", name_of(address), page, *address)


def _heads(info: ModelInfo) -> Iterator[Find]:
    for kind, title in KINDS.items():
        layers = info.config.n_attentions(kind)
        for layer in range(1, layers + 1):
            for number in range(1, info.config.n_heads + 1):
                text = _(HEADS).format(kind=_(title), layer=layer, head=number)
                yield Find("head", text, "", "translate", head=SearchedHead(kind, layer, number))


def _open(goal: Goal) -> None:
    if goal.head is not None:
        state.KIND.set(goal.head.kind)
        state.LAYER.set(str(goal.head.layer))
        state.HEAD.set(str(goal.head.number))
        state.VIEW.set("matrix")
    moves.go(Address(goal.page, goal.screen))
