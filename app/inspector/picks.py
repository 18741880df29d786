"""Choosing what a chapter looks at: a word, a layer, a head, a side."""

from collections.abc import Mapping, Sequence
from typing import Any, Final, Literal

from app import state
from app.charts.theme import Role
from app.components.chips import Chip, chips
from app.components.wall import HeadPick
from app.data.translation import Token
from app.data.walk import STACK_OF
from app.i18n import N_, _
from app.state import Param, Settings, one_of
from app.texts.stacks import STACKS
from app.ui.pickers import pick

Side = Literal["src", "tgt"]
SIDE: Final = Param[Side]("side", "src", one_of("src", "tgt"))
SENTENCES: Final[Mapping[Side, str]] = {"src": N_("Your sentence"), "tgt": N_("Its translation")}
STACK_NAMES: Final[Mapping[Side, str]] = {side: STACKS[stack] for side, stack in STACK_OF.items()}


def token_chips(tokens: Sequence[Token], *, ids: bool = False, **options: Any) -> None:
    """Draw tokens, with their ids on hover if `ids` is set; `options` are those of `chips`."""
    notes = [_("id {id}").format(id=token.id) if ids else "" for token in tokens]
    drawn = [
        Chip(token.text, token.starts_word, token.special, note)
        for token, note in zip(tokens, notes, strict=True)
    ]
    chips(drawn, **options)


def pick_word(tokens: Sequence[Token], label: str, default: int = 0, role: Role = "query") -> int:
    """Draw the tokens and return the index of the chosen one."""
    chosen = word_of(tokens, default)
    look: dict[str, Any] = {"key": "pick-word", "label": label, "role": role}
    token_chips(tokens, selected=chosen, on_select=state.WORD.set, **look)
    return chosen


def word_of(tokens: Sequence[Token], default: int = 0) -> int:
    """Return the index of the chosen token, or of the default where there is none such."""
    chosen = state.WORD.get()
    return chosen if 0 <= chosen < len(tokens) else min(default, len(tokens) - 1)


def pick_layer(count: int, default: int = 0) -> None:
    """Draw the layers, the chosen one pressed."""
    pick_place(state.LAYER, _("Layer"), count, layer_of(count, default))


def layer_of(count: int, default: int = 0) -> int:
    """Return the chosen layer, from 0; the default where there is none such."""
    return place_of(state.LAYER, count, default)


def pick_head(count: int, default: int = 0) -> None:
    """Draw the heads, the chosen one pressed."""
    pick_place(state.HEAD, _("Head"), count, head_of(count, default))


def head_of(count: int, default: int = 0) -> int:
    """Return the chosen head, from 0; the default where there is none such."""
    return place_of(state.HEAD, count, default)


def choose_head(picked: HeadPick) -> None:
    """Choose the layer and the head, or the aggregate of heads, of a picture of the wall."""
    state.LAYER.set(str(picked.layer + 1))
    state.HEAD.set(str(picked.head + 1) if isinstance(picked.head, int) else picked.head)


def pick_place(param: Param[str], label: str, count: int, chosen: int) -> None:
    """Draw `count` places by their numbers, from 1, with the chosen one, from 0, pressed."""
    numbers = [str(i + 1) for i in range(count)]
    pick(param, label, numbers, value=numbers[chosen], wrap=True)


def place_of(
    param: Param[str], count: int, default: int = 0, settings: Settings | None = None
) -> int:
    """Return the chosen one of `count` places, from 0; the default where there is none such."""
    number = param.get(settings)
    return int(number) - 1 if number.isdecimal() and 1 <= int(number) <= count else default
