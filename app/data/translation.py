"""The one door to the model: load it, translate, and hand out frozen NumPy and text.

Nothing here is a visitor's: what is cached belongs to a model, a sentence and a way of decoding.
"""

import logging
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, Self

from app.charts.arrange import word_groups
from app.data.cache import cached
from app.data.decoding import Decoded, Decoding, DecodingStep, TreeNode, WeighedTranslation, decode
from app.data.queue import QUEUE
from app.server.limits import LIMITS
from model import checkpoint
from model.checkpoint import OF_IMPORT, Checkpoint, CheckpointError
from model.config import Arch, Kind, ModelConfig
from model.decoding.limits import truncate
from model.files import fits, own_runs, read_json
from model.files import unchanged as while_unchanged
from model.interpret.capture import Capture
from model.interpret.experiments.change import Change
from model.interpret.experiments.changes import write
from model.interpret.recording import capture
from model.languages import languages_of
from model.nn.translator import n_parameters
from model.runs.folder import run_names
from model.text.byte_level import Token
from model.text.language import Guess, guess, is_foreign, words
from model.text.reading import Reading, clean
from model.text.sentences import sentences
from model.text.tokenizer import Tokenizer
from model.training.processor import use_threads

__all__ = ["OF_IMPORT", "Arch", "Decoding", "DecodingStep", "Kind", "ModelConfig", "Token"]

log = logging.getLogger(__name__)
# One sentence is too little work for two threads; two visitors are enough for two cores.
use_threads(1)

Notice = Literal["cut", "long", "unknown", "unfinished", "repeats"]
Stamp = tuple[tuple[str, int, int], ...]
MAX_CHARACTERS: Final = LIMITS.characters
MAX_SOURCE_TOKENS: Final = LIMITS.tokens
MAX_LEARNED: Final = 40  # tokens of nearly all sentences that our models learned from
MIN_VOCABULARY: Final = 4000  # a smaller one cuts the words of every language into many pieces
MARKS: Final = frozenset(".,;:!?…¡¿«»“”„()[]")
MOST_REPEATED: Final = 12  # tokens of a phrase

_read = while_unchanged(read_json)


class ModelUnavailableError(ValueError):
    """A model that is not there or cannot be trusted; the message is its name."""


class NothingToTranslateError(ValueError):
    """A text without a single character that can be seen."""


@dataclass(frozen=True)
class ModelInfo:
    """What is worth knowing about a model before using it."""

    config: ModelConfig
    parameters: int
    bleu: float | None
    training_tokens: int | None


@dataclass(frozen=True)
class Sentence:
    """One side: its tokens, and the words that they make up when merged."""

    tokens: tuple[Token, ...]
    words: tuple[str, ...]


@dataclass(frozen=True)
class Run:
    """One run of a model, as a value: caches know it by that, and an open page keeps no more of it.

    `stamp` is the state of the model's files; `target` are the ids that the decoder reads, from
    <bos> on, in the place of what it writes itself.
    """

    model: str
    stamp: Stamp
    text: str
    decoding: Decoding
    changes: tuple[Change, ...] = ()
    target: tuple[int, ...] | None = None

    @property
    def loaded(self) -> Checkpoint:
        """The model, read once and shared; raises ModelUnavailableError."""
        return _loaded(self.model, self.stamp)

    @property
    def reading(self) -> Reading:
        """The sentence as the model reads it; raises ModelUnavailableError."""
        return self.loaded.tokenizer.read(self.text[:MAX_CHARACTERS])

    def with_changes(self, changes: Iterable[Change] = ()) -> Self:
        """Return the run of the same sentence with other changes, and a target of its own."""
        return replace(self, changes=tuple(changes), target=None)


@dataclass(frozen=True)
class Translation:
    """All that the page shows of one run; `source` ends with <eos>, `target` starts with <bos>.

    `capture` has every number of the run.
    """

    run: Run
    output: str
    source: Sentence
    target: Sentence
    steps: tuple[DecodingStep, ...]
    hypotheses: tuple[WeighedTranslation, ...]
    tree: tuple[TreeNode, ...]
    notices: tuple[Notice, ...]
    capture: Capture
    reading: Reading

    @property
    def model(self) -> str:
        return self.run.model

    @property
    def text(self) -> str:
        return self.run.text

    @property
    def decoding(self) -> Decoding:
        return self.run.decoding

    @property
    def own(self) -> Run:
        """Its run, also where a page reads another translation in its place."""
        return self.run.with_changes(self.run.changes)

    @property
    def changes(self) -> str:
        """The changes of its run, as an address has them."""
        return write(self.run.changes)

    def read_as(self, capture: Capture, run: Run) -> Self:
        """Return the same with the numbers of another run, which reads what `capture` has."""
        return replace(self, capture=capture, run=replace(run, target=tuple(capture.tgt_ids)))


