"""The page Open a trace: a whole trace, one with only weights, and files that are none."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from safetensors.numpy import save
from streamlit.testing.v1 import AppTest

from app.format import row_names
from tests.app.pages import opened, sent_to_browser, unfold
from tests.model.samples import tiny_capture

HALF = np.tril(np.ones((3, 2, 2), np.float16))
DECODER = save(
    {f"decoder.{layer}.self_attn.weights": HALF / HALF.sum(-1, keepdims=True) for layer in (0, 1)},
    metadata={"format": "1", "tgt": json.dumps(["<script>", "**b**"])},
)


def with_file(data: bytes, **query: str) -> AppTest:
    app = opened("trace", **query)
    app.file_uploader(key="trace-file").upload("one.safetensors", data).run()
    assert not app.exception
    return app


def test_before_a_file_is_open_a_translation_of_our_own_is_shown(models: Path) -> None:
    app = opened("trace")
    assert any("No file is open yet" in one.value for one in app.caption)
    figures = [fixed for fixed in drawn(app) if "queries" in fixed]
    assert len(figures) == 1
    assert figures[0]["queries"][0].startswith("after <bos> → ")


def drawn(app: AppTest) -> list[dict[str, Any]]:
    """What the components of the page were sent."""
    sent = sent_to_browser(app)
    return [data["fixed"] for data in sent if "fixed" in data]


@pytest.mark.parametrize(
    ("view", "kind"), [("matrix", "encoder"), ("wall", "decoder"), ("lines", "cross")]
)
def test_a_whole_trace_shows_every_attention(models: Path, kind: str, view: str) -> None:
    app = with_file(tiny_capture()[1].to_bytes(), view=view, kind=kind)
    assert not app.error
    (said,) = app.info
    assert "arrays" in said.value
    assert "Not in this trace" not in said.value
    (figure,) = [fixed for fixed in drawn(app) if "queries" in fixed]
    src, tgt = ["a", "b", "c", "d", "<eos>"], ["<bos>", "d", "c", "b"]
    assert figure["queries"] == (src if kind == "encoder" else row_names(tgt, "…"))
    assert figure["keys"] == (tgt if kind == "decoder" else src)


def test_only_weights_of_a_decoder_are_shown_and_the_rest_is_missed(models: Path) -> None:
    for view in ("matrix", "wall", "lines"):
        app = with_file(DECODER, view=view, layer="2", head="3")
        (told,) = app.info
        assert "Not in this trace: the attention of the encoder, the encoder-decoder" in told.value
        assert "queries, keys and values" in told.value
        (figure,) = [fixed for fixed in drawn(app) if "queries" in fixed]
        # components write text only
        assert figure["queries"] == ["after <script> → **b**", "after **b** → …"]
        assert "<script>" not in " ".join(text.value for text in app.markdown)


def test_a_file_that_is_removed_is_forgotten(models: Path) -> None:
    """It was shown for as long as the visitor stayed."""
    app = with_file(DECODER)
    assert not any("No file is open yet" in one.value for one in app.caption)
    app.file_uploader(key="trace-file").set_value([]).run()
    assert any("No file is open yet" in one.value for one in app.caption)


def test_its_arrays_are_listed_and_drawn(models: Path) -> None:
    _, made = tiny_capture()
    app = with_file(made.to_bytes())
    unfold(app, "arrays")
    chosen = app.selectbox(key="trace-array")
    assert list(chosen.options) == sorted(made.arrays)
    chosen.set_value("decoder.0.self_attn.masked").run()
    assert not app.exception
    (board,) = [fixed for fixed in drawn(app) if "items" in fixed]
    assert board["items"][0]["title"] == "masked"
    assert board["items"][0]["shape"] == [4, 4]


@pytest.mark.parametrize(
    "data", [b"", b"PK\x03\x04", DECODER[:-4], DECODER.replace(b"F16", b"I16")]
)
def test_a_file_that_is_no_trace_gets_one_sentence(models: Path, data: bytes) -> None:
    app = with_file(data)
    (error,) = app.error
    assert error.value
    assert not app.info
    assert not [fixed for fixed in drawn(app) if "queries" in fixed]
