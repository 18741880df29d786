"""Every number opened: its recomputed value is the captured one, for every kind of model."""

import importlib
import inspect
import math
from collections.abc import Iterator
from dataclasses import replace
from functools import cache
from operator import attrgetter
from typing import Any

import numpy as np
import pytest

from model.interpret.calculation.attention import simple_attention
from model.interpret.calculation.cell import Calculation, Cell
from model.interpret.calculation.explain import explain
from model.interpret.calculation.numbers import Numbers
from model.interpret.calculation.parts import shown, signed
from model.interpret.calculation.recompute import check
from model.interpret.calculation.stages import stages
from model.text.byte_level import Token
from tests.model.interpret.calculation.cases import VARIANTS, Case, case, title, walk_to_roots


def cells(shape: tuple[int, ...], rng: np.random.Generator) -> set[tuple[int, ...]]:
    """First, last and one more index of an array."""
    some = [(0,) * len(shape), tuple(size - 1 for size in shape), tuple(rng.integers(shape))]
    return {tuple(int(i) for i in index) for index in some}


@cache
def readable(source: str) -> str:
    """The code of a step, which a page shows."""
    module, _, qualname = source.partition(":")
    return inspect.getsource(attrgetter(qualname)(importlib.import_module(module)))


def every_kind(made: Case) -> Iterator[Calculation]:
    """A few cells of every array, captured, derived and learned."""
    rng, numbers = np.random.default_rng(0), Numbers(made.capture, made.parameters)
    learned = [f"param:{name}" for name in made.parameters.arrays]
    for name in (*stages(made.capture.config), *learned):
        shape = numbers.shape(name)
        assert numbers.array(name).shape == shape
        for index in cells(shape, rng):
            calculation = explain(made.capture, made.parameters, Cell(name, index))
            whole = numbers.at(calculation.cell)
            assert calculation.recomputed == pytest.approx(whole, abs=1e-5), calculation.cell
            yield calculation


@pytest.mark.parametrize("variant", VARIANTS, ids=title)
def test_every_cell_is_recomputed(variant: dict[str, Any]) -> None:
    made = case(**variant)
    names = [name for name, stage in stages(made.model.config).items() if stage.captured]
    assert sorted(names) == sorted(made.capture.arrays)
    for calculation in every_kind(made):
        assert calculation.formula
        assert calculation.numbers
        if calculation.difference is not None:
            assert calculation.difference <= 1e-5, calculation.cell
        for parent in calculation.parents:
            assert any(parent in block for block in calculation.sources), (parent, calculation)
        assert readable(calculation.source)


@pytest.mark.parametrize("variant", VARIANTS, ids=title)
def test_the_way_up_from_a_logit_reaches_everything(variant: dict[str, Any]) -> None:
    made = case(**variant)
    found = walk_to_roots(made.capture, made.parameters, Cell("logits", (2, 17)))
    for cell, calculation in found.items():
        assert (calculation.difference or 0.0) <= 1e-5, cell
    names = {cell.name for cell in found}
    assert names >= {"param:src_embed", "param:tgt_embed", *made.capture.arrays}
    leaves = {cell.name for cell, calculation in found.items() if not calculation.parents}
    assert all(name.startswith("param:") or name.endswith((".pos", ".before")) for name in leaves)


def test_the_map_is_in_the_order_of_computing() -> None:
    for norm in ("post", "pre"):
        seen: set[str] = set()
        for name, stage in stages(case(norm=norm).model.config).items():
            assert seen.issuperset(stage.inputs), name
            seen.add(name)


def test_a_long_sum_has_all_its_terms() -> None:
    made = case()
    cell = Cell("encoder.0.ffn.out", (1, 3))
    calculation = explain(made.capture, made.parameters, cell)
    (bias,) = calculation.operands
    assert len(calculation.terms) == 32
    assert sum(t.product for t in calculation.terms) + bias.value == calculation.recomputed
    places = shown(calculation.terms)
    rest = [t.product for i, t in enumerate(calculation.terms) if i not in places]
    assert len(rest) == 32 - len(places) > 0
    written = rf"\underbrace{{{signed(sum(rest))}}}_{{\Sigma\,{len(rest)}}}"
    assert written in calculation.numbers
    written_out = sum(calculation.terms[i].product for i in places)
    assert written_out + sum(rest) + bias.value == pytest.approx(calculation.recomputed)
    largest = [calculation.terms.index(term) for term in calculation.largest(3)]
    assert {0, 1, *largest} <= set(places)


def test_a_tied_generator_leads_to_the_embedding_table() -> None:
    made = case(share_embeddings=True, tie_generator=True)
    cell = Cell("param:generator.W", (5, 44))
    found = [*walk_to_roots(made.capture, made.parameters, cell)]
    names = ["param:generator.W", "param:tgt_embed", "param:src_embed"]
    assert [cell.name for cell in found] == names
    assert found[-1].index == (44, 5)


def test_positions_are_explained_by_their_wave() -> None:
    for layout, sine, cosine in (("interleaved", 6, 7), ("half", 7, 8)):
        made = case(positions=layout)
        for j in (sine, cosine):
            calculation = explain(made.capture, made.parameters, Cell("src.pos", (3, j)))
            assert calculation.parents == ()
            assert (r"\sin" in calculation.formula) == (j == sine)


