"""Chapter 1: the numbers on the page are the model's, and the parameters add up to its count."""

from pathlib import Path

import pytest
from streamlit.testing.v1 import AppTest

from app.data.translation import Decoding, load
from app.data.walk import Walk, walk
from app.format import grouped, percent
from app.views.walk.big_picture.screens import columns, counts, totals
from model import checkpoint
from model.config import ModelConfig
from model.nn.translator import n_parameters
from tests.app.pages import SENTENCE, charts, grids, judged, opened, said, sent_to_browser, step
from tests.app.tiny import make_models


def page(**query: str) -> AppTest:
    return opened("big_picture", text=SENTENCE, **query)


def test_parameters_add_up_to_the_models_own_count(now: Walk) -> None:
    counted = counts(now)
    own = n_parameters(load("es-en").model)
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
    counted = counts(walk("fr-en", SENTENCE, Decoding()))
    assert sum(count.total for count in counted) == n_parameters(model)
    assert {"src_embed", "tgt_embed", "generator"} <= {count.block for count in counted}


def test_the_page_says_both_counts_and_ties_and_draws_the_model(models: Path) -> None:
    app = page()
    own = grouped(n_parameters(load("es-en").model))
    assert f"Together: **{own}**. The model's own count: **{own}**." in said(app)
    assert "Tied:" in said(app)
    drawn = [data["fixed"] for data in sent_to_browser(app) if "parts" in data.get("fixed", {})]
    assert [one["model"]["view"] for one in drawn] == ["outline", "layers"]
    model = drawn[0]["model"]
    config = load("es-en").config
    layers = {"encoder": config.n_encoder_layers, "decoder": config.n_decoder_layers}
    assert model["layers"] == layers
    assert (model["heads"], model["pre"]) == (config.n_heads, config.norm == "pre")
    assert model["sizes"]["ffn"] == f"{config.d_model} → {config.d_ff} → {config.d_model}"


def test_the_task_knows_the_largest_part(now: Walk) -> None:
    found = {part: n for part, n in totals(counts(now)).items() if n}
    best = max(range(len(found)), key=list(found.values()).__getitem__)
    app = page(all="0", part="task")
    judged(app, best)
    other = (best + 1) % len(found)
    share = list(found.values())[other] / sum(found.values())
    assert percent(share) in app.info[0].value.replace("\\", "")


@pytest.mark.parametrize(
    ("half", "last", "end"), [("encoder", "2", "memory"), ("decoder", "3", "the decoder's output")]
)
def test_every_screen_has_its_picture(now: Walk, half: str, last: str, end: str) -> None:
    app = step("big_picture", "sub-layer-1", text=SENTENCE, half=half, sublayer="3")
    assert f"Sub-layer {last}: feed-forward" in said(app)
    assert "x + f(x)" in grids(app)  # this model is post-norm
    app = page(half=half)
    assert any("black-box" in html.proto.body for html in app.get("html"))
    assert len(charts(app)) == 1
    n, d = len(now.capture.src), 32
    assert f"{n} × {d} = {n * d} numbers" in said(app)
    assert {end, "after layer 2"} <= {*grids(app)}


@pytest.mark.parametrize(("part", "picture"), [("encoder", "memory"), ("stacks", "after layer 2")])
def test_a_guess_is_told_by_the_picture(now: Walk, part: str, picture: str) -> None:
    app = page(all="0", part=part)
    assert picture not in grids(app)
    answer = str(len(now.capture.src)) if part == "encoder" else "32"
    guess = next(one for one in app.radio if str(one.key).startswith("guess-"))
    guess.set_value(guess.options.index(answer)).run()
    assert picture in grids(app)
    assert "Yes: " in said(app).replace("\\", "")
