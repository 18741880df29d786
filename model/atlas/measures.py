"""Each measure of a head: what it is called, what it says, and its formula on a batch.

B sentences, H heads, T query tokens, S key tokens, D = d_model, V = size of the vocabulary. Each
measure is the mean over the queries of a sentence, (B, H), and NaN where it has no such query.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Final, Self

import numpy as np
import torch
from torch import Tensor

from model.atlas.sample import Encoded, Pieces
from model.config import ATTENTIONS, KINDS, Kind
from model.errors import N_
from model.interpret.calculation.attention import attention_scopes
from model.nn.attention import MultiHeadAttention
from model.nn.hooks import Intervention
from model.nn.transformer import Transformer
from model.text.batches import Batch

STAGES: Final = ("weights", "v", "context", "out")
NO_TOKEN: Final = -1  # where a sentence has no further one
NORMS: Final = "norm_"  # what a measure of the norms begins with
Measures = dict[str, Tensor]


@dataclass(frozen=True)
class Measure:
    """What is measured of a head: what it is called, and what it says.

    Of rows of `weights`, norms may replace them; a head with most of its weight has the `role`.
    """

    title: str
    says: str
    weights: bool = False
    role: str = ""


ROLE_SHARE: Final = "role"
# A measure of weights is a row here, and its keys in `looked_at` or its number of a row below.
MEASURES: Final[Mapping[str, Measure]] = {
    ROLE_SHARE: Measure(
        N_("Role"), N_("How much of its weight goes where its role says; 0: it has no clear role.")
    ),
    "log_p_lost": Measure(
        N_("Muted: log p lost"),
        N_(
            "How far log p of each reference token falls, on average, when only this head is muted."
        ),
    ),
    "bleu_lost": Measure(
        N_("Muted: BLEU lost"),
        N_(
            "How many BLEU points the translations lose when only this head is muted, on a few "
            "sentences."
        ),
    ),
    "gradient": Measure(
        N_("Muted: as the gradient predicts"),
        N_("What muting would cost, judging by the gradient at the head's output, without muting."),
    ),
    "gradient_size": Measure(
        N_("Size of the gradient"),
        N_("The mean absolute gradient at the head's output (Michel et al. 2019)."),
    ),
    "output_share": Measure(
        N_("Share of the sub-layer's output"),
        N_(
            "The head's part of the attention's output; all heads and the bias together add up "
            "to 1."
        ),
    ),
    "lens": Measure(
        N_("Raises the right token most"),
        N_("How often the token that the head's vector raises most is the reference's next one."),
    ),
    "entropy": Measure(
        N_("Entropy, in bits"), N_("0: all weight on one token. Larger: more spread out."), True
    ),
    "effective": Measure(
        N_("Tokens it looks at"),
        N_("2 to the entropy: this many tokens with equal weights have the same entropy."),
        True,
    ),
    "distance": Measure(
        N_("Distance, in tokens"), N_("How far away it looks, on average over the weights."), True
    ),
    "itself": Measure(
        N_("Share: itself"), N_("The weight on the token that looks."), True, N_("looks at itself")
    ),
    "before": Measure(
        N_("Share: the token before"),
        N_("The weight on the token before."),
        True,
        N_("looks at the token before"),
    ),
    "after": Measure(
        N_("Share: the token after"),
        N_("The weight on the token after."),
        True,
        N_("looks at the token after"),
    ),
    "first": Measure(
        N_("Share: the first word"),
        N_("The weight on the first token."),
        True,
        N_("looks at the first word"),
    ),
    "last": Measure(
        N_("Share: the end of the sentence"),
        N_("The weight on the last token before <eos>."),
        True,
        N_("looks at the end of the sentence"),
    ),
    "bos": Measure(
        N_("Share: <bos>"), N_("The weight on the beginning token."), True, N_("looks at <bos>")
    ),
    "eos": Measure(
        N_("Share: <eos>"), N_("The weight on the end token."), True, N_("looks at <eos>")
    ),
    "punctuation": Measure(
        N_("Share: punctuation"),
        N_("The weight on punctuation marks."),
        True,
        N_("looks at punctuation"),
    ),
    "sink": Measure(
        N_("Share: attention sinks"),
        N_(
            "The weight on the first token, on <eos> and on a mark at the end: where a head "
            "rests when it finds nothing to look for."
        ),
        True,
    ),
    "word_start": Measure(
        N_("Share: beginnings of words"), N_("The weight on tokens that start a word."), True
    ),
    "inside": Measure(
        N_("Share: insides of words"), N_("The weight on tokens inside a word."), True
    ),
    "same": Measure(
        N_("Share: the same word"),
        N_(
            "The weight on other tokens like the one that looks; over the source, on tokens like "
            "the one being written."
        ),
        True,
        N_("looks at the same word"),
    ),
    "writes": Measure(
        N_("Share: the word it writes"),
        N_("The weight on the source words that say what is being written."),
        True,
        N_("looks at the word it writes"),
    ),
    "reads": Measure(
        N_("Share: the word just written"),
        N_("The weight on the source words that say what was written last."),
        True,
        N_("looks at the word just written"),
    ),
}
ROLES: Final = {name: one.role for name, one in MEASURES.items() if one.role}


@dataclass(frozen=True)
class Sides:
    """The tokens that look (B, T), those that are looked at (B, S), and what is written (B, T).

    `real` and `seen` are which of them are no padding: a decoder may begin with <pad> itself.
    """

    kind: Kind
    queries: Tensor
    keys: Tensor
    written: Tensor | None
    real: Tensor
    seen: Tensor

    @classmethod
    def of(cls, kind: Kind, batch: Batch, pad_id: int) -> Self:
        src = batch.src, batch.src != pad_id
        of_side = {"src": src, "tgt": (batch.tgt_in, batch.tgt_out != pad_id)}
        one = ATTENTIONS[kind]
        (queries, real), (keys, seen) = of_side[one.queries], of_side[one.keys]
        return cls(kind, queries, keys, None if one.own else batch.tgt_out, real, seen)


def looked_at(sides: Sides, pieces: Pieces, eos_id: int, gold: Tensor | None) -> Measures:
    """Return the keys that each share is about, True for each, (B, T, S).

    Places are told only where queries and keys are of one sentence. `same` is another piece like
    the query; over the source it is a piece like the one being written. `writes` are the source
    words aligned with the one being written, `reads` those of the one just read. A `sink` is where
    rows rest that look for nothing: the first token, <eos> and a mark before it (Xiao et al. 2024).
    """
    keys = sides.keys
    t, s = torch.arange(sides.queries.shape[1])[:, None], torch.arange(keys.shape[1])
    word = (pieces.word_start | pieces.inside | pieces.punctuation)[keys]  # (B, S)
    of_keys = {
        "punctuation": pieces.punctuation[keys],
        "word_start": pieces.word_start[keys],
        "inside": pieces.inside[keys],
        "first": word & (word.cumsum(-1) == 1),
    }
    attention = ATTENTIONS[sides.kind]
    if attention.keys == "tgt":
        of_keys["bos"] = of_keys["sink"] = (s == 0).expand(len(keys), -1)
    else:
        of_keys["eos"] = keys == eos_id
        of_keys["last"] = word & (word.cumsum(-1) == word.sum(-1, keepdim=True))
        stop = of_keys["last"] & of_keys["punctuation"]
        of_keys["sink"] = of_keys["first"] | of_keys["eos"] | stop
    found = {name: cells[:, None].expand(-1, len(t), -1) for name, cells in of_keys.items()}
    if sides.written is not None:
        found["same"] = (sides.written[..., None] == keys[:, None]) & word[:, None]
    else:
        places = {"itself": s == t, "before": s == t - 1}
        if not attention.causal:
            places["after"] = s == t + 1
        found |= {name: cells.expand(len(keys), -1, -1) for name, cells in places.items()}
        found["same"] = (sides.queries[..., None] == keys[:, None]) & (s != t) & word[:, None]
    if gold is not None:
        found["writes"], found["reads"] = gold, gold.roll(1, dims=1)
        found["reads"][:, 0] = False
    return found


def attentions(encoded: Encoded, numbers: Sequence[int]) -> Iterator[tuple[str, Sides, Measures]]:
    """Yield each attention's scope, who looks at whom in some sentences, and each share's keys."""
    batch, tokenizer = encoded.batch(numbers), encoded.tokenizer
    for kind in KINDS:
        gold = None
        if encoded.gold and not ATTENTIONS[kind].own:
            shape = (*batch.tgt_out.shape, batch.src.shape[1])
            gold = torch.from_numpy(encoded.gold_cells(numbers, shape))
        sides = Sides.of(kind, batch, tokenizer.pad_id)
        cells = looked_at(sides, encoded.pieces, tokenizer.eos_id, gold)
        for layer in range(encoded.config.n_attentions(kind)):
            yield ATTENTIONS[kind].scope(layer), sides, cells


def distribution_measures(shares: Tensor, sides: Sides, cells: Measures) -> Measures:
    """Measure distributions (B, H, T, S), whose rows sum to 1, over the real keys."""
    real = sides.real  # (B, T)
    seen = sides.seen[:, None, :].expand(-1, real.shape[1], -1)  # (B, T, S)
    if ATTENTIONS[sides.kind].causal:
        seen = seen & torch.ones(seen.shape[1:], dtype=torch.bool).tril()
    entropy = torch.special.entr(shares).sum(-1) / np.log(2)  # (B, H, T)
    t, s = torch.arange(shares.shape[2])[:, None], torch.arange(shares.shape[3])
    measures = {
        "entropy": _mean(entropy, real),
        "effective": _mean(2**entropy, real),
        "distance": _mean((shares * (t - s).abs()).sum(-1), real),
    }
    for name, where in cells.items():
        possible = where & seen
        share = torch.einsum("bhts,bts->bht", shares, possible.to(shares.dtype))
        measures[name] = _mean(share, real & possible.any(-1))
    return measures


def _mean(values: Tensor, counted: Tensor) -> Tensor:
    """Return the mean over the queries that count, (B, H, T) and (B, T) -> (B, H)."""
    counts = counted[:, None].to(values.dtype)
    return (values * counts).sum(-1) / counts.sum(-1)  # 0 / 0 is NaN


def head_outputs(attention: MultiHeadAttention, x: Tensor) -> Tensor:
    """Return what each head's vectors become through its rows of W_O, (B, H, T, d_k) -> (…, D)."""
    w_o = attention.w_o.weight.view(attention.d_model, attention.n_heads, attention.d_k)
    return torch.einsum("bhtk,dhk->bhtd", x, w_o)


