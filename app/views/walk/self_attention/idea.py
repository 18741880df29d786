"""What attention is: one token of the sentence, and what it looks at."""

from app import state
from app.components.grid import Weights
from app.components.lines import lines, payload
from app.components.shared.kept import Figure
from app.format import percent
from app.i18n import _
from app.inspector.head import Head
from app.state import Pin
from app.ui.kept import table_menu
from app.ui.table import matrix_columns
from app.views.walk.self_attention import texts


def idea_text(head: Head) -> str:
    """Say what the token looks at most."""
    most, weight = head.words[head.most], percent(float(head.weights[head.most]))
    place = {"layer": head.layer + 1, "head": head.head + 1}
    return _(texts.IDEA).format(word=head.word, most=most, weight=weight, **place)


def draw_idea(head: Head) -> None:
    """Draw the head's weights as lines, those of the token that looks in front."""
    words = [token.text for token in head.walk.capture.src]
    weights = head.walk.array(f"{head.scope}.weights")[head.head]  # (T, T)
    locked = Pin(head.query, None)
    drawn = Weights(weights, words, words)
    lines(drawn, key="self-lines", locked=locked, on_lock=_choose)

    table_menu(
        "self-lines",
        lambda: matrix_columns(_("query ↓ key →"), words, words, weights),
        "self-lines",
        lambda: [Figure("lines", payload(drawn), locked._asdict())],
        alt=head.title(_("weights")),
    )


def _choose(pin: Pin) -> None:
    chosen = pin.query if pin.query is not None else pin.key
    if chosen is not None:
        state.WORD.set(chosen)
