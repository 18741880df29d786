"""Other attention with the same output, found by search (Jain & Wallace 2019).

B candidates, H heads, T target tokens, S source tokens, V = size of the target vocabulary.
"""

from collections.abc import Callable, Iterator
from copy import copy
from dataclasses import dataclass
from typing import Final

import numpy as np
import torch
from torch import Tensor

from model.config import ATTENTIONS
from model.interpret.calculation.numbers import softmax
from model.interpret.capture import Capture
from model.interpret.experiments.changes import EditRow
from model.nn.hooks import Intervention
from model.nn.layers import LayerCache
from model.nn.transformer import Keys
from model.nn.translator import Translator
from model.training.optim import Adam
from model.training.processor import one_thread

MOST: Final = 0.01  # the total variation of the output that counts as the same
LEAST: Final = 0.01  # the distance, in bits, from which on weights count as other ones
AIM: Final = 0.9  # of it: what the search keeps to, as weights in a change are rounded
STEPS: Final = 60
CANDIDATES: Final = 4
RATE: Final = 0.4
DIGITS: Final = 5
PRICE: Final = 30.0  # of total variation above the aim, in units of the attention's distance


@dataclass(frozen=True, eq=False)
class Found:
    """The best row of each head so far, (H, S), how far it is from the model's, and the output.

    `distance` is the mean of the heads' Jensen-Shannon divergences in bits, from 0 to 1; it
    is 0, and the rows are the model's own, before any candidate keeps the output.
    """

    step: int
    rows: np.ndarray
    distance: float
    output: float

    def changes(self, layer: int, target: int) -> tuple[EditRow, ...]:
        """Return the rows as changes of a run, one a head; with few digits, as addresses hold them.

        They are rounded down: what is left of a row to 1, the change shares out again.
        """
        rows = np.floor(self.rows * 10**DIGITS) / 10**DIGITS
        return tuple(
            EditRow("cross", layer, head, target, tuple(enumerate(row.tolist())))
            for head, row in enumerate(rows)
        )


def divergence(p: Tensor, q: Tensor) -> Tensor:
    """Return the Jensen-Shannon divergence of distributions in bits, (…, S) -> (…)."""
    middle = torch.special.entr((p + q) / 2).sum(-1)
    apart = torch.special.entr(p).sum(-1) + torch.special.entr(q).sum(-1)
    return (middle - apart / 2) / np.log(2)


def divergence_of(before: np.ndarray, after: np.ndarray) -> float:
    """Return the mean of the heads' divergences of two maps' rows, (H, S) each, in bits."""
    rows = (torch.tensor(row, dtype=torch.float64) for row in (before, after))
    return float(divergence(*rows).mean())


def total_variation(p: np.ndarray, q: np.ndarray) -> float:
    """Return half of the sum of all differences of two distributions, from 0 to 1."""
    return float(np.abs(p - q).sum() / 2)


def search(
    model: Translator, original: Capture, layer: int, target: int, seed: int = 0
) -> Iterator[Found]:
    """Look for the farthest weights of one row in all heads that leave the output as it is.

    From several starts at once, gradients push the weights of the encoder-decoder attention away
    from the model's own, and back wherever the distribution of the next token has moved by more
    than the aim. Yields the best after each step; whoever stops asking stops the work.

    The row's own token alone is read at each step: no token before it sees what it looked at.
    """
    weights = original.weights("cross", layer)[:, target].astype(np.float64)
    own = torch.tensor(weights)  # (H, S)
    before = torch.tensor(softmax(original.logits[target].astype(np.float64)))  # (V,)
    token = torch.tensor([[original.tgt_ids[target]]]).expand(CANDIDATES, 1)
    with torch.no_grad():
        past = _past(model, original, target)
    name = f"{ATTENTIONS['cross'].scope(layer)}.weights"
    logits = _starts(own, seed)
    optimizer = Adam([logits], lr=RATE)
    best = Found(0, weights, 0.0, 0.0)

    for step in range(1, STEPS + 1):
        with one_thread(), torch.inference_mode(False), torch.enable_grad():
            rows = torch.softmax(logits, dim=-1)  # (B, H, S)

            def put(recorded: Tensor, rows: Tensor = rows) -> Tensor:
                return rows.to(recorded.dtype)[:, :, None]  # (B, H, 1, S)

            scored = model.decode_step(token, past(), hook=Intervention({name: put}))[:, 0]
            after = torch.softmax(scored.double(), dim=-1)  # (B, V)
            moved = (after - before).abs().sum(-1) / 2  # (B,)
            apart = divergence(own, rows).mean(-1)
            loss = (PRICE * torch.relu(moved - AIM * MOST) - apart).sum()
            (logits.grad,) = torch.autograd.grad(loss, [logits])
        kept = torch.where(moved <= AIM * MOST, apart, 0.0).detach().numpy()
        top = int(kept.argmax())
        if kept[top] > best.distance:
            found = rows[top].detach().numpy().copy()
            best = Found(step, found, float(kept[top]), float(moved[top].detach()))
        yield best
        optimizer.param_groups[0]["lr"] = RATE * (1 - step / STEPS)
        optimizer.step()


def _past(model: Translator, original: Capture, target: int) -> Callable[[], Keys]:
    """Return what makes the cache of what was read before a token, for all candidates.

    The buffers are full: reading a token copies them, and so leaves them as they were recorded.
    """

    def before(layer: int) -> LayerCache:
        k, v = (torch.tensor(original.stage("decoder", layer, name)) for name in "kv")
        kv = torch.stack([k, v])[:, None, :, :target]  # (2, 1, H, target, d_k)
        return LayerCache(kv.expand(-1, CANDIDATES, -1, -1, -1), target)

    memory = torch.tensor(original.arrays["memory"]).expand(CANDIDATES, -1, -1)
    cache = model.start_cache(memory, None)
    assert isinstance(cache, Keys)
    layers = [before(layer) for layer in range(original.n_layers("decoder"))]
    return lambda: Keys(tuple(copy(one) for one in layers), cache.memory_kv, None, target)


def _starts(own: Tensor, seed: int) -> Tensor:
    """Return the logits of the first candidates: the model's weights, disturbed ever more."""
    random = torch.Generator().manual_seed(seed)
    noise = torch.randn(CANDIDATES, *own.shape, generator=random, dtype=own.dtype)
    scale = torch.logspace(-2, 0.3, CANDIDATES, dtype=own.dtype)[:, None, None]
    return ((own + 1e-6).log() + scale * noise).requires_grad_()
