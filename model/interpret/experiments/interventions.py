"""One pass of a model with some activations replaced.

N values of one score, T target tokens, V = size of the target vocabulary.
"""

from collections.abc import Sequence
from functools import partial

import numpy as np
import torch
from torch import Tensor

from model.nn.hooks import Intervention
from model.nn.translator import Translator
from model.training.loss import label_smoothed_loss


@torch.inference_mode()
def logits_without_cross_attention(
    model: Translator, src_ids: Sequence[int], tgt_ids: Sequence[int]
) -> np.ndarray:
    """Return the logits (T, V) when encoder-decoder attention hands over 0 in each layer."""
    layers = range(model.config.n_decoder_layers)
    hook = Intervention({f"decoder.{i}.cross_attn.out": torch.zeros_like for i in layers})
    return model(torch.tensor([src_ids]), torch.tensor([tgt_ids]), hook)[0].numpy()


@torch.inference_mode()
def losses_by_score(
    model: Translator,
    src_ids: Sequence[int],
    tgt_ids: Sequence[int],
    targets: Sequence[int],
    name: str,
    index: Sequence[int],
    changes: Sequence[float],
    smoothing: float = 0.0,
    position: int | None = None,
) -> np.ndarray:
    """Return the loss after adding each of some numbers to one score of an attention, (N,).

    `name` and `index` (head, query, key) are the score's. The loss is summed over all targets, or
    is that of one `position`.
    """
    hook = Intervention({name: partial(_add, index, torch.tensor(changes))})
    src, tgt = (torch.tensor([ids]).repeat(len(changes), 1) for ids in (src_ids, tgt_ids))
    logits = model(src, tgt, hook)  # (N, T, V)
    chosen = slice(None) if position is None else [position]
    rows = torch.tensor(targets)[chosen]
    # In float64: a small change would drown in the rounding of a large sum.
    losses = [label_smoothed_loss(one[chosen].double(), rows, smoothing)[0] for one in logits]
    return np.array([float(loss) for loss in losses])


def _add(index: Sequence[int], changes: Tensor, scores: Tensor) -> Tensor:
    head, query, key = index
    changed = scores.clone()  # (N, H, T, S)
    changed[:, head, query, key] += changes
    return changed
