"""Train a few steps, alone or under torchrun, and let the writing process save the weights.

`torchrun … -m tests.model.runs.train_together FOLDER` writes FOLDER/BUDGET.safetensors for each of
`BUDGETS`: 30 tokens make batches of one or two pairs, so that some processes have nothing to do.
"""

from __future__ import annotations

import sys
from pathlib import Path

import torch
from safetensors.torch import save_file

from model.config import TrainConfig
from model.nn.transformer import Transformer
from model.text.batches import Dataset
from model.training.trainer import Trainer, seed_everything
from model.training.workers import Workers
from tests.model.samples import letters_tokenizer, reversed_pairs, tiny_config

BUDGETS = (200, 30)


def new_trainer(workers: Workers, batch_tokens: int, dropout: float = 0.0) -> Trainer:
    """Return a trainer of eight steps."""
    config = TrainConfig(
        steps=8, batch_tokens=batch_tokens, accumulate=2, warmup=4, learning_rate=1e-3, seed=2
    )
    seed_everything(config.seed)
    model = Transformer(tiny_config(norm="pre", dropout=dropout))
    return Trainer(model, Dataset(reversed_pairs(60), letters_tokenizer()), config, workers)


def train(workers: Workers, batch_tokens: int) -> Trainer:
    """Return a trainer after eight steps without dropout."""
    trainer = new_trainer(workers, batch_tokens)
    losses = torch.tensor([report.loss for report in trainer.train_steps()])
    assert torch.equal(workers.sum(losses.clone()), losses * workers.n), "reports differ"
    return trainer


def main() -> None:
    """Train, and save from one process only."""
    torch.set_num_threads(1)
    workers = Workers.join()
    for budget in BUDGETS:
        trainer = train(workers, budget)
        if workers.writes:
            weights = {name: p.detach() for name, p in trainer.model.named_parameters()}
            path = Path(sys.argv[1]) / f"{budget}.safetensors"
            save_file(weights, path, metadata={"workers": str(workers.n)})
    check_resume(workers)
    workers.leave()


def check_resume(workers: Workers) -> None:
    """A resumed run goes on bit for bit in every process.

    Only the writing process's random numbers were once saved, so that all drew its dropout.
    """
    whole = new_trainer(workers, BUDGETS[0], dropout=0.2)
    steps = whole.train_steps()
    for _ in range(4):
        next(steps)
    tensors, position = whole.state()
    tensors = {name: tensor.clone() for name, tensor in tensors.items()}
    weights = {name: p.detach().clone() for name, p in whole.model.named_parameters()}
    expected = [report.loss for report in steps]
    resumed = new_trainer(workers, BUDGETS[0], dropout=0.2)
    with torch.no_grad():
        for name, p in resumed.model.named_parameters():
            p.copy_(weights[name])
    resumed.restore(tensors, position)
    assert [report.loss for report in resumed.train_steps()] == expected, "resume differs"


if __name__ == "__main__":
    main()
