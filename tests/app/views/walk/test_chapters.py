"""Every chapter with every model and sentence that it must bear; and the badge, which must not."""

import json
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import SimpleNamespace

import numpy as np
import pytest
import torch
from streamlit.testing.v1 import AppTest
from streamlit.util import calc_hash

from app.data import walk as walk_data
from app.data.walk import Calculation, Cell
from app.inspector.panel import go
from app.registry import VIEWS, WALK
from model import checkpoint
from model.config import ModelConfig
from model.interpret.calculation.explain import explain
from model.interpret.calculation.parameters import Parameters
from model.interpret.capture import Capture
from model.interpret.capture import capture as real_capture
from model.nn.transformer import Transformer
from model.text.tokenizer import Tokenizer
from tests.app.pages import opened
from tests.app.tiny import LINES

CHAPTERS = [view.slug for view in VIEWS if view.section == WALK]
THIRTY_WORDS = " ".join(["nunca es tarde para aprender,"] * 6)
STRANGE = ("🙂 <script>alert(1)</script> $x$ **a** <pad> مرحبا", "a:b_c [d](e) `f` ~g~")
ADDRESSES = ("logits@0.5", "encoder.9.x@1", "x", "logits@-1.2", "@", "~~", "a@²", "logits@1")
SHAPES = {
    "one head, one layer, post-norm": {"n_heads": 1, "layers": 1, "norm": "post"},
    "eight heads, six layers, pre-norm": {"n_heads": 8, "layers": 6, "norm": "pre"},
}


def healthy(app: AppTest) -> None:
    """A page without an error, in its box or behind it."""
    assert not app.exception
    assert not app.error
    assert not [message.value for message in app.warning]
    assert app.title[0].value


@pytest.fixture(scope="module", params=list(SHAPES.values()), ids=list(SHAPES))
def shaped(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with one model of a shape."""
    folder = tmp_path_factory.mktemp("shaped")
    tokenizer = Tokenizer.train(LINES * 3, 340)
    layers, heads, norm = (request.param[name] for name in ("layers", "n_heads", "norm"))
    torch.manual_seed(0)
    config = ModelConfig(
        tokenizer.vocab_size, d_model=32, n_heads=heads, d_ff=48, n_encoder_layers=layers,
        n_decoder_layers=layers, norm=norm, max_len=128,
    )  # fmt: skip
    checkpoint.save(folder / "es-en", Transformer(config).eval(), tokenizer, {})
    return folder


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_any_shape_of_model(shaped: Path, chapter: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(checkpoint, "PRETRAINED", shaped)
    healthy(opened(chapter, text="hola", layer="6", head="8", word="99"))


@pytest.mark.parametrize("chapter", CHAPTERS)
@pytest.mark.parametrize(
    ("model", "text"),
    [("es-en", THIRTY_WORDS), ("fr-en", "oui"), ("snapshots/es-en-untrained", "hola amigo")],
)
def test_the_models_that_ship(chapter: str, model: str, text: str) -> None:
    healthy(opened(chapter, model=model, text=text, decoding="greedy"))


@pytest.mark.parametrize("chapter", CHAPTERS)
@pytest.mark.parametrize("text", STRANGE)
def test_strange_text(models: Path, chapter: str, text: str) -> None:
    app = opened(chapter, text=text)
    healthy(app)
    assert not [html for html in app.get("html") if "<script" in html.proto.body]


@pytest.mark.parametrize("chapter", CHAPTERS)
def test_nothing_typed(models: Path, chapter: str) -> None:
    app = opened(chapter, text=" ")
    assert not app.exception
    assert any("nothing to show yet" in info.value for info in app.info)


@pytest.mark.parametrize("ask", ADDRESSES)
def test_any_address_of_a_number(models: Path, ask: str) -> None:
    healthy(opened("self_attention", text="hola", ask=ask))


@pytest.mark.parametrize(
    ("page", "choice"),
    [("self_attention", {"head": "2"}), ("self_attention", {"text": "nada"}), ("heads", {})],
)
def test_an_opened_number_closes_where_it_is_no_longer_meant(
    models: Path, page: str, choice: dict[str, str]
) -> None:
    """The panel once went on explaining the old head, or silently the word at the same place."""
    app = opened("self_attention", text="hola", ask="encoder.0.self_attn.scores@0.1.0")
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
    """Each board of a page once explained it anew, to light what it came from."""
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


def corrupted(change: Callable[[dict[str, np.ndarray]], None]) -> Callable[..., Capture]:
    """A capture that tells one number wrongly."""

    def capture(*args: object) -> Capture:
        made = real_capture(*args)  # type: ignore[arg-type]
        arrays = {name: array.copy() for name, array in made.arrays.items()}
        change(arrays)
        return replace(made, arrays=arrays)

    return capture


def test_one_wrong_number_turns_the_badge_red(
    models: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def change(arrays: dict[str, np.ndarray]) -> None:
        arrays["encoder.0.self_attn.scores"][1, 2, 0] += 0.01

    right = opened("self_attention", text="hola nunca vista uno")
    assert "Checked" in badges(right)
    monkeypatch.setattr("app.data.translation.capture", corrupted(change))
    wrong = opened("self_attention", text="hola nunca vista dos")
    assert not wrong.exception
    assert "Not confirmed" in badges(wrong)
    said = " ".join(text.value for text in wrong.markdown).replace("\\", "")
    assert "score of q and k" in said
    assert "head 2" in said


def badges(app: AppTest) -> str:
    """What the badges of a page say."""
    return " ".join(element.value for element in app.markdown if "badge" in element.value)


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
    app = opened(
        "self_attention",
        text="hola",
        all="0",
        ask="nothing@1~encoder.0.self_attn.q@0.900.0~encoder.0.self_attn.scores@0.1.0",
    )
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
    assert [[name for name, _index in one] for one in way] == [
        [],
        ["q", "k"],
        ["q", "k", "v"],
        ["q"],
        [],
    ]


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
