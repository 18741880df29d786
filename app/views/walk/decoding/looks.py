"""Where each hypothesis of the beam looks, along its own history."""

from typing import Final

from app.data.attention import allowed, scope_of
from app.data.steering import Steered, of_hypothesis
from app.data.walk import Walk
from app.i18n import _
from app.inspector.arrays import arrays, draw_board, grid
from app.inspector.attention import KIND_NAMES
from app.inspector.hypothesis import look_kind, looked_at, pick_hypothesis, plain_map
from app.inspector.picks import layer_of
from app.inspector.steering import own_beam
from app.page.moves import OPEN
from app.page.screens import everything
from app.views.walk.decoding.moment import Moment

SLUG: Final = "looks"
HEIGHT: Final = 245  # pixels


def lens(walk: Walk) -> Walk:
    """Return the sentence with the chosen hypothesis, where the screen is about that one."""
    if OPEN.get() != SLUG or everything():
        return walk
    return of_hypothesis(walk, looked_at(own_beam(walk.translation)))


def pick_look(moment: Moment) -> None:
    """Draw the hypotheses, and beside them the layers and heads."""
    pick_hypothesis(own_beam(moment.walk.translation))


def draw_looks(moment: Moment) -> None:
    """Draw where the chosen hypothesis looks; its numbers open where the page is about it alone."""
    walk = moment.walk
    if not isinstance(walk, Steered):
        draw_board([plain_map(own_beam(walk.translation))], "hypothesis-looks")
        return
    kind, layer = look_kind(walk.translation), layer_of(walk.config.n_decoder_layers)
    looks = grid(
        walk,
        f"{scope_of(walk, kind, layer)}.weights",
        (moment.head, None, None),
        _(KIND_NAMES[kind]),
        mask=allowed(walk, kind) if kind == "decoder" else None,
        height=HEIGHT,
    )
    arrays(walk, [looks], "hypothesis-looks")
