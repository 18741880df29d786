"""What is changed: the menu, the changes made so far, both runs, a weight set by hand."""

from collections.abc import Callable, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import dataclass, fields
from functools import partial
from typing import Any, Final, TypeVar
from zlib import crc32

import streamlit as st

from app import state
from app.charts.arrange import word_groups
from app.charts.theme import Floats
from app.components.matrix import Edit
from app.data.changed import Change, Changed, Offer, Side, UserError, change_types, forced_walk
from app.data.embedding import near_word
from app.data.errors import worded
from app.data.translation import Kind, Sentence, readable, word_starts
from app.data.walk import ATTENTIONS, Stack, Walk, side_of
from app.format import escape, number, signed, visible
from app.i18n import N_, _
from app.inspector import changes
from app.inspector.arrays import Grid, array_grid, draw_board
from app.inspector.attention import KIND_NAMES, Look, chosen_look, kinds
from app.inspector.attention_views import OnEdit
from app.inspector.both import draw_translations
from app.inspector.changes import add, run_name, sentence
from app.inspector.naming import array_name, cell_name, follows, layer_names, scope_names, text_at
from app.inspector.panel import ask, asked, draw_panel
from app.state import Pin
from app.texts.stacks import STACKS
from app.ui.buttons import button, quiet_button
from app.ui.sentence_box import offered

DIGITS = 6
T = TypeVar("T")
COOLEST, WARMEST, USUAL = 0.1, 5.0, 2.0  # temperatures
MOST_OFFERED: Final = 6
Values = dict[str, Any]
# What can be changed: what it is called, and its list.
GROUPS: Final = {
    "heads": (N_("Heads"), N_("What they do")),
    "words": (N_("Words"), N_("What happens to it")),
    "parts": (N_("Parts"), N_("What is taken away or turned")),
    "vectors": (N_("Vectors"), ""),
}


def draw_what_if(walk: Walk) -> None:
    """Draw the menu of what can be changed."""
    icon, tip = ":material/experiment:", _("Change one thing inside the model, and run it again.")
    menu = st.popover(_("What if …"), icon=icon, help=tip, key="what-if", on_change="rerun")
    if menu.open:
        with menu:
            draw_form(walk)


def draw_changes(walk: Walk) -> None:
    """Draw the list of changes; what of it cannot be used is said."""
    try:
        listed = changes.listed()
    except UserError as error:
        st.error(escape(worded(error)))
        listed = ()
    _draw_history()
    fit = changes.fit(walk.translation)
    misfits = {} if fit is None else fit.misfits
    for i, entry in enumerate(listed):
        key = f"change-{i}"
        look: dict[str, Any] = {"horizontal": True, "vertical_alignment": "center", "wrap": False}
        with st.container(gap="small", key=key, **look):
            switch = f"{key}-on-{entry.change.text}"
            st.session_state[switch] = entry.on
            label = escape(sentence(entry.change, walk))
            st.toggle(label, key=switch, on_change=changes.switch, args=(i,))
            quiet_button(_("Remove"), f"{key}-remove", "close", changes.remove, i)
            if entry.on and (misfit := misfits.get(entry.change.text)) is not None:
                st.markdown(f":small[:orange[:material/warning: {changes.misfit(misfit)}]]")


def _draw_history() -> None:
    """Draw the buttons that take back a change of the list; none where there was none."""
    past, future = (st.session_state.get(name) for name in (changes.PAST, changes.FUTURE))
    listed = state.CHANGES.get()
    if not (past or future or listed):
        return
    undo = partial(changes.step, changes.PAST, changes.FUTURE)
    redo = partial(changes.step, changes.FUTURE, changes.PAST)
    actions = (
        ("undo", "undo", _("Undo"), undo, past),
        ("redo", "redo", _("Redo"), redo, future),
        ("reset", "restart_alt", _("Remove all changes"), partial(changes.keep, ()), listed),
    )
    with st.container(horizontal=True, gap="small", key="bench"):
        for name, icon, label, act, possible in actions:
            quiet_button(label, f"changes-{name}", icon, act, disabled=not possible)


