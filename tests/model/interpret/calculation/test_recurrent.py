"""Ask any number of a recurrent translator: each is recomputed, and each way up ends at a root."""

from __future__ import annotations

import importlib
import inspect
from typing import Any

import numpy as np
import pytest

from model.config import Arch, CellName
from model.interpret.calculation.cell import Cell
from model.interpret.calculation.check import check
from model.interpret.calculation.explain import explain
from model.interpret.calculation.numbers import Numbers
from model.interpret.calculation.parameters import parameters
from model.interpret.calculation.stages import stages
from tests.model.interpret.calculation.cases import corrupted
from tests.model.interpret.calculation.walk import walk_to_roots
from tests.model.nn.samples import CELLS, RECURRENT, tiny_capture

VARIANTS: list[dict[str, Any]] = [
    {},
    {"share_embeddings": False, "tgt_vocab_size": 310},
    {"tie_generator": False, "d_hidden": 5},
]


@pytest.fixture(params=CELLS)
def cell(request: pytest.FixtureRequest) -> CellName:
    chosen: CellName = request.param
    return chosen


@pytest.fixture(params=RECURRENT)
def arch(request: pytest.FixtureRequest) -> Arch:
    chosen: Arch = request.param
    return chosen


@pytest.mark.parametrize("variant", VARIANTS)
def test_what_the_model_computed_passes(
    arch: Arch, cell: CellName, variant: dict[str, Any]
) -> None:
    model, made = tiny_capture(arch, cell=cell, **variant)
    done = check(made, parameters(model))
    assert done.passed, done.worst.cell
    assert {stage.cell.name for stage in done.stages} >= set(made.arrays)
    assert all(0 < stage.tolerance < 1e-4 for stage in done.stages)


def test_any_corrupted_number_is_found(arch: Arch, cell: CellName) -> None:
    model, made = tiny_capture(arch, cell=cell)
    learned, rng = parameters(model), np.random.default_rng(0)
    for name, array in made.arrays.items():
        index = tuple(int(i) for i in rng.integers(array.shape))
        done = check(corrupted(made, name, index, float(array[index]) + 0.01), learned)
        assert not done.passed, name


def test_another_models_parameters_fail(arch: Arch, cell: CellName) -> None:
    _, made = tiny_capture(arch, cell=cell)
    other, _ = tiny_capture(arch, seed=1, cell=cell)
    assert not check(made, parameters(other)).passed


@pytest.mark.parametrize("variant", VARIANTS)
def test_every_cell_is_explained(arch: Arch, cell: CellName, variant: dict[str, Any]) -> None:
    model, made = tiny_capture(arch, cell=cell, **variant)
    learned, rng = parameters(model), np.random.default_rng(0)
    numbers = Numbers(made, learned)
    names = [*stages(made.config), *(f"param:{name}" for name in learned.arrays)]
    for name in names:
        shape = numbers.shape(name)
        assert numbers.array(name).shape == shape, name
        for index in ((0,) * len(shape), tuple(n - 1 for n in shape), tuple(rng.integers(shape))):
            found = explain(made, learned, Cell(name, tuple(map(int, index))))
            assert found.formula
            assert found.recomputed == pytest.approx(numbers.at(found.cell), abs=1e-5), name
            for parent in found.parents:
                assert any(parent in block for block in found.sources), (name, parent)
            module, _, qualname = found.source.partition(":")
            source = importlib.import_module(module)
            for part in qualname.split("."):
                source = getattr(source, part)
            assert inspect.getsource(source)


def test_the_map_has_every_captured_name(arch: Arch, cell: CellName) -> None:
    _, made = tiny_capture(arch, cell=cell)
    names = {name for name, stage in stages(made.config).items() if stage.captured}
    assert names == set(made.arrays)


def test_the_way_up_reaches_everything(arch: Arch, cell: CellName) -> None:
    model, made = tiny_capture(arch, cell=cell)
    links = list(walk_to_roots(made, parameters(model), Cell("logits", (2, 17))))
    names = {link.calculation.cell.name for link in links}
    assert names >= set(made.arrays)
    assert "param:src_embed" in names
    leaves = {link.calculation.cell.name for link in links if not link.calculation.parents}
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
