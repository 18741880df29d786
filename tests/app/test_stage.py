"""The stage's words, its page, and what a page sends for it."""

import json
import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest

from app.data.decoding import Decoding
from app.data.stage import stage_data
from app.data.translation import translate
from app.i18n import LANGUAGES, _
from app.page.contents import every_screen
from app.registry import VIEWS, Address
from app.stage import payload
from app.stage.words import STOPS
from tests.app.pages import opened, sound

MAX_WORDS = 40


@pytest.fixture
def sent(models: Path) -> Mapping[str, Any]:
    data = stage_data(translate("es-en", "Nunca es tarde.", Decoding()))
    read: Mapping[str, Any] = json.loads(payload(data, ("es-en", "El gato."), True, False, "en"))
    return read


@pytest.mark.parametrize("language", list(LANGUAGES), indirect=True)
def test_a_stop_says_at_most_forty_words(language: str) -> None:
    told = [_(text) for stop in STOPS for text in (stop.text, stop.otherwise) if text]
    assert len(STOPS) == 22
    assert [text for text in told if len(text.split()) > MAX_WORDS] == []


def test_a_stop_asks_for_no_value_that_the_page_lacks(sent: Mapping[str, Any]) -> None:
    hero = "word best share next read writes p zero head heads d_model d_k d_ff vocabulary"
    known = {*sent["values"], *hero.split(), "target_vocabulary", "layers", "more"}
    texts = [word[part] for word in sent["words"] for part in ("title", "text")]
    assert {name for text in texts for name in re.findall(r"\{(\w+)\}", text)} <= known


def test_the_doors_lead_to_screens() -> None:
    screens = set(every_screen()) | {Address(view.slug) for view in VIEWS}
    assert {at for stop in STOPS for _, at in stop.doors} <= screens


def test_a_model_without_relu_or_positions_is_told_of_as_it_is() -> None:
    config = {"activation": "gelu", "positions": "none"}
    said = {stop.slug: stop.text_for(config) for stop in STOPS}
    assert "negative" not in said["feed-forward"]
    assert "no positions" in said["position"]


def test_the_page_stands_right_after_the_start() -> None:
    assert [view.slug for view in VIEWS][:2] == ["start", "tour"]


def test_the_page_is_the_sentence_and_the_stage(models: Path) -> None:
    app = sound(opened("tour", model="es-en", text="Nunca es tarde."))
    assert app.title[0].value == "The tour"


def test_a_recurrent_model_gets_a_plain_sentence(models: Path) -> None:
    app = opened("tour", model="rnn/es-en", text="Nunca es tarde.")
    assert "recurrent network" in app.info[0].value
