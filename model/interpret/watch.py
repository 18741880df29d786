"""Recording the attention of any PyTorch module while it computes, for notebooks and scripts.

Recorded are each nn.MultiheadAttention and each module of transformers that returns its weights, as
all of them do in "eager" mode. PyTorch's hooks know a module, not who asks: our own models, which
visitors share, are captured with a hook that is an argument.

B batch, L layers, H heads, T query tokens, S key tokens.
"""

import inspect
import json
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final, NamedTuple

import numpy as np
import torch
from safetensors.numpy import save
from torch import Tensor, nn

from model.config import ATTENTIONS, Kind
from model.interpret.capture import FORMAT
from model.interpret.trace import Trace
from model.interpret.weights import joined, start_of

EAGER: Final = "eager"
OTHER_KEYS: Final = ("key_value_states", "encoder_hidden_states")  # arguments, in transformers
NUMBER: Final = re.compile(r"(?<=\.)\d+(?=\.|$)|^\d+(?=\.|$)")  # of a layer, in a path

Tokens = Sequence[str]


class Place(NamedTuple):
    """An attention: the path of its module, its call in a pass, and whether it reads other keys."""

    path: str
    call: int
    cross: bool


class AttentionGroup(NamedTuple):
    """Attentions whose paths differ in numbers alone: weights (L, H, T, S), with their tokens."""

    path: str
    kind: Kind
    weights: np.ndarray
    rows: Tokens
    cols: Tokens


class Recording:
    """What the attentions of a watched module gave, call by call."""

    def __init__(self) -> None:
        self.calls: dict[Place, list[tuple[int, np.ndarray]]] = {}  # each with its pass
        self._began: dict[str, int] = {}  # what was recorded when a module was entered
        self._recorded = self._depth = self._passes = 0
        self._in_pass: Counter[str] = Counter()

    @property
    def weights(self) -> dict[str, np.ndarray]:
        """The weights of the last pass, (B, H, T, S), by the paths of their modules.

        Steps with cached keys are one pass. Raises ValueError if nothing was recorded.
        """
        return {
            f"{place.path}[{place.call}]" if place.call else place.path: weights
            for place, weights in self._last_pass().items()
        }

    def groups(
        self, src: Tokens | None = None, tgt: Tokens | None = None, item: int = 0
    ) -> list[AttentionGroup]:
        """Return the attention of one item of the batch; without tokens, these are numbered.

        Of a model with one sequence, `src` are its tokens. Raises ValueError if a side is missing,
        or the rows belong to several texts.
        """
        found: dict[tuple[str, bool, tuple[int, ...]], list[np.ndarray]] = {}
        for place, weights in self._last_pass().items():
            key = (NUMBER.sub("N", place.path), place.cross, weights.shape)
            found.setdefault(key, []).append(weights[item])
        if len({shape[0] for _path, _cross, shape in found}) > 1:
            text = "A beam search mixes the rows of several texts: run the module on the last one."
            raise ValueError(text)
        groups = []
        for (path, cross, (*_, T, S)), layers in found.items():
            kind = _kind(path, cross, np.stack(layers))
            own, given = ATTENTIONS[kind], {"src": src, "tgt": src if tgt is None else tgt}
            rows = given[own.queries] or [str(i + 1) for i in range(T)]
            cols = given[own.keys] or [str(i + 1) for i in range(S)]
            # No row reads the token that was written last.
            cols = cols[:S] if own.own else cols
            groups.append(AttentionGroup(path, kind, np.stack(layers), rows, cols))
        if src is not None and tgt is None and len({group.kind for group in groups}) > 1:
            raise ValueError("Give the tokens of both sides: the encoder's, then the decoder's.")
        return groups

    def trace(
        self, path: str | Path, src: Tokens | None = None, tgt: Tokens | None = None, item: int = 0
    ) -> None:
        """Write a file for the page Open a trace; raises ValueError for what it would refuse."""
        arrays: dict[str, np.ndarray] = {}
        texts: dict[str, str] = {}
        layers: Counter[Kind] = Counter()
        for _path, kind, weights, rows, cols in self.groups(src, tgt, item):
            own, read = ATTENTIONS[kind], rows[: weights.shape[-2]]
            texts |= {own.keys: json.dumps([*cols]), own.queries: json.dumps([*read])}
            for layer in weights:
                arrays[f"{own.scope(layers[kind])}.weights"] = layer
                layers[kind] += 1
        data = save(arrays, metadata={"format": FORMAT, **texts})
        Trace.parse(data)
        Path(path).write_bytes(data)

    def _last_pass(self) -> dict[Place, np.ndarray]:
        if not self.calls:
            raise ValueError(
                "No attention was recorded: inside the `with`, run a module in eval mode that has "
                "an nn.MultiheadAttention or is a model of transformers."
            )
        runs = self.calls.values()
        start = max(calls[start_of([one for _, one in calls])][0] for calls in runs)
        later = ([one for at, one in calls if at >= start] or [calls[-1][1]] for calls in runs)
        # An encoder runs once, before the steps.
        return {place: joined(steps) for place, steps in zip(self.calls, later, strict=True)}

    def _enter(self, path: str) -> None:
        if self._depth == 0:
            self._passes += 1
            self._in_pass.clear()
        self._depth += 1
        self._began[path] = self._recorded

    def _leave(self, path: str, weights: Tensor | None, cross: bool) -> None:
        """Keep what a module returned, unless a module within it returned it first."""
        self._depth = max(self._depth - 1, 0)
        if weights is None or self._recorded > self._began[path]:
            return
        kept = weights.detach().to("cpu", torch.float32, copy=True).numpy()
        place = Place(path, self._in_pass[path], cross)
        self.calls.setdefault(place, []).append((self._passes, kept))
        self._in_pass[path] += 1
        self._recorded += 1


