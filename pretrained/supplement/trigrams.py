"""Write what tells Spanish, French and English apart: `model/text/trigrams.json`.

    python pretrained/supplement/trigrams.py

For each of the commonest runs of three characters within the words of our own triples, with and
without accents, ten times the log of how much likelier each language is than all three on average.
"""

import json
import math
import sys
from collections import Counter
from pathlib import Path

import figures

ROOT = Path(__file__).parents[2]
sys.path.insert(0, str(ROOT))
from model.text.batches import without_accents  # noqa: E402
from model.text.language import LANGUAGES, TABLE, trigrams  # noqa: E402

KEPT = 3000
FILES = ("everyday.tsv", "more.tsv", "further.tsv")


def table() -> dict[str, list[int]]:
    counts = {language: Counter[str]() for language in LANGUAGES}
    for line in (line for file in FILES for line in figures.read(file).splitlines()):
        for counter, text in zip(counts.values(), line.split("\t"), strict=True):
            counter.update(trigrams(text))
            if (bare := without_accents(text)) != text:
                counter.update(trigrams(bare))
    totals = [counter.total() for counter in counts.values()]
    shares = Counter[str]()
    for counter, total in zip(counts.values(), totals, strict=True):
        shares.update({gram: count / total for gram, count in counter.items()})  # type: ignore[arg-type]
    found = {}
    for gram, _share in shares.most_common(KEPT):
        pairs = zip(counts.values(), totals, strict=True)
        logs = [math.log((counter[gram] + 0.5) / total) for counter, total in pairs]
        mean = sum(logs) / len(logs)
        found[gram] = [round(10 * (log - mean)) for log in logs]
    return found


if __name__ == "__main__":
    text = json.dumps(table(), ensure_ascii=False, separators=(",", ":"))
    TABLE.write_text(text + "\n", encoding="utf-8")
