"""The tree that can be steered, on the page: its clicks, its address, its numbers."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app.data.decoding import Decoding
from app.data.steering import branch, hypothesis_capture
from app.data.translation import Translation, translate
from app.format import number
from app.inspector.beam import _mark
from tests.app.pages import grids, numbers, opened, said, sent_to_browser, sound, step

TEXT = "Qué será, será"


@pytest.fixture
def way(models: Path) -> Translation:
    return translate("es-en", TEXT, Decoding("beam", 4))


def drawn(app: AppTest) -> list[dict[str, Any]]:
    """The nodes of the first tree on a page."""
    sent = sent_to_browser(app)
    return next(data["fixed"]["nodes"] for data in sent if "nodes" in data.get("fixed", {}))


def address(way: Translation, **branches: tuple[int, ...]) -> str:
    return "~".join(f"{n}{_mark(way)}@{'.'.join(map(str, t))}" for n, t in branches.items())


def given_up(way: Translation) -> tuple[int, ...]:
    return next(node.tokens for node in way.tree if node.status == "pruned")


@pytest.mark.parametrize("page", ["decoding", "translate"])
def test_an_address_opens_a_branch(way: Translation, page: str) -> None:
    tokens = given_up(way)
    query = {"text": TEXT, "branches": address(way, A=tokens), "view": "beam"}
    app = step(page, "branch", **query) if page == "decoding" else opened(page, **query)
    assert not app.exception
    assert {node["branch"] for node in drawn(app)} == {"", "A"}
    winner = branch(way, tokens).hypotheses[0]
    assert number(winner.score, 3) in said(app)
    assert number(winner.log_prob, 3) in said(app)
    app.button(key="remove-A").click().run()
    assert {node["branch"] for node in drawn(app)} == {""}
    assert "branches" not in app.query_params


def test_the_branches_of_another_sentence_wait_for_it(way: Translation) -> None:
    branches = address(way, A=given_up(way))
    app = step("decoding", "branch", text="Donde hay humo, hay fuego", branches=branches)
    assert {node["branch"] for node in drawn(app)} == {""}


def test_an_address_that_means_nothing_does_no_harm(way: Translation) -> None:
    for raw in ("A@", "A00000000@5", "x", "A@1.x", "~~", "Z@3~Y@4~A@5~B@6~C@7"):
        app = sound(opened(text=TEXT, view="beam", branches=raw, hypothesis=raw))
        assert {node["branch"] for node in drawn(app)} == {""}


def test_a_beginning_and_a_wish_are_in_the_address(way: Translation) -> None:
    app = step("decoding", "begin", text=TEXT, begin="It's n")
    assert app.text_input(key="begin-en").value == "It's n"
    app = step("decoding", "wanted", text=TEXT, wanted="Whatever")
    assert app.text_input(key="wanted-en").value == "Whatever"
    assert "The beam lost it at" in said(app)


def test_each_hypothesis_opens_with_its_own_numbers(way: Translation) -> None:
    """The panel and the badge are then of that one, not of the winner."""
    other = branch(way, given_up(way)).hypotheses[0]
    raw = "@" + ".".join(map(str, other.tokens))
    app = sound(step("decoding", "looks", text=TEXT, hypothesis=raw))
    looks = grids(app)["Encoder-decoder"]
    assert looks["name"].endswith("cross_attn.weights")
    expected = hypothesis_capture(way, other.tokens).weights("cross", 0, 0)
    np.testing.assert_allclose(numbers(looks), expected, rtol=1e-6)