def draw_both_runs(walk: Walk, run: Changed) -> None:
    """Draw both translations, the probabilities of the original one, and where the runs part."""
    draw_translations(run)
    _draw_totals(run)
    _draw_divergence(walk, run)
    _draw_probabilities(walk, run)


def draw_opened(walk: Walk, run: Changed) -> None:
    """Draw the number of the changed run that was asked for."""
    if asked() is not None:
        draw_panel(forced_walk(walk, run), original=walk)


def _draw_probabilities(walk: Walk, run: Changed) -> None:
    """Draw p of each token of the original translation in both runs, and the change of log p."""
    text = _("How likely each run finds the original translation, word by word:")
    st.markdown(f":small[{text}]")
    tokens = [text_at(follows(walk), at) for at in range(len(run.before))]
    rows = [run_name("before"), run_name("after")]
    labels = {"row_labels": rows, "col_labels": tokens}
    items: list[Grid] = [
        array_grid(run.probabilities, _("probability"), "output", scale="weights", **labels),
        array_grid(run.after - run.before, _("change of log p"), "output", col_labels=tokens),
    ]
    draw_board(items, "both-runs")


def _draw_totals(run: Changed) -> None:
    totals = {
        "before": number(run.before.sum(), 2),
        "after": number(run.after.sum(), 2),
        "more": signed(run.after.sum() - run.before.sum(), 2),
        "free": number(run.free.sum(), 2),
    }
    same = run.translation.capture.tgt_ids == run.original.capture.tgt_ids
    text = _(
        "Together, log p of the original translation goes from {before} to **{after}** ({more})."
    )
    says = (
        _("Left to itself, the changed model still writes the same.")
        if same
        else _("Left to itself, the changed model writes something else, with log p {free}.")
    )
    st.markdown(f":small[{f'{text} {says}'.format(**totals)}]")


def _draw_divergence(walk: Walk, run: Changed) -> None:
    """Say which number is the first that differs; a click opens it."""
    cell = run.divergence
    if cell is None:
        says = _("Both runs are identical, number by number: these changes change nothing.")
        st.markdown(f":small[{says}]")
        return
    text = _("Both runs are identical up to here: **{cell}** is the first that differs.")
    st.markdown(f":small[{text.format(cell=escape(cell_name(walk, cell)))}]")
    quiet_button(_("Open that number"), "parting-open", "search", ask, cell)


def editing(run: Changed | None) -> OnEdit | None:
    """Return what sets a weight of the run that is shown; None where that cannot be said.

    A change counts the words of the original sentence: where another one is read, a cell of the
    changed run's map may be none of the original's.
    """
    if run is None or state.RUN.get() == "before":
        return partial(edits, ())
    if state.RUN.get() == "difference":
        return None
    same = list(run.plan.src_ids) == run.original.capture.src_ids
    return partial(edits, run.plan.changes) if same else None


def edits(made: Sequence[Change], look: Look) -> Callable[[Edit], None]:
    """Return what sets a weight of one head, beside the changes that its run has.

    The page keeps it, and so it holds this head's weights, and not the run.
    """
    assert isinstance(look.head, int), "an aggregate of heads has no weights of its own"
    return partial(_edit, made, (look.kind, look.layer, look.head), look.weights.copy())


def _edit(made: Sequence[Change], head: tuple[Kind, int, int], weights: Floats, edit: Edit) -> None:
    """Set one weight of a row; those set before keep their proportions, like all others."""
    at = *head, edit.query
    old = 1.0 - float(weights[edit.query, edit.key])
    left = 1.0 - edit.weight
    rows = {
        (one.kind, one.layer, one.head, one.row): one.cells
        for one in made
        if isinstance(one, change_types.EditRow)
    }
    before = dict(rows.get(at, ())) if old > 0 else {}
    cells = {key: round(weight * left / old, DIGITS) for key, weight in before.items()}
    cells[edit.key] = edit.weight
    changes.add(change_types.EditRow(*at, tuple(cells.items())))


