"""Scores of a model on sentence pairs: BLEU and chrF, the way papers report them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from sacrebleu.metrics import BLEU, CHRF

from model.beam import LENGTH_PENALTY
from model.data import Pair
from model.decoding import translate_lines
from model.tokenizer import Tokenizer
from model.transformer import Transformer


@dataclass(frozen=True)
class Scores:
    """Percentages over `n` pairs; `exact` counts translations equal to the reference."""

    bleu: float
    chrf: float
    exact: float
    n: int
    signatures: dict[str, str]


def evaluate(
    model: Transformer,
    tokenizer: Tokenizer,
    pairs: Sequence[Pair],
    beam: int = 4,
    batch_size: int = 64,
    length_penalty: float = LENGTH_PENALTY,
) -> Scores:
    """Translate the sources and score them with sacrebleu's defaults; ValueError without pairs."""
    if not pairs:
        raise ValueError("There are no sentence pairs to score on.")
    sources = (pair.src for pair in pairs)
    translations = translate_lines(model, tokenizer, sources, beam, batch_size, length_penalty)
    return score(list(translations), [pair.tgt for pair in pairs])


def score(translations: Sequence[str], references: Sequence[str]) -> Scores:
    """Score translations, one reference each."""
    bleu, chrf = BLEU(), CHRF()
    same = sum(map(str.__eq__, translations, references))
    # The signatures are known only once the metrics have seen references.
    bleu_score = bleu.corpus_score(translations, [references]).score
    chrf_score = chrf.corpus_score(translations, [references]).score
    return Scores(
        bleu=bleu_score,
        chrf=chrf_score,
        exact=100 * same / len(references),
        n=len(references),
        signatures={"bleu": str(bleu.get_signature()), "chrf": str(chrf.get_signature())},
    )
