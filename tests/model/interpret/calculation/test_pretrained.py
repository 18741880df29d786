"""The models that ship with the project: their real numbers pass, and can be followed up."""

import numpy as np
import pytest

from model.checkpoint import load, pretrained_names
from model.interpret.calculation.cell import Cell
from model.interpret.calculation.parameters import parameters
from model.interpret.calculation.recompute import check
from model.interpret.calculation.stream import logit_lens
from model.interpret.recording import capture
from model.text.byte_level import BOS, EOS
from tests.model.interpret.calculation.cases import walk_to_roots


@pytest.mark.parametrize("name", pretrained_names())
def test_real_numbers(name: str) -> None:
    """A long sentence in one of them: rounding does not grow past the tolerance."""
    loaded = load(name)
    words = 8 if name == "es-en" else 2
    pieces = loaded.tokenizer.encode(" ".join(["animal", "la", "casa"] * 10))[:words]
    made = capture(loaded.model, loaded.tokenizer, [*pieces, EOS], [BOS, *pieces])
    learned = parameters(loaded.model)
    done = check(made, learned)
    assert done.passed, done.worst.cell
    assert done.worst.tolerance < 1e-2
    last = len(pieces)
    token = int(made.logits[last].argmax())
    found = walk_to_roots(made, learned, Cell("logits", (last, token)))
    names = {cell.name for cell in found}
    roots = {"src.embed", "tgt.embed", "memory"}
    if not loaded.config.recurrent:
        roots |= {"src.pos", "tgt.pos"}
    assert names >= roots
    for calculation in found.values():
        # Float32 steps by 3.8e-6 at 40: only such large numbers may be four steps away.
        step = float(np.spacing(np.float32(abs(calculation.recomputed))))
        assert (calculation.difference or 0.0) <= max(1e-5, 4 * step), calculation.cell
    if not loaded.config.recurrent:
        assert logit_lens(made, learned)[-1] == pytest.approx(made.logits, abs=1e-4)
