"""Word vectors learned from neighbouring words: skip-gram and CBOW with negative sampling.

Mikolov et al. 2013 (arXiv:1301.3781 and arXiv:1310.4546). Skip-gram guesses a neighbour from the
word in the middle, CBOW the word in the middle from the mean of its neighbours.

V words, D numbers each, N inputs of one update, K negatives.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np

Kind = Literal["skipgram", "cbow"]
Text = Sequence[Sequence[str]]
Example = tuple[list[int], int]  # the given words, and the word to guess
# Rare words are drawn as negatives more often than they occur (arXiv:1310.4546, section 2.2).
FLATTENED = 0.75
LOWEST_RATE = 0.01  # the share of the learning rate that is left at the end


@dataclass(frozen=True)
class WordVectorsConfig:
    """How word vectors are trained."""

    kind: Kind = "skipgram"
    seed: int = 0
    size: int = 32
    window: int = 3
    negatives: int = 5
    passes: int = 2
    learning_rate: float = 0.15
    report_every: int = 100  # sentences


@dataclass(frozen=True, eq=False, slots=True)
class Update:
    """One update: the inputs, the words to guess, and the numbers before the update.

    `outputs` are the word to guess and then the negatives; `hidden` (D,) is the mean of the
    inputs' vectors `input_rows` (N, D), `rows` (1 + K, D) are the output vectors, `scores` (1 + K,)
    their dot products with `hidden`, `errors` the targets, 1 or 0, minus `sigmoids`.
    """

    inputs: Sequence[int]
    outputs: Sequence[int]
    input_rows: np.ndarray
    hidden: np.ndarray
    rows: np.ndarray
    scores: np.ndarray
    sigmoids: np.ndarray
    errors: np.ndarray
    rate: float

    @property
    def loss(self) -> float:
        """The loss that the update reduces: −log σ(s₀) − Σ log σ(−sₖ)."""
        return _loss([self.scores])

    @property
    def input_change(self) -> np.ndarray:
        """What is added to each input's vector, (D,)."""
        return (self.errors * self.rate) @ self.rows / len(self.inputs)

    @property
    def output_changes(self) -> np.ndarray:
        """What is added to the output vectors, (1 + K, D)."""
        return (self.errors * self.rate)[:, None] * self.hidden


@dataclass(frozen=True, eq=False)
class WordVectorsReport:
    """The state of a training: sentences so far, and vectors (V, D).

    `loss` is the mean over the updates since the last report.
    """

    sentences: int
    loss: float
    vectors: np.ndarray


class WordVectors:
    """Two vectors per word: one for when it is given, and one for when it is to be guessed."""

    def __init__(self, n_words: int, size: int, rng: np.random.Generator) -> None:
        start = (rng.random((n_words, size)) - 0.5) / size
        self.inputs: np.ndarray = start.astype(np.float32)  # (V, D)
        self.outputs: np.ndarray = np.zeros_like(self.inputs)  # (V, D)

    def update(self, example: Example, negatives: Sequence[int], rate: float) -> Update:
        """Move the vectors one step down the gradient of −log σ(s₀) − Σ log σ(−sₖ)."""
        inputs, target = example
        outputs = [target, *negatives]
        input_rows = self.inputs.take(inputs, axis=0)  # (N, D)
        hidden = np.add.reduce(input_rows) / np.float32(len(inputs))  # (D,)
        rows = self.outputs.take(outputs, axis=0)  # (1 + K, D)
        scores = rows @ hidden  # (1 + K,)
        sigmoids = 1 / (1 + np.exp(-scores))
        errors = -sigmoids
        errors[0] += 1
        update = Update(inputs, outputs, input_rows, hidden, rows, scores, sigmoids, errors, rate)
        np.add.at(self.outputs, outputs, update.output_changes)  # a word may be drawn twice
        np.add.at(self.inputs, inputs, update.input_change)
        return update