def model_names() -> list[str]:
    """Return the names of the models that can be chosen, the early snapshots last."""
    return [
        *checkpoint.pretrained_names(),
        *trained_names(),
        *checkpoint.imported_names(),
        *checkpoint.snapshot_names(),
    ]


def trained_names() -> list[str]:
    """Return the models that were trained or loaded here, the newest first."""
    return [
        f"{checkpoint.OF_RUN}{name}"
        for name in run_names()
        if (own_runs() / name / "best" / "manifest.json").is_file()
    ]


def target_tokens(name: str) -> tuple[str, ...]:
    """Return the languages that a model can be told to translate into, as it is told: ">>fra<<".

    None where there is no choice, or no such model.
    """
    try:
        pieces = load(name).tokenizer.pieces
    except ModelUnavailableError:
        return ()
    found = tuple(one for one in pieces if one.startswith(">>") and one.endswith("<<"))
    return found if len(found) > 1 else ()


def model_info(name: str) -> ModelInfo:
    """Return a model's size and score; raises ModelUnavailableError."""
    loaded = load(name)
    size = n_parameters(loaded.model)
    return ModelInfo(loaded.config, size, score_of(loaded.metrics, "bleu"), loaded.tokens)


def imported_languages(name: str) -> tuple[str, str]:
    """Return the two languages of an imported model, or else those that its name ends in."""
    return languages_of({"source": "marian"} | metrics_of(name), name.removeprefix(OF_IMPORT))


def metrics_of(name: str) -> dict[str, Any]:
    """Return what was recorded of a model; nothing where that cannot be read."""
    try:
        return _read(checkpoint.resolve(name) / "metrics.json")
    except (CheckpointError, OSError, ValueError):
        return {}


def score_of(metrics: Mapping[str, Any], name: str) -> float | None:
    """Return a score on the test set, or else on the validation set."""
    for part in ("test", "validation"):
        scores = metrics.get(part)
        if isinstance(scores, dict) and fits(scores.get(name), float):
            return float(scores[name])
    return None


def translate(name: str, text: str, decoding: Decoding) -> Translation:
    """Translate a sentence and capture every number of it.

    Raises NothingToTranslateError for a text that cannot be seen, and ModelUnavailableError.
    """
    if not readable(text):
        raise NothingToTranslateError
    run = Run(name, stamp_of(name), text[: MAX_CHARACTERS + 1], decoding)
    if not run.reading.text:  # what is missing is said before anybody waits
        raise NothingToTranslateError
    return unchanged(run)


def reading_of(name: str, text: str) -> Reading | None:
    """Return a text as a model reads it; None where the model cannot be used."""
    try:
        return load(name).tokenizer.read(text[:MAX_CHARACTERS])
    except ModelUnavailableError:
        return None


def readable(text: str) -> str:
    """Return what can be seen of a text that is no sentence to translate, with single blanks."""
    return clean(text[:MAX_CHARACTERS])


def sentences_of(text: str) -> tuple[str, ...]:
    """Return the sentences of a typed text, each of which is translated by itself."""
    return tuple(sentences(text[:MAX_CHARACTERS]))


def language_of(text: str) -> Guess | None:
    """Return the likeliest language of a text, of those that our models read; None for no word."""
    return guess(clean(text[:MAX_CHARACTERS]))


def is_english(text: str) -> bool:
    """Return whether a text is likelier to be English than in another language of ours."""
    found = language_of(text)
    return found is not None and found.language == "en"


def is_strange(name: str, text: str) -> bool:
    """Return whether a model that is there knows less than half of the pieces of a text, or a text
    is in no language of ours.

    `name` is a model that reads the text's likeliest language.
    """
    try:
        tokenizer = load(name).tokenizer
    except ModelUnavailableError:
        return False
    tokens = tokenizer.tokens(tokenizer.encode(readable(text)))
    if 2 * sum(map(tokenizer.is_unknown, tokens)) > len(tokens):
        return True
    found = language_of(text)
    if found is None or tokenizer.vocab_size < MIN_VOCABULARY:
        return False
    return is_foreign(text, found, len(tokenizer.encode(" ".join(words(text)))))


