"""How well encoder-decoder attention aligns words, against true links: the alignment error rate.

N sentences, M maps (each head's, then each layer's mean), T target words, S source words.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal, get_args

import numpy as np
import torch

from model.atlas.measures import norm_shares, record
from model.atlas.sample import Encoded
from model.config import ATTENTIONS
from model.nn.transformer import Transformer

By = Literal["weights", "norms"]
Row = Literal["writes", "reads"]
Way = Literal["target", "source", "both"]
SHORT: Final = 12  # words, on either side
MOST: Final = 6  # heads in a combination


@dataclass(frozen=True)
class Variant:
    """Alignment error rates in percent; `row` says whose attention is a word's: that of the token
    which writes it, or that of the next one, which has read it (a shift by one). `way` says which
    links a map makes: from each target word to the source word that it looks at most, from each
    source word to the target word that looks at it most, or those that both ways make.

    `heads` (L, H) and `layers` (L), means of all heads, are of the whole sample. The best head and
    the best combination, a mean of some heads, are chosen on one half and scored on the other.
    """

    by: By
    row: Row
    heads: tuple[tuple[float, ...], ...]
    layers: tuple[float, ...]
    best: tuple[int, int]
    best_aer: float
    combination: tuple[tuple[int, int], ...]
    combination_aer: float
    way: Way = "target"


@dataclass(frozen=True)
class Alignment:
    """All variants on one set of pairs; `most_words` limits it to short ones, 0 does not."""

    gold: str
    pairs: int
    most_words: int
    variants: tuple[Variant, ...]


@dataclass(frozen=True, eq=False)
class Maps:
    """Maps padded to one size: `maps` (N, M, T, S), below 0 where there is no source word.

    `words` (N, T) is True for target words, `sure` and `possible` (N, T, S) are the true links.
    """

    maps: np.ndarray
    words: np.ndarray
    sure: np.ndarray
    possible: np.ndarray

    def of(self, rows: np.ndarray | slice) -> "Maps":
        """Return some sentences."""
        return Maps(self.maps[rows], self.words[rows], self.sure[rows], self.possible[rows])


def links_of(maps: np.ndarray, gold: Maps, way: Way) -> np.ndarray:
    """Return the links that maps make between words, True for each, (N, M, T, S)."""
    words = gold.words[:, None, :, None]  # (N, 1, T, 1)
    maps = np.where(words, maps, -1)
    of_source = (gold.maps[:, :1] >= 0).any(2, keepdims=True)  # (N, 1, 1, S)
    from_target, from_source = (_largest(maps, axis) & words & of_source for axis in (-1, -2))
    if way == "both":
        return from_target & from_source
    return from_target if way == "target" else from_source


def _largest(maps: np.ndarray, axis: int) -> np.ndarray:
    """Return where the first of the largest values along an axis stands."""
    cells = np.zeros(maps.shape, dtype=bool)
    np.put_along_axis(cells, maps.argmax(axis, keepdims=True), values=True, axis=axis)
    return cells


def error_rates(maps: np.ndarray, gold: Maps, way: Way) -> np.ndarray:
    """Return the AER of maps (N, M, T, S), (M,).

    1 - (|A ∩ S| + |A ∩ P|) / (|A| + |S|), in percent (Och & Ney 2003).
    """
    made, every = links_of(maps, gold, way), (0, 2, 3)
    hits = sum((made & links[:, None]).sum(every) for links in (gold.sure, gold.possible))
    rates: np.ndarray = 100 * (1 - hits / (made.sum(every) + gold.sure.sum()))
    return rates


def combine(gold: Maps, way: Way) -> list[int]:
    """Choose maps whose mean aligns best, adding the one that helps most while one does."""
    chosen: list[int] = []
    least = np.inf
    while len(chosen) < MOST:
        summed = gold.maps[:, chosen].sum(1, keepdims=True)
        rates = error_rates(gold.maps + summed, gold, way)
        rates[chosen] = np.inf
        if rates.min() >= least:
            break
        least = rates.min()
        chosen.append(int(rates.argmin()))
    return chosen


@torch.inference_mode()
def word_maps(
    model: Transformer, encoded: Encoded, numbers: Sequence[int]
) -> dict[tuple[By, Row], np.ndarray]:
    """Return the maps of all heads between words, (N, heads, T, S), of some sentences.

    A word's row is the mean of its pieces' rows; what it gives to the pieces of a word is added.
    """
    batch = encoded.batch(numbers)
    kept = record(model, batch)
    by: dict[By, list[torch.Tensor]] = {"weights": [], "norms": []}
    for layer in range(model.config.n_attentions("cross")):
        scope = ATTENTIONS["cross"].scope(layer)
        weights = kept[f"{scope}.weights"]
        attention = model.decoder[layer].cross_attn
        by["weights"].append(weights)
        by["norms"].append(norm_shares(attention, weights, kept[f"{scope}.v"]))
    src, tgt = (_membership([encoded.words[i][side] for i in numbers]) for side in (0, 1))
    tgt = tgt / np.maximum(tgt.sum(-1, keepdims=True), 1)
    maps: dict[tuple[By, Row], np.ndarray] = {}
    for name, layers in by.items():
        pieces = torch.cat(layers, dim=1).numpy()  # (N, heads, T pieces, S pieces)
        # The token after the last is <pad> at most: no word is read there.
        for row, shifted in (("writes", pieces), ("reads", np.roll(pieces, -1, axis=2))):
            words = np.einsum("nwt,nhts,nvs->nhwv", tgt, shifted, src, optimize=True)
            maps[name, row] = np.where(src.any(-1)[:, None, None], words, -1)  # type: ignore[index]
    return maps


def _membership(words: Sequence[Sequence[int]]) -> np.ndarray:
    """Return 1 where a piece is of a word, (N, words, pieces)."""
    shape = len(words), 1 + max(map(max, words)), max(map(len, words))
    cells = np.zeros(shape, dtype=np.float32)
    for row, numbers in enumerate(words):
        for piece, word in enumerate(numbers):
            if word >= 0:
                cells[row, word, piece] = 1
    return cells


def align(model: Transformer, encoded: Encoded, gold: str, size: int = 100) -> list[Alignment]:
    """Score every head's alignment on a sample with true links; short sentences by themselves too.

    Even sentences choose, odd ones score.
    """
    parts = [(numbers, word_maps(model, encoded, numbers)) for numbers in encoded.chunks(size)]
    sizes = [maps["weights", "writes"].shape[2:] for _, maps in parts]
    n, (t, s), n_heads = len(encoded), map(max, zip(*sizes, strict=True)), model.config.n_heads
    words = np.zeros((n, t), dtype=bool)
    links = np.zeros((2, n, t, s), dtype=bool)
    short = np.zeros(n, dtype=bool)
    for i, one in enumerate(encoded.gold):
        words[i, [word for word in encoded.words[i][1] if word >= 0]] = True
        short[i] = max(len(text.split()) for text in (one.pair.src, one.pair.tgt)) <= SHORT
        for kind, of in enumerate((one.sure, one.possible)):
            for source, target in of:
                links[kind, i, target, source] = True
    whole, brief = list[Variant](), list[Variant]()
    for by in get_args(By):
        for row in get_args(Row):
            heads = _padded([(numbers, one[by, row]) for numbers, one in parts], (n, t, s))
            layers = heads.reshape(n, -1, n_heads, t, s).mean(2)
            maps = Maps(np.concatenate([heads, layers], axis=1), words, *links)
            for way in get_args(Way):
                whole.append(_variant(by, row, way, maps, n_heads))
                if 1 < short.sum() < n:
                    brief.append(_variant(by, row, way, maps.of(short), n_heads))
    found = [Alignment(gold, n, 0, tuple(whole))]
    return found + ([Alignment(gold, int(short.sum()), SHORT, tuple(brief))] if brief else [])


def _padded(
    parts: Sequence[tuple[Sequence[int], np.ndarray]], shape: tuple[int, int, int]
) -> np.ndarray:
    n, t, s = shape
    padded = np.full((n, parts[0][1].shape[1], t, s), -1, dtype=np.float32)
    for numbers, maps in parts:
        padded[numbers, :, : maps.shape[2], : maps.shape[3]] = maps
    return padded


def _variant(by: By, row: Row, way: Way, gold: Maps, n_heads: int) -> Variant:
    n_maps = gold.maps.shape[1] * n_heads // (n_heads + 1)  # those of single heads
    rates = error_rates(gold.maps, gold, way)
    choosing, scoring = gold.of(slice(0, None, 2)), gold.of(slice(1, None, 2))
    choosing = Maps(choosing.maps[:, :n_maps], choosing.words, choosing.sure, choosing.possible)
    best = int(error_rates(choosing.maps, choosing, way).argmin())
    chosen = combine(choosing, way)
    mean = scoring.maps[:, chosen].mean(1, keepdims=True)
    heads = rates[:n_maps].reshape(-1, n_heads)
    return Variant(
        by,
        row,
        tuple(tuple(map(float, layer)) for layer in heads),
        tuple(map(float, rates[n_maps:])),
        divmod(best, n_heads),
        float(error_rates(scoring.maps[:, [best]], scoring, way)[0]),
        tuple(divmod(one, n_heads) for one in chosen),
        float(error_rates(mean, scoring, way)[0]),
        way,
    )