def norm_shares(attention: MultiHeadAttention, weights: Tensor, v: Tensor) -> Tensor:
    """Return the lengths of α v W_O, shares of their sum (Kobayashi et al. 2020), (B, H, T, S)."""
    lengths = weights * head_outputs(attention, v).norm(dim=-1)[:, :, None]
    return lengths / lengths.sum(-1, keepdim=True)


def output_share(written: Tensor, out: Tensor) -> Tensor:
    """Return which part of its sub-layer's output each head is, (B, H, T, D), (B, T, D): (B, H, T).

    It is the head's vector along the output; heads and bias together make 1.
    """
    return torch.einsum("bhtd,btd->bht", written, out) / out.square().sum(-1)[:, None]


def lens(model: Transformer, written: Tensor) -> Tensor:
    """Return the token that each head's vectors raise most in the logits, (…, D) -> (…)."""
    if model.decoder_norm is not None:
        centred = written - written.mean(-1, keepdim=True)
        written = centred * model.decoder_norm.weight
    return (written @ model.generator.weight.T).argmax(-1)


@torch.inference_mode()
def record(model: Transformer, batch: Batch) -> dict[str, Tensor]:
    """Run a batch, and return the stages of each attention that the measures need, by name."""
    kept: dict[str, Tensor] = {}

    def keep(name: str, tensor: Tensor) -> Tensor:
        kept[name] = tensor
        return tensor

    scopes = attention_scopes(model.config)
    names = [f"{scope}.{stage}" for scope in scopes for stage in STAGES]
    model(batch.src, batch.tgt_in, Intervention({name: partial(keep, name) for name in names}))
    return kept


