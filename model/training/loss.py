"""The training loss: cross-entropy against smoothed targets (section 5.4)."""

import torch.nn.functional as F
from torch import Tensor

from model.nn.hooks import NO_HOOK, Hook
from model.nn.masks import padding_mask, target_mask
from model.nn.translator import Translator
from model.text.batches import Batch


def label_smoothed_loss(logits: Tensor, targets: Tensor, smoothing: float) -> tuple[Tensor, Tensor]:
    """Return the summed loss in nats of logits (N, V) for target ids (N,), and the same for ε = 0.

    The target distribution gives 1-ε to the true token and spreads ε over the whole vocabulary.
    """
    # Bit for bit the result of F.cross_entropy, which returns only the sum of both parts.
    log_p = F.log_softmax(logits, dim=-1)
    cross_entropy = F.nll_loss(log_p, targets, reduction="sum")
    if smoothing == 0:
        return cross_entropy, cross_entropy.detach()
    spread = -log_p.sum(-1)
    loss = (1 - smoothing) * cross_entropy + spread.sum() * (smoothing / logits.shape[-1])
    return loss, cross_entropy.detach()


def batch_loss(
    model: Translator, batch: Batch, smoothing: float, hook: Hook = NO_HOOK, causal: bool = True
) -> tuple[Tensor, Tensor, int]:
    """Return a batch's summed loss, its cross-entropy without smoothing, and its target tokens.

    Logits are computed for real target tokens only, never for padding. Unless `causal`, a position
    attends to all target tokens, even the one that it predicts, and the model learns to copy.
    """
    pad_id = model.config.pad_id
    src_mask = padding_mask(batch.src, pad_id)
    memory = model.encode(batch.src, src_mask, hook)
    tgt_mask = (target_mask if causal else padding_mask)(batch.tgt_in, pad_id)
    x = model.decode(batch.tgt_in, memory, tgt_mask, src_mask, hook)
    real = batch.tgt_out != pad_id  # (B, T)
    logits = model.logits(x[real], hook).float()  # (N, V)
    return *label_smoothed_loss(logits, batch.tgt_out[real], smoothing), int(real.sum())
