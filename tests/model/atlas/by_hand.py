"""The measures of the head atlas once more: NumPy, float64, one sentence at a time, plain loops.

The activations come from the NumPy Transformer of the experiments' tests.
"""

import copy
import math
from collections import defaultdict
from collections.abc import Collection, Mapping, Sequence
from functools import cached_property

import numpy as np
from torch import nn

from model.atlas.sample import HeadId
from model.config import Kind
from model.interpret.experiments.changes import MuteHeads
from model.nn.transformer import Transformer
from model.text.byte_level import BOS, EOS, Token
from model.text.pairs import AlignedPair
from model.text.tokenizer import Tokenizer
from tests.model.interpret.experiments.reference import Reference

SCOPE = {"encoder": "encoder.{}.self_attn", "decoder": "decoder.{}.self_attn"}
SCOPE["cross"] = "decoder.{}.cross_attn"


class Sentence:
    """One pair in the tokens of a model, and its NumPy pass with some heads muted."""

    def __init__(self, model: Transformer, tokenizer: Tokenizer, one: AlignedPair) -> None:
        self.model, self.one = model, one
        self.src = [*tokenizer.encode(one.pair.src), EOS]
        self.out = [*tokenizer.encode(one.pair.tgt), EOS]
        self.tgt = [BOS, *self.out[:-1]]
        self.tokens = {i: tokenizer.token(i) for i in (*self.src, *self.out, BOS)}

    def run(self, muted: Collection[HeadId] = (), model: nn.Module | None = None) -> Reference:
        mutes = [MuteHeads(one.kind, one.layer, (one.head,), to="zero") for one in muted]
        return Reference(model or self.model, self.model.config, self.src, self.tgt, mutes)

    @cached_property
    def arrays(self) -> Mapping[str, np.ndarray]:
        return self.run().arrays

    def log_p(self, muted: Collection[HeadId] = (), model: nn.Module | None = None) -> float:
        logits = self.run(muted, model).logits
        total = 0.0
        for row, token in zip(logits, self.out, strict=True):
            total += row[token] - math.log(np.exp(row - row.max()).sum()) - row.max()
        return total / len(self.out)

    def gradient(self, head: HeadId, step: float = 1e-3) -> float:
        """∂ log p / ∂ gate by central differences of the head's rows of W_O."""
        values = []
        for gate in (1 + step, 1 - step):
            model = copy.deepcopy(self.model).double()
            w_o = model.get_parameter(f"{SCOPE[head.kind].format(head.layer)}.w_o.weight").data
            d_k = self.model.config.d_k
            w_o[:, head.head * d_k : (head.head + 1) * d_k] *= gate
            values.append(self.log_p(model=model))
        return (values[0] - values[1]) / (2 * step)

    def words(self, ids: Sequence[int]) -> list[int]:
        """The word of each piece; -1 for special ones, and for marks joined to letters."""
        words, now = [], -1
        for token in (self.tokens[i] for i in ids):
            now += token.starts_word and not token.special
            words.append(-1 if token.special else now)
        for at, word in enumerate(words):
            inside = [self.tokens[i] for i, other in zip(ids, words, strict=True) if other == word]
            if word >= 0 and mark(self.tokens[ids[at]]) and not all(map(mark, inside)):
                words[at] = -2
        return [max(word, -1) for word in words]

    def measures(self, head: HeadId) -> dict[str, float]:
        arrays = self.arrays
        scope = SCOPE[head.kind].format(head.layer)
        weights = arrays[f"{scope}.weights"][head.head]  # (T, S)
        d_k = self.model.config.d_k
        w_o = self.model.get_parameter(f"{scope}.w_o.weight").detach().double().numpy()
        w_o = w_o[:, head.head * d_k : (head.head + 1) * d_k]  # (D, d_k)
        lengths = np.empty_like(weights)
        for t, row in enumerate(weights):
            for s, weight in enumerate(row):
                lengths[t, s] = np.linalg.norm(w_o @ (weight * arrays[f"{scope}.v"][head.head, s]))
        norms = lengths / lengths.sum(-1, keepdims=True)
        found = self.looks(head.kind, weights)
        found |= {f"norm_{name}": value for name, value in self.looks(head.kind, norms).items()}
        shares, right = [], []
        for t, out in enumerate(arrays[f"{scope}.out"]):
            written = w_o @ arrays[f"{scope}.context"][head.head, t]
            shares.append(written @ out / (out @ out))
            if head.kind != "encoder":
                right.append(self.raised(written) == self.out[t])
        found["output_share"] = float(np.mean(shares))
        if right:
            found["lens"] = float(np.mean(right))
        return found

    def raised(self, written: np.ndarray) -> int:
        weights = {k: v.double().numpy() for k, v in self.model.state_dict().items()}
        if self.model.config.norm == "pre":
            written = (written - written.mean()) * weights["decoder_norm.weight"]
        return int((weights["generator.weight"] @ written).argmax())

    def looks(self, kind: Kind, shares: np.ndarray) -> dict[str, float]:
        keys = self.tgt if kind == "decoder" else self.src
        queries = self.src if kind == "encoder" else self.tgt
        src_words, out_words = self.words(self.src), self.words(self.out)
        lettered = [s for s, i in enumerate(keys) if not self.tokens[i].special]
        sums: dict[str, list[float]] = defaultdict(list)
        for t, row in enumerate(shares):
            bits = -sum(p * math.log2(p) for p in row if p > 0)
            sums["entropy"].append(bits)
            sums["effective"].append(2**bits)
            sums["distance"].append(sum(p * abs(t - s) for s, p in enumerate(row)))
            seen = range(t + 1) if kind == "decoder" else range(len(keys))
            cells = defaultdict[str, list[float]](list)
            for s in seen:
                token, p = self.tokens[keys[s]], row[s]
                word = not token.special
                names = {
                    "punctuation": mark(token),
                    "word_start": word and not mark(token) and token.starts_word,
                    "inside": word and not mark(token) and not token.starts_word,
                    "first": s == lettered[0],
                    "last": kind != "decoder" and s == lettered[-1],
                    "bos": kind == "decoder" and s == 0,
                    "eos": kind != "decoder" and keys[s] == EOS,
                    "sink": s == 0
                    or (
                        kind != "decoder"
                        and (keys[s] == EOS or (s == lettered[-1] and mark(token)))
                    ),
                    "itself": kind != "cross" and s == t,
                    "before": kind != "cross" and s == t - 1,
                    "after": kind == "encoder" and s == t + 1,
                    "same": word
                    and keys[s] == (self.out if kind == "cross" else queries)[t]
                    and (kind == "cross" or s != t),
                }
                if kind == "cross":
                    linked = {link for link in self.one.possible if link[0] == src_words[s]}
                    names["writes"] = (src_words[s], out_words[t]) in linked
                    names["reads"] = t > 0 and (src_words[s], out_words[t - 1]) in linked
                for name, there in names.items():
                    if there:
                        cells[name].append(p)
            for name, values in cells.items():
                sums[name].append(sum(values))
        return {name: float(np.mean(values)) for name, values in sums.items()}


def mark(token: Token) -> bool:
    return not token.special and not any(char.isalnum() for char in token.text)


def aer(maps: Sequence[np.ndarray], golds: Sequence[AlignedPair], way: str = "target") -> float:
    """The alignment error rate of one map a sentence, (T, S) between words, by sets of links."""
    hits = made = sure = 0
    for rows, gold in zip(maps, golds, strict=True):
        words = [t for t, row in enumerate(rows) if not np.isnan(row).all()]
        target = {(int(rows[t].argmax()), t) for t in words}
        source = {(s, max(words, key=lambda t: rows[t, s])) for s in range(rows.shape[1])}
        links = {"target": target, "source": source, "both": target & source}[way]
        hits += len(links & gold.sure) + len(links & gold.possible)
        made, sure = made + len(links), sure + len(gold.sure)
    return 100 * (1 - hits / (made + sure))
