"""RNNsearch: a recurrent network that aligns while it translates (Bahdanau et al. 2015).

B batch, W hypotheses, T target tokens, S source tokens, D = d_model, H = d_hidden,
M = size of an annotation, N = number of products in a cell's step.
"""

import math
from dataclasses import dataclass

import torch
from torch import Tensor, nn

from model.config import ModelConfig
from model.nn.hooks import NO_HOOK, Hook
from model.nn.masks import Mask
from model.nn.rnn import State, hooked, make_cell, real_tokens
from model.nn.translator import Cache, Translator, stack


class AdditiveAttention(nn.Module):
    """e = v_aᵀ tanh(W_a s + U_a h): how well a state s goes with each annotation h."""

    def __init__(self, d_state: int, d_annotation: int, d_model: int) -> None:
        super().__init__()
        self.w_a = nn.Linear(d_state, d_model)
        self.u_a = nn.Linear(d_annotation, d_model, bias=False)
        self.v_a = nn.Parameter(torch.empty(d_model))
        for linear in (self.w_a, self.u_a):
            nn.init.xavier_uniform_(linear.weight)
        nn.init.zeros_(self.w_a.bias)
        nn.init.normal_(self.v_a, std=d_model**-0.5)

    def key_value(self, annotations: Tensor, hook: Hook = NO_HOOK) -> tuple[Tensor, Tensor]:
        """Make keys and values of the annotations: (B, S, M) -> (B, 1, S, D), (B, 1, S, M)."""
        k = hook("k", self.u_a(annotations)[:, None])  # (B, 1, S, D)
        return k, hook("v", annotations[:, None])  # (B, 1, S, M)

    def attend(
        self, state: Tensor, k: Tensor, v: Tensor, mask: Mask, hook: Hook = NO_HOOK
    ) -> Tensor:
        """Attend with states (B, T, H) to keys and values, and return their contexts (B, T, M).

        `mask`, (B, 1, 1, S), is True where attention is allowed; None allows all.
        """
        q = hook("q", self.w_a(state)[:, None])  # (B, 1, T, D)
        match = torch.tanh(q[..., None, :] + k[..., None, :, :])  # (B, 1, T, S, D)
        scores = hook("scores", match @ self.v_a)  # (B, 1, T, S)
        if mask is not None:
            scores = torch.where(mask, scores, -math.inf)  # (B, 1, T, S)
        weights = hook("weights", torch.softmax(hook("masked", scores), dim=-1))  # (B, 1, T, S)
        return hook("context", weights @ v)[:, 0]  # (B, T, M)


@dataclass
class AlignedState(State):
    """The decoder's state of each hypothesis, (B, W, H), and what it attends to.

    `k` and `v` are the keys and values of the annotations, (B, 1, S, …), computed once.
    """

    k: Tensor
    v: Tensor
    src_mask: Mask

    def select(self, rows: Tensor) -> "AlignedState":
        """Return the cache of the given sentences of the batch, in their order."""
        state, k, v = (x.index_select(0, rows) for x in (self.state, self.k, self.v))
        src_mask = None if self.src_mask is None else self.src_mask.index_select(0, rows)
        return AlignedState(state, k, v, src_mask)


