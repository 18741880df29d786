"""Turns changes into what is done to which activation, for one model and one sentence.

B batch, H heads, T query tokens, S key tokens, D = d_model, d_k = D / H.
"""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from copy import copy
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from torch import Tensor

from model.config import Kind
from model.errors import UserError
from model.interpret.calculation.stages import stages
from model.interpret.capture import KINDS, SCOPES, Capture, Override
from model.interpret.experiments import changes as of
from model.interpret.experiments.changes import Change, Side
from model.nn.hooks import NO_HOOK, Hook
from model.nn.translator import Translator

MAPS: Final = ("scores", "scaled", "masked", "weights")  # (H, T, S), the others are (…, T, D)
ENCODER: Final = ("src.", "encoder.", "memory")
# A recurrent network goes on from its own states, whatever is handed out in their place.
WITHIN_A_CELL: Final = ("reset", "update", "candidate", "hidden", "begin")


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


class Step(NamedTuple):
    """One operation on the activation `name`, which needs those named in `keep`."""

    name: str
    operation: Operation
    keep: tuple[str, ...] = ()


@dataclass(frozen=True, eq=False)
class Plan:
    """Changes that fit a model and an unchanged run, ready to be run.

    `src_ids` are the source tokens to read, and `origin` says at which position of the unchanged
    source each of them stood. `operations` are by activation, each with the text of its change.
    """

    changes: tuple[Change, ...]
    original: Capture
    src_ids: tuple[int, ...]
    origin: tuple[int, ...]
    operations: Mapping[str, tuple[tuple[str, Operation], ...]]
    keep: frozenset[str]

    @property
    def same_encoder(self) -> bool:
        """Whether the encoder reads and does what it did in the unchanged run."""
        same = list(self.src_ids) == self.original.src_ids
        return same and not any(name.startswith(ENCODER) for name in self.operations)

    @property
    def cached(self) -> bool:
        """Whether keys and values stay what they are while more words are written."""
        return not any(isinstance(change, of.WithoutCausalMask) for change in self.changes)

    def hook(self) -> Hook:
        """Return the changes as one hook, for one run."""
        return _Hook(self)

    def overrides(self) -> dict[str, tuple[Override, ...]]:
        """Return the changes as what they do to numbers that were computed again."""
        return {
            name: tuple(Override(text, partial(_override, operation)) for text, operation in steps)
            for name, steps in self.operations.items()
        }


class _Hook(Scene, Hook):
    """Changes activations, and keeps those that a later operation needs."""

    def __init__(self, plan: Plan) -> None:
        self.own: dict[str, Tensor] = {}
        super().__init__(self.own)
        self.plan = plan

    def __call__(self, name: str, tensor: Tensor) -> Tensor:
        if self.position is not None and name == "tgt.embed":
            self.widths[self.position :] = [tensor.shape[1]]
        for _, operation in self.plan.operations.get(name, ()):
            tensor = operation(tensor, self)
        if name in self.plan.keep:
            self.own[name] = tensor
        return tensor

    def step(self, index: int) -> Hook:
        one = copy(self)
        one.position = index
        return one


def _override(
    operation: Operation, array: np.ndarray, arrays: Mapping[str, np.ndarray]
) -> np.ndarray:
    """Do to one array of a run, in float64 and without batch dimension, what a change does."""
    return operation(_double(array), Scene(_Doubles(arrays)))[0].numpy()


class _Doubles(dict[str, Tensor]):
    """Arrays as tensors of one batch in float64, each made when it is asked for."""

    def __init__(self, arrays: Mapping[str, np.ndarray]) -> None:
        super().__init__()
        self.arrays = arrays

    def __missing__(self, name: str) -> Tensor:
        return _double(self.arrays[name])


def _double(array: np.ndarray) -> Tensor:
    return torch.tensor(array, dtype=torch.float64)[None]


@torch.inference_mode(False)  # what a gradient is to pass by later
@torch.no_grad()
def plan(
    model: Translator,
    original: Capture,
    changes: Sequence[Change],
    runs: Mapping[str, Capture] | None = None,
) -> Plan:
    """Fit changes to a model and to the unchanged run of a sentence and its translation.

    They are done in the order of `ORDER`, those of one class in that of the list; `runs` are
    those that patches come from. Raises UserError for what this model or sentence does not have.
    """
    src_ids, origin = _source(original, changes)
    fit = Fit(model, original, origin, runs or {})
    operations: dict[str, list[tuple[str, Operation]]] = defaultdict(list)
    keep: set[str] = set()
    for change in sorted(changes, key=lambda change: ORDER.index(type(change))):
        for step in STEPS[type(change)](fit, change):
            operations[step.name].append((change.text, step.operation))
            keep.update(step.keep)
    fit.leave_something()
    done = {name: tuple(steps) for name, steps in operations.items()}
    return Plan(tuple(changes), original, src_ids, origin, done, frozenset(keep))


