"""Choosing what a chapter looks at: a word, a layer, a head."""

from collections.abc import Sequence

from app import state
from app.data.translation import Token
from app.i18n import _
from app.ui.pickers import pick
from app.ui.token_chips import token_chips


def pick_word(tokens: Sequence[Token], label: str, default: int = 0) -> int:
    """Draw the tokens and return the index of the chosen one."""
    chosen = word_of(tokens, default)
    token_chips(
        tokens,
        key="pick-word",
        label=label,
        role="query",
        selected=chosen,
        on_select=state.WORD.set,
    )
    return chosen


def word_of(tokens: Sequence[Token], default: int = 0) -> int:
    """Return the index of the chosen token, or of the default where there is none such."""
    chosen = state.WORD.get()
    return chosen if 0 <= chosen < len(tokens) else min(default, len(tokens) - 1)


def pick_layer(count: int) -> int:
    """Draw the layers and return the chosen one, from 0."""
    chosen = layer_of(count)
    pick(state.LAYER, _("Layer"), _places(count), value=str(chosen + 1), wrap=True)
    return chosen


def layer_of(count: int) -> int:
    """Return the chosen layer, from 0; the first where there is none such."""
    return _clamped(state.LAYER.get(), count)


def pick_head(count: int) -> int:
    """Draw the heads and return the chosen one, from 0."""
    chosen = head_of(count)
    pick(state.HEAD, _("Head"), _places(count), value=str(chosen + 1), wrap=True)
    return chosen


def head_of(count: int) -> int:
    """Return the chosen head, from 0; the first where there is none such."""
    return _clamped(state.HEAD.get(), count)


def _places(count: int) -> list[str]:
    return [str(i + 1) for i in range(count)]


def _clamped(chosen: str, count: int) -> int:
    return int(chosen) - 1 if chosen.isdecimal() and 1 <= int(chosen) <= count else 0
