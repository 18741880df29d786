"""Measures all heads of a model, step by step; what is done is kept, so that one can go on.

N sentences, K heads.
"""

import copy
import hashlib
import json
import time
from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Final

import numpy as np
import torch

from model.atlas import muting
from model.atlas.aligning import align
from model.atlas.atlas import FORMAT, QUANTILES, Atlas, HeadRecord, MeasureSummary, Pruning
from model.atlas.measures import NO_TOKEN, ROLES, FoundRole, measure, role_of, roles_for
from model.atlas.over_training import CHUNK, OverTraining, of_film, of_snapshots
from model.atlas.sample import Encoded, HeadId, Sample, heads_of
from model.checkpoint import Checkpoint
from model.decoding.search import translate_lines
from model.errors import UserError
from model.files import sha256
from model.interpret.experiments.importance import spearman
from model.nn.transformer import Transformer
from model.runs.folder import RunFolder
from model.text.batches import Batch
from model.text.tokenizer import Tokenizer
from model.training.evaluate import score

SHOWN: Final = 3  # sentences of a kind, of each head
LENS_TOKENS: Final = 5
Arrays = dict[str, np.ndarray]
Track = Callable[[int, int], None]


@dataclass(frozen=True)
class Size:
    """How many sentences each of the slower experiments takes, and what pruning tries."""

    bleu: int = 100
    snapshots: int = 200
    pruning: int = 64
    held_out: int = 200
    tried: int = 8


class Results:
    """Results in a folder, each made once; `track` hears how many of how many there are.

    `seconds` are those of the processor that the results took, also in runs before this one.
    """

    def __init__(self, folder: Path, total: int, track: Track) -> None:
        self.folder, self.total, self.track, self.done = folder, total, track, 0
        self.seconds = 0.0
        folder.mkdir(parents=True, exist_ok=True)

    def get(self, name: str, make: Callable[[], Arrays]) -> Arrays:
        """Return a result as it was kept, or make it and keep it."""
        path = self.folder / f"{name}.npz"
        if not path.is_file():
            new = path.with_name(f"{name}.new.npz")
            began = time.process_time()
            made = make()
            made["seconds"] = np.array(time.process_time() - began)
            np.savez(new, allow_pickle=False, **made)
            new.replace(path)
        self.done += 1
        self.track(self.done, self.total)
        with np.load(path, allow_pickle=False) as kept:
            found = dict(kept)
        self.seconds += float(found.pop("seconds"))
        return found


