"""The door to changed runs: a list of changes in the address, and what they make of a sentence.

T target tokens.
"""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from typing import NamedTuple

import numpy as np

from app.data.attention import scope_of
from app.data.cache import cached
from app.data.decoding import Decoding, decode
from app.data.translation import (
    NothingToTranslateError,
    Run,
    Translation,
    described,
    stamp_of,
    translate,
    unchanged,
)
from app.data.walk import Cell, Walk, walk
from model.config import ATTENTIONS, Kind, Side
from model.errors import UserError
from model.interpret.calculation.target import log_probs, probs
from model.interpret.capture import Capture
from model.interpret.experiments import changes as change_types
from model.interpret.experiments.change import Change, Offer
from model.interpret.experiments.changed import capture_changed, difference, divergence
from model.interpret.experiments.plan import ChangePlan, plan

__all__ = ["Change", "Offer", "Side", "UserError", "change_types"]

OFF = "!"  # before the text of a change that is switched off


class ListedChange(NamedTuple):
    """A change in the visitor's list, and whether its switch is on."""

    change: Change
    on: bool = True


def read(text: str) -> tuple[ListedChange, ...]:
    """Read a list as the address writes it; raises UserError for any other text."""
    if not text:
        return ()
    parts = text.split(change_types.BETWEEN_CHANGES)
    changes = change_types.parse(
        change_types.BETWEEN_CHANGES.join(part.removeprefix(OFF) for part in parts)
    )
    if len(changes) < len(parts):
        raise UserError("bad_change", "changes", what=text)
    pairs = zip(changes, parts, strict=True)
    return tuple(ListedChange(change, not part.startswith(OFF)) for change, part in pairs)


def write(entries: Sequence[ListedChange]) -> str:
    """Write a list for the address."""
    texts = (f"{'' if entry.on else OFF}{entry.change.text}" for entry in entries)
    return change_types.BETWEEN_CHANGES.join(texts)


@dataclass(frozen=True, eq=False)
class Fitted:
    """The changes that fit a sentence and its model, and why the others do not, by their texts."""

    plan: ChangePlan
    misfits: Mapping[str, UserError]


@dataclass(frozen=True, eq=False)
class Changed:
    """A sentence translated with changes, beside its unchanged run.

    `translation` is what the model writes under the changes, with a capture of that; `forced` is
    the unchanged translation read under them. `before` and `after` are log p of each token of
    the unchanged translation and of its end, (T,), `free` that of the new one.
    """

    original: Translation
    plan: ChangePlan
    translation: Translation
    forced: Capture
    before: np.ndarray
    after: np.ndarray
    free: np.ndarray

    @property
    def probabilities(self) -> np.ndarray:
        """The probability of each token of the unchanged translation in both runs, (2, T)."""
        return np.stack([probs(self.original.capture), probs(self.forced)])

    @cached_property
    def divergence(self) -> Cell | None:
        """The first number that the changes made another one, None if all are the same."""
        return divergence(self.original.capture, self.forced)


class Differences(Mapping[str, np.ndarray]):
    """By how much each array of a changed run differs, computed when it is asked for."""

    def __init__(self, changed: Changed) -> None:
        self.before, self.after = changed.original.capture, changed.forced
        self.origin = changed.plan.origin
        self.known: dict[str, np.ndarray] = {}

    def __getitem__(self, name: str) -> np.ndarray:
        if name not in self.known:
            self.known[name] = difference(self.before, self.after, name, self.origin)
        return self.known[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self.before.arrays)

    def __len__(self) -> int:
        return len(self.before.arrays)


@dataclass(frozen=True, kw_only=True)
class Difference(Translation):
    """A translation whose numbers are signed: those of `after` less those of `before`.

    Both are runs of the unchanged translation. A word that the changed run does not read has NaN.
    """

    before: Walk
    after: Walk

    def weight_cells(self, kind: Kind, layer: int, at: tuple[int, int, int]) -> tuple[Cell, Cell]:
        """Return a weight (head, query, key) in both runs: a source word may stand elsewhere now.

        One that is not read any more has a place that there is not.
        """
        assert self.after.plan is not None, "a difference is made by changes"
        origin, (head, query, key) = self.after.plan.origin, at
        now = {position: place for place, position in reversed([*enumerate(origin)])}
        attention = ATTENTIONS[kind]
        read = (
            head,
            now.get(query, len(origin)) if attention.queries == "src" else query,
            now.get(key, len(origin)) if attention.keys == "src" else key,
        )
        name = f"{scope_of(self.before, kind, layer)}.weights"
        return Cell(name, at), Cell(name, read)


