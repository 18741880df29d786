"""Long sentences in every chapter: `python -m benchmarks.sentences [SENTENCES]`.

All that the server computes from them is shared and cached while there is room: its memory may grow
by the cache's size, and by what a page needs during its computation.
"""

import sys
import tempfile
from pathlib import Path
from urllib.parse import urlencode

from app.data.cache import MOST_BYTES
from app.registry import WALK, of_section
from tests.app.visitor import load_of, visit
from tests.browser.conftest import serve

WORDS = "la casa que vimos ayer tiene un jardín muy grande y el perro del vecino no duerme"
TOKENS = 250  # more than a model reads; the rest is cut off
MOST_GROWTH = 2 * MOST_BYTES


def sentence(number: int) -> str:
    """Return a long sentence, a different one for each number."""
    words = WORDS.split()
    return " ".join(words[(i * (number + 1) + i // 7) % len(words)] for i in range(TOKENS))


def measure(address: str, sentences: int) -> tuple[int, list[int]]:
    """Return the server's memory in bytes, before and after each sentence was in all chapters."""
    memory = []
    for text in ("hola", *map(sentence, range(sentences))):
        with visit(address) as visitor:
            for view in of_section(WALK):
                visitor.look(view.slug, urlencode({"text": text}))
        memory.append(load_of(address).memory)
    return memory[0], memory[1:]


def main() -> None:
    """Print how much the memory has grown; raises SystemExit if it is too much."""
    sentences = int(sys.argv[1]) if sys.argv[1:] else 13
    with tempfile.TemporaryDirectory() as work, serve(Path(work)) as address:
        before, after = measure(address, sentences)
    print(f"{sentences} long sentences on all chapters: {before / 2**20:.0f} MB before, then")
    print(" ".join(f"{memory / 2**20:.0f}" for memory in after), "MB")
    if max(after) - before > MOST_GROWTH:
        raise SystemExit("The server keeps too much.")


if __name__ == "__main__":
    main()
