"""Two runs compared: their words are matched, and each number is that of its own run."""

from typing import Final

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from app import state
from app.charts.arrange import axis
from app.data.changed import run_walk
from app.data.decoding import Method
from app.data.translation import Decoding, Kind
from app.lesson import packed
from app.state import settings_of
from app.views.translate.compare import AlignedLabels, Comparison, Side, align, spread
from tests.app.pages import opened, sound

TEXT: Final = "Nunca es tarde para aprender"
OTHER: Final = "Nunca es pronto para aprender."
PINNED: Final = {"model": "es-en", "text": OTHER, "layer": "1", "head": "2"}
WORDS: Final = st.lists(st.sampled_from(["a", "b", "c", "d"]), max_size=12)


@settings(max_examples=40)
@given(WORDS, WORDS)
def test_alignment_loses_nothing_and_keeps_the_order(a: list[str], b: list[str]) -> None:
    places = align(a, b)
    assert [i for i, _j in places if i is not None] == list(range(len(a)))
    assert [j for _i, j in places if j is not None] == list(range(len(b)))
    assert all(a[i] == b[j] for i, j in places if i is not None and j is not None)
    assert (None, None) not in places
    assert align(a, a) == tuple((i, i) for i in range(len(a)))


@settings(max_examples=40)
@given(WORDS, WORDS)
def test_every_place_has_its_own_number(a: list[str], b: list[str]) -> None:
    """What is pinned is a token of B, or one of A; the same place is found by it, also swapped."""
    one, other = (
        axis(words, words, [True] * len(words), [False] * len(words), merge=False, hide=False)
        for words in (a, b)
    )
    aligned = AlignedLabels.of(one, other)
    for both in (aligned, aligned.swapped):
        places = range(len(both.places))
        assert [both.find(both.number(place)) for place in places] == list(places)
    assert aligned.swapped.labels == aligned.labels


def test_numbers_stand_at_their_places() -> None:
    values = np.array([[1.0, 2.0], [3.0, 4.0]])
    wide = spread(values, [0, None, 1], [None, 1, 0])
    nan = np.nan
    np.testing.assert_array_equal(wide, [[nan, 2, 1], [nan] * 3, [nan, 4, 3]])


@pytest.mark.parametrize(
    ("kind", "model", "way", "changes"),
    [
        ("cross", "es-en", "beam", ""),
        ("encoder", "fr-en", "greedy", ""),
        ("decoder", "es-en", "beam", "mute-encoder-0"),
    ],
)
def test_a_difference_is_one_capture_less_the_other(
    models, monkeypatch, kind: Kind, model: str, way: Method, changes: str
) -> None:
    monkeypatch.setattr(state, "_chosen", dict)
    a = run_walk("es-en", TEXT, Decoding("beam"), "")
    b = run_walk(model, OTHER, Decoding(way), changes)
    one = Side("A", a, settings_of({state.LAYER: "1", state.HEAD: "2"}))
    other = Side("B", b, settings_of({state.LAYER: "2", state.HEAD: "4"}))
    looks = one.look(kind), other.look(kind)
    assert looks[0] is not None
    assert looks[1] is not None
    found = Comparison(one, other, (looks[0], looks[1]))
    before, after = a.capture.weights(kind, 0, 1), b.capture.weights(kind, 1, 3)
    assert not np.isnan(found.more).all()
    for row, (i, k) in enumerate(found.map.rows.places):
        for col, (j, m) in enumerate(found.map.cols.places):
            hidden = kind == "decoder" and ((i or 0) < (j or 0) or (k or 0) < (m or 0))
            if None in (i, j, k, m) or hidden:
                assert np.isnan(found.more[row, col])
                continue
            assert found.more[row, col] == pytest.approx(after[k, m] - before[i, j], abs=1e-6)
    assert any(None in place for place in found.map.rows.places)
    assert any(None in place for place in found.map.cols.places)


def test_all_ways_are_drawn(models) -> None:
    for way, words in (("side", "1"), ("overlay", "0"), ("overlay", "1"), ("difference", "1")):
        query = {"compare": way, "words": words, "plain": words, "pin": "2.1"}
        app = sound(opened(text=TEXT, view="compare", pins=packed([PINNED]), **query))
        assert app.segmented_control(key="a-en").value == "1"


