"""How long a translation takes, against other systems: `python -m benchmarks.decoding`.

d_model 256, 3+3 layers, 8 heads, d_ff 1024, vocabulary 8000, random weights, 20 tokens in and
exactly 20 out. Each system runs with one thread and with two, and the better of both counts: a
second thread makes some of them several times slower. Each runs in a process of its own, because
two thread pools in one process slow each other up to ten times. They take turns, and the median
of all rounds counts, so that a busy moment of the machine meets them all.
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
# The peers that we are compared with.
PEERS = ("marian", "ctranslate2_int8")
# How many times as long as the engine with int8 we may take.
GOALS = (1.5, 1.8, 1.9, 1.6)
SYSTEMS = ("ours", "marian", "ctranslate2_float32", "ctranslate2_int8")
ENGINES, BULK_GOAL = ("ctranslate2_float32", "ctranslate2_int8"), 4
THREADS = (1, 2)
ROOT = Path(__file__).parents[1]


def measure(system: str, threads: int, repeats: int) -> list[float]:
    """Return the median milliseconds per sentence of each case, in this process."""
    import torch

    from benchmarks import decoding_peers

    torch.set_num_threads(threads)
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


def measure_apart(system: str, threads: int, repeats: int) -> list[float]:
    """Measure the same in a separate process."""
    command = [sys.executable, "-m", "benchmarks.decoding", "--system", system]
    done = subprocess.run(
        [*command, "--threads", str(threads), "--repeats", str(repeats)],
        cwd=ROOT,
        env=os.environ | {"OMP_NUM_THREADS": str(threads), "HF_HUB_OFFLINE": "1"},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def table(results: dict[str, list[tuple[float, int]]]) -> str:
    """Return a Markdown table of (milliseconds per sentence, threads), and of the ratios."""
    head = f"| ms a sentence @ threads (times as fast as {', as '.join(PEERS)}) |"
    lines = [head + "".join(f" {name} |" for name, _, _ in CASES), "|---|" + "---|" * len(CASES)]
    for system, row in results.items():
        line = f"| {system} |"
        for case, (ms, threads) in enumerate(row):
            ratios = ", ".join(f"{results[peer][case][0] / ms:.2f}" for peer in PEERS)
            line += f" {ms:.1f} @ {threads} ({ratios}) |"
        lines.append(line)
    peer = results[PEERS[-1]]
    line = f"| ours ÷ {PEERS[-1]} |"
    for ours, other, goal in zip(results["ours"], peer, GOALS, strict=True):
        line += f" {ours[0] / other[0]:.2f} (at most {goal}) |"
    lines.append(line)
    return "\n".join(lines)


def gains(results: dict[str, list[tuple[float, int]]]) -> str:
    """Return what exporting a model gains: CTranslate2 against our loop, one sentence at a time.

    In bulk, many sentences are translated at once, and the time per sentence counts.
    """
    lines = []
    for system in ENGINES:
        for name, alone, bulk in (("greedy", 0, 1), ("beam 5", 2, 3)):
            ours = results["ours"][alone][0]
            one, many = (results[system][case][0] for case in (alone, bulk))
            lines.append(
                f"{system}, {name}: in bulk {1000 / many:.0f} sentences/s against our "
                f"{1000 / ours:.0f} one at a time, {ours / many:.1f} times as fast (goal "
                f"{BULK_GOAL}); one at a time {1000 / one:.0f}, {ours / one:.1f} times"
            )
    return "\n".join(lines)


def main() -> None:
    """Measure every system, or with --system one of them in this process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", choices=SYSTEMS, help="measure this one, here, print JSON")
    parser.add_argument("--threads", type=int, choices=THREADS, default=1, help="of --system")
    parser.add_argument("--repeats", type=int, default=15, help="timed calls a case and round")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if options.system:
        print(json.dumps(measure(options.system, options.threads, options.repeats)))
        return
    rounds = [
        {
            (system, threads): measure_apart(system, threads, options.repeats)
            for system in SYSTEMS
            for threads in THREADS
        }
        for _ in range(options.rounds)
    ]
    results = {
        system: [
            min(
                (statistics.median(one[system, threads][case] for one in rounds), threads)
                for threads in THREADS
            )
            for case in range(len(CASES))
        ]
        for system in SYSTEMS
    }
    print(f"{table(results)}\n\n{gains(results)}")


if __name__ == "__main__":
    main()
