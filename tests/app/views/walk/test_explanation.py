"""Chapter 14: each number on the page is that of a second run, or of the model's own file."""

import shutil
from pathlib import Path

import numpy as np
import pytest
from scipy.stats import spearmanr

from app.data.importance import hidden, importance
from app.format import number, signed
from app.inspector.probe import Probe
from app.views.walk.explanation.data import MOST, other, uniform
from app.views.walk.explanation.page import myth, task
from app.views.walk.explanation.screens import KEPT, guess_agree, guess_uniform
from model import checkpoint
from model.atlas.evidence import NAME, Agreement, Evidence, LayerEvidence
from model.files import sha256
from model.interpret.calculation.target import log_probs
from model.interpret.experiments.changed import capture_changed
from model.interpret.experiments.changes import LookLike
from model.interpret.experiments.plan import plan
from tests.app.pages import SENTENCE, grids, numbers, said, step


def test_the_search_shows_both_maps_and_both_distances(probe: Probe) -> None:
    app = step("explanation", "search", text=SENTENCE, layer="1", word="2")
    kept = app.session_state[KEPT]
    assert kept.over
    made = other(probe.walk, 0, 2, kept.found)
    drawn = grids(app)
    np.testing.assert_allclose(numbers(drawn["the model's own weights"]), made.rows[0], atol=1e-6)
    np.testing.assert_allclose(numbers(drawn["found weights"]), made.rows[1], atol=1e-6)
    assert number(made.distance) in said(app)
    assert number(made.moved, 4) in said(app)
    assert [one.key for one in app.button if one.key == "search-stop"] == []
    # What is drawn again is not searched again.
    first = kept.found
    app.run()
    assert app.session_state[KEPT].found is first
    app = step("explanation", "same", text=SENTENCE, layer="1", word="2")
    outputs = numbers(grids(app)["probability of the next token"])
    assert np.abs(outputs[0] - outputs[1]).sum() / 2 <= MOST


def test_agreement_is_spearmans_with_leave_one_out(probe: Probe) -> None:
    app = step("explanation", "agree", text=SENTENCE, word=str(probe.at))
    rows = importance(probe.walk, probe.at).rows
    expected = [spearmanr(rows[0], row).statistic for row in rows[1:]]
    found = numbers(grids(app)["rank correlation with leave-one-out"])
    np.testing.assert_allclose(found[:, 0], expected, atol=1e-6)
    asked = task(probe)
    assert int(np.argmax(expected)) in asked.answers
    assert signed(max(expected)) in asked.right


def test_a_sample_stands_beside_the_visitors_token(
    probe: Probe, models: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = Path(shutil.copytree(models / "es-en", tmp_path / "es-en"))
    monkeypatch.setattr(checkpoint, "PRETRAINED", tmp_path)
    methods = importance(probe.walk, 0).methods
    agreements = tuple(
        Agreement(method, 0.1 * i, (0.0, 0.1 * i, 0.9), 0.05 * i)
        for i, method in enumerate(methods[1:], start=1)
    )
    evidence = Evidence(
        *(sha256(folder / "weights.safetensors"), "phrases-es", 123, 7, 0, methods),
        *(
            ((1.0,),),
            agreements,
            (LayerEvidence(0.75, 0.5, 1.25), LayerEvidence(0.25, 0.5, 2.5)),
            3.75,
        ),
    )
    evidence.save(folder / NAME)
    text = said(step("explanation", "claims", text=SENTENCE))
    assert all(one in text for one in ("123", "50.0 %", "3.75", "from 1.25 to 2.50"))
    conclusion = said(step("explanation", "ask", text=SENTENCE))
    assert "+0.70" in conclusion
    assert "Measured once" not in conclusion
    app = step("explanation", "agree", text=SENTENCE)
    values = numbers(grids(app)["rank correlation with leave-one-out"])
    np.testing.assert_allclose(values[:, 1], [one.mean for one in agreements], atol=1e-6)
    asked = guess_agree(evidence)
    assert asked.answers == {len(agreements) - 1}


def test_uniform_attention_is_a_run_of_its_own(probe: Probe) -> None:
    changes, now = uniform(probe.walk), probe.walk
    for row, layer in zip(changes, (0, 1, None), strict=True):
        changed = plan(now.model, now.capture, [LookLike("uniform", "cross", layer)])
        again = capture_changed(now.model, now.tokenizer, changed)
        np.testing.assert_allclose(row, log_probs(again) - log_probs(now.capture), atol=2e-5)
    before = np.exp(probe.log_p[probe.at])
    after = np.exp(probe.log_p[probe.at] + changes[-1, probe.at])
    assert guess_uniform(probe).answers == {int(2 * after < before)}


def test_the_mistake_counts_where_attention_and_experiment_name_the_same(probe: Probe) -> None:
    looked = probe.walk.capture.all_weights("cross").mean((0, 1)).argmax(-1)
    same = int((looked == hidden(probe.walk).argmax(-1)).sum())
    assert 0 <= same < len(looked)
    assert f"{same} of {len(looked)}" in myth(probe).truth
