"""One pass of a model with some activations replaced, or read for the gradients by them.

N values of one score, H heads, T target tokens, S key tokens, V = size of the target vocabulary.
"""

from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np
import torch
from torch import Tensor

from model.config import ATTENTIONS
from model.interpret.calculation.attention import attention_scopes
from model.nn.hooks import Intervention
from model.nn.translator import Translator
from model.training.loss import label_smoothed_loss


@torch.inference_mode()
def logits_without_cross_attention(
    model: Translator, src_ids: Sequence[int], tgt_ids: Sequence[int]
) -> np.ndarray:
    """Return the logits (T, V) when encoder-decoder attention's output is 0 in each layer."""
    scopes = map(ATTENTIONS["cross"].scope, range(model.config.n_attentions("cross")))
    hook = Intervention({f"{scope}.out": torch.zeros_like for scope in scopes})
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

    def add(scores: Tensor) -> Tensor:
        head, query, key = index
        changed = scores.clone()  # (N, H, T, S)
        changed[:, head, query, key] += torch.tensor(changes)
        return changed

    src, tgt = (torch.tensor([ids]).repeat(len(changes), 1) for ids in (src_ids, tgt_ids))
    logits = model(src, tgt, Intervention({name: add}))  # (N, T, V)
    chosen = slice(None) if position is None else [position]
    rows = torch.tensor(targets)[chosen]
    # In float64: a small change would drown in the rounding of a large sum.
    losses = [label_smoothed_loss(one[chosen].double(), rows, smoothing)[0] for one in logits]
    return np.array([float(loss) for loss in losses])


@dataclass(frozen=True, eq=False)
class Gradients:
    """`arrays` holds ∂loss/∂scores by the name of the scores, (H, T, S)."""

    loss: float
    arrays: Mapping[str, np.ndarray]


def attention_gradients(
    model: Translator,
    src_ids: Sequence[int],
    tgt_ids: Sequence[int],
    targets: Sequence[int],
    smoothing: float = 0.0,
    position: int | None = None,
) -> Gradients:
    """Return the gradient of the loss by the scores of each attention of a model.

    `src_ids` ends with <eos>, `tgt_ids` starts with <bos>, and `targets` says what should follow
    each of these. The loss is summed over all targets, or is that of one `position`. The model
    itself is left untouched. Raises ValueError for an unknown position and targets that do not fit.
    """
    if len(tgt_ids) != len(targets):
        raise ValueError(f"{len(tgt_ids)} tokens do not go with {len(targets)} targets.")
    if position is not None and not 0 <= position < len(targets):
        raise ValueError(f"There is no position {position}, only 0 to {len(targets) - 1}.")
    assert not model.training, "gradients are shown without dropout"
    kept: dict[str, list[Tensor]] = defaultdict(list)  # a recurrent decoder makes one a step

    def keep(name: str, tensor: Tensor) -> Tensor:
        # A model whose parameters are frozen leaves nothing to follow before this.
        kept[name].append(tensor if tensor.requires_grad else tensor.detach().requires_grad_())
        return kept[name][-1]

    names = [f"{scope}.scores" for scope in attention_scopes(model.config)]
    hook = Intervention({name: partial(keep, name) for name in names})
    chosen = slice(None) if position is None else [position]
    with torch.inference_mode(False), torch.enable_grad():
        logits = model(torch.tensor([src_ids]), torch.tensor([tgt_ids]), hook)[0, chosen]
        loss, _ = label_smoothed_loss(logits, torch.tensor(targets)[chosen], smoothing)
        grads = iter(torch.autograd.grad(loss, [x for name in names for x in kept[name]]))
    arrays = {
        name: torch.cat([next(grads)[0] for _ in kept[name]], dim=-2).numpy() for name in names
    }
    return Gradients(float(loss.detach()), arrays)
