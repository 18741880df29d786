"""The visitor's list of changes: kept in the address, undone and redone, said in words."""

from collections.abc import Iterable, Sequence
from typing import Final

import streamlit as st

from app import state
from app.data.changed import Change, Changed, Entry, Fitted, UserError, changed, fitted, of, read
from app.data.changed import write as write_entries
from app.data.translation import Kind, Token, Translation, readable
from app.data.walk import Walk
from app.format import number, quoted, visible
from app.i18n import _
from app.inspector.naming import array_name, query_names, scope_names
from app.texts import changes as texts

PAST: Final = "changes-past"
FUTURE: Final = "changes-future"
MOST_UNDONE: Final = 100


def listed() -> tuple[Entry, ...]:
    """Return the list as the address has it; raises UserError for a text that is none."""
    return read(state.CHANGES.get())


def entries() -> tuple[Entry, ...]:
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
    others = [entry for entry in entries() if not _replaces(change, entry.change)]
    keep([*others, Entry(change)])
    if state.RUN.get() == "before":
        state.RUN.set("after")


def keep(changed_list: Iterable[Entry]) -> None:
    """Make a list the visitor's own; `undo` brings back the one before."""
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


def reset() -> None:
    """Forget all changes; `undo` brings them back."""
    keep(())


def can_undo() -> bool:
    return bool(st.session_state.get(PAST))


def can_redo() -> bool:
    return bool(st.session_state.get(FUTURE))


def undo() -> None:
    """Go back to the list before the last change of it."""
    _step(PAST, FUTURE)


def redo() -> None:
    """Take back an undo."""
    _step(FUTURE, PAST)


def _step(back: str, on: str) -> None:
    if st.session_state.get(back):
        st.session_state.setdefault(on, []).append(state.CHANGES.get())
        state.CHANGES.set(st.session_state[back].pop())


def _replaces(new: Change, old: Change) -> bool:
    """Whether a change says again what another one says: the same, or of the same row."""
    if isinstance(new, of.EditRow) and isinstance(old, of.EditRow):
        return (new.kind, new.layer, new.head, new.row) == (old.kind, old.layer, old.head, old.row)
    return new == old


def run_name(run: state.Run) -> str:
    """Return what a run is called."""
    return _(texts.RUNS[run])


def misfit(error: UserError) -> str:
    """Return why a change is out of place."""
    return _(texts.MISFITS.get(error.code, texts.OUT_OF_PLACE))


