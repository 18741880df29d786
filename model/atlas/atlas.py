"""The head atlas of a model: what was measured of each head.

It has numbers about the whole sample and, of the phrase book alone, some of its sentences.
"""

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import ClassVar, Final, Self

from model.atlas.aligning import Alignment, Variant
from model.atlas.measures import FoundRole
from model.atlas.over_training import OverTraining
from model.atlas.sample import HeadId
from model.files import built, read_json, replace_text, sha256
from model.text.pairs import Pair

NAME: Final = "atlas.json"
FORMAT: Final = 1  # of this file and of evidence.json
QUANTILES: Final = (0.1, 0.25, 0.5, 0.75, 0.9)


@dataclass(frozen=True)
class KeptRecord:
    """What was measured of a model, kept beside it as JSON: `format`, and a record's fields.

    The file is no part of the model, whose checksums do not list it: it names the `weights` that
    were measured itself, by their checksum.
    """

    name: ClassVar[str]
    indent: ClassVar[int | None] = None  # for people to read
    weights: str

    def save(self, path: Path) -> None:
        """Write the file with five digits a number, whole or not at all; raises OSError."""
        exact = json.dumps({"format": FORMAT} | asdict(self))
        value = json.loads(exact, parse_float=lambda number: float(f"{float(number):.5g}"))
        separators = (",", ":") if self.indent is None else None
        text = json.dumps(value, ensure_ascii=False, indent=self.indent, separators=separators)
        replace_text(path, text + "\n")

    @classmethod
    def load(cls, path: Path) -> Self:
        """Read the file; raises OSError, and ValueError for one that is not of this format."""
        value = read_json(path)
        if value.pop("format", None) != FORMAT:
            raise ValueError(f"{path} is no {cls.name} of format {FORMAT}.")
        try:
            return built(cls, value)
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{path} is no {cls.name}.") from error

    @classmethod
    def load_for(cls, folder: Path) -> Self | None:
        """Return the record in a model's folder; None without one, or if it is of other weights."""
        try:
            found = cls.load(folder / cls.name)
        except (OSError, ValueError):
            return None
        return found if found.weights == sha256(folder / "weights.safetensors") else None


@dataclass(frozen=True)
class MeasureSummary:
    """The mean of a measure over the sentences, and its QUANTILES; none for a corpus score."""

    mean: float
    quantiles: tuple[float, ...] = ()


@dataclass(frozen=True)
class HeadRecord:
    """What was measured of one head.

    `measures` are by name; those that begin with `norm_` measure the lengths of α·v·W_O in place
    of the weights α. Entropy is in bits, `effective` is 2 to its power, `distance` in tokens, and
    `itself`, `before`, `after` (in one sentence), `first`, `last` (word), `bos`, `eos`,
    `punctuation`, `sink`, `word_start`, `inside` (a word), `same` (word), `writes` and `reads`
    (aligned words) are shares from 0 to 1, over the queries that have such a key. `output_share` is
    its part of its sub-layer's output, `lens` how often what it writes raises the right token most.
    `log_p_lost` (nats a token) and `bleu_lost` are what muting it alone costs, `gradient` what the
    gradient predicts of `log_p_lost`, `gradient_size` the mean of its absolute value.

    `lens_tokens` are the tokens it raises most often with their shares; `typical`, `untypical` and
    `fails` (the role, on held-out sentences) are numbers of the atlas' examples.
    """

    id: HeadId
    measures: Mapping[str, MeasureSummary]
    role: FoundRole | None
    lens_tokens: tuple[tuple[str, float], ...]
    typical: tuple[int, ...]
    untypical: tuple[int, ...]
    fails: tuple[int, ...]


@dataclass(frozen=True)
class Pruning:
    """Heads muted one after the other, the one that hurts least first, until half are gone.

    Chosen on `sentences`, of the `tried` ones that were last known to hurt least; `log_p` is that
    of `held_out` others, a token, with none, one, two … of `order` gone.
    """

    sentences: int
    held_out: int
    tried: int
    order: tuple[HeadId, ...]
    log_p: tuple[float, ...]


@dataclass(frozen=True)
class Atlas(KeptRecord):
    """All heads of a model, on one sample.

    `log_p` (nats a token) and `bleu`, on `bleu_sentences`, are those of the whole model.
    `correlations` are Spearman's, between `log_p_lost` and each measure named. `over_training` is
    there where earlier moments of the training were measured, too. `seconds` are the processor's,
    of all its threads together: what else runs on the machine does not count.
    """

    name: ClassVar = NAME
    sample: str
    sentences: int
    seed: int
    log_p: float
    bleu: float
    bleu_sentences: int
    correlations: Mapping[str, float]
    heads: tuple[HeadRecord, ...]
    pruning: Pruning
    alignments: tuple[Alignment, ...]
    examples: tuple[Pair, ...]
    over_training: OverTraining | None = None
    seconds: float = field(default=0.0, compare=False)

    @property
    def aligner(self) -> Variant | None:
        """The head with the least alignment error, and whose row it is; None if not measured."""
        found = [one for gold in self.alignments for one in gold.variants if one.by == "weights"]
        return min(found, key=lambda one: one.best_aer, default=None)