@torch.inference_mode()
def measure(model: Transformer, encoded: Encoded, numbers: Sequence[int]) -> dict[str, np.ndarray]:
    """Measure all heads on some sentences, (B, heads); `lens_token` is (B, heads, T)."""
    batch = encoded.batch(numbers)
    kept, found = record(model, batch), list[Measures]()
    for scope, sides, cells in attentions(encoded, numbers):
        attention: MultiHeadAttention = model.get_submodule(scope)  # type: ignore[assignment]
        weights, v, context, out = (kept[f"{scope}.{stage}"] for stage in STAGES)
        measures = distribution_measures(weights, sides, cells)
        norms = distribution_measures(norm_shares(attention, weights, v), sides, cells)
        measures |= {NORMS + name: values for name, values in norms.items()}
        written = head_outputs(attention, context)  # (B, H, T, D)
        measures["output_share"] = _mean(output_share(written, out), sides.real)
        if ATTENTIONS[sides.kind].queries == "tgt":
            top = lens(model, written)  # (B, H, T)
            right = (top == batch.tgt_out[:, None]).to(weights.dtype)
            measures["lens"] = _mean(right, sides.real)
            measures["lens_token"] = torch.where(sides.real[:, None], top, NO_TOKEN)
        found.append(measures)
    return joined(found)