def vocabulary(text: Text) -> tuple[str, ...]:
    """Return the words of a text, in alphabetical order."""
    return tuple(sorted({word for sentence in text for word in sentence}))


def examples(
    sentence: Sequence[int], config: WordVectorsConfig, widths: Sequence[int]
) -> list[Example]:
    """Return a sentence's training examples, with up to `widths` neighbours on each side."""
    pairs: list[Example] = []
    for at, (word, width) in enumerate(zip(sentence, widths, strict=True)):
        near = [*sentence[max(0, at - width) : at], *sentence[at + 1 : at + 1 + width]]
        if config.kind == "skipgram":
            pairs += [([word], neighbour) for neighbour in near]
        elif near:
            pairs.append((near, word))
    return pairs


# CBOW makes one update per word and skip-gram one per neighbour, so CBOW needs more of everything.
CONFIGS: Final[Mapping[Kind, WordVectorsConfig]] = {
    "skipgram": WordVectorsConfig(),
    "cbow": WordVectorsConfig("cbow", negatives=10, passes=5, learning_rate=0.3),
}


def n_reports(text: Text, config: WordVectorsConfig) -> int:
    """Return how many reports a training yields."""
    return -(-len(text) * config.passes // config.report_every)


def train(text: Text, config: WordVectorsConfig) -> Iterator[WordVectorsReport]:
    """Learn word vectors from sentences of words, and report at regular intervals.

    The same seed gives the same vectors. Some sentence must have two words.
    """
    rng = np.random.default_rng(config.seed)
    words = vocabulary(text)
    ids = {word: i for i, word in enumerate(words)}
    read = [[ids[word] for word in sentence] for sentence in text]
    drawn_up_to = _cumulative(read, len(words))
    vectors = WordVectors(len(words), config.size, rng)
    whole = len(read) * config.passes
    order = [i for _ in range(config.passes) for i in rng.permutation(len(read)).tolist()]
    scores: list[np.ndarray] = []
    for done, i in enumerate(order, 1):
        rate = config.learning_rate * max(1 - (done - 1) / whole, LOWEST_RATE)
        # Nearer neighbours are taken more often, as in the original.
        widths = rng.integers(1, config.window + 1, len(read[i])).tolist()
        tasks = examples(read[i], config, widths)
        drawn = np.searchsorted(drawn_up_to, rng.random((len(tasks), config.negatives)))
        for task, negatives in zip(tasks, drawn.tolist(), strict=True):
            others = [word for word in negatives if word != task[1]]
            scores.append(vectors.update(task, others, rate).scores)
        if scores and (done % config.report_every == 0 or done == whole):
            yield WordVectorsReport(done, _loss(scores), vectors.inputs.copy())
            scores.clear()


def rotated(vectors: np.ndarray) -> np.ndarray:
    """Rotate all vectors (V, D) by the same random rotation."""
    D = vectors.shape[1]
    turn, _upper = np.linalg.qr(np.random.default_rng(0).normal(size=(D, D)))
    turn[:, 0] *= np.sign(np.linalg.det(turn))  # QR may also give a reflection
    return np.asarray(vectors @ turn)


def _loss(scores: Sequence[np.ndarray]) -> float:
    """Return the mean of −log σ(s₀) − Σ log σ(−sₖ) over some updates' scores, (1 + K,) each."""
    wrong = np.concatenate(scores).astype(np.float64)
    wrong[np.cumsum([0, *map(len, scores[:-1])])] *= -1  # the targets
    return float(np.logaddexp(0, wrong).sum() / len(scores))


def _cumulative(read: Sequence[Sequence[int]], size: int) -> np.ndarray:
    """Return, for each word, the upper end of its interval in 0 … 1 for random draws, (V,)."""
    counts = np.bincount([word for sentence in read for word in sentence], minlength=size)
    shares = counts**FLATTENED
    up_to: np.ndarray = np.cumsum(shares / shares.sum())
    up_to[-1] = 1.0
    return up_to
