"""A changed run beside the unchanged one: its capture, how to decode under it, where they differ.

B sentences, W hypotheses, T target tokens, S source tokens, V = size of the target vocabulary.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, cast

import numpy as np
import torch
from torch import Tensor

from model.config import ATTENTIONS
from model.interpret.calculation.attention import kind_of
from model.interpret.calculation.cell import Cell
from model.interpret.calculation.stages import stages
from model.interpret.capture import Capture, frozen
from model.interpret.experiments.change import ENCODER, side_of
from model.interpret.experiments.plan import ChangePlan
from model.nn.attention import MAPS
from model.nn.hooks import NO_HOOK, Chain, Hook, Recorder
from model.nn.masks import Mask, causal_mask
from model.nn.translator import Cache, Translator
from model.text.tokenizer import Tokenizer


@torch.inference_mode()
def capture_changed(
    model: Translator, tokenizer: Tokenizer, plan: ChangePlan, tgt_ids: Sequence[int] | None = None
) -> Capture:
    """Record one teacher-forced pass with changes, of the unchanged translation or another one.

    `tgt_ids` starts with <bos>. What the encoder computed is taken over where nothing changed it.
    """
    original, recorder = plan.original, Recorder()
    hook = Chain(plan.hook(), recorder)
    tgt_ids = original.tgt_ids if tgt_ids is None else list(tgt_ids)
    taken, memory = {}, None
    if plan.same_encoder:
        taken = {k: v for k, v in original.arrays.items() if k.startswith(ENCODER)}
        memory = torch.tensor(original.arrays["memory"])[None]
    model(torch.tensor([plan.src_ids]), torch.tensor([tgt_ids]), hook, memory)
    arrays = taken | {name: array[0] for name, array in recorder.arrays.items()}
    tokens = tokenizer.tokens(plan.src_ids), tokenizer.tokens(tgt_ids)
    return frozen(model.config, *tokens, arrays, plan.overrides())


def writer(model: Translator, plan: ChangePlan) -> tuple[Translator, Hook]:
    """Return the model to decode with under changes, and the hook to hand to it."""
    return (model, plan.hook()) if plan.cached else (changed_model(model, plan), NO_HOOK)


def changed_model(model: Translator, plan: ChangePlan) -> Translator:
    """Return the model with the changes of a plan in whatever it is asked; for one caller."""
    return cast(Translator, _ChangedModel(model, plan))


@dataclass
class Prefixes:
    """What each hypothesis has read so far, (B, W, t), and the memory that it looks at."""

    tokens: Tensor
    memory: Tensor
    src_mask: Mask

    def select(self, rows: Tensor) -> "Prefixes":
        """Return those of the given sentences of the batch, in their order."""
        src_mask = None if self.src_mask is None else self.src_mask[rows]
        return Prefixes(self.tokens[rows], self.memory[rows], src_mask)

    def follow(self, rows: Tensor) -> None:
        """Let each hypothesis go on from the one that it continues, `rows` (B, new W)."""
        index = rows[..., None].expand(-1, -1, self.tokens.shape[-1])  # (B, new W, t)
        self.tokens = self.tokens.gather(1, index)


class _ChangedModel:
    """A translator with the changes of a plan, which at each step reads all again that it wrote.

    Where earlier words look at later ones, nothing of them can be kept. Each call of `encode`
    begins a new run; what the changes need of it is kept until then.
    """

    def __init__(self, model: Translator, plan: ChangePlan) -> None:
        self.model, self.plan, self.hook = model, plan, plan.hook()

    def __getattr__(self, name: str) -> Any:
        return getattr(self.model, name)

    def __call__(self, src: Tensor, tgt: Tensor, hook: Hook = NO_HOOK) -> Tensor:
        return Translator.forward(cast(Translator, self), src, tgt, hook)

    def encode(self, src: Tensor, src_mask: Mask, hook: Hook = NO_HOOK) -> Tensor:
        self.hook = self.plan.hook()
        return self.model.encode(src, src_mask, Chain(self.hook, hook))

    def decode(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Mask, src_mask: Mask, hook: Hook = NO_HOOK
    ) -> Tensor:
        return self.model.decode(tgt, memory, tgt_mask, src_mask, Chain(self.hook, hook))

    def logits(self, x: Tensor, hook: Hook = NO_HOOK) -> Tensor:
        return self.model.logits(x, Chain(self.hook, hook))

    def start_cache(self, memory: Tensor, src_mask: Mask) -> Prefixes:
        """Begin with nothing read."""
        return Prefixes(torch.zeros(len(memory), 1, 0, dtype=torch.long), memory, src_mask)

    def decode_step(
        self, tokens: Tensor, cache: Cache, tgt_mask: Mask = None, hook: Hook = NO_HOOK
    ) -> Tensor:
        assert isinstance(cache, Prefixes), "a cache of this translator's own"
        cache.tokens = torch.cat([cache.tokens, tokens[..., None]], dim=-1)  # (B, W, t)
        B, W, t = cache.tokens.shape
        memory = cache.memory.repeat_interleave(W, dim=0)  # (BW, S, D)
        src_mask = None if cache.src_mask is None else cache.src_mask.repeat_interleave(W, dim=0)
        read = cache.tokens.view(B * W, t)
        x = self.decode(read, memory, causal_mask(t), src_mask)  # (BW, t, D)
        return self.logits(x)[:, -1].view(B, W, -1)


def divergence(before: Capture, after: Capture) -> Cell | None:
    """Return the first number, in the order of computing, in which two captures differ at all.

    Of arrays of different shapes it is the first one.
    """
    for name, stage in stages(before.config).items():
        if not stage.captured:
            continue
        old, new = before.arrays[name], after.arrays[name]
        if old.shape != new.shape:
            return Cell(name, (0,) * old.ndim)
        # Of all heads' rows the first position counts, not the first head.
        changed = np.argwhere(_differ(old, new))
        if len(changed):
            first = changed[np.lexsort((*changed.T[::-1], changed[:, -2]))[0]]
            return Cell(name, tuple(int(i) for i in first))
    return None


def difference(
    before: Capture, after: Capture, name: str, origin: Sequence[int] | None = None
) -> np.ndarray:
    """Return what an array of `after` has more than that of `before`, in the shape of `before`.

    `origin` says where each source word of `after` stood before; what stands nowhere now is NaN.
    Where both are −∞ the difference is 0. Raises ValueError for other sentences.
    """
    old = before.arrays[name].astype(np.float64)
    new = after.arrays[name].astype(np.float64)
    for axis in _source_axes(name) if origin is not None else ():
        new = _aligned(new, axis, list(origin or ()), old.shape[axis])
    if old.shape != new.shape:
        raise ValueError(f"{name} has the shapes {old.shape} and {new.shape}.")
    with np.errstate(invalid="ignore"):
        return np.where(_differ(old, new), new - old, 0.0)


def _differ(old: np.ndarray, new: np.ndarray) -> np.ndarray:
    return (old != new) & ~(np.isnan(old) & np.isnan(new))


def _source_axes(name: str) -> tuple[int, ...]:
    """Return which axes of an array count the source's words."""
    rows = (-2,) if side_of(name) == "src" else ()
    scope, _, last = name.rpartition(".")
    looks = last in MAPS and ATTENTIONS[kind_of(scope)].keys == "src"
    return (*rows, -1) if looks else rows


def _aligned(array: np.ndarray, axis: int, origin: list[int], length: int) -> np.ndarray:
    """Put each word back where it stood; of several in one place, the first."""
    places = [origin.index(i) if i in origin else len(origin) for i in range(length)]
    shape = list(array.shape)
    shape[axis] = 1
    padded = np.concatenate([array, np.full(shape, np.nan)], axis=axis)
    return np.take(padded, places, axis=axis)
