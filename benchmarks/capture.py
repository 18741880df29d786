"""What a full capture costs on top of a forward pass: `python -m benchmarks.capture`.

d_model 256, 3+3 layers, 8 heads, d_ff 1024, vocabulary 8000, two threads, 20 tokens per side. Both
take turns in one process, as they run the same lines.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable

GOAL = 1.3
VOCAB, TOKENS, ROUNDS = 8000, 20, 300


def milliseconds(call: Callable[[], object]) -> float:
    """Return how long one call takes."""
    start = time.perf_counter()
    call()
    return (time.perf_counter() - start) * 1000


def measure() -> tuple[float, float, float]:
    """Return the median milliseconds of a forward pass and of a capture, and its size in MB."""
    import torch

    from model.interpret.recording import capture
    from model.nn.transformer import Transformer
    from model.text.byte_level import BOS, EOS
    from model.text.tokenizer import Tokenizer
    from model.training.presets import PRESETS

    torch.set_num_threads(2)
    torch.manual_seed(0)
    model = Transformer(PRESETS["small"][0]).eval()
    words = ("".join(random.Random(i).choices("abcdefghij", k=6)) for i in range(3000))
    tokenizer = Tokenizer.train(words, 8000)
    ids = random.Random(0).choices(range(3, tokenizer.vocab_size), k=TOKENS - 1)
    src_ids, tgt_ids = [*ids, EOS], [BOS, *ids]
    src, tgt = torch.tensor([src_ids]), torch.tensor([tgt_ids])

    @torch.inference_mode()
    def forward() -> torch.Tensor:
        return model(src, tgt)

    plain, full = [], []
    for i in range(20 + ROUNDS):
        times = (
            milliseconds(forward),
            milliseconds(lambda: capture(model, tokenizer, src_ids, tgt_ids)),
        )
        if i >= 20:
            plain.append(times[0])
            full.append(times[1])
    arrays = capture(model, tokenizer, src_ids, tgt_ids).arrays
    size = sum(array.nbytes for array in arrays.values()) / 1e6
    return statistics.median(plain), statistics.median(full), size


def main() -> None:
    """Print both times and their ratio."""
    plain, full, size = measure()
    print("| one pass, 20 + 20 tokens | ms | against plain | goal |\n|---|---|---|---|")
    print(f"| forward | {plain:.2f} | 1.00 | |")
    print(f"| capture ({size:.1f} MB) | {full:.2f} | {full / plain:.2f} | {GOAL} |")


if __name__ == "__main__":
    main()
