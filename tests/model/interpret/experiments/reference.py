"""The Transformer of the paper in NumPy and float64, with each change written into it by hand.

It shares nothing with the model but its weights, and nothing with its hooks. One sentence, no
batch: T target tokens, S source tokens, D = d_model, d_k = D / H.
"""

from collections.abc import Mapping, Sequence
from typing import TypeVar

import numpy as np
from torch import nn

from model.config import ModelConfig
from model.interpret.experiments import changes as change_types
from model.interpret.experiments.change import Change

Arrays = dict[str, np.ndarray]
One = TypeVar("One", bound=Change)


class Reference:
    """One pass over one pair of sentences with some changes; `arrays` has all that it computed.

    `before` are the arrays of the unchanged pass, `other` those of the run that patches are from.
    """

    def __init__(
        self,
        model: nn.Module,
        config: ModelConfig,
        src: Sequence[int],
        tgt: Sequence[int],
        changes: Sequence[Change] = (),
        before: Mapping[str, np.ndarray] | None = None,
        other: Mapping[str, np.ndarray] | None = None,
    ) -> None:
        self.weights = {k: v.double().numpy() for k, v in model.state_dict().items()}
        self.config, self.changes = config, changes
        self.before, self.other = before or {}, other or {}
        self.arrays: Arrays = {}
        self.src, self.was = self.words(list(src))
        self.tgt = list(tgt)
        for swap in self.all(change_types.SwapWord):
            if swap.side == "tgt":
                for position, token in zip(swap.positions, swap.ids, strict=True):
                    self.tgt[position] = token
        x = self.stack("encoder", self.embedded("src", self.src), None)
        memory = self.note("memory", x)
        x = self.stack("decoder", self.embedded("tgt", self.tgt), memory)
        self.note("logits", x @ self.weights["generator.weight"].T + self.weights["generator.bias"])

    @property
    def logits(self) -> np.ndarray:
        return self.arrays["logits"]

    def all(self, kind: type[One]) -> list[One]:
        return [change for change in self.changes if isinstance(change, kind)]

    def words(self, src: list[int]) -> tuple[list[int], list[int]]:
        """The source tokens to read, and where each of them stood."""
        pieces = [[token] for token in src]
        for swap in self.all(change_types.SwapWord):
            if swap.side == "src":
                first, *rest = swap.positions
                assert len(rest) == 0, "the tests swap one token at a time"
                pieces[first] = list(swap.ids)
        for out in self.all(change_types.LeaveOut):
            for position in out.positions:
                pieces[position] = []
        order = list(range(len(src)))
        for change in self.all(change_types.Reorder):
            order = list(change.order)
        both = [(token, i) for i in order for token in pieces[i]]
        return [token for token, _ in both], [i for _, i in both]

    def at(self, kind: str, query: bool, position: int) -> int:
        """Where a word of the unchanged run now stands."""
        source = kind == "encoder" or (kind == "cross" and not query)
        return self.was.index(position) if source else position

    def note(self, name: str, array: np.ndarray) -> np.ndarray:
        """Keep an array, with what patches put into it."""
        for patch in self.all(change_types.Patch):
            if patch.name == name:
                theirs = self.other[name][..., patch.at, :]
                source = name.split(".")[0] in ("src", "encoder", "memory")
                source = source or name.endswith(("cross_attn.k", "cross_attn.v"))
                row = self.was.index(patch.position) if source else patch.position
                array = array.copy()
                array[..., row, :] = theirs
        self.arrays[name] = array
        return array

    def embedded(self, side: str, tokens: list[int]) -> np.ndarray:
        D = self.config.d_model
        table = self.weights[f"{side}_embed.weight"]
        x = self.note(f"{side}.embed", table[tokens] * np.sqrt(D))
        p = np.zeros((len(tokens), D))
        for t in range(len(tokens)):
            for i in range(0, D, 2):
                angle = t / 10_000 ** (i / D)
                p[t, i], p[t, i + 1] = np.sin(angle), np.cos(angle)
        if any(change.side in (None, side) for change in self.all(change_types.WithoutPositions)):
            p[:] = 0
        return self.note(f"{side}.sum", x + self.note(f"{side}.pos", p))

    def stack(self, stack: str, x: np.ndarray, memory: np.ndarray | None) -> np.ndarray:
        encoder = stack == "encoder"
        layers = self.config.n_encoder_layers if encoder else self.config.n_decoder_layers
        for i in range(layers):
            subs = ["self", "ffn"] if encoder else ["self", "cross", "ffn"]
            for n, sub in enumerate(subs, start=1):
                x = self.sublayer(stack, i, n, sub, x, memory)
        if self.config.norm == "post":
            return x
        skip = any(c.stack == stack and c.layer is None for c in self.all(change_types.WithoutNorm))
        return self.note(f"{stack}.norm", x if skip else self.norm(f"{stack}_norm", x))

    def sublayer(
        self, stack: str, i: int, n: int, sub: str, x: np.ndarray, memory: np.ndarray | None
    ) -> np.ndarray:
        scope = f"{stack}.{i}.add_norm_{n}"

        def normed(y: np.ndarray) -> np.ndarray:
            here = [(c.stack, c.layer, c.sublayer) for c in self.all(change_types.WithoutNorm)]
            result = y if (stack, i, n) in here else self.norm(f"{scope}.norm", y)
            return self.note(f"{scope}.norm", result)

        pre = self.config.norm == "pre"
        y = normed(x) if pre else x
        if sub == "ffn":
            y = self.ffn(stack, i, y)
        elif sub == "self":
            y = self.attention(stack, i, f"{stack}.{i}.self_attn", y, y)
        else:
            assert memory is not None
            y = self.attention("cross", i, f"{stack}.{i}.cross_attn", y, memory)
        here = [(c.stack, c.layer, c.sublayer) for c in self.all(change_types.WithoutResidual)]
        alone = (stack, i, n) in here
        added = self.note(f"{scope}.add", y if alone else x + y)
        return added if pre else normed(added)

    def norm(self, name: str, x: np.ndarray) -> np.ndarray:
        mean = x.mean(-1, keepdims=True)
        variance = ((x - mean) ** 2).mean(-1, keepdims=True)
        z = (x - mean) / np.sqrt(variance + 1e-5)
        return z * self.weights[f"{name}.weight"] + self.weights[f"{name}.bias"]

    def ffn(self, stack: str, i: int, x: np.ndarray) -> np.ndarray:
        name = f"{stack}.{i}.ffn"
        w = self.weights
        pre = self.note(f"{name}.pre", x @ w[f"{name}.w_1.weight"].T + w[f"{name}.w_1.bias"])
        hidden = self.note(f"{name}.hidden", np.maximum(pre, 0))
        out = hidden @ w[f"{name}.w_2.weight"].T + w[f"{name}.w_2.bias"]
        gone = [c for c in self.all(change_types.WithoutFeedForward) if c.stack == stack]
        if any(c.layer in (None, i) for c in gone):
            out = np.zeros_like(out)
        return self.note(f"{name}.out", out)

    def meant(self, kind_of: type[One], kind: str, i: int, head: int) -> list[One]:
        """The changes of a class that are about one head."""
        return [
            change
            for change in self.all(kind_of)
            if getattr(change, "kind") in (None, kind)  # noqa: B009
            and getattr(change, "layer") in (None, i)  # noqa: B009
            and (not getattr(change, "heads") or head in getattr(change, "heads"))  # noqa: B009
        ]

    def attention(self, kind: str, i: int, scope: str, x: np.ndarray, y: np.ndarray) -> np.ndarray:
        H, d_k, D = self.config.n_heads, self.config.d_k, self.config.d_model
        w, b = self.weights[f"{scope}.w_qkv.weight"], self.weights[f"{scope}.w_qkv.bias"]

        def heads(z: np.ndarray, part: int) -> np.ndarray:
            rows = slice(part * D, (part + 1) * D)
            return (z @ w[rows].T + b[rows]).reshape(len(z), H, d_k).transpose(1, 0, 2)

        q, k, v = (
            self.note(f"{scope}.{'qkv'[part]}", heads(z, part)) for part, z in enumerate((x, y, y))
        )
        scores = self.note(f"{scope}.scores", np.stack([q[h] @ k[h].T for h in range(H)]))
        scaled = scores / np.sqrt(d_k)
        for h in range(H):
            if self.meant(change_types.WithoutScaling, kind, i, h):
                scaled[h] = scores[h]
        scaled = self.note(f"{scope}.scaled", scaled)
        masked = scaled.copy()
        for h in range(H):
            self.mask(kind, i, h, masked[h])
        masked = self.note(f"{scope}.masked", masked)
        powers = np.exp(masked - masked.max(-1, keepdims=True))
        weights = powers / powers.sum(-1, keepdims=True)
        for h in range(H):
            self.look(kind, i, h, weights[h], masked[h] > -np.inf)
        weights = self.note(f"{scope}.weights", weights)
        context = np.stack([weights[h] @ v[h] for h in range(H)])
        for h in range(H):
            for mute in self.meant(change_types.MuteHeads, kind, i, h):
                mean = self.before[f"{scope}.context"][h].mean(0) if mute.to == "mean" else 0
                context[h] = mean
        context = self.note(f"{scope}.context", context)
        concat = self.note(f"{scope}.concat", np.concatenate(list(context), axis=-1))
        out = concat @ self.weights[f"{scope}.w_o.weight"].T + self.weights[f"{scope}.w_o.bias"]
        return self.note(f"{scope}.out", out)

    def mask(self, kind: str, i: int, h: int, masked: np.ndarray) -> None:
        T, S = masked.shape
        free = any(change.layer in (None, i) for change in self.all(change_types.WithoutCausalMask))
        for t in range(T):
            for s in range(S):
                if kind == "decoder" and s > t and not free:
                    masked[t, s] = -np.inf
        for warmth in self.meant(change_types.Temperature, kind, i, h):
            masked /= warmth.temperature
        for hide in self.all(change_types.HideWords):
            here = kind in change_types.KINDS_OF[hide.side] and hide.kind in (None, kind)
            if not here or hide.layer not in (None, i):
                continue
            for t in range(T):
                for s in range(S):
                    word = s if hide.side == "tgt" else self.was[s]
                    if word in hide.positions and (kind == "cross" or s != t):
                        masked[t, s] = -np.inf

    def look(self, kind: str, i: int, h: int, weights: np.ndarray, may: np.ndarray) -> None:
        T, S = weights.shape
        for t in range(T):
            for like in self.meant(change_types.LookLike, kind, i, h):
                if like.how == "uniform":
                    weights[t] = may[t] / may[t].sum()
                    continue
                s = t if like.how == "itself" else max(t - 1, 0)
                if may[t, s]:
                    weights[t] = np.arange(S) == s
            for only in self.meant(change_types.LookAt, kind, i, h):
                s = self.at(kind, False, only.position)
                if may[t, s]:
                    weights[t] = np.arange(S) == s
        for edit in self.all(change_types.EditRow):
            if (edit.kind, edit.layer, edit.head) == (kind, i, h):
                t = self.at(kind, True, edit.row)
                cells = {self.at(kind, False, at): x for at, x in edit.cells}
                weights[t] = edited(weights[t], may[t], cells)


def edited(row: np.ndarray, may: np.ndarray, cells: Mapping[int, float]) -> np.ndarray:
    """Set some weights; the others keep their proportions, and all add up to 1."""
    cells = {s: weight for s, weight in cells.items() if may[s]}
    others = [s for s in range(len(row)) if may[s] and s not in cells]
    new = np.zeros(len(row))
    for s, weight in cells.items():
        new[s] = weight
    if not others:
        total = sum(cells.values())
        for s in cells:
            new[s] = new[s] / total if total else 1 / len(cells)
        return new
    left, rest = max(0.0, 1 - sum(cells.values())), sum(row[s] for s in others)
    for s in others:
        new[s] = left * row[s] / rest if rest else left / len(others)
    return new
