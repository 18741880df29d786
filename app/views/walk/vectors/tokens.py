"""The sentence as tokens with their ids."""

from app.charts.boxes import Box
from app.format import grouped
from app.i18n import _
from app.page.quiz import Task
from app.ui import vectors_html as boxes
from app.views.walk.vectors import texts
from app.views.walk.vectors.piece import Piece


def tokens_text(piece: Piece) -> str:
    """Say what an id is."""
    return _(texts.TOKENS).format(vocabulary=grouped(piece.walk.tokenizer.vocab_size))


def guess_tokens(piece: Piece) -> Task:
    """Ask how many tokens the sentence is."""
    text, n = piece.walk.translation.text, len(piece.walk.capture.src)
    words = len(text.split())
    options = sorted({words, n, n + 3, len(text)})
    return Task.of(
        texts.TOKENS_GUESS,
        list(map(str, options)),
        [options.index(n)],
        texts.TOKENS_RIGHT,
        texts.TOKENS_WRONG,
        words=words,
        n=n,
    )


def draw_tokens(piece: Piece) -> None:
    """Draw the tokens of the sentence, those of one word joined, with their ids."""
    tokens = piece.walk.capture.src
    joined = [i > 0 and not token.starts_word for i, token in enumerate(tokens)]
    row = [Box(token.text, str(token.id)) for token in tokens]
    boxes.show(boxes.stacked(row, joined))
    columns = {_("token"): [t.text for t in tokens], "id": [str(t.id) for t in tokens]}
    boxes.boxes_menu("tokens", columns, [("", row)])
