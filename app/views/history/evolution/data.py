"""What the page asks of the translators, their scores and speed, and of six attentions."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal

from app.data.decoding import Decoding
from app.data.translation import ModelUnavailableError, Translation, load, model_names, translate
from model.files import fits
from model.history import speed
from model.history.attentions import AttentionOutput, Inputs, Name, attentions
from model.history.recomputed import recomputed
from model.history.speed import LENGTHS, TOKENS, Speed

__all__ = ["LENGTHS", "TOKENS", "AttentionOutput", "Inputs", "Name", "Speed", "attentions"]
__all__ += ["recomputed"]

# In the order of their years; the last one has the most layers and heads.
MODELS: Final = ("rnn/es-en", "rnnsearch/es-en", "es-en")
RECURRENT, SEARCH, TRANSFORMER = MODELS
# Held-out sentences of the corpus, the same as visitors type them, and our own everyday sentences.
Test = Literal["test", "test_as_typed", "everyday"]
TESTS: Final[tuple[Test, ...]] = ("test", "test_as_typed", "everyday")
# A model's scores after as many tokens as the models that it is compared with have read.
EARLY: Final = "early"


def translations(text: str, decoding: Decoding) -> dict[str, Translation]:
    """Translate a sentence with each of the models that are there, by name.

    Raises what `translate` raises, and ModelUnavailableError if none is there.
    """
    names = [name for name in MODELS if name in model_names()]
    if not names:
        raise ModelUnavailableError(MODELS[-1])
    return {name: translate(name, text, decoding) for name in names}


def looks() -> bool:
    """Return whether a model with attention is there."""
    return any(name in model_names() for name in (SEARCH, TRANSFORMER))


def steps_in_a_row(name: str, n_src: int, n_tgt: int) -> int:
    """Return how many training steps of a model run one after another for these lengths."""
    return speed.steps_in_a_row(load(name).config, n_src, n_tgt)


def speeds(names: Sequence[str], ids: Sequence[int]) -> Iterator[Speed]:
    """Time the training of untrained copies of some models, on sentences made of some tokens."""
    return speed.measure({name: load(name).config for name in names}, ids)


@dataclass(frozen=True)
class OfLength:
    """BLEU and chrF on the `n` sentences of `low` to `high` words; older files have no chrF."""

    low: int
    high: int
    n: int
    bleu: float
    chrf: float | None = None


def by_length(name: str, test: Test = "test", *, early: bool = False) -> tuple[OfLength, ...]:
    """Return a model's scores, short sentences first, as its files hold them; none if they don't.

    With `early`, those that it had at an earlier step of its training. Raises
    ModelUnavailableError.
    """
    metrics = load(name).metrics
    measured = metrics.get(EARLY) if early else metrics
    rows = measured.get(f"{test}_by_length") if isinstance(measured, dict) else None
    if not isinstance(rows, list) or not all(map(_is_row, rows)):
        return ()
    return tuple(
        OfLength(low, high, row["n"], row["bleu"], row.get("chrf"))
        for row in rows
        for low, high in [row["words"]]
    )


def early_tokens(name: str) -> int | None:
    """Return after how many tokens a model's early scores were taken, if it has them."""
    return _tokens(name, EARLY, "step")


def trained_tokens(name: str) -> int | None:
    """Return how many tokens a model's training went through, if its files say it."""
    return _tokens(name, "train", "steps")


def _tokens(name: str, *steps: str) -> int | None:
    loaded = load(name)
    count, per_step = loaded.metric(*steps), loaded.metric("train", "batch_tokens")
    return None if count is None or per_step is None else round(count * per_step)


def _is_row(row: Any) -> bool:
    kinds: dict[str, Any] = {"words": tuple[int, int], "n": int, "bleu": float}
    return (
        isinstance(row, dict)
        and all(fits(row.get(name), kind) for name, kind in kinds.items())
        and fits(row.get("chrf", 0.0), float)
    )