def stamp_of(name: str) -> Stamp:
    """Return which files a model is made of, so that changed ones are read and checked again."""
    try:
        files = sorted(checkpoint.resolve(name).iterdir())
        return tuple((str(file), file.stat().st_mtime_ns, file.stat().st_size) for file in files)
    except (CheckpointError, OSError) as error:
        log.warning("model %r: %s", name, error)
        raise ModelUnavailableError(name) from error


def load(name: str) -> Checkpoint:
    """Return a model, read once and shared; raises ModelUnavailableError."""
    return _loaded(name, stamp_of(name))


def _loaded(name: str, stamp: Stamp) -> Checkpoint:
    try:
        return _load_once(name, stamp)
    except CheckpointError as error:
        log.warning("model %r: %s", name, error)
        raise ModelUnavailableError(name) from error


@cached()
def _load_once(name: str, stamp: Stamp) -> Checkpoint:
    if name not in model_names():  # a path into another folder, from the URL
        raise ModelUnavailableError(name)
    loaded = checkpoint.load(name)
    if stamp_of(name) != stamp:  # a training has replaced it: these are not the numbers asked for
        raise ModelUnavailableError(name)
    return loaded


def unchanged(run: Run) -> Translation:
    """Return the translation of the same sentence without changes."""
    return _translate(run.with_changes())


@cached()
def _translate(run: Run) -> Translation:
    loaded = run.loaded
    ids = [*loaded.tokenizer.encode(run.reading.text), loaded.config.eos_id]
    source, too_long = truncate(ids, min(MAX_SOURCE_TOKENS, loaded.config.max_len))
    decoded = decode(loaded, source, run.decoding)
    captured = capture(loaded.model, loaded.tokenizer, source, [loaded.config.bos_id, *decoded.ids])
    QUEUE.give_way()
    return described(run, decoded, captured, bool(too_long))


def described(run: Run, decoded: Decoded, captured: Capture, cut: bool) -> Translation:
    """Return a decoding and its capture as the page shows them; `cut`: the source was too long."""
    tokenizer = run.loaded.tokenizer
    notices: dict[Notice, bool] = {
        "cut": cut or len(run.text) > MAX_CHARACTERS,
        "long": MAX_LEARNED < len(captured.src) and not cut,
        "unknown": any(tokenizer.is_unknown(token) for token in captured.src),
        "unfinished": not decoded.finished,
        "repeats": repeats(decoded.ids),
    }
    return Translation(
        run=run,
        output=run.reading.restored(tokenizer.decode(decoded.ids)),
        source=_sentence(tokenizer, captured.src),
        target=_sentence(tokenizer, captured.tgt),
        steps=decoded.steps,
        hypotheses=decoded.hypotheses,
        tree=decoded.tree,
        notices=tuple(notice for notice, holds in notices.items() if holds),
        capture=captured,
        reading=run.reading,
    )


def _sentence(tokenizer: Tokenizer, tokens: tuple[Token, ...]) -> Sentence:
    words = word_groups(word_starts(tokens))
    return Sentence(tokens, tuple(_word(tokenizer, [tokens[i] for i in word]) for word in words))


def word_starts(tokens: Sequence[Token]) -> list[bool]:
    """Return which tokens begin a word; marks between words make up one of their own."""
    return [
        token.starts_word or (i > 0 and _is_mark(tokens, i) != _is_mark(tokens, i - 1))
        for i, token in enumerate(tokens)
    ]


def _is_mark(tokens: Sequence[Token], i: int) -> bool:
    """Whether a token is a mark of punctuation: the point in 3.5 and the hyphen are none."""
    follows = tokens[i + 1] if i + 1 < len(tokens) else None
    inside = follows is not None and not follows.starts_word and follows.text[0].isdigit()
    return not (i > 0 and inside) and set(tokens[i].text) <= MARKS


def _word(tokenizer: Tokenizer, pieces: list[Token]) -> str:
    if pieces[0].special:
        return pieces[0].text
    return tokenizer.decode([piece.id for piece in pieces])


def repeats(ids: Sequence[int]) -> bool:
    """Return whether a text says the same phrase three times in a row, a short one five times."""
    ids = tuple(ids)
    return any(
        ids[i : i + n] * times == ids[i : i + n * times]
        for n in range(1, MOST_REPEATED + 1)
        for times in [3 if n >= 3 else 5]
        for i in range(len(ids) - n * times + 1)
    )
