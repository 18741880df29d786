"""The menu of changes: what to change, and where; first of all where one looks on the page."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeVar, cast

import streamlit as st

from app import state
from app.charts.arrange import word_groups
from app.data.changed import Change, UserError, of
from app.data.neighbours import near_word
from app.data.translation import Kind, Sentence, readable, word_starts
from app.data.walk import Walk
from app.format import escape, visible
from app.i18n import _
from app.inspector.attention import KIND_NAMES, Look, chosen_look, kinds
from app.inspector.changes import add, sentence
from app.inspector.naming import SUB_LAYERS, array_name, layer_names, scope_names
from app.state import Pin
from app.texts import changes as texts
from app.ui.sentence_box import offered

T = TypeVar("T")
COOLEST, WARMEST, USUAL = 0.1, 5.0, 2.0  # temperatures
MOST_OFFERED: Final = 6
OWN: Final = ("itself", "before")  # looks that need the own words


@dataclass(frozen=True)
class Word:
    """A word of a sentence: its side, the places of its tokens, and its text."""

    side: of.Side
    positions: tuple[int, ...]
    text: str


@dataclass(frozen=True, eq=False)
class Menu:
    """The unchanged run, and what the page looks at: a change begins there."""

    walk: Walk
    look: Look | None

    @property
    def source(self) -> tuple[Word, ...]:
        return _words("src", self.walk.translation.source)

    @property
    def target(self) -> tuple[Word, ...]:
        return _words("tgt", self.walk.translation.target)

    @property
    def pinned(self) -> Word:
        """The word that is looked at in the pinned cell, else the first one."""
        pin = state.PIN.get() or Pin(None, None)
        of_target = self.look is not None and self.look.kind == "decoder"
        words = self.target if of_target else self.source
        at = pin.query if pin.key is None else pin.key
        return next((word for word in words if at in word.positions), words[0])


def draw_form(walk: Walk) -> None:
    """Draw the menu; the change put together there is said in words, and made by a click."""
    look = chosen_look(walk.translation) if kinds(walk.translation) else None
    menu = Menu(walk, look)
    drawn = {name: draw for name, draw in GROUPS.items() if _offers(walk, name)}
    names = {name: _(texts.GROUPS[name]) for name in drawn}
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
        change = drawn[str(group)](menu)
    except UserError:
        change = None
    if change is None:
        return
    st.markdown(f"**{escape(sentence(change, walk))}**")
    icon = ":material/experiment:"
    label = _("Make this change")
    st.button(label, "what-add", icon=icon, type="primary", on_click=add, args=(change,))


def _offers(walk: Walk, group: str) -> bool:
    """Whether a model has what a group changes: a plain RNN has no heads."""
    if group == "words":
        return True
    return bool(kinds(walk.translation)) if group == "heads" else not walk.config.recurrent


def _of_heads(menu: Menu) -> Change | None:
    every = kinds(menu.walk.translation)
    within = [kind for kind in every if kind != "cross"]  # where a word can look at itself
    choices = {what: text for what, text in texts.OF_HEADS.items() if within or what not in OWN}
    what = _choose("heads", _("What they do"), _translated(choices), "zero")
    kind, layer, heads = _pick_place(menu, "heads", within if what in OWN else every)
    if what in ("zero", "mean"):
        return of.MuteHeads(kind, layer, heads, "zero" if what == "zero" else "mean")
    if what == "uniform" or what in OWN:
        return of.LookLike(cast(of.Look, what), kind, layer, heads)
    words = menu.target if kind == "decoder" else menu.source
    word = _pick_word("look-at", _("Which word"), words, menu.pinned)
    return of.LookAt(word.positions[0], kind, layer, heads)


def _of_words(menu: Menu) -> Change | None:
    left, right = st.columns(2, gap="small")
    with left:
        what = _choose("words", _("What happens to it"), _translated(texts.OF_WORDS), "hide")
    with right:
        if what == "nopos":
            return of.WithoutPositions(_choose("side", _("Where"), _sides(), "src"))
        words = menu.source if what in ("leaveout", "order") else (*menu.source, *menu.target)
        word = _pick_word("word", _("Which word"), words, menu.pinned)
    if what == "hide":
        return of.HideWords(word.side, word.positions)
    if what == "leaveout":
        return of.LeaveOut(word.positions)
    return _swapped(menu, word) if what == "swap" else _reordered(menu, word)


def _swapped(menu: Menu, word: Word) -> Change | None:
    """Offer words in the place of one: near in the embedding, likely there, or typed."""
    walk = menu.walk
    ids = _near(walk, word)
    names = {i: visible(walk.token(i).text) for i in ids[:MOST_OFFERED]}
    label = _("Near to it in the embedding") if word.side == "src" else _("As likely there")
    key = f"what-near-{word.side}-{word.positions[0]}-{hash(walk.key)}"
    chosen = st.pills(
        label, list(names), default=next(iter(names), None), key=key, format_func=names.__getitem__
    )
    typed = readable(st.text_input(_("Or another word"), key="what-typed", autocomplete="off"))
    encode = walk.tokenizer.encode if word.side == "src" else walk.tokenizer.encode_target
    new = tuple(encode(typed)) if typed else () if chosen is None else (chosen,)
    if not new:
        return None
    if word.side == "tgt" and len(new) != len(word.positions):
        st.caption(
            _("In the translation, the new word needs as many tokens as the old one: {n}.").format(
                n=len(word.positions)
            )
        )
        return None
    return of.SwapWord(word.side, word.positions, new)


def _near(walk: Walk, word: Word) -> list[int]:
    if word.side == "src":
        own = tuple(walk.capture.src_ids[at] for at in word.positions)
        return [one.token_id for one in near_word(walk, own)]
    before = word.positions[0] - 1
    steps = walk.translation.steps
    if not 0 <= before < len(steps):
        return []
    step = steps[before]
    return [one.token.id for i, one in enumerate(step.candidates) if i != step.chosen]


def _reordered(menu: Menu, word: Word) -> Change | None:
    """Let a word change places with the next one; the last one has none."""
    words = list(menu.source)
    at = words.index(word)
    if at + 1 == len(words):
        st.caption(_("This is the last word: no other one follows."))
        return None
    words[at : at + 2] = reversed(words[at : at + 2])
    return of.Reorder(tuple(place for each in words for place in each.positions))


def _of_parts(menu: Menu) -> Change | None:
    what = _choose(
        "parts", _("What is taken away or turned"), _translated(texts.OF_PARTS), "nomask"
    )
    config = menu.walk.config
    if what == "nomask":
        return of.WithoutCausalMask(_pick_layer("mask", config.n_decoder_layers))
    if what == "noscale":
        return of.WithoutScaling(*_pick_place(menu, "scale"))
    if what == "temp":
        label = _("Temperature")
        warm = st.slider(label, COOLEST, WARMEST, USUAL, 0.1, key="what-temperature")
        return of.Temperature(warm, *_pick_place(menu, "temperature"))
    stack = _choose("stack", _("Stack"), _stacks(), "encoder")
    layers = config.n_encoder_layers if stack == "encoder" else config.n_decoder_layers
    if what == "noffn":
        return of.WithoutFeedForward(stack, _pick_layer("part", layers))
    layer = _choose("one-layer", _("Layer"), dict(enumerate(layer_names(layers))), 0)
    names = [scope_names([stack, "0", part])[-1] for part in SUB_LAYERS[stack]]
    sublayer = _choose("sublayer", _("After"), dict(enumerate(names, start=1)), 1)
    kind = of.WithoutResidual if what == "noadd" else of.WithoutNorm
    return kind(stack, layer, sublayer)


def _of_vectors(menu: Menu) -> Change | None:
    """Put together a patch: which vector of which word, and from where in another sentence."""
    walk = menu.walk
    others = [text for text in offered(walk.translation.model) if text != walk.translation.text]
    other = st.text_input(
        _("From the run of another sentence"),
        next(iter(others), ""),
        key="what-other",
        autocomplete="off",
    )
    ids = walk.tokenizer.encode(readable(other))
    if not ids:
        return None
    names = [*walk.stream("encoder"), "memory", *walk.stream("decoder")]
    stage = _choose(
        "stage", _("Which vector"), {name: array_name(name) for name in names}, "memory"
    )
    from_source = stage.startswith(("src.", "encoder.", "memory"))
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
    return of.Patch(stage, at, other, source)


GROUPS: Final[Mapping[str, Callable[[Menu], Change | None]]] = {
    "heads": _of_heads,
    "words": _of_words,
    "parts": _of_parts,
    "vectors": _of_vectors,
}


def _pick_place(
    menu: Menu, name: str, among: Sequence[Kind] = ()
) -> tuple[Kind, int | None, tuple[int, ...]]:
    """Draw the choice of attention, layer and heads; no head means all of them."""
    among = among or kinds(menu.walk.translation)
    look = menu.look
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
        return kind, layer, ()
    first = [look.head] if isinstance(look.head, int) else []
    heads = st.pills(
        _("Heads: those chosen, or none for all"),
        range(n_heads),
        default=first,
        selection_mode="multi",
        format_func=lambda head: str(head + 1),
        key=f"what-{name}-of-{look.head}-{n_heads}",
    )
    return kind, layer, tuple(heads) if len(heads) < n_heads else ()


def _pick_layer(name: str, count: int, default: int | None = None) -> int | None:
    layers: dict[int | None, str] = {None: _("All layers"), **dict(enumerate(layer_names(count)))}
    return _choose(f"{name}-layer", _("Layer"), layers, default)


def _pick_word(name: str, label: str, words: Sequence[Word], default: Word) -> Word:
    sides = {word.side for word in words}
    prefix = {"src": _("source"), "tgt": _("translation")}
    titles = {
        i: f"{prefix[word.side]}: {word.text}" if len(sides) > 1 else word.text
        for i, word in enumerate(words)
    }
    at = next((i for i, word in enumerate(words) if word == default), 0)
    return words[_choose(name, label, titles, at)]


def _words(side: of.Side, sentence: Sentence) -> tuple[Word, ...]:
    groups = word_groups(word_starts(sentence.tokens))
    pairs = zip(groups, sentence.words, strict=True)
    return tuple(Word(side, group, visible(text)) for group, text in pairs)


def _sides() -> dict[of.Side | None, str]:
    return {"src": _("The source"), "tgt": _("The translation"), None: _("Both sentences")}


def _stacks() -> dict[of.Stack, str]:
    return {"encoder": _("Encoder"), "decoder": _("Decoder")}


def _translated(names: Mapping[T, str]) -> dict[T, str]:
    return {name: _(text) for name, text in names.items()}


def _choose(name: str, label: str, options: Mapping[T, str], default: T) -> T:
    """Draw a list; where other things are offered, or others first, it begins with the default."""
    values = list(options)
    chosen = st.selectbox(
        label,
        range(len(values)),
        index=values.index(default),
        format_func=lambda i: options[values[i]],
        key=f"what-{name}-{hash((default, *options.items()))}",
    )
    return values[chosen]
