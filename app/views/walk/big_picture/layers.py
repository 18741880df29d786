"""One token on its way through a stack, and through the sub-layers of one layer."""

from collections.abc import Iterator

import streamlit as st

from app.components.board import Grid, Op
from app.i18n import _
from app.inspect.arrays import arrays
from app.inspect.naming import PARTS
from app.inspect.picks import pick_layer, pick_word
from app.ui.pickers import pick
from app.views.walk.big_picture import texts
from app.views.walk.big_picture.followed import STACK, STACK_NAMES, Followed


def stack_text(token: Followed) -> str:
    """Say how many layers a token passes."""
    text = texts.STACKS if token.n_layers > 1 else texts.STACKS_ONE
    return _(text).format(d=token.walk.config.d_model, n=token.n_layers)


def draw_stack(token: Followed) -> None:
    """Draw the token as it goes in, after each layer, and after the last norm."""
    pick(STACK, _("Which half"), STACK_NAMES)
    pick_word(token.tokens, _("Token to follow"))
    arrays(token.walk, list(_stack_items(token)), key="stack")


def layer_text(token: Followed) -> str:
    """Say which sub-layers a layer has."""
    text = texts.LAYER_ENCODER if token.stack == "encoder" else texts.LAYER_DECODER
    return _(text)


def draw_layer(token: Followed) -> None:
    """Draw what each sub-layer of the chosen layer does to the token."""
    pick_layer(token.n_layers)
    x = token.stream[token.layer]
    for place, name in enumerate(token.parts, start=1):
        st.markdown(f"**{place}. f = {_(PARTS[name])}**")
        items, x = _sub_layer(token, name, place, x)
        arrays(token.walk, items, key=f"sub-layer-{place}")


def _stack_items(token: Followed) -> Iterator[Grid | Op]:
    start, *after = token.stream
    yield token.strip(start, _("embedding + position"))
    for i, name in enumerate(after, start=1):
        yield Op("→")
        yield token.strip(name, _("after layer {n}").format(n=i))
    if token.pre_norm:
        yield Op("→")
        yield token.strip(f"{token.stack}.norm", _("after the last norm"))


def _sub_layer(token: Followed, name: str, place: int, x: str) -> tuple[list[Grid | Op], str]:
    """Return what one sub-layer does to a token, in the model's order, and what it ends with."""
    scope = token.scope
    norm, add = f"{scope}.add_norm_{place}.norm", f"{scope}.add_norm_{place}.add"
    read = "norm(x)" if token.pre_norm else "x"
    items: list[Grid | Op] = [
        token.strip(x, "x"),
        Op("f →"),
        token.strip(f"{scope}.{name}.out", f"f({read})"),
        Op("+ x ="),
        token.strip(add, f"x + f({read})"),
    ]
    if token.pre_norm:
        return [items[0], Op("norm →"), token.strip(norm, read), *items[1:]], add
    return [*items, Op("norm →"), token.strip(norm, "norm(x + f(x))")], norm
