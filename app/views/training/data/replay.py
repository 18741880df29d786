"""Any sentence, translated by the model as it was at each kept checkpoint of a run."""

from dataclasses import replace
from pathlib import Path

from app.data.cache import cached
from app.data.moments import Film
from app.data.runs import folder_of
from app.data.translation import readable
from model import checkpoint
from model.checkpoint import Checkpoint
from model.decoding.search import translate_ids, truncate
from model.runs.film import Frame, film
from model.runs.folder import RunFolder
from model.text.pairs import Pair
from model.text.tokenizer import EOS

Stamps = tuple[tuple[int, int], ...]


def has_moments(name: str) -> bool:
    """Return whether checkpoints of the filmed steps were kept."""
    return bool(folder_of(name).moments())


def replay(name: str, text: str) -> Film:
    """Return the film of a sentence: its translation and attention at each kept checkpoint.

    Every checkpoint is given the newest one's translation (teacher forcing), so that all
    pictures have the same rows. Raises CheckpointError for weights that cannot be read.
    """
    folder = folder_of(name)
    return _replay(folder.path, readable(text), _stamps(folder))


def _stamps(folder: RunFolder) -> Stamps:
    """Return the kept steps, each with the time when it was written."""
    return tuple(
        (step, (folder.moment_folder(step) / "manifest.json").stat().st_mtime_ns)
        for step in folder.moments()
    )


@cached()
def _replay(path: Path, text: str, stamps: Stamps) -> Film:
    """Replay by path, which keys the cache: two visitors of a class may share a run's name."""
    folder, steps = RunFolder(path), [step for step, _written in stamps]
    pair = Pair(text, _translation(_load(folder, steps[-1]), text))
    plan = replace(folder.plan(), task="", probe=(pair.src, pair.tgt))
    return Film(folder.name, plan, tuple(_frame(folder, pair, step) for step in steps))


def _frame(folder: RunFolder, pair: Pair, step: int) -> Frame:
    loaded = _load(folder, step)
    return film(loaded.model, loaded.tokenizer, pair, step)


def _load(folder: RunFolder, step: int) -> Checkpoint:
    return checkpoint.load(folder.moment_folder(step))


def _translation(loaded: Checkpoint, text: str) -> str:
    src, _too_long = truncate([*loaded.tokenizer.encode(text), EOS], loaded.config.max_len)
    (output,) = translate_ids(loaded.model, [src], width=1)
    return loaded.tokenizer.decode(output)
