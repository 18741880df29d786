"""How well a model does on pairs that were held out of its training."""

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
    scores = evaluate(model, tokenizer, pairs, beam=1)
    loss = validation_loss(model, examples, config.batch_tokens, config.causal)
    return Validation(loss, scores.bleu, scores.chrf, scores.exact)
