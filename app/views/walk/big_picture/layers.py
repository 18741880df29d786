"""One token on its way through a stack, and through the sub-layers of one layer."""

from collections.abc import Iterator

import streamlit as st

from app.components.board import Grid, Op
from app.format import escape
from app.i18n import _
from app.inspector.arrays import arrays
from app.inspector.naming import PARTS
from app.inspector.picks import pick_layer, pick_word
from app.page.quiz import Task
from app.ui.pickers import pick
from app.views.walk.big_picture import texts
from app.views.walk.big_picture.followed import STACK, STACK_NAMES, SUB_LAYER, Followed


def pick_token(token: Followed) -> None:
    """Draw the choice of a half and of a token in it."""
    left, right = st.columns([0.3, 0.7], vertical_alignment="bottom")
    with left:
        pick(STACK, _("Which half"), STACK_NAMES)
    with right:
        pick_word(token.tokens, _("Token to follow"))


def pick_all(token: Followed) -> None:
    """Draw the choice of a half, a layer, a sub-layer and a token."""
    left, middle, part, right = st.columns([0.2, 0.2, 0.15, 0.45], vertical_alignment="bottom")
    with left:
        pick(STACK, _("Which half"), STACK_NAMES)
    with middle:
        pick_layer(token.n_layers)
    with part:
        places = {n: str(n) for n in range(1, len(token.parts) + 1)}
        pick(SUB_LAYER, _("Sub-layer"), places, value=token.place)
    with right:
        pick_word(token.tokens, _("Token to follow"))


def stack_text(token: Followed) -> str:
    """Say how many layers either stack has, and that a token passes those of its own."""
    config = token.walk.config
    sizes = {"encoder": config.n_encoder_layers, "decoder": config.n_decoder_layers}
    return _(texts.STACKS).format(word=escape(token.text), **sizes)


def guess_width(token: Followed) -> Task:
    """Ask how many numbers a token is at the end of the stack."""
    d = token.walk.config.d_model
    options = [d // 2, d, 2 * d, 4 * d]
    shown, values = list(map(str, options)), {"word": token.text, "d": d}
    right, wrong = texts.STACKS_RIGHT, texts.STACKS_WRONG
    return Task.of(texts.STACKS_GUESS, shown, [1], right, wrong, **values)


def draw_stack(token: Followed) -> None:
    """Draw the token as it goes in, after each layer, and after the last norm."""
    arrays(token.walk, list(_stack_items(token)), key="stack")


def sub_layer_text(token: Followed) -> str:
    """Name the chosen sub-layer of the chosen layer, and say what it does to the token."""
    name = token.parts[token.place - 1]
    title = _("Sub-layer {n}: {part}").format(n=token.place, part=_(PARTS[name]))
    told = _(texts.SUB_LAYERS[token.stack, name])
    return f"**{title}** · {told.format(word=escape(token.text), d_ff=token.walk.config.d_ff)}"


def draw_sub_layer(token: Followed) -> None:
    """Draw what the chosen sub-layer makes of the token."""
    arrays(token.walk, _sub_layer(token, token.place), key="sub-layer")


def _stack_items(token: Followed) -> Iterator[Grid | Op]:
    start, *after = token.stream
    yield token.strip(start, _("embedding + position"))
    for i, name in enumerate(after, start=1):
        yield Op("→")
        yield token.strip(name, _("after layer {n}").format(n=i))
    if token.pre_norm:
        yield Op("→")
        yield token.strip(f"{token.stack}.norm", _("after the last norm"))


def _sub_layer(token: Followed, place: int) -> list[Grid | Op]:
    """Return what one sub-layer does to a token, in the model's order."""
    scope, name = token.scope, token.parts[place - 1]
    norm, add = f"{scope}.add_norm_{place}.norm", f"{scope}.add_norm_{place}.add"
    read = "norm(x)" if token.pre_norm else "x"
    items: list[Grid | Op] = [
        token.strip(token.walk.inputs(add)[0], "x"),
        Op("f →"),
        token.strip(f"{scope}.{name}.out", f"f({read})"),
        Op("+ x ="),
        token.strip(add, f"x + f({read})"),
    ]
    if token.pre_norm:
        return [items[0], Op("norm →"), token.strip(norm, read), *items[1:]]
    return [*items, Op("norm →"), token.strip(norm, "norm(x + f(x))")]