def sentence(change: Change, walk: Walk) -> str:
    """Return what a change does, in words; `walk` is the unchanged run that it is about."""
    source, target = walk.capture.src, walk.capture.tgt
    match change:
        case of.MuteHeads(kind, layer, heads, to):
            text = texts.MUTE if to == "zero" else texts.MUTE_MEAN
            return _(text).format(place=place(kind, layer, heads))
        case of.LookAt(position, kind, layer, heads):
            word = _word(target if kind == "decoder" else source, position)
            return _(texts.LOOK_AT).format(place=place(kind, layer, heads), word=word)
        case of.LookLike(how, kind, layer, heads):
            return _(texts.LOOKS[how]).format(place=place(kind, layer, heads))
        case of.EditRow(kind, layer, head, row, cells):
            queries, keys = walk.capture.queries(kind), walk.capture.keys(kind)
            looks = [f"{_word(keys, at)} {number(weight, 3)}" for at, weight in cells]
            at = place(kind, layer, (head,))
            rows = query_names(kind, [visible(token.text) for token in queries])
            word = quoted(rows[row]) if row < len(rows) else _word(queries, row)
            return _(texts.EDIT).format(place=at, word=word, cells=_list(looks))
        case of.HideWords(side, positions, kind, layer):
            words = _words(source if side == "src" else target, positions)
            if kind is None and layer is None:
                return _(texts.HIDE).format(words=words)
            return _(texts.HIDE_IN).format(place=place(kind, layer), words=words)
        case of.SwapWord(side, positions, ids):
            words = _words(source if side == "src" else target, positions)
            return _(texts.SWAP).format(new=quoted(walk.tokenizer.decode(ids)), words=words)
        case of.LeaveOut(positions):
            return _(texts.LEAVE_OUT).format(words=_words(source, positions))
        case of.Reorder(order):
            words = " ".join(_text(source, at) for at in order)
            return _(texts.ORDER).format(words=words)
        case of.WithoutPositions(side):
            return _(texts.NO_POSITIONS[side])
        case of.WithoutCausalMask(None):
            return _(texts.NO_MASK)
        case of.WithoutCausalMask(int(layer)):
            return _(texts.NO_MASK_IN).format(layer=layer + 1)
        case of.WithoutScaling(kind, layer, heads):
            return _(texts.NO_SCALING).format(place=place(kind, layer, heads))
        case of.Temperature(temperature, kind, layer, heads):
            at, written = place(kind, layer, heads), number(temperature, 2)
            return _(texts.TEMPERATURE).format(place=at, temperature=written)
        case of.WithoutResidual(stack, layer, sublayer):
            return _(texts.NO_RESIDUAL).format(part=_part(stack, layer, sublayer))
        case of.WithoutFeedForward(stack, layer):
            return _(texts.NO_FFN).format(part=_part(stack, layer))
        case of.WithoutNorm(stack, layer, sublayer):
            text = texts.NO_LAST_NORM if layer is None else texts.NO_NORM
            return _(text).format(part=_part(stack, layer, sublayer))
        case of.Patch(name, position, other, at):
            return _patch(walk, name, position, other, at)
    raise AssertionError(f"{change.word} has no sentence")


def place(kind: Kind | None, layer: int | None = None, heads: Sequence[int] = ()) -> str:
    """Return where in the model: "Head 3 of layer 1, encoder-decoder attention"."""
    names = {"attention": _(texts.ATTENTIONS[kind])}
    if layer is not None:
        names["layer"] = str(layer + 1)
        many, one, none = texts.HEADS_OF_LAYER, texts.HEAD_OF_LAYER, texts.LAYER
    else:
        many, one, none = texts.HEADS, texts.HEAD, texts.EVERY_HEAD
    names["heads"] = _list([str(head + 1) for head in heads])
    return _(none if not heads else one if len(heads) == 1 else many).format(**names)


def _part(stack: str, layer: int | None, sublayer: int | None = None) -> str:
    scope = [stack] if layer is None else [stack, str(layer)]
    if sublayer is not None:
        scope.append(f"add_norm_{sublayer}")
    name = ", ".join(scope_names(scope))
    return name[:1].upper() + name[1:]


def _patch(walk: Walk, name: str, position: int, other: str, at: int) -> str:
    known = name in walk.numbers.stages
    cross = name.endswith(("cross_attn.k", "cross_attn.v"))
    from_source = cross or name.startswith(("src.", "encoder.", "memory"))
    tokens = walk.capture.src if from_source else walk.capture.tgt
    theirs = walk.tokenizer.tokens(walk.tokenizer.encode(readable(other))) if from_source else ()
    return _(texts.PATCH).format(
        array=array_name(name) if known else name,
        word=_word(tokens, position),
        other=_word(theirs, at),
        sentence=other,
    )


def _words(tokens: Sequence[Token], positions: Iterable[int]) -> str:
    return _list([_word(tokens, at) for at in positions])


def _word(tokens: Sequence[Token], at: int) -> str:
    return quoted(_text(tokens, at))


def _text(tokens: Sequence[Token], at: int) -> str:
    """Return a token's text, or its number where that is not known."""
    return visible(tokens[at].text) if at < len(tokens) else _("word {n}").format(n=at + 1)


def _list(words: Sequence[str]) -> str:
    return ", ".join(words)