def test_one_word_and_thirty() -> None:
    for words in ("a", "a b c d e f g h i j " * 3):
        made = case(src=words, tgt=words)
        assert check(made.capture, made.parameters).passed
        for calculation in list(every_kind(made))[::5]:
            assert calculation.difference is None or calculation.difference <= 1e-5


def test_huge_logits_do_not_overflow() -> None:
    made = case()
    arrays = {**made.capture.arrays, "logits": made.capture.logits * np.float32(1000)}
    capture = replace(made.capture, arrays=arrays)
    best = int(arrays["logits"][0].argmax())
    calculation = explain(capture, made.parameters, Cell("probabilities", (0, best)))
    assert calculation.recomputed == pytest.approx(1)


def test_the_future_and_padding_are_hidden() -> None:
    made = case()
    cell = Cell("decoder.0.self_attn.masked", (0, 1, 3))
    calculation = explain(made.capture, made.parameters, cell)
    assert calculation.recomputed == calculation.captured == -math.inf
    assert calculation.difference == 0
    assert r"M_{t,s} = 1 \land 0 = 0" in calculation.numbers
    pad = Token(made.capture.config.pad_id, "<pad>", True, True)
    src = (*made.capture.src[:-1], pad)
    capture = replace(made.capture, src=src)
    for scope in ("encoder.0.self_attn", "decoder.0.cross_attn"):
        cell = Cell(f"{scope}.masked", (0, 0, len(src) - 1))
        assert explain(capture, made.parameters, cell).recomputed == -math.inf


def test_an_unknown_cell_is_refused_in_one_sentence() -> None:
    made = case()
    for name, index in (
        ("encoder.0.self_attn.colour", (0, 0)),
        ("encoder.9.self_attn.q", (0, 0, 0)),
        ("param:encoder.0.self_attn.W_Z", (0, 0)),
        ("logits", (0,)),
        ("logits", (0, 300)),
        ("logits", (-1, 0)),
        ("decoder.norm", (0, 0)),
        ("probabilities", (0, 300)),
    ):
        with pytest.raises(ValueError, match=r"^[^.]*(\.\S[^.]*)*\.$"):
            explain(made.capture, made.parameters, Cell(name, index))


def test_a_capture_that_is_not_whole_or_of_another_model_is_refused() -> None:
    made = case()
    with pytest.raises(ValueError, match="different models"):
        explain(made.capture, case(norm="pre").parameters, Cell("logits", (0, 0)))
    arrays = {name: array for name, array in made.capture.arrays.items() if name != "logits"}
    capture = replace(made.capture, arrays=arrays)
    with pytest.raises(ValueError, match="The capture holds no logits"):
        explain(capture, made.parameters, Cell("logits", (0, 0)))


@pytest.mark.parametrize(
    ("scope", "n_heads"), [("encoder.0.self_attn", 1), ("decoder.1.cross_attn", 8)]
)
def test_what_a_page_computes_itself_can_be_opened(scope: str, n_heads: int) -> None:
    """Each derived number is what its calculation says, and they add up to what was captured."""
    made = case(n_heads=n_heads)
    numbers = Numbers(made.capture, made.parameters)
    rng = np.random.default_rng(0)
    inside = [f"{scope}.{name}" for name in ("powers", "weighted", "part", "length")]
    for name in (*inside, "simple.likeness", "simple.mixing", "simple.mixture"):
        array = numbers.array(name)
        for index in cells(array.shape, rng):
            calculation = explain(made.capture, made.parameters, Cell(name, index))
            assert calculation.captured is None
            assert calculation.recomputed == pytest.approx(float(array[index]), rel=1e-9)
            assert numbers.at(calculation.cell) == pytest.approx(calculation.recomputed, rel=1e-9)
    arrays = made.capture.arrays
    powers, weighted, part, length = map(numbers.array, inside)
    weights = powers / powers.sum(-1, keepdims=True)
    assert weights == pytest.approx(arrays[f"{scope}.weights"], abs=1e-6)
    assert weighted.sum(2) == pytest.approx(arrays[f"{scope}.context"], abs=1e-5)
    total = part.sum(0) + made.parameters[f"{scope}.b_O"]
    assert total == pytest.approx(arrays[f"{scope}.out"], abs=1e-5)
    assert length[0, 1] == pytest.approx(math.sqrt(float((part[0, 1] ** 2).sum())))
    plain = simple_attention(arrays["src.sum"])
    for name, whole in zip(("likeness", "mixing", "mixture"), vars(plain).values(), strict=True):
        assert numbers.array(f"simple.{name}") == pytest.approx(whole)


def test_a_score_and_its_weight_are_those_of_bahdanau() -> None:
    """scores = Σ v_a tanh(q + k), from the cells that are named, and no others."""
    _model, made, learned = case(arch="rnnsearch")
    scope = "decoder.0.cross_attn"
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
    model, made, _learned = case(arch="rnnsearch")
    arrays, learned = made.arrays, model.state_dict()
    before = np.concatenate([arrays["decoder.0.begin"], arrays["decoder.0.state"][:-1]])
    w_a, bias = (learned[f"decoder.0.cross_attn.w_a.{name}"].numpy() for name in ("weight", "bias"))
    found = arrays["decoder.0.cross_attn.q"][0]
    np.testing.assert_allclose(found, before @ w_a.T + bias, atol=1e-5)