@dataclass(frozen=True)
class SentenceWord:
    """A word of a sentence: its side, the places of its tokens, and its text."""

    side: Side
    positions: tuple[int, ...]
    text: str


@dataclass(frozen=True, eq=False)
class Menu:
    """The unchanged run, what the page looks at, and what is chosen of a change so far."""

    walk: Walk
    look: Look | None
    offer: Offer
    values: Values

    @property
    def source(self) -> tuple[SentenceWord, ...]:
        return _words("src", self.walk.translation.source)

    @property
    def target(self) -> tuple[SentenceWord, ...]:
        return _words("tgt", self.walk.translation.target)

    @property
    def pinned(self) -> SentenceWord:
        """The word that is looked at in the pinned cell, else the first one."""
        pin = state.PIN.get() or Pin(None, None)
        of_target = self.look is not None and ATTENTIONS[self.look.kind].keys == "tgt"
        words = self.target if of_target else self.source
        at = pin.query if pin.key is None else pin.key
        return next((word for word in words if at in word.positions), words[0])


def draw_form(walk: Walk) -> None:
    """Draw the menu; the change put together there is said in words, and made by a click."""
    has = {"words": True, "heads": bool(kinds(walk.translation))}  # a plain RNN has no heads
    inside = not walk.config.recurrent
    names = {name: _(title) for name, (title, _label) in GROUPS.items() if has.get(name, inside)}
    group = st.segmented_control(
        _("What to change"),
        list(names),
        default=next(iter(names)),
        required=True,
        format_func=names.__getitem__,
        key="what-group",
        width="stretch",
        label_visibility="collapsed",
    )
    try:
        change = _asked(walk, str(group))
    except UserError:
        change = None
    if change is None:
        return
    st.markdown(f"**{escape(sentence(change, walk))}**")
    button(_("Make this change"), "what-add", "experiment", add, change, type="primary")


def _asked(walk: Walk, group: str) -> Change | None:
    """Draw what a group offers and what the offer asks for; None where nothing comes of it."""
    offers = [
        (one, offer) for one in change_types.CLASSES for offer in one.offers if offer.group == group
    ]
    if group == "heads":
        offers = [(one, offer) for one, offer in offers if _kinds(walk, offer)]
    columns = st.columns(2, gap="small") if group == "words" else [nullcontext()] * 2
    with columns[0]:
        names = {i: _(offer.text) for i, (_class, offer) in enumerate(offers)}
        at = _choose(group, _(GROUPS[group][1]), names, 0) if len(offers) > 1 else 0
    one, offer = offers[at]
    look = chosen_look(walk.translation) if kinds(walk.translation) else None
    menu = Menu(walk, look, offer, dict(offer.sets))
    for i, name in enumerate(offer.asks):
        with columns[1] if i == 0 else nullcontext():
            found = ASKS[name](menu)
        if found is None:
            return None
        menu.values.update(found)
    known = {field.name for field in fields(one)}
    return one(**{name: value for name, value in menu.values.items() if name in known})


def _kinds(walk: Walk, offer: Offer) -> list[Kind]:
    """Return the attentions of the model that an offer has a meaning for."""
    return [kind for kind in kinds(walk.translation) if kind in offer.kinds]


