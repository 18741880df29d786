"""How long the page decodes, beside CTranslate2: `python -m benchmarks.shipped`.

The shipped es-en and everyday sentences, one at a time, on one thread. The page's way keeps every
step with its candidates; CTranslate2 says the words alone. Each system runs in a process of its
own, in turns, and the processor's time counts, at the best of all rounds.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable
from pathlib import Path
from typing import Final

ROOT: Final = Path(__file__).parents[1]
MODEL: Final = "es-en"
SYSTEMS: Final = ("page", "page_plain", "packed", "ctranslate2_float32", "ctranslate2_int8")
BEAMS: Final = (1, 4)
N_SENTENCES: Final = 20
Translate = Callable[[list[int], int], object]


def page() -> Translate:
    """The page's own decoding, with all that it shows of it."""
    from app.data.decoding import Decoding, decode
    from model import checkpoint

    loaded = checkpoint.load(MODEL)
    ways = {1: Decoding("greedy"), 4: Decoding("beam", 4)}
    return lambda source, beam: decode(loaded, source, ways[beam])


def page_plain() -> Translate:
    """The same with the plain model, as where something is changed."""
    from model.checkpoint import Checkpoint

    Checkpoint.packed = property(lambda loaded: loaded.model)  # type: ignore[assignment,method-assign]
    return page()


def packed() -> Translate:
    """The command line's decoding, which keeps no steps."""
    from model import checkpoint
    from model.decoding.search import translate_ids

    fast = checkpoint.load(MODEL).packed
    return lambda source, beam: translate_ids(fast, [source], beam)


def _ctranslate2(weights: str) -> Translate:
    import ctranslate2

    from model import checkpoint
    from model.export import export

    loaded = checkpoint.load(MODEL)
    pieces = loaded.tokenizer.pieces
    with tempfile.TemporaryDirectory() as work:
        export(loaded, Path(work) / "model")
        engine = ctranslate2.Translator(
            str(Path(work) / "model"), compute_type=weights, inter_threads=1, intra_threads=1
        )

    def translate(source: list[int], beam: int) -> object:
        words = [pieces[i] for i in source[:-1]]  # it adds <eos> itself
        return engine.translate_batch([words], beam_size=beam)

    return translate


def ctranslate2_float32() -> Translate:
    """CTranslate2 with the same model."""
    return _ctranslate2("float32")


def ctranslate2_int8() -> Translate:
    """CTranslate2 with weights rounded to 8 bits."""
    return _ctranslate2("int8")


def measure(system: str) -> list[float]:
    """Return the milliseconds a sentence of each beam, in this process."""
    import torch

    from model import checkpoint
    from tests.app.data.test_decoding import sentences

    torch.set_num_threads(1)
    tokenizer = checkpoint.load(MODEL).tokenizer
    eos_id = checkpoint.load(MODEL).config.eos_id
    sources = [[*tokenizer.encode(text), eos_id] for text in sentences("es", N_SENTENCES)]
    translate = globals()[system]()
    found = []
    for beam in BEAMS:
        times = []
        for _ in range(4):
            start = time.process_time()
            for source in sources:
                translate(source, beam)
            times.append((time.process_time() - start) * 1000 / len(sources))
        found.append(min(times))
    return found


def measure_apart(system: str) -> list[float]:
    """Measure the same in a separate process."""
    done = subprocess.run(
        [sys.executable, "-m", "benchmarks.shipped", "--system", system],
        cwd=ROOT,
        env=os.environ | {"OMP_NUM_THREADS": "1"},
        stdout=subprocess.PIPE,
        check=True,
        text=True,
    )
    return json.loads(done.stdout.splitlines()[-1])


def main() -> None:
    """Measure every system, or with --system one of them in this process."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--system", choices=SYSTEMS, help="measure this one, here, print JSON")
    parser.add_argument("--rounds", type=int, default=3)
    options = parser.parse_args()
    if options.system:
        print(json.dumps(measure(options.system)))
        return
    rounds = [{system: measure_apart(system) for system in SYSTEMS} for _ in range(options.rounds)]
    best = {
        system: [min(one[system][case] for one in rounds) for case in range(len(BEAMS))]
        for system in SYSTEMS
    }
    print("| ms a sentence (÷ CTranslate2 int8) | greedy | beam 4 |\n|---|---|---|")
    for system, row in best.items():
        cells = (
            f"{ms:.1f} ({ms / peer:.2f})"
            for ms, peer in zip(row, best["ctranslate2_int8"], strict=True)
        )
        print(f"| {system} | {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
