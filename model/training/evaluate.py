"""Scores of a model on sentence pairs: BLEU and chrF, as papers report them, and its loss."""

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import torch
from sacrebleu.metrics import BLEU, CHRF

from model.config import TrainConfig
from model.decoding.search import translate_lines
from model.nn.translator import Translator
from model.text.batches import Example, collate
from model.text.pairs import Pair
from model.text.tokenizer import Tokenizer
from model.training.loss import batch_loss

# Sentences are grouped by the number of words in their source; each group begins at one of these
# numbers. In a test set of everyday sentences most have 3 to 8 words, and the last group is the
# smallest.
FIRST_WORDS: Final = (1, 5, 9, 13)


@dataclass(frozen=True)
class Scores:
    """Percentages over `n` pairs; `exact` counts translations equal to the reference."""

    bleu: float
    chrf: float
    exact: float
    n: int
    signatures: dict[str, str]


@dataclass(frozen=True)
class LengthScore:
    """Percentages over the `n` pairs whose source length is in the range `words`, ends included."""

    words: tuple[int, int]
    n: int
    bleu: float
    chrf: float


def score(translations: Sequence[str], references: Sequence[str]) -> Scores:
    """Score translations against one reference each, with sacrebleu's defaults.

    Raises ValueError if there are none.
    """
    if not references:
        raise ValueError("There are no sentence pairs to score on.")
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


def score_by_length(translations: Sequence[str], pairs: Sequence[Pair]) -> tuple[LengthScore, ...]:
    """Score the translations of pairs in groups by length, short sources first.

    The last group ends with the longest source; a group without pairs is left out.
    """
    lengths = [len(pair.src.split()) for pair in pairs]
    last_words = (*(first - 1 for first in FIRST_WORDS[1:]), max(lengths))
    scores = []
    for first, last in zip(FIRST_WORDS, last_words, strict=True):
        of = [i for i, n in enumerate(lengths) if first <= n <= last]
        if of:
            both = score([translations[i] for i in of], [pairs[i].tgt for i in of])
            scores.append(LengthScore((first, last), len(of), both.bleu, both.chrf))
    return tuple(scores)


@dataclass(frozen=True)
class Validation:
    """Scores of greedy decoding on held-out pairs: loss in nats per token, others in percent."""

    loss: float
    bleu: float
    chrf: float
    exact: float

    @property
    def rank(self) -> tuple[float, ...]:
        """The sort key that says which is better; BLEU is 0 if no sentence has four tokens."""
        return self.bleu, self.exact, self.chrf, -self.loss

    @property
    def is_finite(self) -> bool:
        """Whether it can be compared with another: nothing is better or worse than NaN."""
        return all(map(math.isfinite, self.rank))


def validate(
    model: Translator,
    tokenizer: Tokenizer,
    pairs: Sequence[Pair],
    examples: list[Example],
    config: TrainConfig,
) -> Validation:
    """Score a model on pairs, given both as text and as encoded examples."""
    translations = list(translate_lines(model, tokenizer, (pair.src for pair in pairs), beam=1))
    scores = score(translations, [pair.tgt for pair in pairs])
    loss = validation_loss(model, examples, config.batch_tokens, config.causal)
    return Validation(loss, scores.bleu, scores.chrf, scores.exact)


def validation_loss(
    model: Translator, examples: list[Example], batch_tokens: int, causal: bool = True
) -> float:
    """Return the mean loss in nats per target token, without smoothing, dropout or variation."""
    model.eval()
    device = next(model.parameters()).device
    total, n_targets = 0.0, 0
    examples = sorted(examples, key=lambda pair: len(pair[0]) + len(pair[1]))
    size = max(1, batch_tokens // 50)
    with torch.inference_mode():
        for start in range(0, len(examples), size):
            batch = collate(examples[start : start + size])
            loss, _, n = batch_loss(model, batch.to(device), smoothing=0.0, causal=causal)
            total, n_targets = total + float(loss), n_targets + n
    return total / n_targets