def joined(found: Sequence[Measures]) -> dict[str, np.ndarray]:
    """Put the heads of all attentions side by side; a measure that a kind has not is NaN."""
    columns_of = {}
    for name in dict.fromkeys(name for measures in found for name in measures):
        like = next(measures[name] for measures in found if name in measures)
        empty = torch.full_like(like, NO_TOKEN if name == "lens_token" else torch.nan)
        columns = [measures.get(name, empty) for measures in found]
        columns_of[name] = torch.cat(columns, dim=1).numpy()
    return columns_of


THRESHOLD: Final = 0.6  # of the weight
LEAST: Final = 20  # sentences of a half that a share has to be measured on


@dataclass(frozen=True)
class FoundRole:
    """A role with the mean share of the weight that it has on the held-out sentences."""

    role: str
    share: float
    threshold: float = THRESHOLD


def roles_for(kind: Kind) -> tuple[str, ...]:
    """Return the roles that heads of a kind can have.

    A mark ends what the decoder writes: only the mark itself sees one, so it tells nothing.
    """
    return tuple(one for one in ROLES if one != "punctuation" or not ATTENTIONS[kind].causal)


def role_of(shares: Mapping[str, np.ndarray]) -> FoundRole | None:
    """Name the role of a head by its shares in each sentence, (N,), NaN where there is none.

    Even sentences choose the largest share, odd ones have to confirm it.
    """
    means: dict[str, tuple[float, float]] = {}
    for role, values in shares.items():
        halves = [half[~np.isnan(half)] for half in (values[::2], values[1::2])]
        if min(map(len, halves)) >= LEAST:
            means[role] = float(halves[0].mean()), float(halves[1].mean())
    if not means:
        return None
    role = max(means, key=lambda one: means[one][0])
    return FoundRole(role, means[role][1]) if min(means[role]) >= THRESHOLD else None
