"""From a logit up to the embeddings of both languages, each link recomputed."""

from __future__ import annotations

import itertools
from typing import Any

import pytest

from model.interpret.calculation.cell import Calculation, Cell
from model.interpret.calculation.explain import explain
from tests.model.interpret.calculation.cases import VARIANTS, case, title
from tests.model.interpret.calculation.walk import trail, walk_to_roots

ROOTS = ("param:src_embed", "src.pos", "tgt.pos")


def sound(calculation: Calculation) -> bool:
    return calculation.difference is None or calculation.difference <= 1e-5


@pytest.mark.parametrize("variant", VARIANTS, ids=title)
def test_the_walk_reaches_everything(variant: dict[str, Any]) -> None:
    made = case(**variant)
    links = list(walk_to_roots(made.capture, made.parameters, Cell("logits", (2, 17))))
    seen = {link.calculation.cell: link.calculation for link in links}
    for link in links[1:]:
        assert link.below is not None
        assert link.calculation.cell in seen[link.below].parents
        assert sound(link.calculation), link.calculation.cell
    names = {cell.name for cell in seen}
    assert names >= {*ROOTS, "tgt.embed", "src.embed", "memory", "param:tgt_embed"}
    assert names >= set(made.capture.arrays)
    leaves = {cell.name for cell, calculation in seen.items() if not calculation.parents}
    assert all(name.startswith("param:") or name.endswith(".pos") for name in leaves)


@pytest.mark.parametrize(
    ("norm", "root"), [("post", "src.embed"), ("pre", "tgt.embed"), ("pre", "src.pos")]
)
def test_a_trail_leads_from_a_logit_to_a_root(norm: str, root: str) -> None:
    made = case(norm=norm)
    way = trail(made.capture, made.parameters, Cell("logits", (2, 17)), root)
    assert (way[0].cell.name, way[-1].cell.name) == ("logits", root)
    names = [calculation.cell.name for calculation in way]
    assert ("memory" in names) == root.startswith("src")
    assert any(name.startswith("encoder.0") for name in names) == root.startswith("src")
    for below, above in itertools.pairwise(way):
        assert above.cell in below.parents
        assert sound(above)


def test_a_trail_starts_at_a_probability() -> None:
    made = case()
    way = trail(made.capture, made.parameters, Cell("probabilities", (1, 8)), "param:src_embed")
    assert way[1].cell == Cell("logits", (1, 8))


def test_going_up_by_any_parent_ends() -> None:
    """Always the last parent, and always the first: both ends are learned or a position."""
    made = case()
    for place in (0, -1):
        calculation = explain(made.capture, made.parameters, Cell("logits", (1, 3)))
        while calculation.parents:
            calculation = explain(made.capture, made.parameters, calculation.parents[place])
            assert sound(calculation)
        assert calculation.cell.name.startswith("param:") or calculation.cell.name.endswith(".pos")


def test_no_way_back_down() -> None:
    made = case()
    with pytest.raises(ValueError, match="No way leads"):
        trail(made.capture, made.parameters, Cell("src.sum", (0, 0)), "logits")
    with pytest.raises(ValueError, match="no array"):
        list(walk_to_roots(made.capture, made.parameters, Cell("nothing", (0,))))
