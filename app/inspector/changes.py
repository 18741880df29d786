"""The visitor's list of changes: kept in the address, undone and redone, said in words."""

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, Final

import streamlit as st

from app import state
from app.data.changed import (
    Change,
    Changed,
    Fitted,
    ListedChange,
    UserError,
    change_types,
    changed,
    fitted,
    read,
)
from app.data.changed import write as write_entries
from app.data.translation import Kind, Token, Translation, readable
from app.data.walk import Walk
from app.format import number, quoted, visible
from app.i18n import N_, _
from app.inspector.naming import array_name, query_names, scope_names
from app.state import Param
from app.ui.pickers import pick

PAST: Final = "changes-past"
FUTURE: Final = "changes-future"
MOST_UNDONE: Final = 100
RUNS: Final[Mapping[state.Run, str]] = {
    "before": N_("Original"),
    "after": N_("Changed"),
    "difference": N_("Difference"),
}
ATTENTIONS: Final = {
    "encoder": N_("encoder self-attention"),
    "decoder": N_("masked self-attention"),
    "cross": N_("encoder-decoder attention"),
    None: N_("all attentions"),
}
# By whether it is in every layer, and by the number of heads: all, one, or some.
PLACES: Final = {
    (True, 0): N_("Every head, {attention}"),
    (True, 1): N_("Head {heads} of every layer, {attention}"),
    (True, 2): N_("Heads {heads} of every layer, {attention}"),
    (False, 0): N_("Layer {layer}, {attention}, all heads"),
    (False, 1): N_("Head {heads} of layer {layer}, {attention}"),
    (False, 2): N_("Heads {heads} of layer {layer}, {attention}"),
}
# Why a change of the list does not fit the sentence and the model; by the code of the error.
MISFITS: Final = {
    "not_for_arch": N_("Out of place: this model has no such part."),
    "no_layer": N_("Out of place: this model has layers 1 to {count} there."),
    "no_head": N_("Out of place: this model has heads 1 to {count} there."),
    "no_such_stage": N_("Out of place: this model has no such numbers, or none to be changed."),
    "no_other_run": N_("Out of place: that sentence cannot be translated."),
    "other_shape": N_("Out of place: the other sentence has a different number of words there."),
    "left_out": N_("Out of place: its word was left out by another change."),
    "nothing_left": N_("Out of place: nothing would be left to look at."),
    "not_an_order": N_("Out of place: this sentence has a different number of words."),
}


def listed() -> tuple[ListedChange, ...]:
    """Return the list as the address has it; raises UserError for a text that is none."""
    return read(state.CHANGES.get())


def entries() -> tuple[ListedChange, ...]:
    """Return the list; an address that cannot be read has none."""
    try:
        return listed()
    except UserError:
        return ()


def fit(original: Translation) -> Fitted | None:
    """Return the changes that are switched on, as far as they fit; None where none does."""
    on = [entry.change for entry in entries() if entry.on]
    if not on:
        return None
    return fitted(original, on)


def run_of(original: Translation) -> Changed | None:
    """Return the changed run beside the original one; None where nothing is changed."""
    fit_ = fit(original)
    if fit_ is None or not fit_.plan.changes:
        return None
    return changed(original, fit_.plan)


def add(change: Change) -> None:
    """Put a change at the end of the list, and show its run; what it was before takes it over."""
    others = [entry for entry in entries() if not change.replaces(entry.change)]
    keep([*others, ListedChange(change)])
    if state.RUN.get() == "before":
        state.RUN.set("after")


def keep(changed_list: Iterable[ListedChange]) -> None:
    """Make a list the visitor's own; a `step` brings back the one before."""
    past = st.session_state.setdefault(PAST, [])
    past.append(state.CHANGES.get())
    del past[:-MOST_UNDONE]
    st.session_state[FUTURE] = []
    state.CHANGES.set(write_entries(list(changed_list)))


def switch(at: int) -> None:
    """Switch a change off or on again."""
    every = list(entries())
    every[at] = every[at]._replace(on=not every[at].on)
    keep(every)


def remove(at: int) -> None:
    """Take a change out of the list."""
    keep(entry for i, entry in enumerate(entries()) if i != at)


