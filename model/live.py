"""The model in NumPy alone, without PyTorch and the tokenizers library: what a browser can run.

It translates a typed sentence, greedily or by beam search, and captures every number of it. W
hypotheses, n keys so far, H heads, V = size of the vocabulary.
"""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

import numpy as np

from model.config import ModelConfig
from model.decoding.beam import FREE, LENGTH_PENALTY, Beam, Prefix
from model.decoding.limits import banned, limit, truncate
from model.files import read_json
from model.interpret.calculation.forward import Arrays, captured_stages, computed, fill, forward
from model.interpret.calculation.numbers import Numbers
from model.interpret.calculation.parameters import Parameters, renamed
from model.interpret.calculation.positions import encodings
from model.interpret.calculation.stages import Stage
from model.interpret.capture import Capture, Override
from model.text.byte_level import ByteLevel

OF_SOURCE: Final = ("src.", "encoder.", "memory")  # how the names of the encoder's arrays begin
OF_MEMORY: Final = ("cross_attn.k", "cross_attn.v")
KEPT: Final = ("self_attn.k", "self_attn.v")  # from step to step
TYPES: Final = {"F16": np.float16, "F32": np.float32}


@dataclass(frozen=True)
class LiveModel:
    """A Transformer, ready to translate; `parameters` are its weights in float32."""

    tokenizer: ByteLevel
    parameters: Parameters

    @classmethod
    def load(cls, folder: Path) -> LiveModel:
        """Read the folder of a model; raises OSError, ValueError or KeyError if it is none."""
        config = ModelConfig.from_dict(read_json(folder / "config.json")["model"])
        tokenizer = ByteLevel(read_json(folder / "tokenizer.json")["model"])
        return cls(tokenizer, renamed(config, read_weights(folder / "weights.safetensors")))

    @property
    def config(self) -> ModelConfig:
        return self.parameters.config

    def source(self, text: str) -> list[int]:
        """Return the ids of a sentence with <eos>, cut to the longest that the model reads."""
        ids = [*self.tokenizer.encode(text.strip()), self.config.eos_id]
        return truncate(ids, self.config.max_len)[0]

    def translate(self, src_ids: Sequence[int], width: int = 4, prefix: Prefix = FREE) -> Beam:
        """Search until the best hypothesis is found; of width 1 it is greedy decoding."""
        beam = Beam(limit(self.config, src_ids), width, LENGTH_PENALTY, prefix)
        _search(_Decoder(self, src_ids), beam)
        return beam

    def capture(
        self,
        src_ids: Sequence[int],
        tgt_ids: Sequence[int],
        overrides: Mapping[str, tuple[Override, ...]] | None = None,
    ) -> Capture:
        """Record one teacher-forced pass: `src_ids` with <eos>, `tgt_ids` with <bos>."""
        src, tgt = map(self.tokenizer.tokens, (src_ids, tgt_ids))
        return forward(self.parameters, src, tgt, overrides)

    def run(self, text: str, width: int = 4) -> tuple[str, Capture]:
        """Translate a sentence; return the text, and the capture of both sentences."""
        src_ids = self.source(text)
        found = self.translate(src_ids, width).best
        written = found.tokens[:-1] if found.finished else found.tokens
        tgt_ids = [self.config.bos_id, *written][: self.config.max_len]
        return self.tokenizer.decode(written), self.capture(src_ids, tgt_ids)


def read_weights(path: Path) -> dict[str, np.ndarray]:
    """Read a safetensors file of 16 or 32 bits as float32; raises OSError, ValueError, KeyError."""
    data = path.read_bytes()
    start = 8 + int.from_bytes(data[:8], "little")
    weights = {}
    for name, entry in json.loads(data[8:start]).items():
        if name == "__metadata__":
            continue
        count, (begin, _end) = math.prod(entry["shape"]), entry["data_offsets"]
        array = np.frombuffer(data, TYPES[entry["dtype"]], count, start + begin)
        weights[name] = array.reshape(entry["shape"]).astype(np.float32)
    return weights