def _ask_place(menu: Menu) -> Values:
    """Draw the choice of attention, layer and heads; no head means all of them."""
    among, look, name = _kinds(menu.walk, menu.offer), menu.look, menu.offer.group
    assert look is not None, "only models with attention are asked where"
    left, right = st.columns(2, gap="small")
    with left:
        names = {kind: _(KIND_NAMES[kind]) for kind in among}
        first_kind = look.kind if look.kind in among else among[0]
        kind = _choose(f"{name}-kind", _("Attention"), names, first_kind)
    count = menu.walk.capture.n_layers(kind)
    with right:
        layer = _pick_layer(name, count, min(look.layer, count - 1))
    n_heads = menu.walk.capture.n_heads
    if n_heads == 1:
        return {"kind": kind, "layer": layer}
    first = [look.head] if isinstance(look.head, int) else []
    heads = st.pills(
        _("Heads: those chosen, or none for all"),
        range(n_heads),
        default=first,
        selection_mode="multi",
        format_func=lambda head: str(head + 1),
        key=f"what-{name}-of-{look.head}-{n_heads}",
    )
    return {"kind": kind, "layer": layer, "heads": tuple(heads) if len(heads) < n_heads else ()}


def _ask_key(menu: Menu) -> Values:
    of_target = ATTENTIONS[menu.values["kind"]].keys == "tgt"
    words = menu.target if of_target else menu.source
    word = _pick_word(menu, "look-at", words)
    return {"position": word.positions[0]}


def _ask_word(menu: Menu) -> Values:
    words = menu.source if "source_word" in menu.offer.asks else (*menu.source, *menu.target)
    word = _pick_word(menu, "word", words)
    return {"side": word.side, "positions": word.positions}


def _ask_instead(menu: Menu) -> Values | None:
    """Offer words in the place of one: near in the embedding, likely there, or typed."""
    walk, side, positions = menu.walk, menu.values["side"], menu.values["positions"]
    ids = _near(walk, side, positions)
    names = {i: visible(walk.token(i).text) for i in ids[:MOST_OFFERED]}
    label = _("Close to it in the embedding") if side == "src" else _("As likely there")
    key = f"what-near-{side}-{positions[0]}-{crc32(repr(walk.key).encode())}"
    chosen = st.pills(
        label, list(names), default=next(iter(names), None), key=key, format_func=names.__getitem__
    )
    typed = readable(st.text_input(_("Or another word"), key="what-typed", autocomplete="off"))
    encode = walk.tokenizer.encode if side == "src" else walk.tokenizer.encode_target
    new = tuple(encode(typed)) if typed else () if chosen is None else (chosen,)
    if new and side == "tgt" and len(new) != len(positions):
        says = _("In the translation, the new word needs as many tokens as the old one: {n}.")
        st.caption(says.format(n=len(positions)))
        return None
    return {"ids": new} if new else None


def _near(walk: Walk, side: str, positions: Sequence[int]) -> list[int]:
    if side == "src":
        own = tuple(walk.capture.src_ids[at] for at in positions)
        return [one.token_id for one in near_word(walk, own)]
    before = positions[0] - 1
    steps = walk.translation.steps
    if not 0 <= before < len(steps):
        return []
    step = steps[before]
    return [one.token.id for i, one in enumerate(step.candidates) if i != step.chosen]


def _ask_next(menu: Menu) -> Values | None:
    """Let a word change places with the next one; the last one has none."""
    places = [word.positions for word in menu.source]
    at = places.index(menu.values["positions"])
    if at + 1 == len(places):
        st.caption(_("This is the last word: no other one follows."))
        return None
    places[at : at + 2] = reversed(places[at : at + 2])
    return {"order": tuple(place for each in places for place in each)}


def _ask_stack(menu: Menu) -> Values:
    """Draw the choice of a stack and a layer, or of a sub-layer of one layer."""
    config = menu.walk.config
    stacks: dict[Stack, str] = {stack: _(STACKS[stack]) for stack in config.stacks}
    stack = _choose("stack", _("Stack"), stacks, next(iter(stacks)))
    layers = config.n_layers(stack)
    if "sublayer" not in menu.offer.asks:
        return {"stack": stack, "layer": _pick_layer("part", layers)}
    layer = _choose("one-layer", _("Layer"), dict(enumerate(layer_names(layers))), 0)
    names = [scope_names([stack, "0", part])[-1] for part in config.stacks[stack].sublayers]
    sublayer = _choose("sublayer", _("After"), dict(enumerate(names, start=1)), 1)
    return {"stack": stack, "layer": layer, "sublayer": sublayer}


