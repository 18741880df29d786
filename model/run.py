"""A training run in its folder: data, steps, validation, logs and checkpoints.

OUT/best is the checkpoint with the highest validation BLEU, OUT/last the newest with all that
resuming needs, OUT/snapshots what was asked to be kept on the way, OUT/log.jsonl a line a report,
OUT/tensorboard the same for TensorBoard.
"""

from __future__ import annotations

import json
import logging
import platform
import random
import time
from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

import torch
from torch import Tensor

from model import checkpoint
from model.config import ModelConfig, TrainConfig
from model.data import Dataset, Pair, read_tsv
from model.evaluate import evaluate
from model.tokenizer import Tokenizer
from model.train import Report, Trainer, seed_everything, validation_loss
from model.transformer import Transformer
from model.workers import Workers

log = logging.getLogger(__name__)
LOG_EVERY = 20


@dataclass(frozen=True)
class Validation:
    """Scores on held-out pairs, greedy: loss in nats a token, BLEU and chrF in percent."""

    loss: float
    bleu: float
    chrf: float


@dataclass(frozen=True)
class Progress:
    """A report, with the scores when the step was validated."""

    report: Report
    validation: Validation | None = None


def read_pairs(paths: Sequence[Path]) -> list[Pair]:
    """Read and join TSV files, and log what is wrong with them; raises ValueError."""
    pairs = []
    for path in paths:
        found, bad = read_tsv(path)
        pairs += found
        for line in bad[:20]:
            log.warning("%s, line %d is left out: %s.", path, line.number, line.reason)
        if len(bad) > 20:
            log.warning("%s: %d more lines are left out.", path, len(bad) - 20)
    return pairs