def fitted(original: Translation, changes: Sequence[Change]) -> Fitted:
    """Fit changes to a sentence, one after the other: what does not fit is left out, and why."""
    return _fitted(original.run.with_changes(changes))


def changed(original: Translation, plan: ChangePlan) -> Changed:
    """Run a sentence with the changes of a plan that was fitted to it."""
    return _changed(original.run.with_changes(plan.changes))


def run_with(walk: Walk, *changes: Change) -> Changed:
    """Run a sentence once more, with the changes that fit it."""
    return changed(walk.translation, fitted(walk.translation, changes).plan)


def translation_of(run: Run) -> Translation:
    """Return the translation of a run by its model as it is now, from the cache or computed."""
    run = replace(run, stamp=stamp_of(run.model))
    return _changed(run).translation if run.changes else unchanged(run)


def translated(walk: Walk, decoding: Decoding) -> Translation:
    """Translate the sentence of a walk in another way of decoding, with the changes of its run."""
    original = translate(walk.translation.model, walk.translation.text, decoding)
    if walk.plan is None:
        return original
    return changed(original, fitted(original, walk.plan.changes).plan).translation


def changed_walk(walk: Walk, run: Changed) -> Walk:
    """Return the walk of a changed run: what the model writes under the changes, every number."""
    return replace(walk, translation=run.translation, plan=run.plan)


def run_walk(
    name: str, text: str, decoding: Decoding, changes: str, all_of_them: bool = False
) -> Walk:
    """Return the walk of a sentence with the changes of a text that fit it.

    Raises what `translate` raises, and UserError for text that is not a change list or, where
    `all_of_them` have to fit, for the first that does not.
    """
    original = walk(name, text, decoding)
    found = fitted(original.translation, change_types.parse(changes))
    if all_of_them:
        for error in found.misfits.values():
            raise error
    plan = found.plan
    if not plan.changes:
        return original
    return changed_walk(original, changed(original.translation, plan))


def difference_of(walk: Walk, run: Changed) -> Difference:
    """Return by how much the changed run differs, of the unchanged translation."""
    before = walk.capture
    capture = Capture(before.config, before.src, before.tgt, Differences(run))
    known = {**vars(walk.translation), "capture": capture}
    return Difference(**known, before=walk, after=forced_walk(walk, run))


def forced_walk(walk: Walk, run: Changed) -> Walk:
    """Return the walk of the unchanged translation, read under the changes."""
    forced = run.original.read_as(run.forced, run.translation.run)
    return replace(walk, translation=forced, plan=run.plan)


@cached()
def _fitted(run: Run) -> Fitted:
    original, model = unchanged(run).capture, run.loaded.model
    runs = _runs(run)
    with suppress(UserError):
        return Fitted(plan(model, original, run.changes, runs), {})
    fitting: list[Change] = []
    misfits = {}
    for change in run.changes:
        try:
            plan(model, original, [*fitting, change], runs)
            fitting.append(change)
        except UserError as error:
            misfits[change.text] = error
    return Fitted(plan(model, original, fitting, runs), misfits)


@cached()
def _changed(run: Run) -> Changed:
    original, loaded, fit = unchanged(run), run.loaded, _fitted(run).plan
    forced = capture_changed(loaded.model, loaded.tokenizer, fit)
    decoded = decode(loaded, list(fit.src_ids), run.decoding, plan=fit)
    written = [loaded.config.bos_id, *decoded.ids]
    same = written == original.capture.tgt_ids
    free = forced if same else capture_changed(loaded.model, loaded.tokenizer, fit, written)
    translation = described(run, decoded, free, "cut" in original.notices)
    log_p = (log_probs(capture) for capture in (original.capture, forced, free))
    return Changed(original, fit, translation, forced, *log_p)


def _runs(run: Run) -> dict[str, Capture]:
    """Return the runs that patches come from, by their sentences; one that is empty has none."""
    texts = {change.of for change in run.changes if isinstance(change, change_types.Patch)}
    found = {}
    for text in texts:
        with suppress(NothingToTranslateError):
            found[text] = translate(run.model, text, run.decoding).capture
    return found
