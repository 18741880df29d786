"""What the stage is drawn from: the numbers of the capture, packed once."""

import base64
import json
import zlib
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from app.data.decoding import Decoding
from app.data.stage import TOP, StageData, arrays_of, packed, stage_data
from app.data.translation import Translation, translate
from model.files import ROOT
from model.interpret.calculation.numbers import softmax
from model.interpret.hero import hero_of, heroes, is_whole

KILOBYTES = 400


def unpacked(data: StageData) -> dict[str, np.ndarray]:
    """Read what is packed, as the browser does."""
    bytes_ = np.frombuffer(zlib.decompress(base64.b64decode(data.packed)), np.uint8)
    numbers = np.ascontiguousarray(bytes_.reshape(4, -1).T).view("<f4").ravel()
    found, at = {}, 0
    for name, shape in data.shapes:
        size = int(np.prod(shape))
        found[name], at = numbers[at : at + size].reshape(shape), at + size
    assert at == len(numbers)
    return found


@pytest.fixture(params=["es-en", "fr-en"])
def translation(request: pytest.FixtureRequest, models: Path) -> Translation:
    return translate(request.param, "Je suis, donc je suis.", Decoding())


def test_each_number_that_is_sent_is_one_of_the_capture(translation: Translation) -> None:
    arrays, captured = unpacked(stage_data(translation)), translation.capture
    exact = {name: array for name, array in arrays_of(captured).items() if name != "top_ids"}
    for name, array in exact.items():
        np.testing.assert_array_equal(arrays[name], array.astype(np.float32), err_msg=name)
    np.testing.assert_array_equal(arrays["ew"], captured.all_weights("encoder"))
    np.testing.assert_array_equal(arrays["s"], captured.stage("encoder", 0, "scores"))
    np.testing.assert_array_equal(arrays["q"], captured.stage("encoder", 0, "q"))
    probabilities = softmax(captured.logits.astype(np.float64))
    best = np.sort(probabilities, -1)[:, ::-1][:, :TOP]
    np.testing.assert_allclose(arrays["tp"], best, rtol=1e-6)


def test_each_stream_ends_in_what_is_read_from_it(translation: Translation) -> None:
    """A layer of a post-norm model leaves its norm, one of a pre-norm model its sum."""
    arrays, captured = unpacked(stage_data(translation)), translation.capture
    assert captured.config.norm == "post"
    n = arrays["mem"].shape[-1]
    np.testing.assert_array_equal(arrays["es"][-1], captured.arrays["memory"][:, :n])
    np.testing.assert_array_equal(arrays["ds"][-1], arrays["dout"])


def test_a_model_without_snapshots_shows_its_first_weights(translation: Translation) -> None:
    facts = json.loads(stage_data(translation).facts)
    first, last = facts["moments"][0], facts["moments"][-1]
    assert (first["steps"], last["written"]) == (0, translation.output)
    arrays = unpacked(stage_data(translation))
    for i, one in enumerate(facts["moments"]):
        np.testing.assert_allclose(arrays[f"m{i}"].sum(-1), 1, atol=1e-5)
        assert len(one["tokens"]) == len(arrays[f"m{i}"])


def test_a_sentence_is_packed_once(translation: Translation) -> None:
    assert stage_data(translation) is stage_data(replace(translation))


@pytest.mark.long
def test_fourteen_tokens_take_less_than_what_a_page_may_send() -> None:
    """By a model that comes along: five layers, eight heads."""
    text = "The animal didn't cross the street because it was too tired."
    translation = translate("en-es", text, Decoding())
    data = stage_data(translation)
    assert len(translation.capture.src) == 14
    assert len(data.packed) + len(data.facts) < KILOBYTES * 1000


def test_special_numbers_are_packed_too() -> None:
    values = np.array([[-np.inf, 0.0, -0.0, 1e-40]], np.float32)
    text = packed({"a": values, "b": values})
    data = StageData(text, (("a", (1, 4)), ("b", (2, 2))), "{}")
    np.testing.assert_array_equal(unpacked(data)["b"], values.reshape(2, 2))


@pytest.mark.slow
@pytest.mark.parametrize("model", ["en-es", "es-en", "fr-en"])
def test_there_is_always_a_hero_and_it_is_a_whole_word(model: str) -> None:
    """Over 200 sentences of everyday speech, by the models that come along."""
    book = ROOT / f"pretrained/everyday/{'fr-en' if model == 'fr-en' else 'es-en'}.tsv"
    lines = [line.split("\t") for line in book.read_text(encoding="utf-8").splitlines()]
    clear = 0
    for line in lines[:200]:
        captured = translate(model, line[model == "en-es"], Decoding("greedy")).capture
        hero = hero_of(captured, heroes(captured))
        whole = [i for i in range(len(captured.src)) if is_whole(captured.src, i)]
        assert hero.source in whole or not whole
        clear += all(hero.holds)
    assert clear > 100