class Run:
    """One training run; the folder is the only thing it leaves behind."""

    def __init__(
        self,
        out: Path,
        train_pairs: Sequence[Pair],
        valid_pairs: Sequence[Pair],
        model_config: ModelConfig,
        config: TrainConfig,
        resume: bool = False,
        tokenizer: Tokenizer | None = None,
        snapshots: Sequence[int] = (),
    ) -> None:
        self.out, self.config, self.snapshots = out, config, set(snapshots)
        self.workers = Workers.join()
        seed_everything(config.seed)
        tensors: dict[str, Tensor] = {}
        position: dict[str, Any] = {}
        if resume:
            folder = checkpoint.resolve(str(out / "last"))
            saved = checkpoint.load(folder)
            model, self.tokenizer = saved.model, saved.tokenizer
            tensors, position = checkpoint.load_state(folder)
        else:
            texts = (text for pair in train_pairs for text in (pair.src, pair.tgt))
            self.tokenizer = tokenizer or Tokenizer.train(texts, model_config.vocab_size)
            sizes = model_config.to_dict() | {"vocab_size": self.tokenizer.vocab_size}
            model = Transformer(ModelConfig.from_dict(sizes))
        dataset = Dataset(train_pairs, self.tokenizer, config.max_tokens, config.vary, config.seed)
        self.trainer = Trainer(model, dataset, config, self.workers)
        self.valid_pairs = random.Random(config.seed).sample(
            list(valid_pairs), min(config.validate_pairs, len(valid_pairs))
        )
        self.valid_set = Dataset(self.valid_pairs, self.tokenizer, config.max_tokens)
        self.recent: deque[dict[str, Tensor]] = deque(maxlen=config.average)
        self.best_bleu, self.seconds = -1.0, 0.0
        if resume:
            self.trainer.restore(tensors, position)
            self.best_bleu, self.seconds = position["best_bleu"], position["seconds"]
            self.recent.extend(_unflatten(tensors))

    @property
    def model(self) -> Transformer:
        return self.trainer.model

    def train(self) -> Iterator[Progress]:
        """Train to the end, validating, logging and saving on the way."""
        self.out.mkdir(parents=True, exist_ok=True)
        log_steps = _Log(self.out) if self.workers.writes else None
        self._snapshot(self.trainer.step)
        for report in self.trainer.train_steps():
            self.seconds += report.seconds
            self._snapshot(report.step)
            last = report.step == self.config.steps
            validation = None
            if last or report.step % self.config.validate_every == 0:
                validation = self._validate()
            if log_steps and (validation or report.step % LOG_EVERY == 0):
                log_steps.write(report, validation)
            yield Progress(report, validation)

    def _validate(self) -> Validation | None:
        """Score the model (the mean of the last ones), keep it if it is the best, and save."""
        self.recent.append({n: p.detach().clone() for n, p in self.model.named_parameters()})
        validation = self._score() if self.workers.writes else None
        self.save_last()
        return validation

    def _score(self) -> Validation:
        averaged = self._averaged()
        rng = torch.get_rng_state()
        scores = evaluate(averaged, self.tokenizer, self.valid_pairs, beam=1)
        loss = validation_loss(averaged, self.valid_set.examples, self.config.batch_tokens)
        torch.set_rng_state(rng)
        validation = Validation(loss, scores.bleu, scores.chrf)
        if validation.bleu > self.best_bleu:
            self.best_bleu = validation.bleu
            metrics = self.metrics() | {"validation": asdict(validation)}
            checkpoint.save(self.out / "best", averaged, self.tokenizer, metrics, half=True)
        return validation

    def _snapshot(self, step: int) -> None:
        """Keep the weights of a step that was asked for, in OUT/snapshots."""
        if step in self.snapshots and self.workers.writes:
            folder = self.out / "snapshots" / f"step-{step}"
            checkpoint.save(folder, self.model, self.tokenizer, self.metrics(), half=True)

    def _averaged(self) -> Transformer:
        averaged = Transformer(self.model.config)
        with torch.no_grad():
            for name, parameter in averaged.named_parameters():
                parameter.copy_(torch.stack([weights[name] for weights in self.recent]).mean(0))
        return averaged.eval()

    def save_last(self) -> None:
        """Write OUT/last, to resume from bit for bit; all processes must ask together."""
        tensors, position = self.trainer.state()
        if not self.workers.writes:
            return
        for i, weights in enumerate(self.recent):
            tensors |= {f"recent/{i}/{name}": tensor for name, tensor in weights.items()}
        position |= {"best_bleu": self.best_bleu, "seconds": self.seconds}
        checkpoint.save(
            self.out / "last", self.model, self.tokenizer, self.metrics(), (tensors, position)
        )

    def metrics(self) -> dict[str, Any]:
        """Return where the model comes from, for its metrics.json."""
        return {
            "trained": time.strftime("%Y-%m-%d"),
            "step": self.trainer.step,
            "epoch": self.trainer.epoch,
            "seconds": round(self.seconds),
            "pairs": len(self.trainer.dataset.examples),
            "machine": f"{platform.machine()}, {torch.get_num_threads()} thread(s)",
            "torch": torch.__version__,
            "train": self.config.to_dict(),
        }


def _unflatten(tensors: dict[str, Tensor]) -> list[dict[str, Tensor]]:
    weights: dict[int, dict[str, Tensor]] = {}
    for key, tensor in tensors.items():
        if key.startswith("recent/"):
            _, i, name = key.split("/")
            weights.setdefault(int(i), {})[name] = tensor
    return [weights[i] for i in sorted(weights)]


class _Log:
    """Writes reports to log.jsonl and to TensorBoard."""

    def __init__(self, out: Path) -> None:
        from torch.utils.tensorboard import SummaryWriter  # slow to import

        self.file = (out / "log.jsonl").open("a", encoding="utf-8")
        self.board = SummaryWriter(out / "tensorboard")

    def write(self, report: Report, validation: Validation | None) -> None:
        row = asdict(report) | ({"validation": asdict(validation)} if validation else {})
        self.file.write(json.dumps(row) + "\n")
        self.file.flush()
        scalars = {
            f"train/{name}": row[name] for name in ("loss", "learning_rate", "gradient_norm")
        }
        if validation:
            scalars |= {f"valid/{name}": value for name, value in asdict(validation).items()}
        for name, value in scalars.items():
            self.board.add_scalar(name, value, report.step)
