"""The training loop: a generator that takes one step, and reports it, each time it is resumed."""

import itertools
import math
import random
import threading
import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch import Tensor, nn

from model.config import TrainConfig
from model.errors import UserError
from model.nn.translator import Translator
from model.text.batches import Batch, Dataset, Example, collate
from model.training.loss import batch_loss
from model.training.optim import learning_rate, make_optimizers
from model.training.workers import Workers

MAX_SKIPPED = 10
POSITION = ("step", "epoch", "next_batch", "n_skipped")


@dataclass(frozen=True)
class Report:
    """One optimiser step: mean loss in nats per target token, gradient norm before clipping.

    `cross_entropy` is the loss without label smoothing, as validation measures it. `skipped` means
    that the loss or the gradient was not finite, and the weights were left unchanged.
    """

    step: int
    epoch: int
    loss: float
    cross_entropy: float
    learning_rate: float
    gradient_norm: float
    tokens: int
    seconds: float
    skipped: bool = False


class Trainer:
    """A model in training, with everything that a resumed run needs to go on bit for bit."""

    def __init__(
        self,
        model: Translator,
        dataset: Dataset,
        config: TrainConfig,
        workers: Workers | None = None,
    ) -> None:
        self.workers = workers or Workers()
        self.model = model.to(self.workers.device)
        self.dataset, self.config = dataset, config
        self.optimizers = make_optimizers(model, config)
        self.step = self.epoch = self.next_batch = self.n_skipped = 0
        # Each process draws its own dropout; the weights were drawn earlier from the common seed.
        torch.manual_seed(config.seed + self.workers.rank)
        # Held while a step changes the weights, and while they are saved: a save may come in the
        # middle of a step, and then sees the state before it.
        self.lock = threading.RLock()
        self._after_step = self._moment()

    def train_steps(self) -> Iterator[Report]:
        """Train up to `config.steps`, yielding after every step; raises UserError.

        Stopping between two steps loses nothing: calling this again continues.
        """
        batches = self._batches()
        while self.step < self.config.steps:
            self.model.train()
            yield self._take_step(itertools.islice(batches, self.config.accumulate))

    def _batches(self) -> Iterator[list[Example]]:
        if self.config.one_batch:
            yield from itertools.repeat(self.dataset.epoch(0, self.config.batch_tokens)[0])
        while True:
            epoch = self.dataset.epoch(self.epoch, self.config.batch_tokens)
            while self.next_batch < len(epoch):
                self.next_batch += 1
                yield epoch[self.next_batch - 1]
            self.epoch, self.next_batch = self.epoch + 1, 0

    def _take_step(self, batches: Iterable[list[Example]]) -> Report:
        start = time.perf_counter()
        rate = learning_rate(self.step + 1, self.config)
        for optimizer in self.optimizers:
            for group in optimizer.param_groups:
                group["lr"] = rate
            optimizer.zero_grad(set_to_none=True)
        totals = torch.zeros(4, dtype=torch.float64)
        for examples in batches:
            batch = collate(examples).shard(self.workers.rank, self.workers.n)
            totals += self._backward(batch)
        totals = self.workers.sum(totals.to(self.workers.device))
        loss, cross_entropy, n_targets, n_tokens = totals.tolist()
        self.workers.sum_gradients(self.model)
        for p in self.model.parameters():
            if p.grad is not None:
                p.grad /= n_targets
        norm = float(nn.utils.clip_grad_norm_(self.model.parameters(), self.config.clip))
        finite = math.isfinite(loss) and math.isfinite(norm)
        with self.lock:
            for optimizer in self.optimizers if finite else ():
                optimizer.step()
            self.n_skipped = 0 if finite else self.n_skipped + 1
            if self.n_skipped >= MAX_SKIPPED:
                raise UserError("not_finite", count=MAX_SKIPPED, step=self.step + 1)
            self.step += 1
            self._after_step = self._moment()
        return Report(
            self.step,
            self.epoch,
            loss / n_targets,
            cross_entropy / n_targets,
            rate,
            norm,
            int(n_tokens),
            time.perf_counter() - start,
            skipped=not finite,
        )

    def _backward(self, batch: Batch) -> Tensor:
        """Add the gradient of the summed loss; return the sums for a report.

        These are loss, cross-entropy, target tokens and all tokens, (4,).
        """
        if len(batch.src) == 0:
            return torch.zeros(4, dtype=torch.float64)
        device = self.workers.device
        with torch.autocast(device.type, torch.bfloat16, enabled=self.config.bf16):
            smoothing, causal = self.config.label_smoothing, self.config.causal
            loss, cross_entropy, n_targets = batch_loss(
                self.model, batch.to(device), smoothing, causal=causal
            )
        loss.backward()
        numbers = [float(loss.detach()), float(cross_entropy), n_targets, batch.n_tokens]
        return torch.tensor(numbers, dtype=torch.float64)

    def block_norms(self, report: Report) -> dict[str, float]:
        """Return the gradient norm of each layer and embedding in the last step, before clipping.

        Their squares add up to the square of `report.gradient_norm`.
        """
        blocks: dict[str, list[Tensor]] = {}
        for name, p in self.model.named_parameters():
            if p.grad is not None:
                parts = name.split(".")
                block = ".".join(parts[: 2 if parts[1].isdigit() else 1])
                blocks.setdefault(block, []).append(p.grad)
        clipped = max(1.0, report.gradient_norm / self.config.clip)
        norms = {block: nn.utils.get_total_norm(grads) for block, grads in blocks.items()}
        return {block: clipped * float(norm) for block, norm in norms.items()}

    def change_learning_rate(self, peak: float) -> None:
        """Change the schedule's peak from the next step on."""
        rates = tuple(rate for rate in self.config.rates if rate[0] <= self.step)
        self.config = replace(self.config, rates=(*rates, (self.step + 1, peak)))

    def state(self) -> tuple[dict[str, Tensor], dict[str, Any]]:
        """Return optimiser state, random number state and data position, as tensors and as JSON.

        It is the state after the last complete step. All processes must call this together, because
        each one's random number state is part of it.
        """
        rng, position = self._after_step
        rngs = self.workers.gather(rng)
        tensors = {f"rng.{rank}": rng for rank, rng in enumerate(rngs)}
        for k, optimizer in enumerate(self.optimizers):
            for i, slots in optimizer.state_dict()["state"].items():
                for name, slot in slots.items():
                    tensors[f"optimizer.{k}.{i}.{name}"] = slot.cpu()
        return tensors, position

    def _moment(self) -> tuple[Tensor, dict[str, Any]]:
        return _rng_state(self.workers.device), {name: getattr(self, name) for name in POSITION}

    def restore(self, tensors: dict[str, Tensor], position: dict[str, Any]) -> None:
        """Restore a saved state, so that the next step is the one that would have followed."""
        slots: list[dict[int, dict[str, Tensor]]] = [{} for _ in self.optimizers]
        for key, tensor in tensors.items():
            if key.startswith("optimizer."):
                _, k, i, name = key.split(".")
                slots[int(k)].setdefault(int(i), {})[name] = tensor
        for optimizer, state in zip(self.optimizers, slots, strict=True):
            optimizer.load_state_dict(optimizer.state_dict() | {"state": state})
        rng = tensors.get(f"rng.{self.workers.rank}")  # missing if there were fewer processes
        if rng is not None and len(rng) == len(_rng_state(self.workers.device)):
            _set_rng_state(self.workers.device, rng)
        for name in POSITION:
            setattr(self, name, position[name])
        self._after_step = self._moment()


def _rng_state(device: torch.device) -> Tensor:
    """Return the state of the generator that dropout draws from."""
    return torch.cuda.get_rng_state(device) if device.type == "cuda" else torch.get_rng_state()


def _set_rng_state(device: torch.device, state: Tensor) -> None:
    if device.type == "cuda":
        torch.cuda.set_rng_state(state, device)
    else:
        torch.set_rng_state(state)


def seed_everything(seed: int) -> None:
    """Seed the random generators of weights, dropout and batches."""
    random.seed(seed)
    torch.manual_seed(seed)
