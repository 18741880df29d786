"""Chapter 1: the numbers on the page are the model's, and the parameters add up to its count."""

from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Radio

from app.components import diagram
from app.data.translation import Decoding, load
from app.data.walk import SUB_LAYERS, Stack, Walk, walk
from app.format import grouped, percent
from app.registry import WALK, of_section, path_of
from app.views.walk.big_picture.screens import Followed, columns, counts, totals
from model import checkpoint
from model.config import ModelConfig
from model.nn.translator import n_parameters
from tests.app.pages import grids, opened, sent_to_browser, step
from tests.app.tiny import make_models

TEXT = "Nunca es tarde para aprender"


@pytest.fixture
def opened_walk(models: Path) -> Walk:
    return walk("es-en", TEXT, Decoding("greedy"))


def page(**query: str) -> AppTest:
    return opened("big_picture", decoding="greedy", lang="en", **query)


def said(app: AppTest) -> str:
    return " ".join(element.value for element in (*app.markdown, *app.caption))


def components(app: AppTest) -> list[dict]:
    """The data of the components on the page."""
    found = sent_to_browser(app)
    return [data for data in found if "fixed" in data]


def question(app: AppTest) -> Radio:
    return next(one for one in app.radio if str(one.key).startswith("task-"))


@pytest.mark.parametrize("name", ["es-en", "fr-en"])
def test_parameters_add_up_to_the_models_own_count(models: Path, name: str) -> None:
    now = walk(name, TEXT, Decoding("greedy"))
    counted = counts(now)
    own = n_parameters(load(name).model)
    assert sum(count.total for count in counted) == sum(totals(counted).values()) == own
    assert columns(counted)["parameters"][-1] == own
    assert sum(map(float, columns(counted)["%"][:-1])) == pytest.approx(100)
    for count, shapes in zip(counted, columns(counted)["shapes"], strict=False):
        assert eval(str(shapes).replace("×", "*")) == count.total


