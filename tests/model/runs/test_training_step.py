"""A step taken apart is the one that the trainer takes next, to the bit."""

from __future__ import annotations

import math
from pathlib import Path

import pytest
import torch

from model import checkpoint
from model.runs.folder import RunFolder
from model.runs.training_step import dissect
from tests.model.runs.run_samples import contents, new_run, train

STEP = 8


@pytest.fixture(scope="module")
def stopped(tmp_path_factory: pytest.TempPathFactory) -> RunFolder:
    """A run that was stopped after its 8th step."""
    folder = new_run(tmp_path_factory.mktemp("runs"), "one", accumulate=2)
    train(folder, at={STEP: lambda: folder.wish(stop=True)})
    assert folder.status().step == STEP
    return folder


def weights(folder: RunFolder) -> dict[str, torch.Tensor]:
    return dict(checkpoint.load(folder.path / "last").model.named_parameters())


def test_it_is_the_step_that_comes_next(stopped: RunFolder) -> None:
    before, files = weights(stopped), contents(stopped.path)
    found = dissect(stopped)
    assert contents(stopped.path) == files  # nothing is written
    assert dissect(stopped) == found  # and nothing is left behind
    assert (found.step, found.scale <= 1) == (STEP + 1, True)
    assert len(found.pairs) == 3
    assert found.loss_after < found.loss

    stopped.wish(stop=False)
    train(stopped, resume=True, at={STEP + 1: lambda: stopped.wish(stop=True)})
    row = stopped.log()[-1]
    assert row["step"] == STEP + 1
    for name in ("loss", "learning_rate", "gradient_norm"):
        assert row[name] == getattr(found, name), name
    assert row["tokens"] == found.n_tokens
    assert row["blocks"] == {block.name: block.gradient for block in found.blocks}
    squares = sum(block.gradient**2 for block in found.blocks)
    assert math.sqrt(squares) == pytest.approx(found.gradient_norm, rel=1e-5)
    after = weights(stopped)
    for block in found.blocks:
        names = [name for name in before if name.startswith(f"{block.name}.")]
        changes = [after[name] - before[name] for name in names]
        assert block.change == float(torch.nn.utils.get_total_norm(changes))
        assert block.weights == float(torch.nn.utils.get_total_norm([before[n] for n in names]))
    assert sum(block.change for block in found.blocks) > 0


def test_a_run_that_saved_nothing_has_no_next_step(tmp_path: Path) -> None:
    with pytest.raises(ValueError, match=r"no model|no training"):
        dissect(new_run(tmp_path, "new"))