class SearchEncoder(nn.Module):
    """Two cells, one per direction: the annotation of a token is the states of both."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        self.gru_forward = make_cell(config)  # so the weights are named, whichever the cell
        self.gru_backward = make_cell(config)

    def forward(self, x: Tensor, src_mask: Mask, hook: Hook = NO_HOOK) -> Tensor:
        """Return the annotations: (B, S, D) -> (B, S, 2H)."""
        real = real_tokens(src_mask)
        ahead = self.gru_forward(x, self.gru_forward.start(x), real)
        back = self.gru_backward(x, self.gru_backward.start(x), real, backwards=True)
        ahead_states = hooked(ahead, hook.at("forward"), "hidden")
        back_states = hooked(back, hook.at("backward"), "hidden")
        return torch.cat([ahead_states, back_states], dim=-1)


class SearchDecoder(nn.Module):
    """A cell that reads the last token and the context that attention computes for it."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__()
        D, H = config.d_model, config.d_hidden
        self.begin = nn.Linear(H, H)
        self.cross_attn = AdditiveAttention(H, 2 * H, D)
        self.gru = make_cell(config)
        self.w_context = nn.Linear(2 * H, self.gru.products * H, bias=False)
        self.readout = nn.Linear(H + 2 * H + D, D)

    def start(self, annotations: Tensor, hook: Hook = NO_HOOK) -> Tensor:
        """Compute the first state from the backward cell's last: (B, S, 2H) -> (B, 1, H)."""
        last = annotations[:, :1, self.gru.d_hidden :]
        return hook("begin", torch.tanh(self.begin(last)))

    def step(
        self, wy: Tensor, state: Tensor, k: Tensor, v: Tensor, mask: Mask, hook: Hook
    ) -> tuple[Tensor, Tensor]:
        """Attend with the current state (B, W, H), then step: return states and contexts (B, W, …).

        `wy`, (B, W, NH), is W y of the token just read.
        """
        context = self.cross_attn.attend(state, k, v, mask, hook.at("cross_attn"))
        step = self.gru.step(wy + self.w_context(context), state)
        return hooked(step, hook, "state"), context

    def read(self, states: Tensor, contexts: Tensor, y: Tensor, hook: Hook) -> Tensor:
        """Compute readouts, for the generator, of [state; context; embedding]: (B, T, D)."""
        every = torch.cat([states, contexts, y], dim=-1)  # (B, T, H + 2H + D)
        return hook("readout", torch.tanh(self.readout(every)))


class RnnSearch(Translator):
    """A translator whose decoder attends to the source's annotations at each step."""

    def __init__(self, config: ModelConfig) -> None:
        super().__init__(config)
        self.encoder, self.decoder = stack([SearchEncoder(config)]), stack([SearchDecoder(config)])

    def encode(self, src: Tensor, src_mask: Mask, hook: Hook = NO_HOOK) -> Tensor:
        """Return the annotations: (B, S) -> (B, S, 2H)."""
        x = self.dropout(self.lookup(self.src_embed, src, hook.at("src")))
        return hook("memory", self.encoder[0](x, src_mask, hook.at("encoder.0")))

    def decode(
        self, tgt: Tensor, memory: Tensor, tgt_mask: Mask, src_mask: Mask, hook: Hook = NO_HOOK
    ) -> Tensor:
        """Return the readouts, computed step by step: (B, T), (B, S, 2H) -> (B, T, D)."""
        layer, below = self.decoder[0], hook.at("decoder.0")
        y = self.dropout(self.lookup(self.tgt_embed, tgt, hook.at("tgt")))  # (B, T, D)
        k, v = layer.cross_attn.key_value(memory, below.at("cross_attn"))
        state = layer.start(memory, below)
        steps = []
        for t, wy in enumerate(layer.gru.w(y).split(1, dim=1)):  # T of (B, 1, NH)
            state, context = layer.step(wy, state, k, v, src_mask, below.step(t))
            steps.append((state, context))
        states, contexts = (torch.cat(parts, dim=1) for parts in zip(*steps, strict=True))
        return self.dropout(layer.read(states, contexts, y, below))

    def start_cache(self, memory: Tensor, src_mask: Mask) -> AlignedState:
        """Prepare to decode over annotations (B, S, 2H)."""
        layer = self.decoder[0]
        k, v = layer.cross_attn.key_value(memory)
        return AlignedState(layer.start(memory), k, v, src_mask)

    def decode_step(
        self, tokens: Tensor, cache: Cache, tgt_mask: Mask = None, hook: Hook = NO_HOOK
    ) -> Tensor:
        """Read the next token of W hypotheses, (B, W), and score what follows, (B, W, V)."""
        assert isinstance(cache, AlignedState), "a cache of this model's own"
        layer, below = self.decoder[0], hook.at("decoder.0")
        y = self.lookup(self.tgt_embed, tokens, hook.at("tgt"))  # (B, W, D)
        attention = below.at("cross_attn")
        k, v = attention("k", cache.k), attention("v", cache.v)
        cache.state, context = layer.step(layer.gru.w(y), cache.state, k, v, cache.src_mask, below)
        return self.logits(layer.read(cache.state, context, y, below), hook)
