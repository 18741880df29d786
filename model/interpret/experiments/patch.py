"""Numbers of another run in place of some of this one: activation patching.

B batch, H heads, T query tokens, S key tokens, D = d_model, d_k = D / H.
"""

import math
from collections.abc import Iterator
from dataclasses import dataclass
from functools import partial
from typing import Final

import torch
from torch import Tensor

from model.config import ATTENTIONS, Kind, Side
from model.errors import N_, UserError
from model.interpret.calculation.attention import kind_of
from model.interpret.experiments.change import (
    Action,
    Change,
    Fit,
    Offer,
    Scene,
    put,
    side_of,
    within,
)
from model.nn.attention import MAPS

# A recurrent network goes on from its own states, whatever is handed out in their place.
WITHIN_A_CELL: Final = ("reset", "update", "candidate", "hidden", "begin")


@dataclass(frozen=True)
class Patch(Change):
    """The numbers that another run `of` has at its position `at`, in place of these at `position`.

    `name` is that of any activation; a position of its rows, all heads together. `of` is a name
    that whoever makes the runs knows, such as a sentence.
    """

    word = "patch"
    template = N_("{word}, {array}: the numbers of {other} in “{sentence}”")
    turn = 2
    offers = (Offer("vectors", "", ("vector",)),)
    name: str
    position: int
    of: str
    at: int

    @property
    def side(self) -> Side:
        return side_of(self.name)

    def actions(self, fit: Fit) -> Iterator[Action]:
        name, last = self.name, self.name.rpartition(".")[2]
        stage = fit.stages.get(name)
        in_a_cell = fit.config.recurrent and last in WITHIN_A_CELL
        a_state = name == "decoder.0.state" and fit.config.arch == "rnn"
        if stage is None or not stage.captured or in_a_cell or a_state:
            raise UserError("no_such_stage", "name", name=name)
        if self.of not in fit.runs:
            raise UserError("no_other_run", "of", name=self.of)
        theirs = fit.runs[self.of].arrays.get(name)
        if theirs is None:
            raise UserError("no_such_stage", "name", name=name)
        within("at", self.at, theirs.shape[-2])
        ours, value = fit.original.arrays[name], torch.tensor(theirs[..., self.at, :])
        # A recurrent encoder's last state is one vector, of all words.
        one = ours.shape[-2] == 1 and name == "memory"
        place = self.position if one else fit.place(self.side, self.position)
        if one:
            within("position", place, 1)
        if last in MAPS:
            yield from self._of_a_map(fit, value, place)
        elif theirs.shape[:-2] != ours.shape[:-2] or theirs.shape[-1] != ours.shape[-1]:
            raise UserError("other_shape", "of", name=name)
        elif last in ("k", "v") and ".self_attn." in name:
            kind = kind_of(name.rpartition(".")[0])
            yield Action(name, partial(_put_key, kind, place, value))
        else:
            yield Action(name, partial(put, self.side, place, value))

    def _of_a_map(self, fit: Fit, value: Tensor, place: int) -> Iterator[Action]:
        scope, _, last = self.name.rpartition(".")
        kind = kind_of(scope)
        # A word of the decoder looks at those before it: their number must be the same.
        causal = ATTENTIONS[kind].causal
        fits = self.at == place if causal else value.shape[-1] == len(fit.origin)
        if not fits or len(value) != fit.config.n_heads:
            raise UserError("other_shape", "of", name=self.name)
        if causal:
            value = value[..., : place + 1]
        masked = f"{scope}.masked" if last == "weights" else ""
        row = partial(_put_row, kind, place, value, masked)
        yield Action(self.name, row, (masked,) if masked else ())


def _put_key(kind: Kind, place: int, value: Tensor, keys: Tensor, scene: Scene) -> Tensor:
    """Put one key or value of each head, (H, d_k), into (B, H, S, d_k)."""
    here = scene.keys(keys.shape[-2], kind) == place  # (S,)
    return torch.where(here[:, None], value.to(keys.dtype)[..., None, :], keys)


def _put_row(
    kind: Kind, place: int, value: Tensor, masked: str, rows: Tensor, scene: Scene
) -> Tensor:
    """Put one row of a map, (H, S), into (B, H, T, S), where its words may be looked at."""
    T, S = rows.shape[-2:]
    keys = scene.keys(S, kind)
    here = (scene.rows(T, ATTENTIONS[kind].queries) == place)[:, None] & (keys < value.shape[-1])
    # Among the keys of a beam are those of other hypotheses, which masks hide.
    open_ = (scene.kept[masked] if masked else rows) > -math.inf  # (B, H, T, S)
    here = here & open_
    row = value.to(rows.dtype)[:, keys.clamp(max=value.shape[-1] - 1)]  # (H, S)
    return torch.where(here, row[:, None], rows)
