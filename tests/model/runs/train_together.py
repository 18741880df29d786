"""Train a few steps, alone or in two processes, and let the writing process save the weights.

`python -m tests.model.runs.train_together FOLDER` forks two processes, with what torchrun
tells its own, and writes FOLDER/BUDGET.safetensors for each of `BUDGETS`: 30 tokens make batches of
one or two pairs, so that some processes have nothing to do.
"""

from __future__ import annotations

import os
import signal
import socket
import sys
import traceback
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
SECONDS = 120


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


def work() -> None:
    """Train, and save from one process only."""
    workers = Workers.join()
    for budget in BUDGETS:
        trainer = train(workers, budget)
        if workers.writes:
            weights = {name: p.detach() for name, p in trainer.model.named_parameters()}
            path = Path(sys.argv[1]) / f"{budget}.safetensors"
            save_file(weights, path, metadata={"workers": str(workers.n)})
    check_resume(workers)
    workers.leave()


def main() -> None:
    """Work in two processes, each of which ends by itself if the other is gone."""
    torch.set_num_threads(1)
    with socket.socket() as free:
        free.bind(("127.0.0.1", 0))
        address, port = free.getsockname()
    os.environ |= {"MASTER_ADDR": address, "MASTER_PORT": str(port), "WORLD_SIZE": "2"}
    children = []
    for rank in "01":
        children.append(os.fork())
        if not children[-1]:
            signal.alarm(SECONDS)
            os.environ |= {"RANK": rank, "LOCAL_RANK": rank}
            try:
                work()
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
    ends = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    assert ends == [0, 0], ends


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
