"""What the page asks: one sentence by three translators, and their scores by length."""

from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final

import numpy as np

from app.data.cache import cached
from app.data.decoding import Decoding
from app.data.translation import Token, Translation, load, model_names, translate
from app.data.walk import Walk
from app.format import escape, quoted, visible
from app.inspector.head import Head
from app.inspector.naming import follows
from app.inspector.picks import word_of
from model.config import ModelConfig
from model.files import fits
from model.interpret.experiments import memory
from model.interpret.experiments.memory import Remembered

# In the order of their years.
MODELS: Final = ("rnn/es-en", "rnnsearch/es-en", "es-en")
RECURRENT, SEARCH, TRANSFORMER = MODELS
# The three differ on it: the first loses the kitchen, the second writes "in the kitchen table".
SENTENCE: Final = "El libro que compré ayer está en la mesa de la cocina."
SCOPE: Final = "decoder.0.cross_attn"
# A model's scores after as many tokens as the models that it is compared with have read.
EARLY: Final = "early"
TIMES: Final = 4  # a long text shows how much is remembered


@dataclass(frozen=True, eq=False)
class Story(Head):
    """The sentence by all three, and one row of RNNsearch's alignment, that of a written word."""

    @property
    def written(self) -> Token:
        return follows(self.walk)[self.query]

    @property
    def word(self) -> str:
        """The word that is about to be written, for Markdown."""
        return escape(visible(self.written.text))

    def title(self, vector: str) -> str:
        """What the Transformer calls z is the context c here."""
        return f"{'c' if vector == 'z' else vector} · {quoted(self.written.text)}"

    @cached_property
    def translations(self) -> dict[str, Translation]:
        """The translations of the sentence, by model, of those that are there."""
        own = self.walk.translation
        return translations(own.text, own.decoding)


def story(walk: Walk) -> Story:
    """Return the chosen row; by default, the surest one."""
    return Story(walk, "cross", 0, 0, word_of(follows(walk), surest(walk)))


def surest(walk: Walk) -> int:
    """Return the row with the surest attention, of a word to a word."""
    weights = np.array(walk.array(f"{SCOPE}.weights")[0])  # (T, S)
    weights[:, [token.special for token in walk.capture.src]] = 0
    weights[[token.special for token in follows(walk)]] = 0
    return int(weights.max(-1).argmax())


def translations(text: str, decoding: Decoding) -> dict[str, Translation]:
    """Translate a sentence with each of the models that are there; raises what `translate` does."""
    return {name: translate(name, text, decoding) for name in MODELS if name in model_names()}


def steps_in_a_row(config: ModelConfig, n_src: int, n_tgt: int) -> int:
    """Return how many steps of training must run one after another for sentences of these lengths.

    A recurrent network takes one for each token; in the encoder, both directions run at once. A
    Transformer takes one for each layer, whatever the length.
    """
    if config.recurrent:
        return n_src + n_tgt
    return config.n_encoder_layers + config.n_decoder_layers


@cached()
def remembered(walk: Walk) -> Remembered:
    """Read the repeated sentence with and without its first token, and compare the states.

    For the encoder as it is, and for the plain cell that remains without its gates, the result is
    how far apart the two states are, as a share of how far the first token moved them apart.
    """
    ids = walk.tokenizer.encode(joined(walk.translation.text, TIMES))
    return memory.remembered(walk.model, ids[: walk.config.max_len])


def joined(text: str, copies: int) -> str:
    """Repeat a sentence several times: "A" -> "A y a y a"."""
    bare = text.strip().rstrip(".!?…")
    return " y ".join([bare, *[bare[:1].lower() + bare[1:]] * (copies - 1)])


@dataclass(frozen=True)
class OfLength:
    """BLEU on the `n` sentences of `low` to `high` words."""

    low: int
    high: int
    n: int
    bleu: float


def by_length(name: str, *, early: bool = False) -> tuple[OfLength, ...]:
    """Return a model's scores, short sentences first, as its files hold them; none if they don't.

    With `early`, those that it had at an earlier step of its training. Raises
    ModelUnavailableError.
    """
    metrics = load(name).metrics
    measured = metrics.get(EARLY) if early else metrics
    rows = measured.get("test_by_length") if isinstance(measured, dict) else None
    if not isinstance(rows, list) or not all(map(_is_row, rows)):
        return ()
    return tuple(
        OfLength(low, high, row["n"], row["bleu"]) for row in rows for low, high in [row["words"]]
    )


def scores(names: Collection[str]) -> Mapping[str, tuple[OfLength, ...]]:
    """Return the scores of models on the same groups of sentences; before the Transformer's, those
    that compare like with like: after as many tokens as the others have read.
    """
    found = {name: by_length(name) for name in names}
    if are_early_scores_fair(names):
        last = found.pop(TRANSFORMER)
        found |= {EARLY: by_length(TRANSFORMER, early=True), TRANSFORMER: last}
    groups = {name: [(row.low, row.high, row.n) for row in rows] for name, rows in found.items()}
    first = next(filter(None, groups.values()), [])
    return {name: rows for name, rows in found.items() if rows and groups[name] == first}


def early_tokens(name: str) -> int | None:
    """Return after how many tokens a model's early scores were taken, if it has them."""
    return _tokens(name, EARLY, "step")


def are_early_scores_fair(names: Collection[str]) -> bool:
    """Return whether the Transformer's were taken after as many tokens as others have read."""
    others = {trained_tokens(name) for name in names if name != TRANSFORMER}
    return TRANSFORMER in names and others == {early_tokens(TRANSFORMER)}


def trained_tokens(name: str) -> int | None:
    """Return how many tokens a model's training went through, if its files say it."""
    return _tokens(name, "train", "steps")


def _tokens(name: str, *steps: str) -> int | None:
    loaded = load(name)
    count, per_step = loaded.metric(*steps), loaded.metric("train", "batch_tokens")
    return None if count is None or per_step is None else round(count * per_step)


def _is_row(row: Any) -> bool:
    kinds: dict[str, Any] = {"words": tuple[int, int], "n": int, "bleu": float}
    return isinstance(row, dict) and all(fits(row.get(name), kind) for name, kind in kinds.items())
