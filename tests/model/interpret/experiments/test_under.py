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

TOKENIZER = letters_tokenizer()
TURNS = [(text, NORMS[i % 2]) for i, text in enumerate(EVERY)]
LENGTH_PENALTY, MOST = 1.0, 8


def planned(text: str, norm: Norm) -> Plan:
    model = model_of(norm)
    runs = {"other": captured(model, OTHER)}
    return plan(model, captured(model, PAIRS[0]), parse(text), runs)


@pytest.mark.parametrize(("text", "norm"), TURNS)
def test_each_pass_is_the_changed_run(text: str, norm: Norm) -> None:
    fitted = planned(text, norm)
    model, recorder = under(model_of(norm), fitted), Recorder()
    src, tgt = torch.tensor([fitted.src_ids]), torch.tensor([fitted.original.tgt_ids])
    expected = capture_changed(model_of(norm), TOKENIZER, fitted)
    with torch.inference_mode():
        logits = model(src, tgt, recorder)
        again = model(src, tgt)
    torch.testing.assert_close(logits[0], torch.tensor(expected.logits), atol=1e-5, rtol=0)
    assert torch.equal(logits, again), "nothing of a run is left for the next one"
    for name, array in recorder.arrays.items():
        same = torch.tensor(array[0]), torch.tensor(expected.arrays[name])
        torch.testing.assert_close(*same, atol=1e-5, rtol=0, msg=name)


@pytest.mark.parametrize(("text", "norm"), TURNS[::3])
def test_it_decodes_as_the_changed_run(text: str, norm: Norm) -> None:
    fitted = planned(text, norm)
    model = under(model_of(norm), fitted)
    greedily = best(list(greedy(model, fitted.src_ids, MOST)))
    assert greedily.tokens == best(decode_changed(model_of(norm), fitted, 1, max_len=MOST)).tokens
    ours = best(list(beam(model, fitted.src_ids, 3, LENGTH_PENALTY, MOST)))
    theirs = best(decode_changed(model_of(norm), fitted, 3, LENGTH_PENALTY, MOST))
    assert ours.tokens == theirs.tokens
    assert abs(ours.score - theirs.score) < 1e-5


def test_the_model_itself_stays_as_it_is() -> None:
    model, original = model_of("pre"), captured(model_of("pre"), PAIRS[0])
    src, tgt = torch.tensor([original.src_ids]), torch.tensor([original.tgt_ids])
    with torch.inference_mode():
        before = model(src, tgt)
        under(model, planned("mute-cross", "pre"))(src, tgt)
        assert torch.equal(model(src, tgt), before)