class _Decoder:
    """Reads a sentence once, then a token of each hypothesis at each step, and keeps their keys."""

    def __init__(self, model: LiveModel, src_ids: Sequence[int]) -> None:
        self.config, self.parameters = model.config, model.parameters
        self.tokenizer = model.tokenizer
        once, self.stages = list[Stage](), list[Stage]()
        for stage in captured_stages(self.config):
            of_source = stage.name.startswith(OF_SOURCE) or stage.name.endswith(OF_MEMORY)
            (once if of_source else self.stages).append(stage)
        self.src = self.tokenizer.tokens(src_ids)
        arrays: Arrays = {}
        fill(arrays, Capture(self.config, self.src, (), arrays), self.parameters, once)
        self.memory = {name: arrays[name] for name in arrays if name.endswith(OF_MEMORY)}
        self.past: Arrays = {}
        self.position = 0

    def step(self, ids: Sequence[int], mask: np.ndarray) -> np.ndarray:
        """Read the next token of each hypothesis, and score what follows, (W, V).

        `mask`, (W, n), is True for the keys of a hypothesis's own past.
        """
        arrays = dict(self.memory)
        run = Capture(self.config, self.src, self.tokenizer.tokens(ids), arrays)
        numbers = Numbers(run, self.parameters)
        for stage in self.stages:
            arrays[stage.name] = self._computed(numbers, stage, mask)
        self.position += 1
        return arrays["logits"]

    def _computed(self, numbers: Numbers, stage: Stage, mask: np.ndarray) -> np.ndarray:
        if stage.name == "tgt.pos":  # the same for all hypotheses
            p = encodings(self.position + 1, self.config.d_model, self.config.positions)
            return np.repeat(p[-1:].astype(np.float32), len(mask), axis=0)  # (W, D)
        if stage.name.endswith("self_attn.masked"):
            scaled = numbers.array(stage.inputs[0])  # (H, W, n)
            return np.where(mask, scaled, np.float32(-np.inf))
        array = computed(numbers, stage)
        if not stage.name.endswith(KEPT):
            return array
        past = self.past.get(stage.name, array[:, :0])
        self.past[stage.name] = np.concatenate([past, array], axis=1)  # (H, n, d_k)
        return self.past[stage.name]


def _search(decoder: _Decoder, beam: Beam) -> None:
    """Search step by step until the beam is done, as `model.decoding.batch` does for a batch."""
    config = decoder.config
    ids, mask, totals = [config.bos_id], np.ones((1, 1), dtype=bool), np.zeros(1, np.float32)
    while not beam.done:
        log_probs = _log_softmax(decoder.step(ids, mask))  # (W, V)
        log_probs[:, banned(config)] = -math.inf
        if beam.prefix is not FREE:
            beam.restrict(log_probs)
        if config.force_end:
            beam.end(log_probs, config.eos_id)
        beam.choose(_top(log_probs + totals[:, None], 2 * beam.width), config.eos_id)
        rows = beam.rows
        mask = np.concatenate([mask[rows], np.eye(len(rows), dtype=bool)], axis=1)  # (W, n + W)
        ids = [hypothesis.tokens[-1] for hypothesis in beam.live]
        totals = np.array([hypothesis.log_prob for hypothesis in beam.live], np.float32)


def _log_softmax(x: np.ndarray) -> np.ndarray:
    shifted = x - x.max(-1, keepdims=True)
    return np.asarray(shifted - np.log(np.exp(shifted).sum(-1, keepdims=True)))


def _top(sums: np.ndarray, n: int) -> list[tuple[float, int, int]]:
    """Return the n best continuations of (W, V), in order: their sums, tokens and rows."""
    flat = sums.ravel()
    n = min(n, flat.size)
    best = np.argpartition(-flat, n - 1)[:n]
    best = best[np.argsort(-flat[best], kind="stable")]
    rows, ids = np.unravel_index(best, sums.shape)
    return list(zip(flat[best].tolist(), ids.tolist(), rows.tolist(), strict=True))