def _source(
    original: Capture, changes: Sequence[Change]
) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """Return the source tokens that the changes leave, and where each of them stood."""
    slots = [[token] for token in original.src_ids]
    order: Sequence[int] = range(len(slots))
    for change in sorted(changes, key=lambda change: ORDER.index(type(change))):
        if isinstance(change, of.Reorder):
            if len(change.order) != len(slots):
                raise UserError("not_an_order", "order", value=change.order)
            order = [order[i] for i in change.order]
        elif isinstance(change, of.LeaveOut) or (
            isinstance(change, of.SwapWord) and change.side == "src"
        ):
            ids = () if isinstance(change, of.LeaveOut) else change.ids
            last = len(change.positions) - 1
            _within("positions", change.positions[last], len(slots))
            _known(original, ids, original.config.vocab_size)
            for position in change.positions:
                slots[position] = []
            for i, token in enumerate(ids):
                slots[change.positions[min(i, last)]].append(token)
    origin = tuple(i for i in order for _ in slots[i])
    if not origin:
        raise UserError("nothing_left", "positions")
    return tuple(token for i in order for token in slots[i]), origin


def _within(field: str, value: int, count: int) -> None:
    if not 0 <= value < count:
        raise UserError("out_of_range", field, value=value, low=0, most=count - 1)


def _known(original: Capture, ids: Sequence[int], size: int) -> None:
    """Refuse tokens that a vocabulary does not have, and padding, which the masks would hide."""
    for token in ids:
        if token >= size or token == original.config.pad_id:
            raise UserError("not_in_vocabulary", "ids", value=token)


class Fit:
    """A model and a sentence, and what of them the fields of a change name."""

    def __init__(
        self,
        model: Translator,
        original: Capture,
        origin: Sequence[int],
        runs: Mapping[str, Capture],
    ) -> None:
        self.model, self.original, self.origin, self.runs = model, original, origin, runs
        self.config = original.config
        self.stages = stages(self.config)
        self.hidden: dict[str, set[int]] = defaultdict(set)  # from encoder-decoder attentions

    def scopes(
        self, kind: Kind | None, layer: int | None, among: Sequence[Kind] = KINDS
    ) -> Iterator[tuple[str, Kind]]:
        """Yield each attention that is meant, with its kind."""
        counts = {one: self.config.n_attentions(one) for one in ([kind] if kind else among)}
        if not any(counts.values()):
            raise UserError("not_for_arch", "kind", arch=self.config.arch)
        for one, count in counts.items():
            if layer is not None and count:
                _within("layer", layer, count)
            for i in range(count):
                if layer in (None, i):
                    yield SCOPES[one].format(i), one

    def heads(self, heads: Sequence[int]) -> Tensor:
        """Return which heads are meant, True for each, (H, 1, 1)."""
        for head in heads:
            _within("heads", head, self.config.n_heads)
        chosen = torch.full((self.config.n_heads, 1, 1), not heads)
        chosen[list(heads)] = True
        return chosen

    def layers(self, stack: of.Stack, layer: int | None) -> Sequence[int]:
        """Return the layers of a stack that are meant; recurrent networks have none."""
        self.only_transformer("stack")
        config = self.config
        count = config.n_encoder_layers if stack == "encoder" else config.n_decoder_layers
        if layer is None:
            return range(count)
        _within("layer", layer, count)
        return [layer]

    def only_transformer(self, field: str) -> None:
        if self.config.recurrent:
            raise UserError("not_for_arch", field, arch=self.config.arch)

    def add_norm(self, stack: of.Stack, layer: int, sublayer: int) -> str:
        """Return the name of one residual connection with its normalisation."""
        self.layers(stack, layer)
        most = 2 if stack == "encoder" else 3
        if not 1 <= sublayer <= most:
            raise UserError("out_of_range", "sublayer", value=sublayer, low=1, most=most)
        return f"{stack}.{layer}.add_norm_{sublayer}"

    def places(self, side: Side, positions: Sequence[int]) -> list[int]:
        """Return where the words of the unchanged run now stand; source words may be several."""
        tokens = self.original.src if side == "src" else self.original.tgt
        for position in positions:
            _within("position", position, len(tokens))
        now = self.origin if side == "src" else range(len(tokens))
        found = [place for place, position in enumerate(now) if position in positions]
        if not found:
            raise UserError("left_out", "position", value=positions[0])
        return found

    def place(self, side: Side, position: int) -> int:
        """Return where one word of the unchanged run now begins."""
        return self.places(side, [position])[0]

    def leave_something(self) -> None:
        """Refuse to hide the whole source from an attention."""
        if any(len(hidden) == len(self.origin) for hidden in self.hidden.values()):
            raise UserError("nothing_left", "positions")


