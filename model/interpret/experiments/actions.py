"""Which activations each change is made to, in one model and for one sentence.

H heads, T query tokens, S key tokens, D = d_model, d_k = D / H.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from torch import Tensor

from model.config import Kind
from model.errors import UserError
from model.interpret.calculation.stages import stages
from model.interpret.capture import KINDS, SCOPES, Capture
from model.interpret.experiments import changes as of
from model.interpret.experiments import operations
from model.interpret.experiments.changes import Change, Side
from model.interpret.experiments.operations import Operation, side_of, sides
from model.nn.hooks import NO_HOOK
from model.nn.translator import Translator

MAPS: Final = ("scores", "scaled", "masked", "weights")  # (H, T, S), the others are (…, T, D)
# A recurrent network goes on from its own states, whatever is handed out in their place.
WITHIN_A_CELL: Final = ("reset", "update", "candidate", "hidden", "begin")


class Action(NamedTuple):
    """One operation on the activation `name`, which needs those named in `keep`."""

    name: str
    operation: Operation
    keep: tuple[str, ...] = ()


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
                within("layer", layer, count)
            for i in range(count):
                if layer in (None, i):
                    yield SCOPES[one].format(i), one

    def heads(self, heads: Sequence[int]) -> Tensor:
        """Return which heads are meant, True for each, (H, 1, 1)."""
        for head in heads:
            within("heads", head, self.config.n_heads)
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
        within("layer", layer, count)
        return [layer]

    def only_transformer(self, field: str) -> None:
        """Refuse recurrent networks, which have nothing of the kind."""
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
            within("position", position, len(tokens))
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


def within(field: str, value: int, count: int) -> None:
    """Refuse an index outside of 0 … count - 1."""
    if not 0 <= value < count:
        raise UserError("out_of_range", field, value=value, low=0, most=count - 1)


def known(original: Capture, ids: Sequence[int], size: int) -> None:
    """Refuse tokens that a vocabulary does not have, and padding, which the masks would hide."""
    for token in ids:
        if token >= size or token == original.config.pad_id:
            raise UserError("not_in_vocabulary", "ids", value=token)


def _mute(fit: Fit, change: of.MuteHeads) -> Iterator[Action]:
    heads = fit.heads(change.heads)
    for scope, _ in fit.scopes(change.kind, change.layer):
        name = f"{scope}.context"
        before = fit.original.arrays[name].mean(-2, keepdims=True, dtype=np.float64)  # (H, 1, d_k)
        mean = torch.from_numpy(before.astype(np.float32))
        value = torch.zeros_like(mean) if change.to == "zero" else mean
        yield Action(name, partial(operations.mute, heads, value))


def _look(fit: Fit, change: of.LookLike | of.LookAt) -> Iterator[Action]:
    heads = fit.heads(change.heads)
    for scope, kind in fit.scopes(change.kind, change.layer):
        masked = f"{scope}.masked"
        at = change.how if isinstance(change, of.LookLike) else None
        place = fit.place(sides(kind)[1], change.position) if isinstance(change, of.LookAt) else 0
        look = partial(operations.look, heads, kind, masked, at, place)
        yield Action(f"{scope}.weights", look, (masked,))


def _edit(fit: Fit, change: of.EditRow) -> Iterator[Action]:
    fit.heads((change.head,))
    for scope, kind in fit.scopes(change.kind, change.layer):
        queries, keys = sides(kind)
        cells = {fit.place(keys, position): weight for position, weight in change.cells}
        row, masked = fit.place(queries, change.row), f"{scope}.masked"
        edit = partial(operations.edit, kind, masked, change.head, row, cells)
        yield Action(f"{scope}.weights", edit, (masked,))


def _hide(fit: Fit, change: of.HideWords) -> Iterator[Action]:
    places = fit.places(change.side, change.positions)
    for scope, kind in fit.scopes(change.kind, change.layer, of.KINDS_OF[change.side]):
        if kind == "cross":
            fit.hidden[scope].update(places)
        yield Action(f"{scope}.masked", partial(operations.hide, kind, torch.tensor(places)))


def _swap(fit: Fit, change: of.SwapWord) -> Iterator[Action]:
    if change.side == "src":  # other tokens are read
        return
    fit.places("tgt", change.positions)
    known(fit.original, change.ids, fit.config.n_tgt_vocab)
    model, ids = fit.model, torch.tensor([change.ids])
    rows = model.lookup(model.tgt_embed, ids, NO_HOOK)[0]  # (n, D)
    for position, row in zip(change.positions, rows, strict=True):
        yield Action("tgt.embed", partial(operations.put, "tgt", position, row))


def _positions(fit: Fit, change: of.WithoutPositions) -> Iterator[Action]:
    fit.only_transformer("positions")
    for side in [change.side] if change.side else ("src", "tgt"):
        yield Action(f"{side}.pos", operations.zero)


def _causal(fit: Fit, change: of.WithoutCausalMask) -> Iterator[Action]:
    fit.only_transformer("causal")
    for scope, _ in fit.scopes("decoder", change.layer):
        scaled = f"{scope}.scaled"
        yield Action(f"{scope}.masked", partial(operations.kept, scaled), (scaled,))


def _scaling(fit: Fit, change: of.WithoutScaling) -> Iterator[Action]:
    fit.only_transformer("scaled")
    heads = fit.heads(change.heads)
    for scope, _ in fit.scopes(change.kind, change.layer):
        scores = f"{scope}.scores"
        yield Action(f"{scope}.scaled", partial(operations.unscaled, heads, scores), (scores,))


def _residual(fit: Fit, change: of.WithoutResidual) -> Iterator[Action]:
    name = f"{fit.add_norm(change.stack, change.layer, change.sublayer)}.add"
    out = fit.stages[name].inputs[1]
    yield Action(name, partial(operations.kept, out), (out,))


def _feed_forward(fit: Fit, change: of.WithoutFeedForward) -> Iterator[Action]:
    for layer in fit.layers(change.stack, change.layer):
        yield Action(f"{change.stack}.{layer}.ffn.out", operations.zero)


def _norm(fit: Fit, change: of.WithoutNorm) -> Iterator[Action]:
    fit.only_transformer("stack")
    name = f"{change.stack}.norm"
    if change.layer is not None and change.sublayer is not None:
        name = f"{fit.add_norm(change.stack, change.layer, change.sublayer)}.norm"
    if name not in fit.stages:
        raise UserError("no_such_stage", "stack", name=name)
    x = fit.stages[name].inputs[0]
    yield Action(name, partial(operations.kept, x), (x,))


def _temperature(fit: Fit, change: of.Temperature) -> Iterator[Action]:
    heads = fit.heads(change.heads)
    for scope, _ in fit.scopes(change.kind, change.layer):
        yield Action(f"{scope}.masked", partial(operations.temper, heads, change.temperature))


def _patch(fit: Fit, change: of.Patch) -> Iterator[Action]:
    name, last = change.name, change.name.rpartition(".")[2]
    stage = fit.stages.get(name)
    in_a_cell = fit.config.recurrent and last in WITHIN_A_CELL
    a_state = name == "decoder.0.state" and fit.config.arch == "rnn"
    if stage is None or not stage.captured or in_a_cell or a_state:
        raise UserError("no_such_stage", "name", name=name)
    if change.of not in fit.runs:
        raise UserError("no_other_run", "of", name=change.of)
    theirs = fit.runs[change.of].arrays.get(name)
    if theirs is None:
        raise UserError("no_such_stage", "name", name=name)
    within("at", change.at, theirs.shape[-2])
    ours, value = fit.original.arrays[name], torch.tensor(theirs[..., change.at, :])
    side = side_of(name)
    # A recurrent encoder's last state is one vector, of all words.
    one = ours.shape[-2] == 1 and name == "memory"
    place = change.position if one else fit.place(side, change.position)
    if one:
        within("position", place, 1)
    if last in MAPS:
        yield from _patch_map(fit, change, value, place)
    elif theirs.shape[:-2] != ours.shape[:-2] or theirs.shape[-1] != ours.shape[-1]:
        raise UserError("other_shape", "of", name=name)
    elif last in ("k", "v") and ".self_attn." in name:
        kind: Kind = "encoder" if side == "src" else "decoder"
        yield Action(name, partial(operations.put_key, kind, place, value))
    else:
        yield Action(name, partial(operations.put, side, place, value))


def _patch_map(fit: Fit, change: of.Patch, value: Tensor, place: int) -> Iterator[Action]:
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
    put = partial(operations.put_row, kind, place, value, masked)
    yield Action(change.name, put, (masked,) if masked else ())


# The order in which changes are made: a patch has the last word, inputs come first.
ACTIONS: Final[Mapping[type[Change], Callable[[Fit, Any], Iterator[Action]]]] = {
    of.SwapWord: _swap,
    of.LeaveOut: lambda fit, change: iter(()),
    of.Reorder: lambda fit, change: iter(()),
    of.WithoutPositions: _positions,
    of.WithoutScaling: _scaling,
    of.WithoutCausalMask: _causal,
    of.Temperature: _temperature,
    of.HideWords: _hide,
    of.LookLike: _look,
    of.LookAt: _look,
    of.EditRow: _edit,
    of.MuteHeads: _mute,
    of.WithoutFeedForward: _feed_forward,
    of.WithoutResidual: _residual,
    of.WithoutNorm: _norm,
    of.Patch: _patch,
}
ORDER: Final = tuple(ACTIONS)
