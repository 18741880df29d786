"""How long a translation takes, against other systems: `python -m tests.benchmarks.decoding`.

d_model 256, 3+3 layers, 8 heads, d_ff 1024, vocabulary 8000, random weights, two threads, 20
tokens in and exactly 20 out. Each system runs in a process of its own, because two thread pools
in one process slow each other up to ten times. The systems take turns, and the median of all
rounds counts, so that a busy moment of the machine meets them all.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import time
from pathlib import Path

CASES = (("greedy, 1", 1, 1), ("greedy, 32", 1, 32), ("beam 5, 1", 5, 1), ("beam 5, 32", 5, 32))
# The peer each ratio is taken against, and the ratios that must hold.
BASE, GOALS = "marian", (2.5, 1.8, 2.0, 1.8)
SYSTEMS = ("ours", "ours_bf16", "marian", "ctranslate2_float32", "ctranslate2_int8")
ROOT = Path(__file__).parents[2]


def measure(system: str, repeats: int) -> list[float]:
    """Return the median milliseconds a sentence of each case, in this process."""
    import torch

    from tests.benchmarks import decoding_peers

    torch.set_num_threads(2)
    torch.manual_seed(0)
    translate = getattr(decoding_peers, system)()
    medians = []
    for _, beam, batch in CASES:
        sources = decoding_peers.random_sources(batch)
        times = []
        for _ in range(3 + repeats):
            start = time.perf_counter()
            outputs = translate(sources, beam)
            times.append((time.perf_counter() - start) * 1000 / batch)
            assert all(len(output) == decoding_peers.TOKENS for output in outputs)
        medians.append(statistics.median(times[3:]))
    return medians


def measure_apart(system: str, repeats: int) -> list[float]:
    """The same in a process of its own."""
    command = [sys.executable, "-m", "tests.benchmarks.decoding", "--system", system]
    done = subprocess.run(
        [*command, "--repeats", str(repeats)],
        cwd=ROOT,
        env=os.environ | {"OMP_NUM_THREADS": "2", "HF_HUB_OFFLINE": "1"},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def table(results: dict[str, list[float]]) -> str:
    """Return a Markdown table: milliseconds a sentence, and how many times faster than Marian."""
    head = "| ms a sentence (times as fast as Marian) |"
    lines = [head + "".join(f" {name} |" for name, _, _ in CASES), "|---|" + "---|" * len(CASES)]
    for system, row in results.items():
        cells = (f" {ms:.1f} ({base / ms:.2f}) |"
                 for ms, base in zip(row, results[BASE], strict=True))  # fmt: skip
        lines.append(f"| {system} |" + "".join(cells))
    lines.append("| goal |" + "".join(f" ({goal}) |" for goal in GOALS))
    return "\n".join(lines)


def main() -> None:
    """Measure every system, or with --system one of them in this process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", choices=SYSTEMS, help="measure this one, here, print JSON")
    parser.add_argument("--repeats", type=int, default=15, help="timed calls a case and round")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if options.system:
        print(json.dumps(measure(options.system, options.repeats)))
        return
    rounds = [
        {system: measure_apart(system, options.repeats) for system in SYSTEMS}
        for _ in range(options.rounds)
    ]
    results = {}
    for system in SYSTEMS:
        by_case = zip(*(one[system] for one in rounds), strict=True)
        results[system] = [statistics.median(times) for times in by_case]
    print(table(results))


if __name__ == "__main__":
    main()
