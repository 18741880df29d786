"""The encoder of RNNsearch: two networks that read in opposite directions, and what they keep."""

from app.components.board import Grid, Op
from app.format import quoted
from app.i18n import _
from app.inspect.arrays import STATE_FOLD, arrays, grid, state_grid
from app.inspect.naming import token_markdown
from app.views.history.rnnsearch import texts
from app.views.history.rnnsearch.steps import Alignment


def read_text(row: Alignment) -> str:
    """Say what the forward states know."""
    return _(texts.READ).format(size=row.walk.config.d_hidden)


def draw_read(row: Alignment) -> None:
    """Draw the states of the forward cell."""
    _draw_states(row, "forward", "→")


def back_text(row: Alignment) -> str:
    """Say what the backward states know."""
    return _(texts.BACK).format(size=row.walk.config.d_hidden)


def draw_back(row: Alignment) -> None:
    """Draw the states of the backward cell."""
    _draw_states(row, "backward", "←")


def _draw_states(row: Alignment, way: str, arrow: str) -> None:
    items: list[Grid | Op] = []
    for i, token in enumerate(row.walk.capture.src):
        hidden = f"encoder.0.{way}.hidden"
        items += [Op(arrow), state_grid(row.walk, hidden, i, quoted(token.text), "input")]
    arrays(row.walk, items[1:], key=way)


def note_text(row: Alignment) -> str:
    """Say what an annotation is, and how many there are."""
    walk = row.walk
    both, n = walk.array("memory").shape[1], len(walk.capture.src)
    return _(texts.NOTE).format(both=both, word=token_markdown(walk.capture.src[row.most]), n=n)


def draw_note(row: Alignment) -> None:
    """Draw the annotation of the token that is looked at most."""
    walk, at = row.walk, row.most
    title = f"h · {quoted(walk.capture.src[at].text)}"
    items: list[Grid | Op] = [
        state_grid(walk, "encoder.0.forward.hidden", at, _("forward"), "input"),
        Op("‖"),
        state_grid(walk, "encoder.0.backward.hidden", at, _("backward"), "input"),
        Op("="),
        grid(walk, "memory", (at, None), title, role="input", reach=1.0, fold=STATE_FOLD),
    ]
    arrays(walk, items, key="annotation")