@contextmanager
def recorded(module: nn.Module, recording: Recording) -> Iterator[None]:
    """Record within this context; the module is afterwards as it was, after an error too."""
    with ExitStack() as undo:
        fast = torch.backends.mha.get_fastpath_enabled()
        undo.callback(torch.backends.mha.set_fastpath_enabled, fast)
        torch.backends.mha.set_fastpath_enabled(False)
        _make_eager(module, undo)
        for path, one in module.named_modules():
            _hook(one, path, recording, undo)
        yield


def _make_eager(module: nn.Module, undo: ExitStack) -> None:
    """Let the models of transformers compute attention step by step, until `undo`."""
    models: list[Any] = [m for m in module.modules() if hasattr(m, "set_attn_implementation")]
    for one in reversed(models):  # a model's parts are undone after it, to what they were
        undo.callback(one.set_attn_implementation, one.config._attn_implementation)
    for one in models:
        one.set_attn_implementation(EAGER)


def _hook(module: nn.Module, path: str, recording: Recording, undo: ExitStack) -> None:
    own = isinstance(module, nn.MultiheadAttention)
    asked: dict[str, bool] = {"need_weights": True, "average_attn_weights": True}  # as by default

    def before(_: nn.Module, args: Any, kwargs: Any) -> tuple[Any, Any] | None:
        recording._enter(path)
        if not own:
            return None
        if module.training and module.dropout:
            raise ValueError("In training, dropout changes the weights: call `eval()` first.")
        call = _named(module, args, kwargs)
        asked.update({name: call.get(name, True) for name in asked})
        return (), call | {"need_weights": True, "average_attn_weights": False}

    def after(_: nn.Module, args: Any, kwargs: Any, output: Any) -> Any:
        if output is None or not own:  # None: after an error
            weights, call = _weights_in(output), _named(module, args, kwargs)
            cross = any(call.get(name) is not None for name in OTHER_KEYS)
            return recording._leave(path, weights, cross)
        context, weights = output  # (B, H, T, S), or (H, T, S) without a batch
        batch = weights if weights.dim() == 4 else weights[None]
        recording._leave(path, batch, kwargs["key"] is not kwargs["query"])
        said = weights.mean(-3) if asked["average_attn_weights"] else weights
        return context, said if asked["need_weights"] else None

    undo.callback(module.register_forward_pre_hook(before, with_kwargs=True).remove)
    handle = module.register_forward_hook(after, prepend=True, with_kwargs=True, always_call=True)
    undo.callback(handle.remove)


def _named(module: nn.Module, args: Any, kwargs: Any) -> dict[str, Any]:
    """Return the arguments of a call by their names."""
    return dict(zip(inspect.signature(module.forward).parameters, args, strict=False)) | kwargs


def _weights_in(output: Any) -> Tensor | None:
    """Return the attention weights in what a module of transformers returned, if there are any."""
    for one in output if isinstance(output, tuple) else ():
        if isinstance(one, Tensor) and one.dim() == 4 and one.is_floating_point() and one.numel():
            rounding = 1e-3 if one.dtype in (torch.float32, torch.float64) else 2e-2
            if one.min() >= 0 and (one.float().sum(-1) - 1).abs().max() <= rounding:
                return one
    return None


def _kind(path: str, cross: bool, weights: np.ndarray) -> Kind:
    """Return which kind of attention layers have, by their weights where the path says nothing."""
    T, S = weights.shape[-2:]
    causal = T > 1 and not np.triu(weights, S - T + 1).any()
    return "cross" if cross else "decoder" if causal or "decoder" in path else "encoder"