def sides(kind: Kind) -> tuple[Side, Side]:
    """Return the sides of the words that look and of those that are looked at."""
    return ("src" if kind == "encoder" else "tgt", "tgt" if kind == "decoder" else "src")


def side_of(name: str) -> Side:
    """Return which side's words the rows of an activation stand for."""
    keys = name.endswith(("cross_attn.k", "cross_attn.v"))
    return "src" if keys or name.startswith(ENCODER) else "tgt"


def _steps_mute(fit: Fit, change: of.MuteHeads) -> Iterator[Step]:
    heads = fit.heads(change.heads)
    for scope, _ in fit.scopes(change.kind, change.layer):
        name = f"{scope}.context"
        before = fit.original.arrays[name].mean(-2, keepdims=True, dtype=np.float64)  # (H, 1, d_k)
        mean = torch.from_numpy(before.astype(np.float32))
        value = torch.zeros_like(mean) if change.to == "zero" else mean
        yield Step(name, partial(_mute, heads, value))


def _mute(heads: Tensor, value: Tensor, context: Tensor, scene: Scene) -> Tensor:
    return torch.where(heads, value.to(context.dtype), context)


def _steps_look(fit: Fit, change: of.LookLike | of.LookAt) -> Iterator[Step]:
    heads = fit.heads(change.heads)
    for scope, kind in fit.scopes(change.kind, change.layer):
        masked = f"{scope}.masked"
        at = change.how if isinstance(change, of.LookLike) else None
        place = fit.place(sides(kind)[1], change.position) if isinstance(change, of.LookAt) else 0
        look = partial(_look, heads, kind, masked, at, place)
        yield Step(f"{scope}.weights", look, (masked,))


def _look(
    heads: Tensor,
    kind: Kind,
    masked: str,
    how: of.Look | None,
    place: int,
    weights: Tensor,
    scene: Scene,
) -> Tensor:
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


def _steps_edit(fit: Fit, change: of.EditRow) -> Iterator[Step]:
    fit.heads((change.head,))
    for scope, kind in fit.scopes(change.kind, change.layer):
        queries, keys = sides(kind)
        cells = {fit.place(keys, position): weight for position, weight in change.cells}
        row, masked = fit.place(queries, change.row), f"{scope}.masked"
        edit = partial(_edit, kind, masked, change.head, row, cells)
        yield Step(f"{scope}.weights", edit, (masked,))


def _edit(
    kind: Kind,
    masked: str,
    head: int,
    row: int,
    cells: Mapping[int, float],
    weights: Tensor,
    scene: Scene,
) -> Tensor:
    T, S = weights.shape[-2:]
    here = scene.rows(T, sides(kind)[0]) == row  # (T,)
    if not here.any():
        return weights
    keys, old = scene.keys(S, kind), weights[:, head]  # (S,), (B, T, S)
    open_ = scene.kept[masked][:, head] > -math.inf  # (B, T, S)
    set_ = torch.isin(keys, torch.tensor(list(cells))) & open_
    new = torch.zeros(S, dtype=old.dtype)
    for position, weight in cells.items():
        new[keys == position] = weight
    new = torch.where(set_, new, 0.0)  # (B, T, S)
    same = torch.where(set_, new == old, True).all(-1, keepdim=True)
    rest = old.masked_fill(set_, 0.0)
    empty = rest.sum(-1, keepdim=True) == 0
    rest = torch.where(empty, (open_ & ~set_).to(old.dtype), rest)
    left = 1 - new.sum(-1, keepdim=True)
    new = new + rest * (left / rest.sum(-1, keepdim=True)).nan_to_num(0.0, 0.0, 0.0)
    # Nothing was left to share: all that may be looked at was set.
    total = new.sum(-1, keepdim=True)
    alone = ~(open_ & ~set_).any(-1, keepdim=True)
    scaled = torch.where(total > 0, new / total, set_ / set_.sum(-1, keepdim=True))
    new = torch.where(alone, scaled, new).to(old.dtype)
    edited = weights.clone()
    edited[:, head] = torch.where(here[:, None] & ~same, new, old)
    return edited


