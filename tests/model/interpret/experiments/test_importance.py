"""Which word mattered: each method holds what its paper promises of it."""

from typing import Any

import numpy as np
import pytest
import torch
from scipy.stats import spearmanr

from model.config import Arch
from model.interpret.calculation.parameters import parameters
from model.interpret.experiments import importance as attributions
from model.interpret.experiments.importance import (
    MISSING,
    MOST_POINTS,
    gradient_input,
    importance,
    integrated_gradients,
    norm_weighted,
    spearman,
    whole_gradients,
)
from model.interpret.experiments.plan import leave_one_out
from model.interpret.rollout import from_source, half_mixing, norm_mixing
from model.nn.hooks import Intervention
from model.nn.translator import Translator
from tests.model.interpret.experiments.reference import Reference
from tests.model.interpret.experiments.samples import NORMS, PAIRS, captured, model_of


@torch.inference_mode()
def log_p(model: Translator, target: int, scale: float) -> float:
    """log p of one token where every source embedding is scaled."""
    made = captured(model, PAIRS[0])
    hook = Intervention({"src.embed": lambda x: x * scale})
    logits = model(torch.tensor([made.src_ids]), torch.tensor([made.tgt_ids]), hook)[0, target]
    return float(torch.log_softmax(logits.double(), -1)[(*made.tgt_ids, 2)[target + 1]])


@pytest.mark.parametrize("name", [*NORMS, "rnnsearch", "rnn"])
def test_gradients_add_up_to_the_way_from_the_baseline_and_to_the_slope(name: Any) -> None:
    model = model_of(name)
    original = captured(model, PAIRS[0])
    for target in (0, 3):
        found, gap = integrated_gradients(model, original, target, 400)
        whole = log_p(model, target, 1.0) - log_p(model, target, 0.0)
        assert found.shape == (len(original.src),)
        assert found.sum() == pytest.approx(whole, abs=2e-3)
        assert gap == pytest.approx(whole - found.sum(), abs=1e-5)
        slope = log_p(model, target, 1.001) - log_p(model, target, 0.999)
        once = gradient_input(model, original, target)
        assert once.sum() == pytest.approx(slope / 0.002, abs=5e-3), "it is no slope"


def test_as_many_points_are_taken_as_leave_no_gap(monkeypatch: pytest.MonkeyPatch) -> None:
    """With 256 alone, 2 of 20 words of everyday sentences missed 6 and 11 % of the way."""
    monkeypatch.setattr(attributions, "POINTS", 2)
    model = model_of("post")
    original = captured(model, PAIRS[0])
    for target in (0, 3):
        _found, first = integrated_gradients(model, original, target, 2)
        found, gap, points = whole_gradients(model, original, target)
        rise = found.sum() + gap
        assert abs(gap) < MISSING * abs(rise) or points == MOST_POINTS
        assert points == 2 or abs(first) >= MISSING * abs(rise)
    monkeypatch.setattr(attributions, "MOST_READ", 8 * (len(original.src) + 1))
    monkeypatch.setattr(attributions, "MISSING", 0.0)
    assert whole_gradients(model, original, 0)[2] == 8, "there is no time for more"


def test_importance_has_a_row_for_each_method() -> None:
    model = model_of("pre")
    original, learned = captured(model, PAIRS[0]), parameters(model)
    found = importance(model, learned, original, 2)
    assert found.methods == (
        "leave_one_out", "gradient_input", "integrated_gradients", "attention_mean", "best_head",
        "rollout", "norm_rollout", "norm_weighted",
    )  # fmt: skip
    assert found.rows.shape == (8, len(original.src))
    rows = dict(zip(found.methods, found.rows, strict=True))
    dropped = leave_one_out(model, original)
    np.testing.assert_allclose(rows["leave_one_out"], dropped[2])
    assert importance(model, learned, original, 2, dropped + 1).rows[0] == pytest.approx(
        dropped[2] + 1
    )
    assert rows["attention_mean"].sum() == pytest.approx(1, abs=1e-6)
    np.testing.assert_array_equal(rows["rollout"], from_source(half_mixing(original))[2])
    norms = norm_mixing(original, learned)
    np.testing.assert_array_equal(rows["norm_rollout"], from_source(norms)[2])
    assert found.best is not None
    layer, head = found.best
    np.testing.assert_array_equal(rows["best_head"], original.weights("cross", layer, head)[2])
    assert rows["best_head"].max() == original.all_weights("cross")[:, :, 2].max()
    assert found.correlations.shape == (8, 8)
    np.testing.assert_allclose(np.diag(found.correlations), 1)


def test_recurrent_networks_have_fewer_methods_and_no_model_unknown_positions() -> None:
    of: dict[Arch, int] = {"rnnsearch": 6, "rnn": 2}
    for name, methods in of.items():
        model = model_of(name)
        original, learned = captured(model, PAIRS[0]), parameters(model)
        found = importance(model, learned, original, 1)
        assert len(found.methods) == len(found.rows) == methods
        assert (found.best is None) == (name == "rnn")
        for target in (-1, 5):
            with pytest.raises(ValueError, match=f"no position {target}"):
                importance(model, learned, original, target)


def test_norms_are_of_what_each_word_adds_to_the_output() -> None:
    model = model_of("post")
    original, learned = captured(model, PAIRS[0]), parameters(model)
    made = Reference(model, model.config, original.src_ids, original.tgt_ids)
    lengths = []
    for layer in range(2):
        scope = f"decoder.{layer}.cross_attn"
        w_o = made.weights[f"{scope}.w_o.weight"].T
        added = np.zeros((len(original.src), 16))
        for h in range(2):
            v = made.arrays[f"{scope}.v"][h] @ w_o[h * 8 : h * 8 + 8]
            added += made.arrays[f"{scope}.weights"][h, 1][:, None] * v
        out = made.arrays[f"{scope}.out"][1] - made.weights[f"{scope}.w_o.bias"]
        np.testing.assert_allclose(added.sum(0), out)
        lengths.append(np.sqrt((added**2).sum(-1)))
    np.testing.assert_allclose(norm_weighted(original, learned, 1), np.mean(lengths, 0), atol=1e-6)


def test_rank_correlations_are_spearmans() -> None:
    rng = np.random.default_rng(0)
    rows = rng.integers(0, 5, (4, 9)).astype(float)  # with ties
    expected = spearmanr(rows, axis=1).statistic
    np.testing.assert_allclose(spearman(rows), expected)
    assert np.isnan(spearman(np.stack([rows[0], np.ones(9)]))[0, 1])
