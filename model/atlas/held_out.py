"""The sentences to measure a model on where nobody names any: what its own task held out."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import Path

from model.atlas.sample import Sample, phrase_sample
from model.checkpoint import Checkpoint
from model.errors import UserError
from model.languages import languages_of
from model.runs.folder import RunFolder
from model.runs.plan import Plan
from model.tasks import TASKS, make_pairs
from model.tasks.phrases.phrase_book import WRITERS
from model.tasks.task import Task
from model.text.alignment import AlignedPair
from model.text.pairs import Pair, read_pairs


def sample_for(loaded: Checkpoint, count: int, seed: int) -> Sample:
    """Return held-out pairs of the task that a model was trained on; else the phrase book's.

    Raises UserError where the model tells neither its task nor that it translates from Spanish or
    French to English.
    """
    plan = plan_of(loaded)
    if plan is not None and plan.valid:
        return Sample("own", tuple(read_pairs([_run(loaded) / plan.valid], "valid")[:count]))
    if plan is not None and plan.task in TASKS:
        return _of_task(plan, count, seed)
    source, target = languages_of(loaded.metrics, loaded.folder.name)
    if source in WRITERS and target == "en":
        return phrase_sample(source, count, seed)
    raise UserError("no_sample")


def plan_of(loaded: Checkpoint) -> Plan | None:
    """Return the plan of the run in whose folder a model lies, or the one that came with it."""
    folder = RunFolder(_run(loaded))
    if folder.exists():
        return folder.plan()
    values = loaded.metrics.get("plan")
    return Plan.from_dict(values | {"valid": ""}) if values else None


def _run(loaded: Checkpoint) -> Path:
    return loaded.folder.parent


def _of_task(plan: Plan, count: int, seed: int) -> Sample:
    """Draw the pairs of a plan once more, and take those that were held out."""
    train, held_out = make_pairs(plan.task, plan.pairs, plan.train.validate_pairs, plan.train.seed)
    task = TASKS[plan.task]
    kind, _, source = plan.task.partition("-")
    if kind == "phrases":
        return phrase_sample(source, count, seed, {pair.src for pair in train})
    pairs = tuple(held_out[:count])
    return Sample(plan.task, pairs, tuple(aligned(task, pairs)))


def aligned(task: Task, pairs: Iterable[Pair]) -> Iterator[AlignedPair]:
    """Yield the true links of a task's pairs; none where the task does not know them."""
    if task.align is None:
        return
    for pair in pairs:
        src, tgt = _words(pair.src), _words(pair.tgt)
        links = frozenset((src[s], tgt[t]) for t, s in task.align(pair))
        yield AlignedPair(pair, links, links)


def _words(text: str) -> list[int]:
    """Return the word between blanks that each part is of: tasks count the parts by hyphens."""
    return [i for i, word in enumerate(text.split()) for _part in word.split("-")]