def _steps_hide(fit: Fit, change: of.HideWords) -> Iterator[Step]:
    places = fit.places(change.side, change.positions)
    for scope, kind in fit.scopes(change.kind, change.layer, of.KINDS_OF[change.side]):
        if kind == "cross":
            fit.hidden[scope].update(places)
        yield Step(f"{scope}.masked", partial(_hide, kind, torch.tensor(places)))


def _hide(kind: Kind, places: Tensor, masked: Tensor, scene: Scene) -> Tensor:
    T, S = masked.shape[-2:]
    rows, keys = scene.rows(T, sides(kind)[0]), scene.keys(S, kind)
    closed = torch.isin(keys, places).expand(T, S)
    if kind != "cross":
        closed = closed & (keys != rows[:, None])
    return masked.masked_fill(closed, -math.inf)


def _steps_swap(fit: Fit, change: of.SwapWord) -> Iterator[Step]:
    if change.side == "src":  # other tokens are read
        return
    fit.places("tgt", change.positions)
    _known(fit.original, change.ids, fit.config.n_tgt_vocab)
    model, ids = fit.model, torch.tensor([change.ids])
    rows = model.lookup(model.tgt_embed, ids, NO_HOOK)[0]  # (n, D)
    for position, row in zip(change.positions, rows, strict=True):
        yield Step("tgt.embed", partial(_put, "tgt", position, row))


def _put(side: Side, place: int, value: Tensor, tensor: Tensor, scene: Scene) -> Tensor:
    """Put a vector, (D,) or (H, d_k), into its row of (B, …, T, D)."""
    here = scene.rows(tensor.shape[-2], side) == place  # (T,)
    return torch.where(here[:, None], value.to(tensor.dtype)[..., None, :], tensor)


def _steps_positions(fit: Fit, change: of.WithoutPositions) -> Iterator[Step]:
    fit.only_transformer("positions")
    for side in [change.side] if change.side else ("src", "tgt"):
        yield Step(f"{side}.pos", _zero)


def _zero(tensor: Tensor, scene: Scene) -> Tensor:
    return torch.zeros_like(tensor)


def _steps_causal(fit: Fit, change: of.WithoutCausalMask) -> Iterator[Step]:
    fit.only_transformer("causal")
    for scope, _ in fit.scopes("decoder", change.layer):
        yield Step(f"{scope}.masked", partial(_kept, f"{scope}.scaled"), (f"{scope}.scaled",))


def _kept(name: str, tensor: Tensor, scene: Scene) -> Tensor:
    return scene.kept[name]


def _steps_scaling(fit: Fit, change: of.WithoutScaling) -> Iterator[Step]:
    fit.only_transformer("scaled")
    heads = fit.heads(change.heads)
    for scope, _ in fit.scopes(change.kind, change.layer):
        scores = f"{scope}.scores"
        yield Step(f"{scope}.scaled", partial(_unscaled, heads, scores), (scores,))


def _unscaled(heads: Tensor, scores: str, scaled: Tensor, scene: Scene) -> Tensor:
    return torch.where(heads, scene.kept[scores], scaled)


def _steps_residual(fit: Fit, change: of.WithoutResidual) -> Iterator[Step]:
    name = f"{fit.add_norm(change.stack, change.layer, change.sublayer)}.add"
    out = fit.stages[name].inputs[1]
    yield Step(name, partial(_kept, out), (out,))


def _steps_feed_forward(fit: Fit, change: of.WithoutFeedForward) -> Iterator[Step]:
    for layer in fit.layers(change.stack, change.layer):
        yield Step(f"{change.stack}.{layer}.ffn.out", _zero)


def _steps_norm(fit: Fit, change: of.WithoutNorm) -> Iterator[Step]:
    fit.only_transformer("stack")
    name = f"{change.stack}.norm"
    if change.layer is not None and change.sublayer is not None:
        name = f"{fit.add_norm(change.stack, change.layer, change.sublayer)}.norm"
    if name not in fit.stages:
        raise UserError("no_such_stage", "stack", name=name)
    x = fit.stages[name].inputs[0]
    yield Step(name, partial(_kept, x), (x,))


