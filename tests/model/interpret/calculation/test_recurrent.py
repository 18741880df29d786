"""Ask any number of a recurrent translator: each is recomputed, and each way up ends at a root."""

from typing import Any

import numpy as np
import pytest

from model.config import Arch
from model.interpret.calculation.cell import Cell
from model.interpret.calculation.explain import explain
from model.interpret.calculation.numbers import Numbers
from model.interpret.calculation.parameters import parameters
from model.interpret.calculation.recompute import check
from model.interpret.calculation.stages import stages
from tests.model.interpret.calculation.cases import corrupted, walk_to_roots
from tests.model.interpret.calculation.test_explain import cells, readable
from tests.model.nn.samples import tiny_capture

CASES: list[tuple[Arch, dict[str, Any]]] = [
    ("rnn", {"cell": "gru", "share_embeddings": False, "tgt_vocab_size": 310}),
    ("rnn", {"cell": "tanh", "tie_generator": False, "d_hidden": 5}),
    ("rnnsearch", {"cell": "tanh", "share_embeddings": False, "tgt_vocab_size": 310}),
    ("rnnsearch", {}),
]


@pytest.mark.parametrize(("arch", "variant"), CASES, ids=str)
def test_what_the_model_computed_passes_and_nothing_else(
    arch: Arch, variant: dict[str, Any]
) -> None:
    model, made = tiny_capture(arch, **variant)
    learned, rng = parameters(model), np.random.default_rng(0)
    done = check(made, learned)
    assert done.passed, done.worst.cell
    assert {stage.cell.name for stage in done.stages} >= set(made.arrays)
    assert all(0 < stage.tolerance < 1e-4 for stage in done.stages)
    assert {name for name, stage in stages(made.config).items() if stage.captured} == {*made.arrays}
    for name, array in made.arrays.items():
        index = tuple(int(i) for i in rng.integers(array.shape))
        broken = corrupted(made, name, index, float(array[index]) + 0.01)
        assert not check(broken, learned, [name]).passed, name
    other, _ = tiny_capture(arch, seed=1, **variant)
    assert not check(made, parameters(other)).passed


@pytest.mark.parametrize(("arch", "variant"), CASES, ids=str)
def test_every_cell_is_explained(arch: Arch, variant: dict[str, Any]) -> None:
    model, made = tiny_capture(arch, **variant)
    learned, rng = parameters(model), np.random.default_rng(0)
    numbers = Numbers(made, learned)
    names = [*stages(made.config), *(f"param:{name}" for name in learned.arrays)]
    for name in names:
        shape = numbers.shape(name)
        assert numbers.array(name).shape == shape, name
        for index in cells(shape, rng):
            found = explain(made, learned, Cell(name, index))
            assert found.formula
            assert found.recomputed == pytest.approx(numbers.at(found.cell), abs=1e-5), name
            for parent in found.parents:
                assert any(parent in block for block in found.sources), (name, parent)
            assert readable(found.source)


@pytest.mark.parametrize(("arch", "variant"), CASES, ids=str)
def test_the_way_up_reaches_everything(arch: Arch, variant: dict[str, Any]) -> None:
    model, made = tiny_capture(arch, **variant)
    found = walk_to_roots(made, parameters(model), Cell("logits", (2, 17)))
    assert {cell.name for cell in found} >= {*made.arrays, "param:src_embed"}
    leaves = {cell.name for cell, calculation in found.items() if not calculation.parents}
    assert all(name.startswith("param:") or name.endswith(".before") for name in leaves)


def test_a_score_and_its_weight_are_those_of_bahdanau() -> None:
    """scores = Σ v_a tanh(q + k), from the cells that are named, and no others."""
    model, made = tiny_capture("rnnsearch")
    learned, scope = parameters(model), "decoder.0.cross_attn"
    found = explain(made, learned, Cell(f"{scope}.scores", (0, 2, 1)))
    assert [block.name for block in found.sources] == [f"{scope}.match", f"param:{scope}.v_a"]
    q, k = made.arrays[f"{scope}.q"][0, 2], made.arrays[f"{scope}.k"][0, 1]
    by_hand = float(learned[f"{scope}.v_a"] @ np.tanh(q.astype(float) + k))
    assert found.recomputed == pytest.approx(by_hand, abs=1e-12)
    weight = explain(made, learned, Cell(f"{scope}.weights", (0, 2, 1)))
    row = np.exp(made.arrays[f"{scope}.scores"][0, 2].astype(float))
    assert weight.recomputed == pytest.approx(row[1] / row.sum(), abs=1e-12)


def test_the_state_before_is_what_asks() -> None:
    """Bahdanau's order: the first query is made of the first state, before any token is read."""
    model, made = tiny_capture("rnnsearch")
    arrays, learned = made.arrays, model.state_dict()
    before = np.concatenate([arrays["decoder.0.begin"], arrays["decoder.0.state"][:-1]])
    w_a, bias = (learned[f"decoder.0.cross_attn.w_a.{name}"].numpy() for name in ("weight", "bias"))
    found = arrays["decoder.0.cross_attn.q"][0]
    np.testing.assert_allclose(found, before @ w_a.T + bias, atol=1e-5)
