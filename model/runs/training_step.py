"""One training step in detail: the step that a run would take next, on a copy.

`python -m model.runs.training_step RUN` prints it as JSON. A process of its own can compute exactly
as the trainer does, without disturbing the process that asks for the step.
"""

import json
import sys
from dataclasses import asdict, dataclass
from pathlib import Path

import torch
from torch import Tensor

from model.background import give_way
from model.runs.folder import RunFolder
from model.runs.session import BEFORE_END, LAST, Session
from model.text.batches import Example, collate
from model.text.byte_level import PAD
from model.training.loss import batch_loss
from model.training.optim import changes_nothing
from model.training.processor import prepare_processor

SHOWN = 3


@dataclass(frozen=True)
class BlockNorms:
    """A layer or an embedding in a step: the norms of its gradient, its change and its weights."""

    name: str
    gradient: float
    change: float
    weights: float


@dataclass(frozen=True)
class Dissection:
    """A step: its batch, the loss before, the gradient, the change, and the loss after.

    `loss` and `loss_after` are in nats per target token, for the same batch with the same dropout;
    `cross_entropy` is the loss before, without the label `smoothing`; `scale` is the factor by
    which clipping multiplied the gradient; `pairs` are some of the batch's pairs.
    """

    step: int
    learning_rate: float
    loss: float
    cross_entropy: float
    smoothing: float
    loss_after: float
    gradient_norm: float
    scale: float
    n_pairs: int
    n_tokens: int
    pairs: tuple[tuple[str, str], ...]
    blocks: tuple[BlockNorms, ...]


def dissect(folder: RunFolder) -> Dissection:
    """Take the step after the last one that a run has saved; nothing is written to the disk.

    If the run has ended and another step would change nothing, its last step is taken again. Raises
    ValueError if nothing has been saved yet.
    """
    prepare_processor(1)
    plan = folder.plan()
    still = changes_nothing(folder.saved_step, plan.train)
    again = still and (folder.path / BEFORE_END).is_dir()
    run = Session(folder, plan, resume=True, saved_in=BEFORE_END if again else LAST)
    trainer = run.trainer
    trainer.model.train()
    batches = [next(trainer._batches()) for _ in range(run.config.accumulate)]
    before = {name: p.detach().clone() for name, p in trainer.model.named_parameters()}
    rng = torch.get_rng_state()
    report = trainer._take_step(batches)
    torch.set_rng_state(rng)
    loss_after = _loss(run, batches)
    after = dict(trainer.model.named_parameters())
    blocks = []
    for block, gradient in trainer.block_norms(report).items():
        own = [name for name in before if name.startswith(f"{block}.")]
        change = _norm([after[name].detach() - before[name] for name in own])
        blocks.append(BlockNorms(block, gradient, change, _norm([before[name] for name in own])))
    return Dissection(
        report.step,
        report.learning_rate,
        report.loss,
        report.cross_entropy,
        run.config.label_smoothing,
        loss_after,
        report.gradient_norm,
        min(1.0, run.config.clip / report.gradient_norm),
        sum(map(len, batches)),
        report.tokens,
        tuple((_text(run, src), _text(run, tgt)) for src, tgt in batches[0][:SHOWN]),
        tuple(blocks),
    )


def _loss(run: Session, batches: list[list[Example]]) -> float:
    """Return the loss of batches in nats per target token, as training computes it."""
    total, n_targets = 0.0, 0
    for examples in batches:
        with torch.no_grad(), torch.autocast("cpu", torch.bfloat16, enabled=run.config.bf16):
            loss, _, n = batch_loss(
                run.model, collate(examples), run.config.label_smoothing, causal=run.config.causal
            )
        total, n_targets = total + float(loss), n_targets + n
    return total / n_targets


def _text(run: Session, ids: list[int]) -> str:
    return run.tokenizer.decode([i for i in ids if i != PAD])


def _norm(parts: list[Tensor]) -> float:
    return float(torch.nn.utils.get_total_norm(parts))


if __name__ == "__main__":
    give_way()
    sys.stdout.write(json.dumps(asdict(dissect(RunFolder(Path(sys.argv[1]))))))