def test_untied_matrices_are_counted_apart(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    make_models(tmp_path, ("es-en",))
    tied = checkpoint.load(tmp_path / "es-en")
    values = tied.config.to_dict() | {"share_embeddings": False, "tie_generator": False}
    apart = ModelConfig.from_dict(values)
    model = type(tied.model)(apart)
    checkpoint.save(tmp_path / "fr-en", model, tied.tokenizer, {})
    monkeypatch.setattr(checkpoint, "PRETRAINED", tmp_path)
    counted = counts(walk("fr-en", TEXT, Decoding("greedy")))
    assert sum(count.total for count in counted) == n_parameters(model)
    assert {"src_embed", "tgt_embed", "generator"} <= {count.block for count in counted}


def test_the_page_says_both_counts_and_ties(models: Path) -> None:
    app = page(text=TEXT)
    assert not app.exception
    assert not app.error
    own = grouped(n_parameters(load("es-en").model))
    assert f"Together: **{own}**. The model's own count: **{own}**." in said(app)
    assert "Tied:" in said(app)


def test_only_the_large_drawings_are_on_the_page(models: Path) -> None:
    drawn = [data["fixed"] for data in components(page(text=TEXT)) if "parts" in data["fixed"]]
    assert [one["model"]["view"] for one in drawn] == ["outline", "layers"]
    model = drawn[0]["model"]
    config = load("es-en").config
    assert model["layers"] == {
        "encoder": config.n_encoder_layers,
        "decoder": config.n_decoder_layers,
    }
    assert (model["heads"], model["pre"]) == (config.n_heads, config.norm == "pre")
    assert model["sizes"]["ffn"] == f"{config.d_model} → {config.d_ff} → {config.d_model}"


def test_the_task_knows_the_largest_part(models: Path, opened_walk: Walk) -> None:
    found = {part: n for part, n in totals(counts(opened_walk)).items() if n}
    best = max(range(len(found)), key=list(found.values()).__getitem__)
    app = page(text=TEXT)
    question(app).set_value(best).run()
    assert grouped(max(found.values())) in app.success[0].value.replace("\\", "")
    for other in set(range(len(found))) - {best}:
        question(app).set_value(other).run()
        assert not app.success
        share = list(found.values())[other] / sum(found.values())
        assert percent(share) in app.info[0].value.replace("\\", "")


OWN = {"encoder": "memory", "decoder": "the decoder's output", "stacks": "after layer 2"}
STEPS = ("box", "encoder", "map", "stacks", "layer", "sub-layer-1")


@pytest.mark.parametrize("half", ["encoder", "decoder"])
@pytest.mark.parametrize("part", [*STEPS, "count", "task"])
def test_each_step_opens_alone_with_its_own_picture(models: Path, part: str, half: str) -> None:
    app = step("big_picture", part, text=TEXT, half=half, decoding="greedy", lang="en")
    assert not app.exception
    assert not app.error
    drawn = [data["fixed"] for data in components(app)]
    maps = [fixed["model"]["view"] for fixed in drawn if "model" in fixed]
    if part == "box":
        assert any("black-box" in html.proto.body for html in app.get("html"))
    elif part in ("map", "layer"):
        assert maps == [{"map": "outline", "layer": "layers"}[part]]
    elif part == "count":
        assert len(app.get("plotly_chart")) == 1
    elif part == "task":
        n, d = len(walk("es-en", TEXT, Decoding("greedy")).capture.src), 32
        assert f"{n} × {d} = {n * d} numbers" in said(app)
    else:
        assert OWN.get(part, "x + f(x)") in grids(app)  # this model is post-norm
    assert len(maps) <= 1


@pytest.mark.parametrize(("half", "last"), [("encoder", "2"), ("decoder", "3")])
def test_each_sub_layer_can_be_chosen(models: Path, half: str, last: str) -> None:
    app = step("big_picture", "sub-layer-1", text=TEXT, half=half, sub="3")
    assert f"Sub-layer {last}: feed-forward" in said(app)


@pytest.mark.parametrize(("part", "answer"), [("encoder", "own"), ("stacks", "32")])
def test_a_guess_is_told_by_the_picture(models: Path, part: str, answer: str) -> None:
    app = page(text=TEXT, all="0", part=part)
    assert OWN[part] not in grids(app)
    n = len(walk("es-en", TEXT, Decoding("greedy")).capture.src)
    answer = str(n) if answer == "own" else answer
    guess = next(one for one in app.radio if str(one.key).startswith("guess-"))
    guess.set_value(guess.options.index(answer)).run()
    assert OWN[part] in grids(app)
    assert "Yes: " in said(app).replace("\\", "")


@pytest.mark.parametrize("stack", ["encoder", "decoder"])
def test_each_sub_layer_adds_to_what_the_last_one_left(opened_walk: Walk, stack: Stack) -> None:
    names = Followed(opened_walk, stack, 0, 0).stream
    assert len(names) == 3
    array = opened_walk.array
    for layer, x in enumerate(names[:-1]):
        for place, name in enumerate(SUB_LAYERS[stack], start=1):
            scope = f"{stack}.{layer}"
            add = f"{scope}.add_norm_{place}.add"
            out = array(f"{scope}.{name}.out")
            np.testing.assert_allclose(array(x) + out, array(add), atol=1e-5)
            x = add if opened_walk.config.norm == "pre" else f"{scope}.add_norm_{place}.norm"
        assert x == names[layer + 1]


@pytest.mark.parametrize("half", ["encoder", "decoder"])
def test_both_halves_layers_and_tokens(models: Path, half: str) -> None:
    app = page(text="hola", half=half, word="99", layer="9")
    assert not app.exception
    assert not app.error


def test_the_strip_names_every_chapter_once() -> None:
    sent = diagram.payload(None)
    slugs = [part["slug"] for part in sent["parts"]]
    assert slugs == [view.slug for view in of_section(WALK)]
    assert [part["number"] for part in sent["parts"]] == list(range(1, len(slugs) + 1))


def test_an_event_names_a_page() -> None:
    assert path_of("heads") == "views/walk/heads/page.py"
    assert path_of("../secret") is None
    assert path_of("") is None
