"""The training loss: cross-entropy against smoothed targets (section 5.4)."""

import torch.nn.functional as F
from torch import Tensor

from model.nn.hooks import NO_HOOK, Hook
from model.nn.masks import padding_mask, target_mask
from model.nn.translator import Translator
from model.text.batches import Batch


def label_smoothed_loss(logits: Tensor, targets: Tensor, smoothing: float) -> Tensor:
    """Return the summed loss in nats of logits (N, V) against target ids (N,).

    The target distribution gives 1-ε to the true token and spreads ε over the whole vocabulary.
    """
    return F.cross_entropy(logits, targets, label_smoothing=smoothing, reduction="sum")


def batch_loss(
    model: Translator,
    batch: Batch,
    smoothing: float,
    hook: Hook = NO_HOOK,
    causal: bool = True,
) -> tuple[Tensor, int]:
    """Return the summed loss of a batch and the number of its target tokens.

    Logits are made for real target tokens only, never for padding. Unless `causal`, each target
    token sees those that follow it, itself among them: a model that learns so learns to copy.
    """
    pad_id = model.config.pad_id
    src_mask = padding_mask(batch.src, pad_id)
    memory = model.encode(batch.src, src_mask, hook)
    tgt_mask = (target_mask if causal else padding_mask)(batch.tgt_in, pad_id)
    x = model.decode(batch.tgt_in, memory, tgt_mask, src_mask, hook)
    real = batch.tgt_out != pad_id  # (B, T)
    logits = model.logits(x[real], hook)  # (N, V)
    return label_smoothed_loss(logits, batch.tgt_out[real], smoothing), int(real.sum())
