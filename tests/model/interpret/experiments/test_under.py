"""A model under changes answers as the changed run does, however it is asked."""

from __future__ import annotations

import pytest
import torch

from model.config import Norm
from model.decoding.search import beam, greedy
from model.decoding.trace import best
from model.interpret.experiments.changed import capture_changed, under
from model.interpret.experiments.changes import parse
from model.interpret.experiments.plan import Plan, plan
from model.nn.hooks import Recorder
from tests.model.interpret.experiments.samples import (
    EVERY,
    NORMS,
    OTHER,
    PAIRS,
    captured,
    decode_changed,
    model_of,
)
from tests.model.samples import letters_tokenizer

TURNS = [(text, NORMS[i % 2]) for i, text in enumerate(EVERY)]
LENGTH_PENALTY, MOST = 1.0, 6


def planned(text: str, norm: Norm) -> Plan:
    model = model_of(norm)
    runs = {"other": captured(model, OTHER)}
    return plan(model, captured(model, PAIRS[0]), parse(text), runs)


@pytest.mark.parametrize(("text", "norm"), TURNS)
def test_each_pass_is_the_changed_run(text: str, norm: Norm) -> None:
    fitted = planned(text, norm)
    model, recorder = under(model_of(norm), fitted), Recorder()
    src, tgt = torch.tensor([fitted.src_ids]), torch.tensor([fitted.original.tgt_ids])
    expected = capture_changed(model_of(norm), letters_tokenizer(), fitted)
    with torch.inference_mode():
        logits = model(src, tgt, recorder)
        again = model(src, tgt)
        own = model_of(norm)(torch.tensor([fitted.original.src_ids]), tgt)
    assert torch.equal(logits, again), "nothing of a run is left for the next one"
    assert torch.equal(own[0], torch.tensor(fitted.original.logits)), "the model was changed"
    assert recorder.arrays.keys() >= {"memory", "logits"}
    for name, array in recorder.arrays.items():
        same = torch.tensor(array[0]), torch.tensor(expected.arrays[name])
        torch.testing.assert_close(*same, atol=1e-5, rtol=0, msg=name)


@pytest.mark.parametrize(("text", "norm"), TURNS[::5])
def test_it_decodes_as_the_changed_run(text: str, norm: Norm) -> None:
    fitted = planned(text, norm)
    model = under(model_of(norm), fitted)
    greedily = best(list(greedy(model, fitted.src_ids, MOST)))
    assert greedily.tokens == best(decode_changed(model_of(norm), fitted, 1, max_len=MOST)).tokens
    ours = best(list(beam(model, fitted.src_ids, 3, LENGTH_PENALTY, MOST)))
    theirs = best(decode_changed(model_of(norm), fitted, 3, LENGTH_PENALTY, MOST))
    assert ours.tokens == theirs.tokens
    assert abs(ours.score - theirs.score) < 1e-5
