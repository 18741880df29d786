"""A reader's own sentence is drawn as the book draws those that it records."""

import json
import re
import threading
from pathlib import Path
from typing import Any

import pytest

from app.book.cells import Cells, run_of
from app.book.links import Links
from app.book.record import ScreenState
from app.book.tree import WrittenScreen
from app.data.walk import Walk
from app.live.session import Answer, LiveSession
from app.registry import Address
from tests.app.test_book import RUN, SENTENCE, SOFTMAX, softmax

NAMES = {
    "self_attention.softmax": SOFTMAX,
    "vectors.tokens": Address("vectors", "tokens"),
    "vectors.near": Address("vectors", "near"),
    "what_if.words": Address("what_if", "words"),
    "translate": Address("translate"),
}


@pytest.fixture
def session(models: Path, monkeypatch: pytest.MonkeyPatch) -> LiveSession:
    """A session with the sentence of the recordings."""
    made = LiveSession("en", "es-en", NAMES)
    made.sentence(SENTENCE)
    return made


def assert_same(answer: Answer, state: ScreenState) -> None:
    """What the session answers is what a book with that state has of it."""
    opens = Cells(run_of({**RUN, **state.settings})).opens
    written = WrittenScreen(state, Links(NAMES), softmax().offers, opens)
    assert answer["html"] == written.html
    assert answer["pieces"] == {**written.pieces, **written.shared}
    assert answer["settings"] == state.settings


def component(session: LiveSession, kind: str) -> Any:
    """What a component of the open screen draws."""
    assert session.state
    found = next(node for node in session.state.main.walk() if node.component == kind)
    return json.loads(found.body.json)["fixed"]


def test_a_screen_is_what_a_book_records_of_the_sentence(session: LiveSession) -> None:
    opened = session.open("self_attention.softmax")
    assert_same(opened, softmax().states[0])
    assert opened["name"] == "self_attention.softmax"
    assert opened["title"].startswith("Self-attention, step by step · ")


def test_a_choice_and_a_click_are_the_states_that_a_book_records(session: LiveSession) -> None:
    states = {json.dumps(state.settings, sort_keys=True): state for state in softmax().states}
    session.open("self_attention.softmax")
    assert_same(session.send("pick-word", 0), states['{"word": "0"}'])
    assert_same(session.choose("head-en", 1), states['{"head": "2", "word": "0"}'])


def test_what_was_chosen_goes_along_to_other_screens(session: LiveSession) -> None:
    session.open("self_attention.softmax")
    session.choose("head-en", 1)
    assert session.open("what_if.words")["settings"] == {"head": "2"}
    session.sentence("la casa azul")
    opened = session.open("self_attention.softmax", {"layer": "2"})
    assert opened["settings"] == {"head": "2", "layer": "2"}
    assert opened["text"] == "la casa azul"


def test_a_number_opens_the_calculation_that_a_book_has_of_it(session: LiveSession) -> None:
    cells = Cells(run_of(RUN))
    cells.take([softmax().states[0].main])
    book = cells.data()
    session.open("self_attention.softmax")
    for key in [key for key in book["panels"] if ".weights@" in key]:
        name, _at, index = key.partition("@")
        found = session.cell("board", {"name": name, "index": [*map(int, index.split("."))]})
        sources = found["panels"][key]["sources"]
        assert len(found["panels"]) == 1 + len(sources)
        for part in ("panels", "lines", "codes"):
            assert all(book[part].get(name, one) == one for name, one in found[part].items())
    assert not session.cell("board", {"name": "logits", "index": [99, 0]})["panels"]


def test_a_head_that_is_muted_lets_both_runs_appear(session: LiveSession) -> None:
    before = session.open("translate")
    assert 'data-key="both-runs"' not in before["html"]
    (heads,) = re.findall('data-control="(what-heads-of-[^"]*)" data-option="0"', before["html"])
    marked = session.choose(heads, 1)
    assert marked["html"].count('aria-pressed="true"') == 2
    session.choose(heads, 0)
    after = session.choose("what-add")
    assert after["settings"] == {"change": "mute-cross-1-1"}
    assert 'data-key="both-runs"' in after["html"]
    assert 'data-control="run-en"' in session.open("self_attention.softmax")["html"]
    changed = component(session, "board")
    session.choose("run-en", 0)
    assert session.open("translate")["settings"]["run"] == "before"
    assert changed["items"]
    assert session.choose("changes-undo")["settings"] == {"run": "before"}


def test_a_button_leads_to_the_page_that_it_names(session: LiveSession) -> None:
    """Its page was asked for once more at the next choice, and the reader was back."""
    session.open("what_if.words")
    there = session.choose("open-hidden")
    assert there["name"] == there["page"] == "translate"
    assert there["settings"]["change"].startswith("hide-")
    assert session.choose("view-en", 1)["page"] == "translate"


def test_a_weight_is_set_by_hand(session: LiveSession) -> None:
    session.open("translate")
    session.choose("edit-en", 1)
    assert component(session, "matrix")["text"]["hint"].startswith("Drag a cell")
    edited = session.send("matrix", {"query": 0, "key": 1, "weight": 0.5})
    assert edited["settings"]["change"] == "edit-cross-1-0-0-1_0.5"


def test_what_is_typed_into_a_field_is_read(session: LiveSession) -> None:
    typed = session.open("vectors.near")
    assert 'data-control="from-en"' in typed["html"]
    assert 'data-control="text-en"' not in typed["html"], "the book has a field of its own"
    assert session.type("from-en", "casa")["settings"] == {"from": "casa"}


@pytest.mark.parametrize("text", ["", " \t\n", "\u200b"])
def test_a_sentence_without_letters_is_told(session: LiveSession, text: str) -> None:
    assert session.sentence(text)["error"].startswith("There is nothing to translate yet")
    assert session.open("translate")["text"] == SENTENCE


@pytest.mark.parametrize("text", ["<script>alert(1)</script> <pad> </s> 👩‍🚀🏳️‍🌈", "a" * 10_000])
def test_any_text_is_drawn_as_text(session: LiveSession, text: str) -> None:
    told = session.sentence(text)
    assert "error" not in told
    for name in NAMES:
        opened = session.open(name)
        assert opened["text"] == told["text"] == text[:4001]
        assert "cannot compute" not in "".join(opened["pieces"].values())
        assert not re.search("<(script|pad)", opened["html"])
        assert all(
            is_data(one) or not re.search("<(script|pad)", one) for one in opened["pieces"].values()
        )
        json.dumps(opened)


def is_data(piece: str) -> bool:
    """Whether a piece is what a component draws, which writes all texts as such."""
    return piece.startswith("{")


def test_what_a_browser_cannot_compute_is_told(
    session: LiveSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A page told of the log of a server that there is not."""

    def fails(_walk: Walk, _scopes: object) -> None:
        raise NotImplementedError("torch.autograd")

    monkeypatch.setattr(Walk, "check", fails)
    opened = session.open("self_attention.softmax")
    texts = "".join(opened["pieces"].values())
    assert "The browser cannot compute this screen" in texts
    assert "log" not in texts.partition("The browser cannot")[2].partition("</p>")[0]


def test_a_screen_is_drawn_without_another_thread(
    session: LiveSession, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In a browser none can be started."""
    monkeypatch.setattr(threading.Thread, "start", lambda _thread: pytest.fail("a thread"))
    session.open("translate")
    session.choose("view-en", 2)
