"""What if: a list of changes in the address, both runs on the page, and any number of them."""

import re
from dataclasses import replace
from pathlib import Path
from typing import Final

import numpy as np
import pytest
from streamlit.testing.v1 import AppTest

from app import state
from app.data.changed import (
    Change,
    Changed,
    ListedChange,
    change_types,
    changed,
    difference_of,
    fitted,
    forced_walk,
    read,
    translated,
    write,
)
from app.data.changed import changed_walk as walk_of
from app.data.steering import looped
from app.data.translation import Decoding, Kind
from app.data.walk import Cell, Walk, walk
from app.format import short
from app.inspector.attention import chosen_look
from app.inspector.changes import sentence
from app.inspector.panel import fitting
from app.registry import WALK, of_section
from model.errors import UserError
from model.interpret.experiments import masks
from tests.app.pages import opened, said, sent_to_browser, sound
from tests.app.views.walk.test_chapters import panel
from tests.model.interpret.experiments.samples import EVERY

TEXT: Final = "Nunca es tarde para aprender"
CHANGES: Final = change_types.parse("~".join(one for one in EVERY if "~" not in one))
RUN: Final = (
    change_types.MuteHeads("cross", 0, (2,)),
    change_types.EditRow("cross", 1, 0, 0, ((1, 0.5), (2, 0.25))),
    change_types.SwapWord("tgt", (1,), (30,)),
    change_types.LeaveOut((0, 1)),
    change_types.WithoutCausalMask(),
)
MARKDOWN: Final = "**mute** [x](http://x)"
# tests/model/interpret/experiments/test_changes.py has many more; a "!" is read here.
HOSTILE: Final = (MARKDOWN, "!", "!!mute-cross", "mute-cross-1-3~")
MUTE: Final = "mute-cross-0-0_1_2_3"


@pytest.fixture
def original(models) -> Walk:
    return walk("es-en", TEXT, Decoding("beam"))


def run_of(original: Walk, *changes: Change) -> Changed:
    return changed(original.translation, fitted(original.translation, changes).plan)


def reordered(original: Walk) -> change_types.Reorder:
    return change_types.Reorder(tuple(reversed(range(len(original.capture.src)))))


def test_every_kind_of_change_is_said_in_words(original: Walk) -> None:
    every = (*CHANGES, reordered(original))
    assert {type(change) for change in every} == set(change_types.CLASSES)
    sentences = [sentence(change, original) for change in every]
    assert len(set(sentences)) == len(every)
    assert not [one for one in sentences if "{" in one or "None" in one]
    assert sentences[0] == "Head 2 of layer 2, encoder-decoder attention: mute"


def test_a_change_of_another_sentence_is_still_said(original: Walk) -> None:
    """The list outlives the sentence: its words may be more than the new one has."""
    assert "word 90" in sentence(change_types.HideWords("src", (89,)), original)
    assert sentence(change_types.Patch("encoder.9.ffn.out", 89, "x", 70), original)


def test_a_list_is_written_and_read(original: Walk) -> None:
    entries = tuple(ListedChange(change, i % 2 == 0) for i, change in enumerate(CHANGES))
    assert read(write(entries)) == entries
    assert read("") == ()


def test_a_hostile_address_is_one_clear_sentence(models) -> None:
    for raw in HOSTILE:
        with pytest.raises(UserError, match="is not a change"):
            read(raw)
    app = opened(change=MARKDOWN)
    assert not app.exception
    (error,) = app.error
    assert "is not a change that a run can have" in error.value
    assert app.button(key="changes-reset").click().run().query_params.get("change") is None


def test_what_does_not_fit_is_left_out_and_said(original: Walk) -> None:
    inside, outside = change_types.HideWords("src", (1,)), change_types.HideWords("src", (89,))
    fit = fitted(original.translation, [outside, inside])
    assert fit.plan.changes == (inside,)
    assert list(fit.misfits) == [outside.text]
    app = opened(change=f"{outside.text}~{inside.text}")
    assert "Out of place" in said(sound(app))


@pytest.mark.parametrize("page", ["translate", "output"])
@pytest.mark.parametrize(
    ("lost", "says"),
    [
        ("mute-cross-9", "Out of place: this model has layers 1 to 2 there."),
        ("mute-cross-1-8", "Out of place: this model has heads 1 to 4 there."),
        ("sing-cross", "is not a change that a run can have"),
    ],
)
def test_a_layer_or_head_that_is_not_there_is_said_on_every_page(
    models, page: str, lost: str, says: str
) -> None:
    """The pages of the walk said nothing, and none named the range, which they count from 1."""
    query = {"all": "0"} if page == "output" else {}
    app = opened(page, **query, **{state.CHANGES.name: lost})
    assert not app.exception
    assert says in said(app) + " ".join(error.value for error in app.error)
    assert app.query_params[state.CHANGES.name] == lost, "nothing is lost"