def step(back: str, on: str) -> None:
    """Go back to the list before the last change of it, or from FUTURE to PAST take that back."""
    if st.session_state.get(back):
        st.session_state.setdefault(on, []).append(state.CHANGES.get())
        state.CHANGES.set(st.session_state[back].pop())


def run_name(run: state.Run) -> str:
    """Return what a run is called."""
    return _(RUNS[run])


def pick_run(param: Param[state.Run], label: str, value: state.Run | None = None) -> None:
    """Draw the choice of the original run or the changed one."""
    both: dict[state.Run, str] = {"before": RUNS["before"], "after": RUNS["after"]}
    pick(param, label, both, value=value, label_visibility="collapsed")


def misfit(error: UserError) -> str:
    """Return why a change is out of place."""
    nowhere = N_("Out of place: this sentence or this model has no such place.")
    return _(MISFITS.get(error.code, nowhere)).format(count=error.values.get("most", 0) + 1)


def sentence(change: Change, walk: Walk) -> str:
    """Return what a change does, in words; `walk` is the unchanged run that it is about."""
    text = _(change.sentence())
    filled = {name: say(change, walk) for name, say in SAID.items() if f"{{{name}}}" in text}
    return text.format(**filled)


def place(kind: Kind | None, layer: int | None = None, heads: Sequence[int] = ()) -> str:
    """Return where in the model: "Head 3 of layer 1, encoder-decoder attention"."""
    text = _(PLACES[layer is None, min(len(heads), 2)])
    names = {"attention": _(ATTENTIONS[kind]), "heads": ", ".join(str(head + 1) for head in heads)}
    return text.format(layer=(layer or 0) + 1, **names)


def _part(stack: str, layer: int | None, sublayer: int | None = None) -> str:
    scope = [stack] if layer is None else [stack, str(layer)]
    if sublayer is not None:
        scope.append(f"add_norm_{sublayer}")
    name = ", ".join(scope_names(scope))
    return name[:1].upper() + name[1:]


def _row(change: change_types.EditRow, walk: Walk) -> str:
    queries = walk.capture.queries(change.kind)
    rows = query_names(change.kind, [visible(token.text) for token in queries])
    return quoted(rows[change.row]) if change.row < len(rows) else _word(queries, change.row)


def _cells(change: change_types.EditRow, walk: Walk) -> str:
    keys = walk.capture.keys(change.kind)
    return ", ".join(f"{_word(keys, at)} {number(weight, 3)}" for at, weight in change.cells)


def _other(change: change_types.Patch, walk: Walk) -> str:
    if change.side == "tgt":
        return _word((), change.at)
    ids = walk.tokenizer.encode(walk.tokenizer.read(readable(change.of)).text)
    return _word(walk.tokenizer.tokens(ids), change.at)


def _tokens(change: Any, walk: Walk) -> tuple[Token, ...]:
    return walk.capture.tgt if getattr(change, "side", "src") == "tgt" else walk.capture.src


# What fills the places in the sentences of changes, from the fields that these have.
SAID: Final[Mapping[str, Callable[[Any, Walk], str]]] = {
    "place": lambda change, _: place(change.kind, change.layer, getattr(change, "heads", ())),
    "part": lambda change, _: _part(change.stack, change.layer, getattr(change, "sublayer", None)),
    "layer": lambda change, _: str(change.layer + 1),
    "temperature": lambda change, _: number(change.temperature, 2),
    "word": lambda change, walk: _word(_tokens(change, walk), change.position),
    "words": lambda change, walk: ", ".join(
        _word(_tokens(change, walk), at) for at in change.positions
    ),
    "order": lambda change, walk: " ".join(_text(walk.capture.src, at) for at in change.order),
    "new": lambda change, walk: quoted(walk.tokenizer.decode(change.ids)),
    "row": _row,
    "cells": _cells,
    "array": lambda change, walk: (
        array_name(change.name) if change.name in walk.numbers.stages else change.name
    ),
    "other": _other,
    "sentence": lambda change, _: change.of,
}


def _word(tokens: Sequence[Token], at: int) -> str:
    return quoted(_text(tokens, at))


def _text(tokens: Sequence[Token], at: int) -> str:
    """Return a token's text, or its number where that is not known."""
    return visible(tokens[at].text) if at < len(tokens) else _("word {n}").format(n=at + 1)
