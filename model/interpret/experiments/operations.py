"""What changes do to one activation, as functions of tensors of any batch and any float.

B batch, H heads, T query tokens, S key tokens, D = d_model, d_k = D / H.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from typing import Final

import torch
from torch import Tensor

from model.config import Kind
from model.interpret.experiments.changes import Look, Side

ENCODER: Final = ("src.", "encoder.", "memory")  # how the names of its activations begin


class Scene:
    """What an operation may ask: `kept` activations, and which position each row stands for.

    In a step of decoding all rows stand for its one `position`, and of the decoder's keys those
    of a step stand for that step, as many as the hypotheses it read: `widths`.
    """

    def __init__(self, kept: Mapping[str, Tensor]) -> None:
        self.kept = kept
        self.position: int | None = None
        self.widths: list[int] = []

    def rows(self, count: int, side: Side) -> Tensor:
        """Return the positions of queries, or of the rows of a stream, (T,)."""
        if self.position is None or side == "src":
            return torch.arange(count)
        return torch.full((count,), self.position)

    def keys(self, count: int, kind: Kind) -> Tensor:
        """Return the positions of keys, (S,)."""
        if self.position is None or kind != "decoder":
            return torch.arange(count)
        return torch.arange(len(self.widths)).repeat_interleave(torch.tensor(self.widths))


Operation = Callable[[Tensor, Scene], Tensor]


def sides(kind: Kind) -> tuple[Side, Side]:
    """Return the sides of the words that look and of those that are looked at."""
    return ("src" if kind == "encoder" else "tgt", "tgt" if kind == "decoder" else "src")


def side_of(name: str) -> Side:
    """Return which side's words the rows of an activation stand for."""
    keys = name.endswith(("cross_attn.k", "cross_attn.v"))
    return "src" if keys or name.startswith(ENCODER) else "tgt"


def mute(heads: Tensor, value: Tensor, context: Tensor, scene: Scene) -> Tensor:
    """Let heads hand over one value, (H, 1, d_k), at each of their positions (B, H, T, d_k)."""
    return torch.where(heads, value.to(context.dtype), context)


def look(
    heads: Tensor,
    kind: Kind,
    masked: str,
    how: Look | None,
    place: int,
    weights: Tensor,
    scene: Scene,
) -> Tensor:
    """Let heads look where `how` says or, if it says nothing, at the word at `place`."""
    open_ = scene.kept[masked] > -math.inf  # (B, H, T, S)
    if how == "uniform":
        alike = open_.to(weights.dtype)
        return torch.where(heads, alike / alike.sum(-1, keepdim=True), weights)
    T, S = weights.shape[-2:]
    rows, keys = scene.rows(T, sides(kind)[0]), scene.keys(S, kind)
    wanted = torch.full_like(rows, place)
    if how is not None:
        wanted = rows if how == "itself" else (rows - 1).clamp(min=0)
    only = (keys == wanted[:, None]) & open_  # (B, H, T, S)
    return torch.where(heads & only.any(-1, keepdim=True), only.to(weights.dtype), weights)


def edit(
    kind: Kind,
    masked: str,
    head: int,
    row: int,
    cells: Mapping[int, float],
    weights: Tensor,
    scene: Scene,
) -> Tensor:
    """Set some weights of one row of a head, the others keeping their proportions."""
    T, S = weights.shape[-2:]
    here = scene.rows(T, sides(kind)[0]) == row  # (T,)
    if not here.any():
        return weights
    keys, old = scene.keys(S, kind), weights[:, head]  # (S,), (B, T, S)
    open_ = scene.kept[masked][:, head] > -math.inf  # (B, T, S)
    wanted = torch.zeros(S, dtype=old.dtype)
    for position, weight in cells.items():
        wanted[keys == position] = weight
    chosen = torch.isin(keys, torch.tensor(list(cells))) & open_  # (B, T, S)
    edited = weights.clone()
    edited[:, head] = torch.where(here[:, None], _share(old, wanted, chosen, open_), old)
    return edited


