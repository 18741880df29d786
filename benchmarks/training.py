"""How fast training is, against a plain PyTorch loop: `python -m benchmarks.training`.

d_model 256, 3+3 layers, 8 heads, d_ff 1024, vocabulary 8000, two threads, over random sentence
pairs as long as those of Tatoeba (half have 8 pieces or fewer, one in a hundred 20 or more).
Source and target tokens per second, padding not counted. Each system runs in a process of its
own; they take turns, and the median of all rounds counts.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import random
import statistics
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from pathlib import Path

# The required ratios to the plain loop.
GOALS = {"plain": 1.0, "ours": 3.0, "ours_bf16": 4.0}
VOCAB, PAIRS = 8000, 50_000
ROOT = Path(__file__).parents[1]


def sentence_lengths(n: int) -> list[tuple[int, int]]:
    """Return lengths of sources and targets in pieces, as in everyday sentences."""
    rng = random.Random(0)
    lengths = []
    for _ in range(n):
        spread = 0.8 if rng.random() < 0.02 else 0.36  # a few long ones
        source = rng.lognormvariate(math.log(8), spread)
        target = source * rng.lognormvariate(0, 0.21)
        lengths.append((max(2, min(90, round(source))), max(2, min(90, round(target)))))
    return lengths


def sentence_pairs() -> list[tuple[list[int], list[int]]]:
    """Return random pieces at those lengths."""
    rng = random.Random(1)
    return [
        (rng.choices(range(3, VOCAB), k=source), rng.choices(range(3, VOCAB), k=target))
        for source, target in sentence_lengths(PAIRS)
    ]


class Numbers:
    """A tokenizer for texts that consist of piece ids."""

    vocab_size = VOCAB

    def encode_batch(self, texts: Sequence[str]) -> list[list[int]]:
        return [[int(word) for word in text.split()] for text in texts]


def ours(bf16: bool = False) -> Iterator[int]:
    """Train with this project's own trainer; yield the tokens of each step."""
    from model.config import TrainConfig
    from model.nn.transformer import Transformer
    from model.text.batches import Dataset
    from model.text.pairs import Pair
    from model.training.presets import PRESETS
    from model.training.processor import prepare_processor
    from model.training.trainer import Trainer, seed_everything

    prepare_processor()
    seed_everything(0)
    model_config, config = PRESETS["small"]
    changes = {"bf16": bf16, "steps": 10**6, "batch_tokens": 5000, "optimizer": "adam"}
    config = TrainConfig(**config.to_dict() | changes | {"learning_rate": 1e-3})
    pairs = [Pair(*(" ".join(map(str, ids)) for ids in pair)) for pair in sentence_pairs()]
    dataset = Dataset(pairs, Numbers())  # type: ignore[arg-type]
    for report in Trainer(Transformer(model_config), dataset, config).train_steps():
        yield report.tokens


def ours_bf16() -> Iterator[int]:
    """Train the same with products in bfloat16."""
    return ours(bf16=True)


def plain() -> Iterator[int]:
    """Train `nn.Transformer` as tutorials do: shuffled batches of 64, padded, defaults, Adam."""
    import torch
    from torch import nn

    from benchmarks.training_peer import PlainTransformer, pad_batch

    torch.manual_seed(0)
    model, pairs, rng = PlainTransformer(VOCAB), sentence_pairs(), random.Random(0)
    adam = torch.optim.Adam(model.parameters(), lr=1e-3, betas=(0.9, 0.98), eps=1e-9)
    loss_of = nn.CrossEntropyLoss(ignore_index=0, label_smoothing=0.1)
    while True:
        rng.shuffle(pairs)
        for start in range(0, len(pairs) - 64, 64):
            batch = pairs[start : start + 64]
            src, tgt_in, tgt_out = pad_batch(batch)
            adam.zero_grad()
            logits = model(src, tgt_in)
            loss_of(logits.flatten(0, 1), tgt_out.flatten()).backward()
            nn.utils.clip_grad_norm_(model.parameters(), 1.0)
            adam.step()
            yield sum(len(source) + len(target) + 2 for source, target in batch)


SYSTEMS: dict[str, Callable[[], Iterator[int]]] = {
    "plain": plain,
    "ours": ours,
    "ours_bf16": ours_bf16,
}


def measure(system: str, seconds: float) -> float:
    """Return the tokens per second of one system, in this process."""
    import torch

    torch.set_num_threads(2)
    steps = SYSTEMS[system]()
    until = time.perf_counter() + seconds / 4
    while time.perf_counter() < until:
        next(steps)
    start, tokens = time.perf_counter(), 0
    while time.perf_counter() < start + seconds:
        tokens += next(steps)
    return tokens / (time.perf_counter() - start)


def measure_apart(system: str, seconds: float) -> float:
    """Measure the same in a separate process."""
    command = [sys.executable, "-m", "benchmarks.training", "--system", system]
    done = subprocess.run(
        [*command, "--seconds", str(seconds)],
        cwd=ROOT,
        env=os.environ | {"OMP_NUM_THREADS": "2"},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return float(json.loads(done.stdout.splitlines()[-1]))


def table(results: dict[str, float]) -> str:
    """Return a Markdown table of tokens per second and the ratio to the plain loop."""
    lines = ["| training | tokens/s | against plain | goal |", "|---|---|---|---|"]
    for system, rate in results.items():
        ratio = rate / results["plain"]
        lines.append(f"| {system} | {rate:,.0f} | {ratio:.2f} | {GOALS[system]:.1f} |")
    return "\n".join(lines)


def main() -> None:
    """Measure every system, or with --system one of them in this process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", choices=SYSTEMS, help="measure this one, here, print JSON")
    parser.add_argument(
        "--seconds", type=float, default=12, help="timed seconds a system and round"
    )
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if options.system:
        print(json.dumps(measure(options.system, options.seconds)))
        return
    rounds = [
        {system: measure_apart(system, options.seconds) for system in SYSTEMS}
        for _ in range(options.rounds)
    ]
    print(table({name: statistics.median(one[name] for one in rounds) for name in SYSTEMS}))


if __name__ == "__main__":
    main()