# tests/model/interpret/experiments recomputes every kind of change.
@pytest.mark.parametrize("change", RUN, ids=lambda change: change.text[:20])
def test_the_walk_of_a_changed_run_checks_and_what_runs_again_is_changed(
    original: Walk, change: Change
) -> None:
    run = run_of(original, change)
    shown = walk_of(original, run)
    for one in (shown, forced_walk(original, run)):
        assert one.check(()).passed
        assert one.key != original.key
    again = masks.run(shown.model, shown.capture.src_ids, shown.capture.tgt_ids, True)
    if not isinstance(change, change_types.WithoutCausalMask):
        np.testing.assert_allclose(again["logits"], shown.capture.logits, atol=1e-4)
    read_again = shown.read(shown.capture.tgt_ids)
    np.testing.assert_allclose(read_again.logits, shown.capture.logits, atol=1e-6)
    assert original.model is walk("es-en", TEXT, Decoding("beam")).model


def test_a_difference_is_one_run_less_the_other(original: Walk) -> None:
    run = run_of(original, change_types.MuteHeads("encoder", 0))
    look = chosen_look(difference_of(original, run))
    assert look.signed
    before, after = (one.weights("cross", look.layer) for one in (original.capture, run.forced))
    layer, highest = replace(look, head=0), replace(look, head="max")
    np.testing.assert_allclose(layer.weights, after[0] - before[0], atol=1e-6)
    np.testing.assert_allclose(highest.weights, after.max(0) - before.max(0), atol=1e-6)
    assert np.abs(layer.weights).max() <= layer.reach


def test_a_word_that_is_left_out_has_no_difference(original: Walk) -> None:
    run = run_of(original, change_types.LeaveOut((1,)))
    look = replace(chosen_look(difference_of(original, run)), head=0)
    assert np.isnan(look.weights[:, 1]).all()
    assert np.isfinite(np.delete(look.weights, 1, axis=1)).all()
    assert look.mask is not None
    assert not look.mask[:, 1].any()


@pytest.mark.parametrize("kind", ["encoder", "decoder", "cross"])
def test_both_numbers_of_a_difference_are_of_the_same_words(original: Walk, kind: Kind) -> None:
    """Once a word is left out, those after it stand one place further left in the changed run."""
    run = run_of(
        original, change_types.LeaveOut((1,)), change_types.SwapWord("src", (0,), (20, 21))
    )
    runs = difference_of(original, run)
    for query, key in ((3, 3), (4, 2)):
        before, after = runs.weight_cells(kind, 1, (0, query, key))
        ours = runs.after.numbers.at(after) - runs.before.numbers.at(before)
        array = runs.capture.weights(kind, 1, 0)
        assert ours == pytest.approx(array[query, key], abs=1e-6)
    if kind != "decoder":
        assert not runs.after.has(runs.weight_cells(kind, 1, (0, 1, 1))[1])


@pytest.mark.parametrize("run", ["before", "after", "difference"])
def test_all_views_of_all_runs_are_drawn(models, run: str) -> None:
    for view in ("matrix", "wall", "lines", "steps", "beam"):
        sound(opened(change=MUTE, view=view, run=run))
    if run == "difference":
        for words in "01":  # with another source
            sound(opened(change="leaveout-1~swap-src-0-20_21", run=run, words=words, plain="1"))


def test_a_switch_an_undo_and_a_redo(models) -> None:
    app = opened(change=MUTE)
    app.toggle(key=f"change-0-on-{MUTE}").set_value(False).run()
    assert app.query_params["change"] == f"!{MUTE}"
    app.button(key="changes-undo").click().run()
    assert app.query_params["change"] == MUTE
    app.button(key="changes-redo").click().run()
    assert app.query_params["change"] == f"!{MUTE}"
    app.button(key="change-0-remove").click().run()
    assert "change" not in app.query_params
    app.button(key="changes-undo").click().run()
    assert app.query_params["change"] == f"!{MUTE}"


def test_the_first_number_that_differs_is_opened(models) -> None:
    app = opened(change=MUTE)
    assert "identical up to here" in said(app)
    app.button(key="parting-open").click().run()
    assert app.query_params["ask"].startswith("decoder.0.cross_attn.context@")
    assert "Changed here" in said(app)
    assert "change nothing" in said(opened(change="temp-1-cross"))