def _share(old: Tensor, wanted: Tensor, chosen: Tensor, open_: Tensor) -> Tensor:
    """Give the chosen cells of rows their weights, and what is left of 1 to the others."""
    new = torch.where(chosen, wanted, 0.0)
    others = open_ & ~chosen
    rest = torch.where(others, old, 0.0)
    rest = torch.where(rest.sum(-1, keepdim=True) > 0, rest, others.to(old.dtype))
    left = (1 - new.sum(-1, keepdim=True)).clamp(min=0)
    shared = new + left * rest / rest.sum(-1, keepdim=True)
    # Where all that may be looked at was chosen, the weights are scaled instead.
    total = new.sum(-1, keepdim=True)
    scaled = torch.where(total > 0, new / total, chosen / chosen.sum(-1, keepdim=True))
    edited = torch.where(others.any(-1, keepdim=True), shared, scaled).to(old.dtype)
    same = torch.where(chosen, wanted == old, True).all(-1, keepdim=True)
    return torch.where(same, old, edited)


def hide(kind: Kind, places: Tensor, masked: Tensor, scene: Scene) -> Tensor:
    """Put −∞ in place of the masked scores for some words, but for their own of themselves."""
    T, S = masked.shape[-2:]
    rows, keys = scene.rows(T, sides(kind)[0]), scene.keys(S, kind)
    closed = torch.isin(keys, places).expand(T, S)
    if kind != "cross":
        closed = closed & (keys != rows[:, None])
    return masked.masked_fill(closed, -math.inf)


def put(side: Side, place: int, value: Tensor, tensor: Tensor, scene: Scene) -> Tensor:
    """Put a vector, (D,) or (H, d_k), into its row of (B, …, T, D)."""
    here = scene.rows(tensor.shape[-2], side) == place  # (T,)
    return torch.where(here[:, None], value.to(tensor.dtype)[..., None, :], tensor)


def zero(tensor: Tensor, scene: Scene) -> Tensor:
    """Put 0 in place of every number."""
    return torch.zeros_like(tensor)


def kept(name: str, tensor: Tensor, scene: Scene) -> Tensor:
    """Put another activation in the place of this one."""
    return scene.kept[name]


def unscaled(heads: Tensor, scores: str, scaled: Tensor, scene: Scene) -> Tensor:
    """Put the scores in place of the scaled ones, in some heads."""
    return torch.where(heads, scene.kept[scores], scaled)


def temper(heads: Tensor, temperature: float, masked: Tensor, scene: Scene) -> Tensor:
    """Divide the masked scores of some heads by a temperature."""
    return torch.where(heads, masked / temperature, masked)


def put_key(kind: Kind, place: int, value: Tensor, keys: Tensor, scene: Scene) -> Tensor:
    """Put one key or value of each head, (H, d_k), into (B, H, S, d_k)."""
    here = scene.keys(keys.shape[-2], kind) == place  # (S,)
    return torch.where(here[:, None], value.to(keys.dtype)[..., None, :], keys)


def put_row(
    kind: Kind, place: int, value: Tensor, masked: str, rows: Tensor, scene: Scene
) -> Tensor:
    """Put one row of a map, (H, S), into (B, H, T, S), where its words may be looked at."""
    T, S = rows.shape[-2:]
    keys = scene.keys(S, kind)
    here = (scene.rows(T, sides(kind)[0]) == place)[:, None] & (keys < value.shape[-1])
    # Among the keys of a beam are those of other hypotheses, which masks hide.
    open_ = (scene.kept[masked] if masked else rows) > -math.inf  # (B, H, T, S)
    here = here & open_
    row = value.to(rows.dtype)[:, keys.clamp(max=value.shape[-1] - 1)]  # (H, S)
    return torch.where(here, row[:, None], rows)
