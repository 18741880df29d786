"""Multi-head attention on one page, in the lectures' five numbered steps."""

from collections.abc import Sequence
from typing import Final

import numpy as np

from app.i18n import _
from app.inspector.head import Head, read_from
from app.ui.chart import show_chart
from app.ui.table import Columns, numbered
from app.views.walk.heads import texts
from app.views.walk.heads.output import subscript
from app.views.walk.heads.recap_chart import recap_figure

NAME: Final = "heads-recap"
STAGES: Final = ("q", "k", "v", "weights", "context", "concat", "out")


def recap_text(head: Head) -> str:
    """Say the five steps, and which head is framed."""
    heads = head.walk.config.n_heads
    text = _(texts.RECAP).format(heads=heads, last=subscript(heads))
    return f"{text} {_(texts.RECAP_NEXT).format(head=head.head + 1)}" if heads > 1 else text


def draw_recap(head: Head) -> None:
    """Draw the five steps of the layer for the whole sentence."""
    walk = head.walk
    read = walk.inputs(f"{head.scope}.q")[0]
    x, stages = walk.array(read), {name: walk.array(f"{head.scope}.{name}") for name in STAGES}
    words = [token.text for token in walk.capture.src]
    names = [_("tokens"), "X", "Q K V", "softmax, Z", _("output")]
    figure = recap_figure(x, stages, words, names, chosen=head.head)
    source = texts.RECAP_LATER if head.layer else texts.RECAP_FIRST
    caption = f"{_(source)} {read_from(walk, read)}"
    last = subscript(len(stages["q"]))

    def tables() -> dict[str, Columns]:
        return {
            f"{NAME}-x": _columns("X", x, words),
            f"{NAME}-z": _columns(f"Z₁ … Z{last}", stages["concat"], words),
            f"{NAME}-output": _columns(_("output"), stages["out"], words),
        }

    show_chart(figure, NAME, _(texts.RECAP_TITLE), tables=tables, caption=caption)


def _columns(title: str, values: np.ndarray, words: Sequence[str]) -> Columns:
    """Return vectors (T, D) as one column a word."""
    vectors = dict(zip(numbered(words), values.astype(float).tolist(), strict=True))
    return {title: [f"[{i}]" for i in range(values.shape[1])], **vectors}
