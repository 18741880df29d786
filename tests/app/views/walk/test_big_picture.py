"""Chapter 1: the numbers on the page are the model's, and the parameters add up to its count."""

import json
from pathlib import Path

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest
from streamlit.testing.v1.element_tree import Radio

from app.components import diagram
from app.data.translation import Decoding, load
from app.data.walk import Stack, Walk, walk
from app.format import grouped
from app.inspect.naming import SUB_LAYERS
from app.registry import WALK, of_section, path_of
from app.views.walk.big_picture.counts import counts, totals
from app.views.walk.big_picture.followed import Followed
from app.views.walk.big_picture.parameters import columns
from model import checkpoint
from model.config import ModelConfig
from model.nn.translator import n_parameters
from tests.app.pages import opened
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
    found = (json.loads(one.proto.json) for one in app.get("bidi_component") if one.proto.json)
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


def test_only_the_large_drawing_is_on_the_page(models: Path) -> None:
    drawn = [data["fixed"] for data in components(page(text=TEXT)) if "parts" in data["fixed"]]
    assert len(drawn) == 1
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
    question(app).set_value((best + 1) % len(found)).run()
    assert not app.success


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
def test_both_halves_layers_and_words(models: Path, half: str) -> None:
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