def test_a_number_of_a_difference_is_asked_further_in_either_run(models, original: Walk) -> None:
    """Both calculations were shown, and there the way up ended."""
    query = {"change": MUTE, "run": "difference", "kind": "cross", "layer": "2", "head": "1"}
    app = opened(pin="2.1", **query)
    run = run_of(original, *change_types.parse(MUTE))
    before, after = difference_of(original, run).weight_cells("cross", 1, (0, 2, 1))
    for name, cell, walk_ in (
        ("before", before, original),
        ("after", after, forced_walk(original, run)),
    ):
        sound(app.button(key=f"further-{name}").click().run())
        number = panel(app)
        assert number["number"] == short(walk_.numbers.at(cell), 6)
        assert "after − before: " in number["note"]
        assert app.segmented_control(key="of-en").value == name
        assert number["sources"], "the way up goes on"
    assert app.segmented_control(key="of-en").options == ["Original", "Changed"]


def test_a_page_of_the_walk_shows_no_changed_run_of_what_is_no_change(models) -> None:
    app = sound(opened("output", all="0", change="<script>alert(1)</script>~~!", run="nonsense"))
    assert "Changed run" not in said(app)
    assert "<script>" not in said(app)


def test_what_is_offered_at_a_number_fits_it(original: Walk) -> None:
    for stage, array in original.capture.arrays.items():
        cell = Cell(stage, (0,) * array.ndim)
        for change in fitting(original, cell):
            assert not fitted(original.translation, [change]).misfits
    assert change_types.MuteHeads("cross", 1, (2,)) in fitting(
        original, Cell("decoder.1.cross_attn.weights", (2, 0, 0))
    )


def test_another_way_of_decoding_keeps_the_changes(original: Walk) -> None:
    run = run_of(original, change_types.MuteHeads("cross"))
    shown = walk_of(original, run)
    assert translated(shown, Decoding("beam")) is run.translation
    greedy = translated(shown, Decoding("greedy"))
    written = greedy.capture.tgt_ids[1:]
    assert [token.id for token in looped(shown)][: len(written)] == written


# These chapters begin with the unchanged run: their changes are their own.
OWN_CHANGES = ("what_if", "explanation")


@pytest.mark.parametrize(
    "page", [view.slug for view in of_section(WALK) if view.slug not in OWN_CHANGES]
)
def test_every_page_of_the_walk_draws_a_changed_run(models, page: str) -> None:
    changes = "~".join(["hide-src-1", "mute-decoder-0-1", "nomask-1", "leaveout-2", "!nopos"])
    text = {"text": "Je suis"} if page == "rollout" else {}  # its flows take seconds
    app = sound(opened(page, change=changes, **text))
    assert "Changed run" in said(app)
    assert "Not confirmed" not in said(app)


def test_the_same_seed_draws_from_the_changed_run(original: Walk) -> None:
    way = Decoding("sample", seed=3)
    ours = walk("es-en", TEXT, way)
    shown = walk_of(ours, run_of(ours, change_types.MuteHeads("cross")))
    drawn = [step.taken.token.id for step in shown.translation.steps[:3]]
    assert drawn == shown.capture.tgt_ids[1:4]
    assert shown.check(()).passed


def test_every_way_of_decoding_is_changed(models) -> None:
    for method in ("greedy", "sample"):
        sound(opened(decoding=method, change=f"{MUTE}~nomask", view="steps"))


def spoken(app: AppTest, name: str) -> list[str]:
    """The texts of a part of the page that are in the language of the translation."""
    bodies = (html.proto.body for html in app.get("html"))
    body = next(body for body in bodies if f'data-testid="{name}"' in body)
    texts = re.findall(r'lang="en"[^>]*>(.*?)</(?:p|span)>', body)
    return [re.sub("<.*?>", "", text) for text in texts]


def test_the_headline_is_the_translation_of_the_run_that_is_shown(models: Path) -> None:
    """Over the changed run's heatmap stood the translation of the unchanged one."""
    query = {"text": TEXT, "change": "mute-cross~mute-encoder"}
    before, after = spoken(app := sound(opened(**query)), "both-runs")
    assert before != after
    assert spoken(app, "translation") == [after]
    assert spoken(sound(opened(**query, run="before")), "translation") == [before]


@pytest.mark.parametrize("view", ["matrix", "lines", "wall"])
def test_a_muted_head_is_hatched(models: Path, view: str) -> None:
    """Its weights were drawn as those of any other, though nothing came of them."""

    def unheard(**query: str) -> object:
        app = sound(opened(text=TEXT, view=view, layer="1", head="2", **query))
        sent = sent_to_browser(app)
        return next(one["fixed"]["unheard"] for one in sent if one.get("fixed", {}).get("queries"))

    assert not unheard()
    assert bool(unheard(change="mute-cross-0-0")) == (view == "wall")
    assert not unheard(change="mute-cross-0-1", run="before")
    assert unheard(change="mute-cross-0-1")
