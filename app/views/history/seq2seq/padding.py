"""What the padding of a batch does to a recurrent network: nothing, as its state stands still."""

from app.components.board import array_grid
from app.format import number, power
from app.i18n import _
from app.inspector.arrays import draw_board
from app.views.history.seq2seq import texts
from app.views.history.seq2seq.batch import proverbs
from app.views.history.seq2seq.data import strides
from app.views.history.seq2seq.unrolled import Moment


def padding_text(moment: Moment) -> str:
    """Say what the encoder does at padding, and what reading it would do."""
    made = proverbs(moment)
    text = _(texts.PADDING)
    if not made.padding:
        return f"{text} {_(texts.NO_PADDING)}"
    differences = {
        "masked": power(made.difference),
        "unmasked": number(made.difference_unmasked),
    }
    return f"{text} {_(texts.PADDING_SAME).format(n=made.shortest + 1, **differences)}"


def draw_padding(moment: Moment) -> None:
    """Draw how far each token of each sentence moves the state."""
    made = proverbs(moment)
    far = strides(moment.walk, made.ids)  # (B, S)
    rows = [_("sentence {n}").format(n=b + 1) for b in range(len(far))]
    cols = [str(s + 1) for s in range(far.shape[1])]
    drawn = array_grid(far, _(texts.STRIDES), "input", row_labels=rows, col_labels=cols)
    draw_board([drawn], "strides")
