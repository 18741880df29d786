"""Train and save in a tight loop, in children that are killed at random moments.

`python -m tests.model.kill_rounds FOLDER ROUNDS` prints the step that each round could load.
Children are forked, because starting Python and PyTorch anew takes seconds.
"""

from __future__ import annotations

import os
import random
import signal
import sys
import time
from pathlib import Path

import torch
import torch._dynamo  # slow, and every optimiser does it: the children need not

from model import checkpoint
from model.config import TrainConfig
from model.nn.transformer import Transformer
from model.text.batches import Dataset
from model.training.trainer import Trainer, seed_everything
from tests.model.samples import letters_tokenizer, reversed_pairs, tiny_config


def make_trainer(folder: Path) -> Trainer:
    """Return a new trainer, or the one that the folder holds."""
    tokenizer, config = letters_tokenizer(), TrainConfig(steps=10**6, batch_tokens=100)
    seed_everything(0)
    dataset = Dataset(reversed_pairs(30), tokenizer)
    if not (folder.exists() or folder.with_name(f".{folder.name}.old").exists()):
        sizes = tiny_config(vocab_size=tokenizer.vocab_size)
        return Trainer(Transformer(sizes), dataset, config)
    saved = checkpoint.load(folder)
    trainer = Trainer(saved.model, dataset, config)
    trainer.restore(*checkpoint.load_state(saved.folder))
    return trainer


def train_and_save(folder: Path, ready: int) -> None:
    """Save after every step, for ever; tell once that it began."""
    trainer = make_trainer(folder)
    for report in trainer.train_steps():
        checkpoint.save(
            folder, trainer.model, letters_tokenizer(), {"step": report.step}, trainer.state()
        )
        if ready >= 0:
            os.write(ready, b".")
            ready = -1


def main() -> None:
    """Kill each round's child at a random moment, then load what it left."""
    torch.set_num_threads(1)
    folder, rng = Path(sys.argv[1]), random.Random()
    letters_tokenizer()
    for _ in range(int(sys.argv[2])):
        began, ready = os.pipe()
        child = os.fork()
        if child == 0:
            train_and_save(folder, ready)
        os.close(ready)
        os.read(began, 1)
        os.close(began)
        time.sleep(rng.uniform(0, 0.15))
        os.kill(child, signal.SIGKILL)
        os.waitpid(child, 0)
        saved = checkpoint.load(folder)
        _, position = checkpoint.load_state(saved.folder)
        assert position["step"] == saved.metrics["step"]
        print(position["step"], flush=True)


if __name__ == "__main__":
    main()
