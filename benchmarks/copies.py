"""How often a translator copies what it never saw: `python -m benchmarks.copies es-en`.

Of 200 generated sentences that were not trained on, 150 with numbers, dates, times, telephone
numbers, lists and places, and 50 with invented names: a sentence counts where all of them stand in
its translation to the letter.
"""

import argparse
import sys
from pathlib import Path

from model import checkpoint
from model.decoding.search import translate_lines

sys.path.insert(0, str(Path(__file__).parents[1] / "pretrained" / "supplement"))
import figures
import names

FIGURES, NAMES = 150, 50


def held_out(language: str) -> list[figures.Sentence]:
    """Draw the sentences of a language."""
    return figures.held_out(language, FIGURES) + names.held_out(language, NAMES)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", help="a model folder, or a name in pretrained/")
    parser.add_argument("--language", choices=tuple(figures.COLUMNS), help="of the source")
    arguments = parser.parse_args()
    sentences = held_out(arguments.language or arguments.model[:2])
    loaded = checkpoint.load(checkpoint.resolve(arguments.model))
    sources = [sentence.src for sentence in sentences]
    right = 0
    for sentence, line in zip(
        sentences, translate_lines(loaded.model, loaded.tokenizer, sources), strict=True
    ):
        if all(text.lower() in line.lower() for text in sentence.copied):
            right += 1
        else:
            print(f"{sentence.src}\n    {line}\n    {sentence.tgt}")
    print(f"{right} of {len(sentences)} copied right ({100 * right / len(sentences):.1f} %)")


if __name__ == "__main__":
    main()
