"""Many variants in one batch are each the run that they would be alone."""

import numpy as np
import pytest

from model.config import Arch, Norm
from model.interpret.calculation.target import log_probs
from model.interpret.experiments.changed import capture_changed
from model.interpret.experiments.changes import HideWords, parse
from model.interpret.experiments.plan import leave_one_out, log_probs_of, plan
from tests.model.interpret.experiments.samples import (
    EVERY,
    OTHER,
    PAIRS,
    captured,
    model_of,
)
from tests.model.samples import letters_tokenizer


def test_each_row_of_a_batch_is_its_own_run() -> None:
    model = model_of("pre")
    original, other = captured(model, PAIRS[0]), {"other": captured(model, OTHER)}
    plans = [plan(model, original, parse(text), other) for text in EVERY]
    plans = [one for one in plans if len(one.src_ids) == len(original.src)]
    assert len(plans) > 40
    together = log_probs_of(model, plans)
    for one, row in zip(plans, together, strict=True):
        alone = log_probs(capture_changed(model, letters_tokenizer(), one))
        np.testing.assert_allclose(row, alone, atol=1e-6)


@pytest.mark.parametrize("kind", ["post", "rnnsearch"])
def test_leaving_one_out_is_hiding_it(kind: Norm | Arch) -> None:
    model = model_of(kind)
    original = captured(model, PAIRS[0])
    found = leave_one_out(model, original)
    assert found.shape == (len(original.tgt), len(original.src))
    for i in range(len(original.src)):
        hidden = plan(model, original, [HideWords("src", (i,))])
        after = capture_changed(model, letters_tokenizer(), hidden)
        np.testing.assert_allclose(found[:, i], log_probs(original) - log_probs(after), atol=1e-6)
