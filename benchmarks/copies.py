"""How often a translator copies what it never saw: `python -m benchmarks.copies es-en`.

Of 200 generated sentences that were not trained on, 150 with numbers, dates, times, telephone
numbers, lists and places, and 50 with invented names: a sentence counts where all of them stand in
its translation to the letter. A model from English is given the English of such sentences, where
both languages write alike what is copied.
"""

import argparse
import sys
from itertools import islice
from pathlib import Path

from model import checkpoint
from model.decoding.search import translate_lines

sys.path.insert(0, str(Path(__file__).parents[1] / "pretrained" / "supplement"))
import figures
import names

FIGURES, NAMES = 150, 50


def held_out(src: str, tgt: str) -> list[figures.Sentence]:
    """Draw the sentences that a model from one language to another is given."""
    if src != "en":
        return figures.held_out(src, FIGURES) + names.held_out(src, NAMES)
    trained_on = {sentence.tgt for sentence in figures.training(tgt)}
    alike = (
        sentence
        for sentence in figures.held_out(tgt, 10 * FIGURES)
        if sentence.tgt not in trained_on and all(text in sentence.src for text in sentence.copied)
    )
    drawn = [*islice(alike, FIGURES), *names.held_out(tgt, NAMES)]
    return [sentence._replace(src=sentence.tgt, tgt=sentence.src) for sentence in drawn]


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", help="a model folder, or a name in pretrained/")
    parser.add_argument("--languages", help="of source and target, as in es-en; else the name's")
    arguments = parser.parse_args()
    src, tgt = (arguments.languages or arguments.model)[:5].split("-")
    sentences = held_out(src, tgt)
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