def build(
    loaded: Checkpoint,
    sample: Sample,
    gold: Sequence[Sample],
    folder: Path,
    seed: int,
    track: Track,
    size: Size = Size(),
    snapshots: Sequence[Checkpoint] = (),
) -> Atlas:
    """Measure a Transformer on a sample, and its alignments on `gold` besides.

    Its heads are followed over its training through `snapshots`; else through the film of its run.

    What is done is kept below `folder`, which may go once the atlas is saved. Raises UserError
    for a recurrent model.
    """
    if not isinstance(loaded.model, Transformer):
        raise UserError("no_heads")
    model, tokenizer = copy.deepcopy(loaded.model).requires_grad_(False), loaded.tokenizer
    heads, encoded = heads_of(model.config), Encoded(model, tokenizer, sample)
    weights = sha256(loaded.folder / "weights.safetensors")
    told = json.dumps([FORMAT, weights, str(size), sample.name, str(sample.pairs)])
    chunks = list(encoded.chunks(CHUNK))
    kept = folder / hashlib.sha256(told.encode()).hexdigest()[:16]
    parts = Results(kept, len(chunks) + 1 + len(heads) + len(heads) // 2, track)

    measures = _all_measures(model, encoded, chunks, parts)
    tokens = measures.pop("lens_token")
    log_p = measures.pop("log_p")[:, 0]
    bleu, lost = _bleu(model, encoded, size, parts)
    truth = measures["log_p_lost"].mean(0)
    costs = dict(zip(heads, truth.tolist(), strict=True))
    pruning = _pruning(model, encoded, costs, size, parts)
    began = time.process_time()
    alignments = [
        one
        for of in ([sample] if sample.gold else []) + list(gold)
        for one in align(model, Encoded(model, tokenizer, of), of.name)
    ]
    correlations = {
        name: float(spearman(np.stack([truth, measures[name].mean(0)]))[0, 1])
        for name in ("gradient", "gradient_size")
    }
    may_show = bool(sample.gold)
    numbers = _examples(measures, len(heads)) if may_show else np.empty((len(heads), 2, 0), int)
    records, shown = [], dict[int, int]()
    for k, head in enumerate(heads):
        one = {name: values[:, k] for name, values in measures.items()}
        role = role_of({name: one[name] for name in roles_for(head.kind) if name in one})
        fails = _fails(one, role) if may_show else []
        of_kind = [
            tuple(shown.setdefault(int(i), len(shown)) for i in numbers_of)
            for numbers_of in (*numbers[k], fails)
        ]
        found = {
            name: _measure(values) for name, values in one.items() if not np.isnan(values).all()
        }
        found["bleu_lost"] = MeasureSummary(lost[k])
        records.append(HeadRecord(head, found, role, _tops(tokens[:, k], tokenizer), *of_kind))
    return Atlas(
        weights,
        sample.name,
        len(encoded),
        seed,
        float(log_p.mean()),
        bleu,
        min(size.bleu, len(encoded)),
        correlations,
        tuple(records),
        pruning,
        tuple(alignments),
        tuple(encoded.pairs[i] for i in shown),
        _over_training(loaded, sample, snapshots, size),
        parts.seconds + time.process_time() - began,
    )


def _over_training(
    loaded: Checkpoint, sample: Sample, snapshots: Sequence[Checkpoint], size: Size
) -> OverTraining | None:
    if snapshots:
        n = size.snapshots
        return of_snapshots(snapshots, Sample(sample.name, sample.pairs[:n], sample.gold[:n]))
    folder = RunFolder(loaded.folder.parent)
    return of_film(folder, loaded) if folder.exists() else None


def _all_measures(
    model: Transformer, encoded: Encoded, chunks: Sequence[list[int]], parts: Results
) -> Arrays:
    """Return every measure of each sentence, (N, K), in the order of the sentences."""
    heads, longest = heads_of(model.config), max(len(tgt) for _, tgt in encoded.examples)

    def of_chunk(numbers: list[int]) -> Arrays:
        batch = encoded.batch(numbers)
        found = measure(model, encoded, numbers)
        room = longest - found["lens_token"].shape[-1]
        found["lens_token"] = np.pad(
            found["lens_token"], ((0, 0), (0, 0), (0, room)), constant_values=NO_TOKEN
        )
        with torch.inference_mode():
            log_p = muting.log_p(model, batch).numpy()[:, None]
        gradient = muting.gate_gradients(model, batch)
        muted = muting.muted_one_by_one(model, batch, heads)
        found |= {"log_p_lost": log_p - muted, "gradient": gradient}
        return found | {"gradient_size": np.abs(gradient), "log_p": log_p}

    results = [
        parts.get(f"sentences-{i}", partial(of_chunk, numbers)) for i, numbers in enumerate(chunks)
    ]
    order = np.argsort(np.concatenate([np.array(numbers) for numbers in chunks]))
    return {name: np.concatenate([one[name] for one in results])[order] for name in results[0]}


def _bleu(
    model: Transformer, encoded: Encoded, size: Size, parts: Results
) -> tuple[float, list[float]]:
    """Return BLEU, and what of it is lost with each head muted, translating greedily."""
    pairs, heads = encoded.pairs[: size.bleu], heads_of(model.config)

    def bleu() -> Arrays:
        sources = (pair.src for pair in pairs)
        written = list(translate_lines(model, encoded.tokenizer, sources, 1, len(pairs)))
        return {"bleu": np.array(score(written, [pair.tgt for pair in pairs]).bleu)}

    def muted(head: HeadId) -> Arrays:
        with muting.without(model, head):
            return bleu()

    whole = float(parts.get("bleu", bleu)["bleu"])
    scores = [parts.get(f"bleu-{k}", partial(muted, head)) for k, head in enumerate(heads)]
    return whole, [whole - float(one["bleu"]) for one in scores]


def _pruning(
    model: Transformer,
    encoded: Encoded,
    costs: dict[HeadId, float],
    size: Size,
    parts: Results,
) -> Pruning:
    numbers = list(range(len(encoded)))
    chosen = numbers[: size.pruning]
    held_out = numbers[size.pruning :][: size.held_out] or chosen
    batches, unseen = (
        [encoded.batch(one) for one in encoded.chunks(CHUNK, among)] for among in (chosen, held_out)
    )
    heads, gone = list(costs), list[HeadId]()
    curve = [_log_p(model, unseen, gone)]

    def next_one() -> Arrays:
        head = muting.prune_next(model, batches, gone, costs, size.tried)
        log_p = _log_p(model, unseen, [*gone, head])
        known = np.array([costs[one] for one in heads])
        return {"head": np.array(heads.index(head)), "log_p": np.array(log_p), "costs": known}

    for step in range(len(heads) // 2):
        found = parts.get(f"pruning-{step}", next_one)
        costs |= dict(zip(heads, found["costs"].tolist(), strict=True))
        gone.append(heads[int(found["head"])])
        curve.append(float(found["log_p"]))
    return Pruning(len(chosen), len(held_out), size.tried, tuple(gone), tuple(curve))


@torch.inference_mode()
def _log_p(model: Transformer, batches: Sequence[Batch], gone: Sequence[HeadId]) -> float:
    hook = muting.mute(gone)
    return float(torch.cat([muting.log_p(model, batch, hook) for batch in batches]).mean())


def _measure(values: np.ndarray) -> MeasureSummary:
    known = values[~np.isnan(values)].astype(np.float64)
    return MeasureSummary(float(known.mean()), tuple(map(float, np.quantile(known, QUANTILES))))


def _tops(tokens: np.ndarray, tokenizer: Tokenizer) -> tuple[tuple[str, float], ...]:
    """Return the tokens that a head raises most often, with their shares of all."""
    counts = Counter(tokens[(tokens != NO_TOKEN) & (tokens != tokenizer.pad_id)].tolist())
    total = counts.total()
    most = counts.most_common(LENS_TOKENS)
    return tuple((tokenizer.token(token).text, count / total) for token, count in most)


def _examples(measures: Arrays, n_heads: int) -> np.ndarray:
    """Return the most and the least typical sentences of each head, (K, 2, SHOWN).

    Typical is what is near the head's means, each measure of its weights in standard deviations.
    """
    names = [name for name in measures if name in (*ROLES, "entropy", "distance")]
    values = np.stack([measures[name] for name in names])  # (measures, N, K)
    counted = ~np.isnan(values)
    known = np.where(counted, values, 0)
    n = np.maximum(counted.sum(1, keepdims=True), 1)
    centred = np.where(counted, known - known.sum(1, keepdims=True) / n, 0)
    spread = np.sqrt((centred**2).sum(1, keepdims=True) / n)
    z = np.divide(centred, spread, out=np.zeros_like(centred), where=spread > 0)
    far = (z**2).sum(0) / np.maximum(counted.sum(0), 1)  # (N, K)
    order = far.argsort(axis=0, kind="stable").T  # (K, N)
    return np.stack([order[:, :SHOWN], order[:, ::-1][:, :SHOWN]], axis=1)


def _fails(measures: Arrays, role: FoundRole | None) -> list[int]:
    """Return the held-out sentences in which a head does least of what its role says."""
    if role is None:
        return []
    held_out = measures[role.role].copy()
    held_out[::2] = np.nan
    worst = held_out.argsort(kind="stable")[:SHOWN]  # NaN comes last
    return [int(i) for i in worst if held_out[i] < role.threshold]