def test_both_numbers_and_their_calculations_are_shown(models) -> None:
    app = opened(text=TEXT, view="compare", pins=packed([PINNED]), pin="0.0", layer="2", head="3")
    runs = [run_walk("es-en", text, Decoding("beam"), "") for text in (OTHER, TEXT)]
    before, after = runs[0].capture.weights("cross", 0, 1), runs[1].capture.weights("cross", 1, 2)
    numbers = next(one.proto.body for one in app.get("html") if "compared-cell" in one.proto.body)
    assert f"{before[0, 0]:.4f}" in numbers
    assert f"{after[0, 0]:.4f}" in numbers
    assert sum(one.value.startswith(("**A: ", "**B: ")) for one in app.markdown) == 2


@pytest.mark.parametrize("way", ["side", "difference"])
def test_the_number_of_each_run_is_asked_further(models, way: str) -> None:
    """Where both calculations stand side by side, one could not go one step up."""
    query = {"view": "compare", "pins": packed([PINNED]), "pin": "0.0", "compare": way}
    app = opened(text=TEXT, layer="2", head="3", **query)
    for title in ("A", "B"):
        sound(app.button(key=f"further-{title}").click().run())
        assert app.query_params["asked-side"] == title
        assert f"further-{title}" not in [button.key for button in app.button]
        assert len([one for one in app.get("bidi_component") if one.key == "ask-number"]) == 1


@pytest.mark.parametrize("other", ["rnnsearch/es-en", "rnn/es-en"])
def test_models_of_other_architectures_are_compared_in_what_both_have(models, other: str) -> None:
    code = packed([PINNED | {"model": other}])
    app = sound(opened(text=TEXT, view="compare", kind="encoder", pins=code))
    told = " ".join(one.value for one in app.info)
    assert "The model of run A, " in told
    assert "has no attention of the kind “Encoder”" in told
    for model in ("rnn/es-en", "rnnsearch/es-en"):
        sound(opened(text=TEXT, model=model, view="compare", pins=code))


def test_a_pinned_run_is_compared_by_its_button(models) -> None:
    code = packed([PINNED, PINNED | {"kind": "decoder"}])
    app = opened(text=TEXT, pins=code, b="2", pin="1.1")
    app.button(key="pinned-compare-2").click().run()
    wanted = {"view": "compare", "a": "2", "kind": "decoder"}
    assert {name: app.query_params[name] for name in wanted} == wanted
    assert "b" not in app.query_params
    assert "pin" not in app.query_params
    assert not app.exception


def test_swap_exchanges_the_runs_and_keeps_the_pin(models) -> None:
    app = opened(text=TEXT, view="compare", pins=packed([PINNED]), pin="1.2", compare="difference")
    before = next(one.proto.body for one in app.get("html") if "compared-cell" in one.proto.body)
    app.button(key="swap").click().run()
    assert (app.query_params["a"], app.query_params["b"]) == ("page", "1")
    after = next(one.proto.body for one in app.get("html") if "compared-cell" in one.proto.body)
    assert before.partition("<small>")[0] == after.partition("<small>")[0]
    assert before != after
    app.button(key="swap").click().run()
    assert "a" not in app.query_params
    assert app.query_params["pin"] == "1.2"


def test_a_cell_that_only_the_other_run_has_is_no_error_elsewhere(models) -> None:
    """Half of it was found on the heatmap, and the vectors of the other half looked up."""
    for view, pin in (("matrix", "99.1"), ("matrix", "1.99"), ("lines", "99.1")):
        sound(opened(text=TEXT, view=view, pin=pin))


def test_without_a_pin_there_is_nothing_to_compare(models) -> None:
    app = opened(text=TEXT, view="compare", a="3", b="4", compare="nonsense")
    assert not app.exception
    assert "compare" not in app.segmented_control(key="view-en").options
    both = opened(text=TEXT, view="compare", a="3", b="4", pins=packed([PINNED]))
    assert not both.exception
    assert both.segmented_control(key="a-en").value == "1"
    assert both.segmented_control(key="b-en").value == "page"
