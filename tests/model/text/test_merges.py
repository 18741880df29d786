"""The merges, replayed one by one, end in what the tokenizer makes of a text at once."""

from hypothesis import given, settings
from hypothesis import strategies as st

from model import checkpoint
from model.text.marian_tokenizer import read_tokenizer
from model.text.merges import Merges
from model.text.tokenizer import Tokenizer

LINES = ["Je suis étudiant.", "étudier, c'est étudier", "Qué será, será."] * 20
TOKENIZER = Tokenizer.train(LINES, 300)
MERGES = Merges(TOKENIZER)


def ids(merges: Merges, text: str) -> list[int]:
    return [piece.id for piece in merges.replay(text).pieces]


@settings(max_examples=25)
@given(st.text(max_size=40) | st.text("Jesui étudianrc'á, ", max_size=40))
def test_any_text_ends_in_the_tokenizers_pieces(text: str) -> None:
    assert ids(MERGES, text) == TOKENIZER.encode(text)


def test_a_shipped_tokenizer() -> None:
    tokenizer = read_tokenizer(checkpoint.resolve("es-en") / "tokenizer.json")
    merges = Merges(tokenizer)
    for text in ("matadero", "étudiant", "slaughter", "aaaaaaa", "peut-être 12", "<pad>", "🙂"):
        assert ids(merges, text) == tokenizer.encode(text)


def test_it_starts_with_the_bytes_and_each_step_is_a_learned_merge() -> None:
    replay = MERGES.replay("étudier")
    assert [piece.text for piece in replay.start[:3]] == ["␣", "0xC3", "0xA9"]
    assert len(replay.start) == len(" étudier".encode())
    assert replay.merges
    before = replay.start
    for step in replay.merges:
        assert (step.left, step.right) == before[step.at : step.at + 2]
        assert len(step.pieces) == len(before) - 1
        assert step.pieces[: step.at] == before[: step.at]
        assert 1 <= step.number <= len(MERGES)
        before = step.pieces
    assert before == replay.pieces
