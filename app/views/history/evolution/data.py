"""What one chooses on the page, and what it asks of three translators and of six attentions."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal

import numpy as np

from app import state
from app.data.decoding import Decoding
from app.data.translation import (
    ModelUnavailableError,
    Token,
    Translation,
    load,
    model_names,
    sentences_of,
    translate,
)
from app.i18n import N_, _
from app.ui.chosen import decoding
from app.ui.sentence_box import chosen_of, typed
from model.files import fits
from model.history import speed
from model.history.attentions import AttentionOutput, Inputs, Name, attentions
from model.history.recomputed import recomputed

__all__ = ["AttentionOutput", "Inputs", "Name", "attentions", "recomputed", "speed"]

# In the order of their years; the last one has the most layers and heads.
MODELS: Final = ("rnn/es-en", "rnnsearch/es-en", "es-en")
RECURRENT, SEARCH, TRANSFORMER = MODELS
# Held-out sentences of the corpus, the same as visitors type them, and our own everyday sentences.
Test = Literal["test", "test_as_typed", "everyday"]
TESTS: Final[tuple[Test, ...]] = ("test", "test_as_typed", "everyday")
# A model's scores after as many tokens as the models that it is compared with have read.
EARLY: Final = "early"
SIZE: Final = 4  # numbers per vector
FEW: Final = 3  # vectors at first, so that an attention fits on a line
MOST: Final = 5
LIMIT: Final = 10.0
IDENTITY: Final = "1 0 0 0\n0 1 0 0\n0 0 1 0\n0 0 0 1"
# Each field with its initial content; the vectors come from the sentence.
FIRST: Final = {
    "h": "",
    "s": "",
    "w_a": IDENTITY,
    "u_a": IDENTITY,
    "v_a": "1 1 1 1",
    "w_q": "1 0 1 0\n0 1 0 1\n1 0 -1 0\n0 1 0 -1",
    "w_k": IDENTITY,
    "w_v": "0 1 0 0\n1 0 0 0\n0 0 0 1\n0 0 1 0",
    "w_o": "1 0 0 1\n0 1 1 0\n0 1 -1 0\n1 0 0 -1",
}
# The others are W_Q, W_K, W_V and W_O.
TITLES: Final = {
    "h": N_("H, the encoder's vectors, one per line"),
    "s": N_("S, the decoder's vectors, one per line"),
    "w_a": "W_a",
    "u_a": "U_a",
    "v_a": "v",
}
VECTORS: Final = ("h", "s")
NUMBERS: Final = state.up_to(state.LONGEST_SENTENCE)
FIELDS: Final = {
    name: state.Param[str](f"e{name.replace('_', '')}", first, NUMBERS)
    for name, first in FIRST.items()
}


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


def speeds(names: Sequence[str], ids: Sequence[int]) -> Iterator[speed.Speed]:
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


def early_bleu(name: str) -> float | None:
    """Return the BLEU that a model had then, if it was measured."""
    return load(name).metric(EARLY, "test", "bleu")


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
    return (
        isinstance(row, dict)
        and all(fits(row.get(name), kind) for name, kind in kinds.items())
        and fits(row.get("chrf", 0.0), float)
    )


@dataclass(frozen=True, eq=False)
class Vectors:
    """What the six are computed from, the names of its rows, and what is wrong in a field."""

    inputs: Inputs
    queries: tuple[str, ...]
    keys: tuple[str, ...]
    errors: tuple[str, ...]


def read_fields(translations: Mapping[str, Translation]) -> Vectors:
    """Read the fields; one that cannot be read counts as its initial content."""
    first = first_texts(translations)
    fields = {name: param.get() or first[name] for name, param in FIELDS.items()}
    arrays, errors = {}, []
    for name in FIELDS:
        try:
            arrays[name] = _parse(name, fields[name])
        except ValueError as error:
            errors.append(str(error))
            fields[name] = first[name]
            arrays[name] = _parse(name, first[name])
    arrays["v_a"] = arrays["v_a"][0]

    def labels(name: str, tokens: Sequence[Token]) -> tuple[str, ...]:
        """Name the rows by their words, or number them where the vectors were typed."""
        if fields[name] == first[name] and len(tokens) == len(arrays[name]):
            return tuple(token.text for token in tokens)
        return tuple(f"{name}{i}" for i in range(1, len(arrays[name]) + 1))

    *_older, newest = translations.values()
    queries = labels("s", newest.target.tokens[1:][:FEW])
    keys = labels("h", newest.source.tokens[:FEW])
    return Vectors(Inputs(**arrays), queries, keys, tuple(errors))


def title(name: str) -> str:
    """Return what a field is called."""
    return _(TITLES.get(name, name.upper()))


def first_texts(translations: Mapping[str, Translation]) -> dict[str, str]:
    """Return the fields' initial content: the first numbers of some words' embeddings."""
    *_older, newest = translations.values()
    arrays = newest.capture.arrays
    rows = {"h": arrays["src.embed"][:FEW], "s": arrays["tgt.embed"][1:][:FEW]}
    vectors = {}
    for name, of in rows.items():
        lines = (" ".join(f"{x:.1f}" for x in row) for row in of[:, :SIZE].clip(-LIMIT, LIMIT))
        vectors[name] = "\n".join(lines) or IDENTITY
    return FIRST | vectors


def _parse(name: str, text: str) -> np.ndarray:
    """Read numbers, one vector per line: (n, SIZE); raises ValueError with the wrong line."""
    lines = text.replace("−", "-").replace(",", " ").strip().splitlines()
    field, wanted = title(name), 1 if name == "v_a" else SIZE
    if name in VECTORS and not 1 <= len(lines) <= MOST:
        raise ValueError(
            _("{field}: at most {most} lines fit here, and at least one is needed.").format(
                field=field, most=MOST
            )
        )
    if name not in VECTORS and len(lines) != wanted:
        message = _("{field}: {wanted} lines are needed, not {given}.")
        raise ValueError(message.format(field=field, wanted=wanted, given=len(lines)))
    return np.array([_numbers(field, i, line) for i, line in enumerate(lines, start=1)])


def _numbers(field: str, i: int, line: str) -> list[float]:
    message = _(
        "{field}, line {line}: {size} numbers from −10 to 10 are needed, not “{given}”."
    ).format(field=field, line=i, size=SIZE, given=line.strip()[:40])
    try:
        numbers = [float(word) for word in line.split()]
    except ValueError:
        raise ValueError(message) from None
    # NaN is not between any two numbers.
    if len(numbers) != SIZE or not all(-LIMIT <= x <= LIMIT for x in numbers):
        raise ValueError(message)
    return numbers


class EvolutionChoice:
    """A choice computed on first use: a sentence that fails must not hide its own field."""

    @cached_property
    def translations(self) -> dict[str, Translation]:
        """The translations of the sentence on the page, by model."""
        shown = typed(TRANSFORMER)
        return translations(chosen_of(sentences_of(shown)) or shown, decoding())

    @cached_property
    def vectors(self) -> Vectors:
        """What the six attentions are computed from."""
        return read_fields(self.translations)
