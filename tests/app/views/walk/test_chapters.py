"""Every chapter with every model and sentence that it must bear; and the badge, which must not."""

import json
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from app.data import walk as walk_data
from app.data.walk import Calculation, Cell
from app.inspector.panel import go
from app.registry import VIEWS, WALK
from model import checkpoint
from model.interpret.calculation.explain import explain
from model.interpret.calculation.parameters import Parameters
from model.interpret.capture import Capture
from tests.app.pages import badges, corrupted, healthy, opened, said

CHAPTERS = [view.slug for view in VIEWS if view.section == WALK]
# What else an address may ask of a chapter: of each choice one that it has, or more than it has.
ASKED = {
    "add_norm": {"side": "tgt", "sub": "9", "unit": "9999"},
    "big_picture": {"half": "decoder", "sub": "9"},
    "decoding": {"step": "999", "head": "mean"},
    "output": {"step": "999", "piece": "999999", "temperature": "0.1", "k": "3", "p": "0.5"},
    "positions": {"side": "tgt", "pair": "9999", "order": "shuffled", "shuffle": "7"},
    "rollout": {"text": "<b>"},  # flows through more tokens take seconds
}
STRANGE = "🙂<script>$x$*a*`f`"
ADDRESSES = ("logits@0.5", "encoder.9.x@1", "x", "logits@-1.2", "@", "~~", "a@²", "logits@1")


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_any_shape_of_model_and_any_text(
    models: Path, uneven: Path, chapter: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same chapter without a text, with a strange one, and in another model with one word."""
    app = opened(chapter, text=" ")
    assert not app.exception
    assert any("nothing to show yet" in info.value for info in app.info)
    asked = ASKED.get(chapter, {})
    app = opened(chapter, **({"text": STRANGE, "decoding": "greedy", "lang": "fr"} | asked))
    healthy(app)
    assert not [html for html in app.get("html") if "<script" in html.proto.body]
    monkeypatch.setattr(checkpoint, "PRETRAINED", uneven)
    far = {"layer": "6", "head": "8", "word": "99"}
    healthy(opened(chapter, **(far | asked | {"text": "a"})))


def test_any_address_of_a_number(models: Path) -> None:
    for ask in ADDRESSES:
        healthy(opened("self_attention", all="0", text="hola", ask=ask))


@pytest.mark.parametrize(
    ("page", "choice"),
    [("self_attention", {"head": "2"}), ("self_attention", {"text": "nada"}), ("heads", {})],
)
def test_an_opened_number_closes_where_it_is_no_longer_meant(
    models: Path, page: str, choice: dict[str, str]
) -> None:
    """The panel once went on explaining the old head, or silently the word at the same place."""
    ask = "encoder.0.self_attn.scores@0.1.0"
    app = opened("self_attention", all="0", part="scale", text="hola", ask=ask)
    assert "head 1" in panel(app)["name"]
    app = app.run()
    assert "ask" in app.query_params  # nothing was chosen: it stays
    app.session_state["chosen"] = {**app.session_state["chosen"], **choice}
    app._page_hash = calc_hash(page)
    app.run()
    healthy(app)
    assert "ask" not in app.query_params
    assert not [one for one in app.get("bidi_component") if one.key == "ask-number"]


def test_an_asked_number_is_explained_once_a_page(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Each board of a page once explained it again, to light what it came from."""
    cells = []

    def explained(capture: Capture, parameters: Parameters, cell: Cell) -> Calculation:
        cells.append(cell)
        return explain(capture, parameters, cell)

    monkeypatch.setattr(walk_data, "explain", explained)
    app = opened("self_attention", text="hola", ask="encoder.0.self_attn.scores@0.1.0")
    assert len([one for one in app.get("bidi_component") if "lit" in one.proto.json]) > 3
    assert cells == [Cell("encoder.0.self_attn.scores", (0, 1, 0))]


def panel(app: AppTest) -> dict:
    """What the panel of the opened number is sent."""
    (shown,) = [one for one in app.get("bidi_component") if one.key == "ask-number"]
    return json.loads(shown.proto.json)["fixed"]


@pytest.mark.parametrize(
    ("page", "name", "at", "told"),
    [
        ("self_attention", "encoder.0.self_attn.scores", (1, 2, 0), ["score of q and k", "head 2"]),
        ("evolution", "encoder.0.forward.candidate", (1, 3), []),
    ],
)
def test_one_wrong_number_turns_the_badge_red(
    models: Path,
    page: str,
    name: str,
    at: tuple[int, ...],
    told: list[str],
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def change(arrays: dict[str, np.ndarray]) -> None:
        if name in arrays:  # the page may also ask another model
            arrays[name][at] += 0.01

    assert "Checked" in badges(opened(page, all="0", text="hola nunca vista uno"))
    monkeypatch.setattr("app.data.translation.capture", corrupted(change))
    wrong = opened(page, all="0", text="hola nunca vista dos")
    assert not wrong.exception
    assert "Not confirmed" in badges(wrong)
    assert all(one in said(wrong).replace("\\", "") for one in told)


def test_a_number_is_walked_up_to_the_embedding_table(models: Path) -> None:
    """Follow "where does this come from" until the trail ends; each shows what it recomputes."""
    way = ["encoder.0.self_attn.scores@0.1.0"]
    while len(way) < 30:
        app = opened("self_attention", text="hola", all="0", ask="~".join(way))
        healthy(app)
        shown = panel(app)
        assert [one["stay"] for one in shown["trail"]] == list(range(1, len(way) + 1))
        if not shown["sources"]:
            break
        cell = shown["sources"][0]["cell"]
        way.append(f"{cell['name']}@{'.'.join(map(str, cell['index']))}")
    assert way[-1].startswith(("param:", "src.pos"))
    assert "The trail ends" in shown["end"]


def test_what_an_address_asks_for_and_is_not_here_is_left_out_of_the_way(models: Path) -> None:
    ask = "nothing@1~encoder.0.self_attn.q@0.900.0~encoder.0.self_attn.scores@0.1.0"
    app = opened("self_attention", text="hola", all="0", ask=ask)
    healthy(app)
    assert [(one["label"], one["stay"]) for one in panel(app)["trail"]] == [("score of q and k", 3)]


def test_one_goes_back_on_and_away_from_a_number(monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third = (Cell("q", (0,)), Cell("k", (1,)), Cell("v", (2,)))
    way: list[tuple[tuple[str, tuple[int, ...]], ...]] = [()]
    asked = SimpleNamespace(get=lambda: way[-1], set=way.append)
    monkeypatch.setattr("app.state.ASKED", asked)
    go(first, second)  # an example that nobody opened is the way's beginning
    go(second, third)
    go(third, 1)
    go(first, 0)
    names = [[name for name, _index in one] for one in way]
    assert names == [[], ["q", "k"], ["q", "k", "v"], ["q"], []]


def test_an_error_nobody_foresaw_is_one_sentence(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """It is told inside the part that runs again by itself, whose caller is not there then."""

    def fail(*_args: object) -> None:
        raise RuntimeError("no such thing")

    monkeypatch.setattr("app.page.frame.draw_task", fail)
    app = opened("self_attention", text="hola")
    assert not app.exception
    assert ["could not be shown" in error.value for error in app.error] == [True]
    assert [one.key for one in app.get("bidi_component")].count("steps") == 1  # the way on
