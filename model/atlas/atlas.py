"""The head atlas of a model: what was measured, as a frozen record and as a JSON file.

The file has numbers about the whole sample and, of the phrase book alone, some of its sentences.
Format 1: `format`, and the fields of `Atlas`; numbers have five digits.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Any, Final

from model.atlas.aligning import Alignment, Variant
from model.atlas.measures import Found
from model.atlas.over_training import OverTraining
from model.atlas.sample import HeadId
from model.files import read_json, replace_text, sha256
from model.text.pairs import Pair

FORMAT: Final = 1
NAME: Final = "atlas.json"
QUANTILES: Final = (0.1, 0.25, 0.5, 0.75, 0.9)


@dataclass(frozen=True)
class Measure:
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
    measures: Mapping[str, Measure]
    role: Found | None
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
class Atlas:
    """All heads of a model, on one sample; `weights` is the checksum of the weights measured.

    `log_p` (nats a token) and `bleu`, on `bleu_sentences`, are those of the whole model.
    `correlations` are Spearman's, between `log_p_lost` and each measure named. `over_training` is
    there where earlier moments of the training were measured, too. `seconds` are the processor's,
    of all its threads together: what else runs on the machine does not count.
    """

    weights: str
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

    def save(self, path: Path) -> None:
        """Write the file, whole or not at all; raises OSError."""
        value = {"format": FORMAT} | _rounded(asdict(self))
        replace_text(path, json.dumps(value, ensure_ascii=False, separators=(",", ":")) + "\n")

    @classmethod
    def load(cls, path: Path) -> Atlas:
        """Read the file; raises OSError, and ValueError for one that is no atlas of this format."""
        value = read_json(path)
        if value.pop("format", None) != FORMAT:
            raise ValueError(f"{path} is no atlas of format {FORMAT}.")
        try:
            return cls(
                **value
                | {
                    "heads": tuple(map(_head, value["heads"])),
                    "pruning": _pruning(value["pruning"]),
                    "alignments": tuple(map(_alignment, value["alignments"])),
                    "examples": tuple(Pair(**pair) for pair in value["examples"]),
                    "over_training": _over_training(value.get("over_training")),
                }
            )
        except (KeyError, TypeError, AttributeError) as error:
            raise ValueError(f"{path} is not an atlas.") from error


def load_for(folder: Path) -> Atlas | None:
    """Return the atlas in a model's folder; None without one, or if it is of other weights.

    It is no part of the model, so the checksums there do not list it: it names the weights itself.
    """
    try:
        atlas = Atlas.load(folder / NAME)
    except (OSError, ValueError):
        return None
    return atlas if atlas.weights == sha256(folder / "weights.safetensors") else None


def _rounded(value: Any) -> Any:
    if isinstance(value, float):
        return float(f"{value:.5g}")
    if isinstance(value, dict):
        return {name: _rounded(one) for name, one in value.items()}
    return [_rounded(one) for one in value] if isinstance(value, list | tuple) else value


def _tuples(value: Any) -> Any:
    """Return lists as tuples, at every depth."""
    return tuple(map(_tuples, value)) if isinstance(value, list) else value


def _head(value: Mapping[str, Any]) -> HeadRecord:
    measures = {
        name: Measure(one["mean"], tuple(one["quantiles"]))
        for name, one in value["measures"].items()
    }
    rest = {name: _tuples(one) for name, one in value.items()}
    role = Found(**value["role"]) if value["role"] else None
    return HeadRecord(**rest | {"id": HeadId(**value["id"]), "measures": measures, "role": role})


def _pruning(value: Mapping[str, Any]) -> Pruning:
    order = tuple(HeadId(**one) for one in value["order"])
    return Pruning(**{**value, "order": order, "log_p": tuple(value["log_p"])})


def _over_training(value: Mapping[str, Any] | None) -> OverTraining | None:
    if value is None:
        return None
    measures = tuple(
        {name: tuple(line) for name, line in of_head.items()} for of_head in value["measures"]
    )
    return OverTraining(**{**value, "steps": tuple(value["steps"]), "measures": measures})


def _alignment(value: Mapping[str, Any]) -> Alignment:
    variants = tuple(
        Variant(**{name: _tuples(one) for name, one in variant.items()})
        for variant in value["variants"]
    )
    return Alignment(**{**value, "variants": variants})
