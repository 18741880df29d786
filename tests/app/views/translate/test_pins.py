"""Pinned runs: kept in the address, four at most, each once, and opened again."""

import base64
import json
import zlib
from typing import Final

import pytest
from streamlit.testing.v1 import AppTest

from app import state
from app.lesson import packed
from app.views.translate import pins
from app.views.translate.pins import PinnedRun, pinned
from tests.app.pages import opened

TEXT: Final = "Nunca es tarde para aprender"
RUN: Final = {"model": "es-en", "text": TEXT, "kind": "encoder", "layer": "2", "head": "3"}
OTHER: Final = {"model": "fr-en", "text": "Je suis étudiant", "decoding": "greedy", "layer": "1"}


# tests/app/test_lesson.py unpacks worse, and what fills the memory.
NONSENSE: Final = {
    "script": "<script>alert(1)</script>",
    "half": packed([RUN])[:20],
    "no list": packed(RUN),
    "a number": packed(7),
    "numbers": packed([1, None, "x"]),
    "no text": packed([{"model": "es-en"}]),
    "invisible text": packed([{**RUN, "text": "\u200b"}]),
    "no model": packed([{"text": TEXT}]),
    "bad changes": packed([{**RUN, "change": "mute-nothing-at-all"}]),
    "values": packed([{**RUN, "layer": 2}]),
    "huge number": base64.urlsafe_b64encode(zlib.compress(b"[" + b"9" * 10_000 + b"]")).decode(),
}


@pytest.fixture
def address(monkeypatch: pytest.MonkeyPatch) -> dict[str, str]:
    """What is chosen, outside of any page."""
    chosen: dict[str, str] = {}
    monkeypatch.setattr(state, "_chosen", lambda: chosen)
    monkeypatch.setattr(state, "_drawn", dict)
    monkeypatch.setattr(state, "_write_url", lambda: None)
    return chosen


def settings(app: AppTest) -> list[dict[str, str]]:
    """The settings of the pinned runs, as the address says them."""
    code = app.query_params.get("pins", "")
    return [] if not code else json.loads(zlib.decompress(base64.urlsafe_b64decode(code)))


def says(app: AppTest) -> str:
    """All cards of the strip, as HTML."""
    return "\n".join(
        one.proto.body for one in app.get("html") if 'class="pinned-run"' in one.proto.body
    )


def test_pins_survive_the_address(address: dict[str, str]) -> None:
    change = "mute-cross-0-1~hide-src-1"
    sampled = {"decoding": "sample", "temperature": "0.7", "k": "5", "seed": "3", "words": "1"}
    runs = [PinnedRun.read(one) for one in (RUN, OTHER, RUN | {"change": change}, RUN | sampled)]
    pins.keep(runs)
    assert pinned() == tuple(runs)
    assert len(address["pins"]) < 500
    assert runs[3].settings == RUN | sampled


def test_nonsense_counts_as_nothing(address: dict[str, str]) -> None:
    for name, raw in NONSENSE.items():
        address["pins"] = raw
        assert pinned() == (), name


def test_what_is_right_beside_nonsense_is_kept(address: dict[str, str]) -> None:
    odd = OTHER | {"layer": "999", "beam": "many", "script": "<script>", "view": "beam"}
    address["pins"] = packed([1, RUN, {}, odd, RUN])
    assert pinned() == (PinnedRun.read(RUN), PinnedRun.read(OTHER | {"layer": "999"}))


def test_more_than_four_are_dropped_and_the_fifth_is_refused(address: dict[str, str]) -> None:
    runs = [PinnedRun.read(RUN | {"head": str(i)}) for i in range(2, 8)]
    address["pins"] = packed([dict(run.settings) for run in runs])
    assert pinned() == tuple(runs[:4])
    pins.pin(runs[5])
    assert pinned() == tuple(runs[:4])


def test_what_another_way_of_decoding_needs_makes_no_other_run(address: dict[str, str]) -> None:
    pins.pin(PinnedRun.read(RUN | {"decoding": "greedy"}))
    pins.pin(PinnedRun.read(RUN | {"decoding": "greedy", "beam": "7", "seed": "4"}))
    assert len(pinned()) == 1


def test_those_that_are_compared_follow_when_one_is_removed(address: dict[str, str]) -> None:
    pins.keep([PinnedRun.read(RUN | {"head": str(i)}) for i in range(2, 6)])
    address |= {"a": "4", "b": "2"}
    pins.remove(1)
    assert (pins.RUN_A.get(), pins.RUN_B.get()) == ("3", pins.PAGE)
    assert len(pinned()) == 3


def test_a_run_is_pinned_once_and_removed(models) -> None:
    app = opened(text=TEXT, kind="encoder", head="3")
    assert not says(app)
    app.button(key="pin-run").click().run()
    assert settings(app) == [RUN]  # the layer is the last one, as long as none is chosen
    assert "Layer 2, head 3" in says(app)
    assert "<img src=" in says(app)
    assert app.button(key="pin-run").disabled
    app.button(key="pinned-remove-1").click().run()
    assert "pins" not in app.query_params
    assert not app.button(key="pin-run").disabled


def test_a_full_list_says_so(models) -> None:
    runs = [RUN | {"head": str(head)} for head in range(1, 5)]
    app = opened(text=TEXT, pins=packed(runs))
    assert app.button(key="pin-run").disabled
    assert any("Four runs are pinned" in one.value for one in app.caption)


def test_changes_that_are_switched_on_are_pinned(models) -> None:
    app = opened(text=TEXT, change="mute-cross-0-1~!hide-src-1~hide-src-99", run="difference")
    app.button(key="pin-run").click().run()
    assert settings(app)[0]["change"] == "mute-cross-0-1"
    assert "1 change" in says(app)
    original = opened(text=TEXT, change="mute-cross-0-1", run="before")
    original.button(key="pin-run").click().run()
    assert "change" not in settings(original)[0]


def test_a_pinned_run_is_opened(models) -> None:
    code = packed([OTHER | {"change": "mute-cross-0-1", "words": "1"}])
    app = opened(text=TEXT, view="compare", lang="es", change="nomask", pins=code)
    app.button(key="pinned-open-1").click().run()
    assert not app.exception
    wanted = {**OTHER, "change": "mute-cross-0-1", "words": "1", "lang": "es", "open": "1"}
    assert {name: app.query_params[name] for name in wanted} == wanted
    assert "view" not in app.query_params
    assert app.query_params["pins"] == code
    assert app.button(key="pin-run").disabled  # it is the run that is pinned


def test_a_run_of_a_model_that_is_gone_can_be_removed(models) -> None:
    app = opened(text=TEXT, pins=packed([RUN | {"model": "snapshots/gone"}]), view="compare")
    assert not app.exception
    assert "not there any more" in says(app)
    assert "Run A cannot be shown" in app.warning[0].value
    assert app.button(key="pinned-compare-1").disabled
    app.button(key="pinned-remove-1").click().run()
    assert not app.exception
    assert "pins" not in app.query_params


def test_what_a_visitor_typed_is_text(models) -> None:
    app = opened(text=TEXT, pins=packed([RUN | {"text": "<script>alert(1)</script>"}]))
    assert "&lt;script&gt;" in says(app)
    assert "<script>" not in says(app)