def _steps_temperature(fit: Fit, change: of.Temperature) -> Iterator[Step]:
    heads = fit.heads(change.heads)
    for scope, _ in fit.scopes(change.kind, change.layer):
        yield Step(f"{scope}.masked", partial(_temper, heads, change.temperature))


def _temper(heads: Tensor, temperature: float, masked: Tensor, scene: Scene) -> Tensor:
    return torch.where(heads, masked / temperature, masked)


def _steps_patch(fit: Fit, change: of.Patch) -> Iterator[Step]:
    name, last = change.name, change.name.rpartition(".")[2]
    stage = fit.stages.get(name)
    within = fit.config.recurrent and last in WITHIN_A_CELL
    of_a_state = name == "decoder.0.state" and fit.config.arch == "rnn"
    if stage is None or not stage.captured or within or of_a_state:
        raise UserError("no_such_stage", "name", name=name)
    if change.of not in fit.runs:
        raise UserError("no_run", "of", name=change.of)
    theirs = fit.runs[change.of].arrays.get(name)
    if theirs is None:
        raise UserError("no_such_stage", "name", name=name)
    _within("at", change.at, theirs.shape[-2])
    ours, value = fit.original.arrays[name], torch.tensor(theirs[..., change.at, :])
    side = side_of(name)
    # A recurrent encoder's last state is one vector, of all words.
    one = ours.shape[-2] == 1 and name == "memory"
    place = change.position if one else fit.place(side, change.position)
    if one:
        _within("position", place, 1)
    if last in MAPS:
        yield from _patch_map(fit, change, value, place)
    elif theirs.shape[:-2] != ours.shape[:-2] or theirs.shape[-1] != ours.shape[-1]:
        raise UserError("other_shape", "of", name=name)
    elif last in ("k", "v") and ".self_attn." in name:
        kind: Kind = "encoder" if side == "src" else "decoder"
        yield Step(name, partial(_put_key, kind, place, value))
    else:
        yield Step(name, partial(_put, side, place, value))


def _put_key(kind: Kind, place: int, value: Tensor, keys: Tensor, scene: Scene) -> Tensor:
    """Put one key or value of each head, (H, d_k), into (B, H, S, d_k)."""
    here = scene.keys(keys.shape[-2], kind) == place  # (S,)
    return torch.where(here[:, None], value.to(keys.dtype)[..., None, :], keys)


def _patch_map(fit: Fit, change: of.Patch, value: Tensor, place: int) -> Iterator[Step]:
    scope, _, last = change.name.rpartition(".")
    kind: Kind = "encoder" if scope.startswith("encoder") else "decoder"
    if scope.endswith("cross_attn"):
        kind = "cross"
    # A word of the decoder looks at those before it: their number must be the same.
    fits = change.at == place if kind == "decoder" else value.shape[-1] == len(fit.origin)
    if not fits or len(value) != fit.config.n_heads:
        raise UserError("other_shape", "of", name=change.name)
    if kind == "decoder":
        value = value[..., : place + 1]
    masked = f"{scope}.masked" if last == "weights" else ""
    put = partial(_put_row, kind, place, value, masked)
    yield Step(change.name, put, (masked,) if masked else ())


def _put_row(
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


# The order in which changes are made: a patch has the last word, inputs come first.
STEPS: Final[Mapping[type[Change], Callable[[Fit, Any], Iterator[Step]]]] = {
    of.SwapWord: _steps_swap,
    of.LeaveOut: lambda fit, change: iter(()),
    of.Reorder: lambda fit, change: iter(()),
    of.WithoutPositions: _steps_positions,
    of.WithoutScaling: _steps_scaling,
    of.WithoutCausalMask: _steps_causal,
    of.Temperature: _steps_temperature,
    of.HideWords: _steps_hide,
    of.LookLike: _steps_look,
    of.LookAt: _steps_look,
    of.EditRow: _steps_edit,
    of.MuteHeads: _steps_mute,
    of.WithoutFeedForward: _steps_feed_forward,
    of.WithoutResidual: _steps_residual,
    of.WithoutNorm: _steps_norm,
    of.Patch: _steps_patch,
}
ORDER: Final = tuple(STEPS)
