"""How a translator takes what is typed otherwise: `python -m benchmarks.variants es-en`.

The 300 everyday sentences in ten variants; chrF in lower case against the reference, which has the
marks that the variant adds. Each is read, parted and translated as on the page.
"""

import argparse
from collections.abc import Callable
from pathlib import Path

import torch
from sacrebleu.metrics import CHRF

from model import checkpoint
from model.decoding.search import translate_lines
from model.text.batches import without_accents, without_final_mark

EVERYDAY = Path(__file__).parents[1] / "pretrained" / "everyday"
Variant = tuple[Callable[[str], str], Callable[[str], str]]  # of a sentence, of its reference


def same(text: str) -> str:
    return text


def open_end(text: str, end: str) -> str:
    return text.rstrip(".") + end


VARIANTS: dict[str, Variant] = {
    "plain": (same, same),
    "ALL CAPS": (str.upper, same),
    "lower case": (str.lower, same),
    "no accents": (without_accents, same),
    "no final mark": (without_final_mark, same),
    "Title Case": (lambda text: " ".join(w[:1].upper() + w[1:] for w in text.split()), same),
    "ends in …": (lambda text: open_end(text, "…"), lambda text: open_end(text, "...")),
    "“ ” around": (lambda text: f"“{text}”", lambda text: f'"{text}"'),
    "— before": (lambda text: f"— {text}", lambda text: f"- {text}"),
    "an emoji after": (lambda text: f"{text} 😀", same),
}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("model", help="a model folder, or a name in pretrained/")
    parser.add_argument("--languages", help="of source and target, as in es-en; else the name's")
    arguments = parser.parse_args()
    torch.set_num_threads(1)
    src, tgt = (arguments.languages or arguments.model)[:5].split("-")
    other = src if src != "en" else tgt
    lines = (EVERYDAY / f"{other}-en.tsv").read_text(encoding="utf-8").splitlines()
    pairs = [line.split("\t")[:2] for line in lines]
    pairs = [pair[::-1] if src == "en" else pair for pair in pairs]
    loaded = checkpoint.load(checkpoint.resolve(arguments.model))
    loaded.tokenizer.language = src
    for name, (typed, expected) in VARIANTS.items():
        sources = [typed(source) for source, _ in pairs]
        written = [
            line.lower() for line in translate_lines(loaded.model, loaded.tokenizer, sources)
        ]
        references = [expected(reference).lower() for _, reference in pairs]
        print(f"{name:16} {CHRF().corpus_score(written, [references]).score:5.1f}", flush=True)


if __name__ == "__main__":
    main()
