"""A training whose result is known: reverse is learned exactly, and a head is the anti-diagonal."""

from __future__ import annotations

from dataclasses import replace

import torch

from model.decoding.search import translate_lines
from model.nn.transformer import Transformer
from model.runs.film import film
from model.tasks import TASKS, split
from model.text.batches import Dataset
from model.text.tokenizer import Tokenizer
from model.training.presets import PRESETS
from model.training.trainer import Trainer, seed_everything

STEPS = 300


def test_reverse_is_learned_and_a_head_is_the_anti_diagonal() -> None:
    torch.set_num_threads(1)
    task = TASKS["reverse"]
    train, valid = split(task, task.pairs, 200, seed=0)
    model_config, config = PRESETS[task.preset]
    tokenizer = Tokenizer.train((text for pair in train for text in (pair.src, pair.tgt)), 300)
    seed_everything(config.seed)
    model = Transformer(replace(model_config, vocab_size=tokenizer.vocab_size))
    trainer = Trainer(model, Dataset(train, tokenizer), replace(config, steps=STEPS))
    losses = [report.loss for report in trainer.train_steps()]
    model.eval()
    assert losses[-1] < 1 < 4 < losses[0]

    outputs = list(translate_lines(model, tokenizer, [pair.src for pair in valid], beam=1))
    assert sum(o == pair.tgt for o, pair in zip(outputs, valid, strict=True)) > 0.95 * len(valid)

    assert task.align is not None
    frame = film(model, tokenizer, task.probe, STEPS)
    assert frame.output == task.probe.tgt
    n = len(task.probe.src.split())
    score = frame.score(task.align(task.probe))
    assert score.weight > 0.9
    weights = frame.capture.weights("cross", score.layer, score.head)  # (T, S) with <eos>
    assert weights[:n, :n].argmax(axis=1).tolist() == list(reversed(range(n)))
