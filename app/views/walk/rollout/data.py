"""The door to attention through all layers: how vectors mix, by each way of asking.

L layers, S source tokens, T target tokens.
"""

from typing import Literal

import numpy as np

from app.data.cache import cached
from app.data.walk import Walk
from model.config import ATTENTIONS, KINDS, Kind, Stack
from model.interpret.rollout import Mixing, Reach, flow, half_mixing, norm_mixing, reach

__all__ = ["KINDS", "Stack"]

Way = Literal["weights", "rollout", "norms", "flow"]


@cached()
def mixing(walk: Walk, way: Literal["rollout", "norms"]) -> Mixing:
    """Return what each sub-layer takes from each vector, assumed or measured."""
    if way == "rollout":
        return half_mixing(walk.capture)
    return norm_mixing(walk.capture, walk.parameters)


def contributions(walk: Walk, way: Way, stack: Stack, layer: int) -> np.ndarray:
    """Return what each vector after a layer is made of, (S, S) or (T, S + T); rows sum to 1.

    The weights are those of the layer itself, heads averaged: over the source, and over the
    target, they sum to 1 each. A flow is divided by the sum of its row.
    """
    if way == "weights":
        kinds: tuple[Kind, ...] = ("encoder",) if stack == "encoder" else ("cross", "decoder")
        return np.hstack([walk.capture.weights(kind, layer).mean(0) for kind in kinds])
    if way == "flow":
        flows = _flows(walk, stack, layer)
        shares: np.ndarray = flows / flows.sum(-1, keepdims=True)
        return shares
    found: np.ndarray = getattr(_reach(walk, way), stack)[layer]
    return found


def own_shares(walk: Walk, way: Literal["rollout", "norms"], kind: Kind) -> np.ndarray:
    """Return how much of itself each vector keeps in each layer's sub-layer, the mean, (L,)."""
    rows = getattr(mixing(walk, way), kind)
    if not ATTENTIONS[kind].own:
        rows = rows[..., len(walk.capture.src) :]
    means: np.ndarray = np.diagonal(rows, axis1=-2, axis2=-1).mean(-1)
    return means


def flow_spread(walk: Walk) -> float:
    """Return by how much the flows from one source token differ between the written tokens."""
    last = walk.config.n_decoder_layers - 1
    flows = _flows(walk, "decoder", last)[:, : len(walk.capture.src)]
    return float(np.ptp(flows, axis=0).max())


@cached()
def _reach(walk: Walk, way: Literal["rollout", "norms"]) -> Reach:
    return reach(mixing(walk, way))


@cached()
def _flows(walk: Walk, stack: Stack, layer: int) -> np.ndarray:
    """Return the largest flow from each token to each vector after a layer."""
    side = walk.config.stacks[stack].side
    count = len(walk.capture.tokens(side))
    return np.stack([flow(mixing(walk, "rollout"), side, layer, at) for at in range(count)])
