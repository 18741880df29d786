"""The smoothed loss against its formula, and padding that never counts."""

from __future__ import annotations

import pytest
import torch

from model.nn.hooks import Recorder
from model.text.batches import Batch, collate
from model.text.byte_level import EOS
from model.training.loss import batch_loss, label_smoothed_loss
from tests.model.samples import tiny_model


@pytest.mark.parametrize("bf16", [False, True])
@pytest.mark.parametrize("smoothing", [0.0, 0.1])
def test_it_is_torchs_own_to_the_bit(smoothing: float, bf16: bool) -> None:
    """The cross-entropy is logged beside the loss: the training's own numbers must not change."""
    torch.manual_seed(0)
    hidden, weight, targets = torch.randn(40, 16), torch.randn(300, 16), torch.arange(40) * 7
    results = []
    for ours in (True, False):
        w = weight.clone().requires_grad_()
        with torch.autocast("cpu", torch.bfloat16, enabled=bf16):
            logits = torch.nn.functional.linear(hidden, w)
            if ours:
                loss, plain = label_smoothed_loss(logits.float(), targets, smoothing)
                assert plain == torch.nn.functional.cross_entropy(logits, targets, reduction="sum")
            else:
                loss = torch.nn.functional.cross_entropy(
                    logits, targets, label_smoothing=smoothing, reduction="sum"
                )
        loss.backward()
        results.append((loss.detach(), w.grad))
    for one, other in zip(*results, strict=True):
        assert torch.equal(one, other)


@torch.no_grad()
def test_it_is_the_loss_of_the_models_forward_pass() -> None:
    model = tiny_model()
    batch = collate([([7, 8, EOS], [9, EOS]), ([7, EOS], [9, 8, 10, EOS])])
    logits, real = model(batch.src, batch.tgt_in), batch.tgt_out != 0
    expected, _ = label_smoothed_loss(logits[real], batch.tgt_out[real], 0.1)
    loss, _, n = batch_loss(model, batch, 0.1)
    torch.testing.assert_close(loss, expected, rtol=1e-5, atol=1e-5)
    assert n == real.sum() == 6


def test_padding_gives_no_gradient() -> None:
    """Loss and gradients are those of the same batch with more padding."""
    model = tiny_model(dropout=0.0).train()
    batch = collate([([7, 8, EOS], [9, EOS])])
    wider = Batch(*(torch.nn.functional.pad(x, (0, 4)) for x in vars(batch).values()))
    gradients = []
    for one in (batch, wider):
        model.zero_grad()
        batch_loss(model, one, 0.1)[0].backward()
        gradients.append([p.grad.clone() for p in model.parameters() if p.grad is not None])
    for plain, padded in zip(*gradients, strict=True):
        torch.testing.assert_close(plain, padded, rtol=1e-4, atol=1e-5)


@torch.no_grad()
def test_without_the_causal_mask_what_follows_is_seen() -> None:
    model, known = tiny_model(), {}
    for causal in (True, False):
        batches = [collate([([7, 8, EOS], [9, 10, last, EOS])]) for last in (11, 12)]
        hooks = [Recorder(), Recorder()]
        for batch, hook in zip(batches, hooks, strict=True):
            batch_loss(model, batch, 0.0, hook, causal)
        first, other = (hook.arrays["logits"][0] for hook in hooks)
        known[causal] = bool((first != other).any())
    assert known == {True: False, False: True}
