"""What a model is worth on pairs that were held out of its training."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from model.config import TrainConfig
from model.nn.translator import Translator
from model.text.batches import Example
from model.text.pairs import Pair
from model.text.tokenizer import Tokenizer
from model.training.evaluate import evaluate
from model.training.trainer import validation_loss


@dataclass(frozen=True)
class Validation:
    """Scores on held-out pairs, greedy: loss in nats a token, the others in percent."""

    loss: float
    bleu: float
    chrf: float
    exact: float

    @property
    def rank(self) -> tuple[float, ...]:
        """What makes one better than another; BLEU is 0 where no sentence has four tokens."""
        return self.bleu, self.exact, self.chrf, -self.loss

    @property
    def is_finite(self) -> bool:
        """Return whether it can be compared with another: nothing is better or worse than NaN."""
        return all(map(math.isfinite, self.rank))


def validate(
    model: Translator,
    tokenizer: Tokenizer,
    pairs: Sequence[Pair],
    examples: list[Example],
    config: TrainConfig,
) -> Validation:
    """Score a model on pairs, and on the same as tokens."""
    scores = evaluate(model, tokenizer, pairs, beam=1)
    loss = validation_loss(model, examples, config.batch_tokens, config.causal)
    return Validation(loss, scores.bleu, scores.chrf, scores.exact)
