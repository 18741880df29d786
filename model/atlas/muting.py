"""How much each head matters: what a model loses without it, and what its gradient predicts.

B sentences, H heads, T target tokens. A muted head's rows of W_O count for nothing, as if zero.
"""

from collections import defaultdict
from collections.abc import Collection, Iterator, Sequence
from contextlib import contextmanager
from functools import partial

import numpy as np
import torch
from torch import Tensor

from model.atlas.sample import HeadId, heads_of
from model.config import ATTENTIONS
from model.nn.attention import MultiHeadAttention
from model.nn.hooks import NO_HOOK, Hook, Intervention
from model.nn.masks import padding_mask, target_mask
from model.nn.transformer import Transformer
from model.text.batches import Batch


def mute(heads: Collection[HeadId]) -> Hook:
    """Return the hook that mutes some heads: what they would hand to W_O becomes 0."""
    by_scope = defaultdict[str, list[int]](list)
    for one in heads:
        by_scope[ATTENTIONS[one.kind].scope(one.layer)].append(one.head)

    def zero(heads: Sequence[int], context: Tensor) -> Tensor:
        muted = context.clone()  # (B, H, T, d_k)
        muted[:, heads] = 0
        return muted

    return Intervention({f"{one}.context": partial(zero, by_scope[one]) for one in by_scope})


@contextmanager
def without(model: Transformer, head: HeadId) -> Iterator[None]:
    """Set the rows of W_O of one head to 0 for a while, in a model that nobody else uses."""
    attention = model.get_submodule(ATTENTIONS[head.kind].scope(head.layer))
    assert isinstance(attention, MultiHeadAttention)
    rows = slice(head.head * attention.d_k, (head.head + 1) * attention.d_k)
    weight = attention.w_o.weight.data  # (out, in): the paper's rows are columns here
    kept = weight[:, rows].clone()
    weight[:, rows] = 0
    try:
        yield
    finally:
        weight[:, rows] = kept


def log_p(
    model: Transformer, batch: Batch, hook: Hook = NO_HOOK, memory: Tensor | None = None
) -> Tensor:
    """Return the mean log p of a reference's tokens, <eos> with them, in nats, (B,)."""
    pad_id = model.config.pad_id
    src_mask = padding_mask(batch.src, pad_id)
    memory = model.encode(batch.src, src_mask, hook) if memory is None else memory
    x = model.decode(batch.tgt_in, memory, target_mask(batch.tgt_in, pad_id), src_mask, hook)
    real = batch.tgt_out != pad_id  # (B, T)
    logits = model.logits(x[real])  # (N, V)
    chosen = logits.gather(-1, batch.tgt_out[real][:, None])[:, 0] - logits.logsumexp(-1)
    sums = torch.zeros(real.shape).masked_scatter(real, chosen).sum(-1)
    return sums / real.sum(-1)


@torch.inference_mode()
def muted_one_by_one(
    model: Transformer, batch: Batch, heads: Sequence[HeadId], gone: Collection[HeadId] = ()
) -> np.ndarray:
    """Return the mean log p of each sentence with each head muted, (B, heads).

    Besides, those in `gone` are muted. Heads of the decoder leave the memory as it is.
    """
    memory = model.encode(batch.src, padding_mask(batch.src, model.config.pad_id), mute(gone))
    columns = []
    for head in heads:
        of_encoder = ATTENTIONS[head.kind].queries == "src"
        muted = mute({*gone, head})
        columns.append(log_p(model, batch, muted, None if of_encoder else memory))
    return torch.stack(columns, dim=1).numpy()


def gate_gradients(model: Transformer, batch: Batch) -> np.ndarray:
    """Return ∂ log p / ∂ gate of each head, (B, heads), for a gate of 1 before W_O.

    To first order it is what muting the head costs (Michel et al. 2019).
    """
    gates: dict[str, Tensor] = {}

    def gate(name: str, context: Tensor) -> Tensor:
        gates[name] = torch.ones(*context.shape[:2], 1, 1, requires_grad=True)
        return context * gates[name]

    heads = heads_of(model.config)
    names = dict.fromkeys(f"{ATTENTIONS[one.kind].scope(one.layer)}.context" for one in heads)
    hook = Intervention({name: partial(gate, name) for name in names})
    with torch.inference_mode(False), torch.enable_grad():
        total = log_p(model, batch, hook).sum()
        gradients = torch.autograd.grad(total, [gates[name] for name in names])
    return torch.cat([one[..., 0, 0] for one in gradients], dim=1).numpy()


@torch.inference_mode()
def prune_next(
    model: Transformer,
    batches: Sequence[Batch],
    gone: Sequence[HeadId],
    costs: dict[HeadId, float],
    tried: int,
) -> HeadId:
    """Return the head whose muting hurts least when those in `gone` are muted, too.

    Tried are those that were last known to hurt least; `costs`, log p lost, is brought up to date.
    """
    left = sorted((one for one in costs if one not in gone), key=costs.__getitem__)[:tried]
    values = [muted_one_by_one(model, batch, left, gone) for batch in batches]
    for head, value in zip(left, np.concatenate(values).mean(0), strict=True):
        costs[head] = -float(value)
    return min(left, key=costs.__getitem__)
