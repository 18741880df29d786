"""A model's tokens as chips."""

from collections.abc import Sequence
from typing import Any

from app.components.chips import Chip, chips
from app.data.translation import Token
from app.i18n import _


def token_chips(tokens: Sequence[Token], *, ids: bool = False, **options: Any) -> None:
    """Draw tokens, with their ids on hover if `ids` is set; `options` are those of `chips`."""
    notes = [_("id {id}").format(id=token.id) if ids else "" for token in tokens]
    drawn = [
        Chip(token.text, token.starts_word, token.special, note)
        for token, note in zip(tokens, notes, strict=True)
    ]
    chips(drawn, **options)
