"""Chapter 6: the arrays around each sub-layer are the model's, and the task's answer is right."""

from pathlib import Path

import numpy as np
import pytest

from app.data.translation import Decoding
from app.data.walk import Stack, Walk, walk
from app.format import escape
from app.inspect.naming import SUB_LAYERS
from app.views.walk.add_norm.stream import stream
from app.views.walk.add_norm.sublayer import Sub
from model import checkpoint
from model.config import ModelConfig
from model.nn.transformer import Transformer
from tests.app.pages import opened

TEXT = "Donde hay humo, hay fuego"
STACKS: tuple[Stack, ...] = ("encoder", "decoder")


@pytest.fixture(params=["post", "pre"])
def opened_walk(
    request: pytest.FixtureRequest, models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> Walk:
    """A sentence in a model of either order; the pre-norm one has a single layer and head."""
    if request.param == "pre":
        loaded = checkpoint.load(models / "es-en")
        config = ModelConfig(
            loaded.config.vocab_size, d_model=16, n_heads=1, d_ff=24, n_encoder_layers=1,
            n_decoder_layers=1, max_len=64, norm="pre",
        )  # fmt: skip
        checkpoint.save(tmp_path / "es-en", Transformer(config).eval(), loaded.tokenizer, {})
        monkeypatch.setattr(checkpoint, "PRETRAINED", tmp_path)
    return walk("es-en", TEXT, Decoding("greedy"))


@pytest.mark.parametrize("stack", STACKS)
def test_the_parts_of_each_sub_layer(opened_walk: Walk, stack: Stack) -> None:
    for place, part in enumerate(SUB_LAYERS[stack]):
        sub = Sub(opened_walk, stack, 0, 1, place)
        x, out, added = (opened_walk.array(name) for name in (sub.x, sub.out, sub.add))
        assert sub.out == f"{stack}.0.{part}.out"
        np.testing.assert_allclose(x + out, added, atol=1e-5)
        assert sub.normed == (sub.x if opened_walk.config.norm == "pre" else sub.add)


@pytest.mark.parametrize("stack", STACKS)
def test_the_stream_is_the_captured_one(opened_walk: Walk, stack: Stack) -> None:
    of = stream(Sub(opened_walk, stack, 0, 1))
    sublayers = opened_walk.config.n_encoder_layers * len(SUB_LAYERS[stack])
    assert len(of.steps) == len(of.lengths) == sublayers + 1
    for i, name in enumerate(of.names):
        assert of.lengths[i] == pytest.approx(np.linalg.norm(opened_walk.array(name)[1]))
    first, second = (opened_walk.array(name)[1] for name in of.names[:2])
    angle = first @ second / np.linalg.norm(first) / np.linalg.norm(second)
    assert of.cosines[0] == pytest.approx(angle, abs=1e-5)


@pytest.mark.parametrize(
    "query",
    [
        {"side": "tgt", "sub": "3", "layer": "2", "word": "1", "unit": "5"},
        {"side": "src", "sub": "3", "layer": "9", "word": "99", "unit": "9999", "head": "mean"},
        {"text": "a", "lang": "fr"},
    ],
)
def test_the_page_opens(opened_walk: Walk, query: dict[str, str]) -> None:
    app = opened("add_norm", **{"text": TEXT} | query)
    assert not app.exception
    assert not app.error


def test_the_task_is_answered_by_the_smallest_cosine(models: Path) -> None:
    of = stream(Sub(walk("es-en", TEXT, Decoding("beam")), "encoder", 0, 0))
    app = opened("add_norm", text=TEXT)
    right = escape(of.steps[int(of.cosines.argmin()) + 1])
    app.radio[0].set_value(app.radio[0].options.index(right)).run()
    assert len(app.success) == 1


@pytest.mark.parametrize(("side", "place"), [("src", "3"), ("tgt", "4")])
def test_the_last_norm_can_be_chosen_where_there_is_one(
    opened_walk: Walk, side: str, place: str
) -> None:
    app = opened("add_norm", side=side, sub=place, text=TEXT)
    assert not app.exception
    assert not app.error
    said = "\n".join(text.value for text in app.markdown)
    is_pre = opened_walk.config.norm == "pre"
    assert ("## Add\n" in said) != is_pre
    assert "## Normalise\n" in said
    assert ("the stack normalises once more" in said) == is_pre
