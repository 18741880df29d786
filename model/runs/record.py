"""What a training run has logged, with the figures that the doctor needs."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from model.config import ModelConfig
from model.interpret.calculation.target import floors
from model.runs.film import Frame
from model.runs.plan import Plan

Rows = Sequence[Mapping[str, Any]]
# The losses of neighbouring steps are averaged into this many levels, because batches differ.
N_LEVELS: Final = 20


@dataclass(frozen=True)
class Record:
    """What a run has logged: its plan, rows of log.jsonl and samples.jsonl, its newest frame."""

    plan: Plan
    rows: Rows
    samples: Rows
    frame: Frame | None

    @cached_property
    def measure(self) -> str:
        """The name of the training loss: the one comparable with validation if all rows have it."""
        return "cross_entropy" if all("cross_entropy" in row for row in self.rows) else "loss"

    @cached_property
    def finite(self) -> Rows:
        taken = [row for row in self.rows if not row.get("skipped")]
        return [
            r for r in taken if math.isfinite(self.loss(r)) and math.isfinite(r["gradient_norm"])
        ]

    def loss(self, row: Mapping[str, Any]) -> float:
        """Return the training loss of a row, in nats per token."""
        return float(row[self.measure])

    @cached_property
    def levels(self) -> np.ndarray:
        """The training loss averaged over consecutive steps: (at most N_LEVELS,)."""
        losses = np.array([self.loss(row) for row in self.finite])
        return np.array(
            [part.mean() for part in np.array_split(losses, min(N_LEVELS, len(losses)))]
        )

    @property
    def step(self) -> int:
        return int(self.rows[-1]["step"])

    @property
    def first(self) -> float:
        return self.loss(self.finite[0])

    @property
    def highest_rate(self) -> float:
        return max(float(row["learning_rate"]) for row in self.finite)

    @property
    def warmed_up(self) -> bool:
        """Return whether the run is long enough that the model should have learnt by now."""
        train = self.plan.train
        return self.step >= max(2 * train.warmup, 0.3 * train.steps)

    @cached_property
    def validated(self) -> Rows:
        validated = [row for row in self.finite if row.get("validation")]
        scores = ("loss", "exact")
        return [r for r in validated if all(map(math.isfinite, map(r["validation"].get, scores)))]

    @cached_property
    def outputs(self) -> list[str]:
        """The newest translations of held-out sentences, one for each different reference."""
        newest = self.samples[-1]["samples"] if self.samples else []
        return list({sample["tgt"]: sample["output"] for sample in newest}.values())

    @property
    def exact(self) -> float | None:
        """The share of held-out sentences translated exactly.

        It comes from the newest validation, which has more sentences than a frame; before the first
        validation, from the newest frame.
        """
        if self.validated:
            return float(self.validated[-1]["validation"]["exact"]) / 100
        return float(self.samples[-1]["exact"]) if self.samples else None

    @property
    def judged_step(self) -> int:
        """The step at which `exact` was measured."""
        rows = self.validated or self.samples
        return int(rows[-1]["step"]) if rows else 0

    @property
    def model(self) -> ModelConfig:
        """The actual configuration, since a plan's vocabulary size is only an upper limit."""
        return self.frame.capture.config if self.frame is not None else self.plan.model

    @property
    def floor(self) -> float:
        """The loss, in nats, of a model that predicts its target distribution exactly."""
        vocabulary, smoothing = self.model.n_tgt_vocab, self.plan.train.label_smoothing
        smoothed, cross_entropy = floors(vocabulary, smoothing)
        return cross_entropy if self.measure == "cross_entropy" else smoothed