def _ask_vector(menu: Menu) -> Values | None:
    """Draw the choice of a vector of a word, and from where in another sentence it comes."""
    walk = menu.walk
    others = [text for text in offered(walk.translation.model) if text != walk.translation.text]
    label = _("From the run of another sentence")
    other = st.text_input(label, next(iter(others), ""), key="what-other", autocomplete="off")
    ids = walk.tokenizer.encode(walk.tokenizer.read(readable(other)).text)
    if not ids:
        return None
    names = [*walk.stream("encoder"), "memory", *walk.stream("decoder")]
    stage = _choose(
        "stage", _("Which vector"), {name: array_name(name) for name in names}, "memory"
    )
    from_source = side_of(stage) == "src"
    tokens = walk.capture.src if from_source else walk.capture.tgt
    here = {i: visible(token.text) for i, token in enumerate(tokens)}
    theirs = [visible(token.text) for token in walk.tokenizer.tokens(ids)]
    there = dict(enumerate([*theirs, "<eos>"])) if from_source else here
    default = menu.pinned.positions[0] if from_source else 0
    left, right = st.columns(2, gap="small")
    with left:
        at = _choose("here", _("Into this word"), here, min(default, len(here) - 1))
    with right:
        source = _choose("there", _("From this word"), there, min(at, len(there) - 1))
    return {"name": stage, "position": at, "of": other, "at": source}


def _ask_side(_menu: Menu) -> Values:
    sides = {"src": _("The source"), "tgt": _("The translation"), None: _("Both sentences")}
    return {"side": _choose("side", _("Where"), sides, "src")}


ASKS: Final[Mapping[str, Callable[[Menu], Values | None]]] = {
    "place": _ask_place,
    "key": _ask_key,
    "word": _ask_word,
    "source_word": _ask_word,
    "instead": _ask_instead,
    "next": _ask_next,
    "side": _ask_side,
    "layer": lambda menu: {"layer": _pick_layer("mask", menu.walk.config.n_decoder_layers)},
    "stack": _ask_stack,
    "sublayer": _ask_stack,
    "temperature": lambda menu: {
        "temperature": st.slider(
            _("Temperature"), COOLEST, WARMEST, USUAL, 0.1, key="what-temperature"
        )
    },
    "vector": _ask_vector,
}


def _pick_layer(name: str, count: int, default: int | None = None) -> int | None:
    layers: dict[int | None, str] = {None: _("All layers"), **dict(enumerate(layer_names(count)))}
    return _choose(f"{name}-layer", _("Layer"), layers, default)


def _pick_word(menu: Menu, name: str, words: Sequence[SentenceWord]) -> SentenceWord:
    sides = {word.side for word in words}
    prefix = {"src": _("source"), "tgt": _("translation")}
    titles = {
        i: f"{prefix[word.side]}: {word.text}" if len(sides) > 1 else word.text
        for i, word in enumerate(words)
    }
    at = next((i for i, word in enumerate(words) if word == menu.pinned), 0)
    return words[_choose(name, _("Which word"), titles, at)]


def _words(side: Side, sentence: Sentence) -> tuple[SentenceWord, ...]:
    groups = word_groups(word_starts(sentence.tokens))
    pairs = zip(groups, sentence.words, strict=True)
    return tuple(SentenceWord(side, group, visible(text)) for group, text in pairs)


def _choose(name: str, label: str, options: Mapping[T, str], default: T) -> T:
    """Draw a list; where other things are offered, or others first, it begins with the default."""
    values = list(options)
    chosen = st.selectbox(
        label,
        range(len(values)),
        index=values.index(default),
        format_func=lambda i: options[values[i]],
        key=f"what-{name}-{crc32(repr((default, *options.items())).encode())}",
    )
    return values[chosen]
