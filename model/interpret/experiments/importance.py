"""Which source word mattered for one word of the translation: by experiment, gradient, attention.

R methods, L layers, H heads, T target tokens, S source tokens, D = d_model, N points on a way.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple

import numpy as np
import torch
from torch import Tensor, nn

from model.config import ATTENTIONS
from model.errors import N_
from model.interpret.calculation.parameters import Parameters
from model.interpret.calculation.target import next_tokens
from model.interpret.capture import Capture
from model.interpret.experiments.plan import leave_one_out
from model.interpret.rollout import from_source, half_mixing, norm_mixing
from model.nn.hooks import Intervention
from model.nn.masks import padding_mask, target_mask
from model.nn.translator import Translator

POINTS, MOST_POINTS = 256, 1024  # of the integrated gradients, at first and at most
MOST_READ: Final = 2**15  # tokens, at all points together: more would take too long for a page
MISSING: Final = 0.02  # of what they add up to: where more is, twice as many points are taken
AT_ONCE: Final = 64  # points in one batch: each has logits of its own


@dataclass(frozen=True, eq=False)
class Importance:
    """What each source token did for one token of the translation, by each method, (R, S).

    `correlations` (R, R) are Spearman's, NaN for a row that is the same everywhere. `best` is
    layer and head of the row `best_head`. The integrated gradients, at `points` points, add up to
    log p less that of the baseline, but for `gap`.
    """

    target: int
    methods: tuple[str, ...]
    rows: np.ndarray
    correlations: np.ndarray
    best: tuple[int, int] | None
    gap: float
    points: int


@dataclass(frozen=True, eq=False)
class Question:
    """What methods are asked: what each source token did for the token that follows `target`."""

    model: Translator
    parameters: Parameters
    original: Capture
    target: int
    left_out: np.ndarray | None

    @cached_property
    def integrated(self) -> tuple[np.ndarray, float, int]:
        return whole_gradients(self.model, self.original, self.target)

    @cached_property
    def weights(self) -> np.ndarray:
        """The row of each head, (L, H, S)."""
        return self.original.all_weights("cross")[:, :, self.target].astype(np.float64)

    @cached_property
    def best(self) -> tuple[int, int]:
        """Layer and head of the row with the largest weight."""
        layer, head = np.unravel_index(self.weights.max(-1).argmax(), self.weights.shape[:2])
        return int(layer), int(head)


class Method(NamedTuple):
    """A method: what it is called, its answer, (S,), and what it needs.

    1 is attention to the source, 2 a whole Transformer; gradients are there in any model.
    """

    title: str
    answer: Callable[[Question], np.ndarray]
    needs: int = 1


def importance(
    model: Translator,
    parameters: Parameters,
    original: Capture,
    target: int,
    left_out: np.ndarray | None = None,
) -> Importance:
    """Ask all methods that a model has about the token that follows target position `target`.

    `left_out` is what `leave_one_out` returned, if that is known, (T, S). Models without
    attention have gradients only, recurrent ones no rollout. Raises ValueError for a position
    that there is not.
    """
    if not 0 <= target < len(original.tgt):
        raise ValueError(f"There is no position {target}, only 0 to {len(original.tgt) - 1}.")
    if left_out is None and original.n_layers("cross"):
        left_out = leave_one_out(model, original)
    asked = Question(model, parameters, original, target, left_out)
    has = 0 if not original.n_layers("cross") else 1 if original.config.recurrent else 2
    rows = {name: one.answer(asked) for name, one in METHODS.items() if one.needs <= has}
    matrix = np.stack(list(rows.values()))
    best = asked.best if "best_head" in rows else None
    _, gap, points = asked.integrated
    return Importance(target, tuple(rows), matrix, spearman(matrix), best, gap, points)


def gradient_input(model: Translator, original: Capture, target: int) -> np.ndarray:
    """Return the gradient of log p by each source embedding times that embedding, (S,)."""
    gradients, _ = _gradients(model, original, target, [1.0])
    return np.einsum("sd,sd->s", original.arrays["src.embed"].astype(np.float64), gradients[0])


def integrated_gradients(
    model: Translator, original: Capture, target: int, points: int = POINTS
) -> tuple[np.ndarray, float]:
    """Return the integrated gradients of log p by each source embedding, (S,), and their gap.

    The baseline has 0 in place of every source embedding; the positions stay. The way there is
    straight; its points are denser near the baseline, where the norms make most of small vectors.
    The gap is what is missing in the sum of all to log p less that of the baseline, which exact
    integrals add up to (Sundararajan et al. 2017).
    """
    u = (np.arange(points) + 0.5) / points
    gradients, log_p = _gradients(model, original, target, [0.0, *u**3, 1.0])
    mean = np.einsum("n,nsd->sd", 3 * u**2 / points, gradients[1:-1])
    attributions = np.einsum("sd,sd->s", original.arrays["src.embed"].astype(np.float64), mean)
    return attributions, float(log_p[-1] - log_p[0] - attributions.sum())


def whole_gradients(
    model: Translator, original: Capture, target: int
) -> tuple[np.ndarray, float, int]:
    """Return the integrated gradients, (S,), with hardly a gap, the gap, and the points they took.

    Few tokens need more than 256, where the way rises little and turns much; where the sentence is
    long, there is no time for more.
    """
    points, n_tokens = POINTS, len(original.src) + target + 1
    while True:
        found, gap = integrated_gradients(model, original, target, points)
        is_whole = abs(gap) < MISSING * abs(found.sum() + gap)
        if is_whole or 2 * points > min(MOST_POINTS, MOST_READ // n_tokens):
            return found, gap, points
        points *= 2


def _gradients(
    model: Translator, original: Capture, target: int, scales: Sequence[float]
) -> tuple[np.ndarray, np.ndarray]:
    """Return gradients of log p (N, S, D), and log p (N,), for embeddings times each scale."""
    batches = [scales[i : i + AT_ONCE] for i in range(0, len(scales), AT_ONCE)]
    found = [_gradients_at(model, original, target, batch) for batch in batches]
    gradients, log_p = zip(*found, strict=True)
    return np.concatenate(gradients), np.concatenate(log_p)


def _gradients_at(
    model: Translator, original: Capture, target: int, scales: Sequence[float]
) -> tuple[np.ndarray, np.ndarray]:
    assert isinstance(model.generator, nn.Linear), "a packed model has no gradients"
    token, tgt_ids = next_tokens(original)[target], original.tgt_ids[: target + 1]
    src, tgt = (torch.tensor([ids]).repeat(len(scales), 1) for ids in (original.src_ids, tgt_ids))
    factors = torch.tensor(scales)[:, None, None]  # (N, 1, 1)
    inputs: list[Tensor] = []

    def scale(embed: Tensor) -> Tensor:
        inputs.append((embed.detach() * factors.to(embed.dtype)).requires_grad_())
        return inputs[0]

    with torch.inference_mode(False), torch.enable_grad():
        hook, pad_id = Intervention({"src.embed": scale}), model.config.pad_id
        src_mask = padding_mask(src, pad_id)
        memory = model.encode(src, src_mask, hook)
        x = model.decode(tgt, memory, target_mask(tgt, pad_id), src_mask, hook)  # (N, T, D)
        logits = model.logits(x[:, -1]).double()  # (N, V), of the last position alone
        log_p = torch.log_softmax(logits, dim=-1)[:, token]
        (gradients,) = torch.autograd.grad(log_p.sum(), inputs)
    return gradients.double().numpy(), log_p.detach().numpy()


def norm_weighted(original: Capture, parameters: Parameters, target: int) -> np.ndarray:
    """Return the length of the vector that each source word adds, the layers' mean, (S,).

    It is weight × value × W_O, all heads together (Kobayashi et al. 2020); without a W_O, the
    weight times the value.
    """
    lengths = []
    for layer in range(original.n_layers("cross")):
        weights = original.weights("cross", layer)[:, target].astype(np.float64)  # (H, S)
        added = weights[..., None] * original.stage("cross", layer, "v")  # (H, S, d_k)
        w_o = f"{ATTENTIONS['cross'].scope(layer)}.W_O"
        if w_o in parameters.arrays:
            added = added @ parameters.heads(w_o)  # (H, S, D)
        lengths.append(np.linalg.norm(added.sum(0), axis=-1))
    return np.mean(lengths, axis=0)


# A method is a row here, with its title and where its formula stands.
METHODS: Final[Mapping[str, Method]] = {
    "leave_one_out": Method(
        N_("leave-one-out"), lambda asked: np.asarray(asked.left_out)[asked.target]
    ),
    "gradient_input": Method(
        N_("gradient × input"),
        lambda asked: gradient_input(asked.model, asked.original, asked.target),
        0,
    ),
    "integrated_gradients": Method(
        N_("integrated gradients"), lambda asked: asked.integrated[0], 0
    ),
    "attention_mean": Method(N_("mean attention"), lambda asked: asked.weights.mean((0, 1))),
    "best_head": Method(N_("layer {layer}, head {head}"), lambda asked: asked.weights[asked.best]),
    "rollout": Method(
        N_("attention rollout"),
        lambda asked: from_source(half_mixing(asked.original))[asked.target],
        2,
    ),
    "norm_rollout": Method(
        N_("rollout by norms"),
        lambda asked: from_source(norm_mixing(asked.original, asked.parameters))[asked.target],
        2,
    ),
    "norm_weighted": Method(
        N_("weight × value"),
        lambda asked: norm_weighted(asked.original, asked.parameters, asked.target),
    ),
}


def spearman(rows: np.ndarray) -> np.ndarray:
    """Return the rank correlation of each pair of rows, (R, S) -> (R, R); ties share a rank."""
    above = (rows[:, :, None] > rows[:, None]).sum(-1)
    ranks = above + (rows[:, :, None] == rows[:, None]).sum(-1) / 2
    with np.errstate(invalid="ignore", divide="ignore"):
        return np.corrcoef(ranks)
