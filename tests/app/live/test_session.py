"""A reader's own sentence is drawn as the book draws those that it records."""

from pathlib import Path

from app.book.cells import Cells, run_of
from app.book.links import Links
from app.book.record import State
from app.book.states import record
from app.book.tree import Written, Writer
from app.live.session import Session
from app.registry import Address

SENTENCE = "Nunca es"
SOFTMAX = Address("self_attention", "softmax")
NAMES = {
    "self_attention.softmax": SOFTMAX,
    "vectors.tokens": Address("vectors", "tokens"),
    "translate": Address("translate"),
}
RUN = {"model": "es-en", "text": SENTENCE, "lang": "en"}


def session() -> Session:
    """A session with the sentence of the recordings."""
    made = Session("en", "es-en", NAMES)
    made.sentence(SENTENCE)
    return made


def written(state: State) -> tuple[Written, dict[str, str]]:
    """A recorded state as the book writes it, where it has all that is offered."""
    opens = Cells(run_of(RUN)).opens
    writer = Writer(state, Links(NAMES), lambda _key, _option: True, opens)
    return writer.write(), writer.shared


def test_a_screen_is_what_the_book_records_of_the_sentence(models: Path) -> None:
    (state,) = record(SOFTMAX, RUN, 0, lambda _state: 1).states
    recorded, shared = written(state)
    opened = session().open("self_attention.softmax")
    # The book has the sentence's own field above each page.
    field = opened["html"].replace
    assert opened["pieces"] == {**recorded.pieces, **shared}
