"""Choosing one attention: kind, layer, head, words or pieces, with or without special tokens."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app import state
from app.charts.arrange import Aggregate, Axis, aggregate, arrange, arrange_mask, axis, causal
from app.charts.theme import Floats
from app.components.grid import Weights
from app.data.translation import Kind, Sentence, Translation, word_starts
from app.i18n import N_, _
from app.inspect.picks import place_of
from app.texts import attention as texts
from app.ui.pickers import pick

KIND_NAMES: Mapping[Kind, str] = {
    "cross": N_("Encoder-decoder"),
    "encoder": N_("Encoder"),
    "decoder": N_("Decoder, masked"),
}
AGGREGATES: Mapping[Aggregate, str] = {"mean": N_("mean"), "max": N_("max")}


@dataclass(frozen=True)
class Look:
    """The attention on the page; layer and head count from 0, a head may be an aggregate."""

    translation: Translation
    kind: Kind
    layer: int
    head: int | Aggregate
    queries: Axis
    keys: Axis

    @property
    def mask(self) -> NDArray[np.bool_] | None:
        """Where one may look, by label, or None for everywhere."""
        if self.kind != "decoder":
            return None
        return arrange_mask(causal(self.queries.n_tokens), self.queries, self.keys)

    def heads(self, layer: int) -> Floats:
        """Return the weights of a layer's heads, by label: (H, T, S)."""
        return arrange(self.translation.capture.weights(self.kind, layer), self.queries, self.keys)

    @property
    def weights(self) -> Floats:
        """The weights of the chosen head or aggregate, by label: (T, S)."""
        heads = self.heads(self.layer)
        return heads[self.head] if isinstance(self.head, int) else aggregate(heads, self.head)

    @property
    def labelled(self) -> Weights:
        """The weights (T, S), with what their rows and their columns are called."""
        return Weights(self.weights, self.queries.labels, self.keys.labels)

    @property
    def n_layers(self) -> int:
        return self.translation.capture.n_layers(self.kind)

    @property
    def additive(self) -> bool:
        """Whether a small network scores the keys, instead of q · k."""
        return self.translation.capture.config.arch == "rnnsearch"

    @property
    def head_name(self) -> str:
        """What the chosen head is called, with its layer."""
        layer = self.layer + 1
        if isinstance(self.head, int):
            return _("Layer {layer}, head {head}").format(layer=layer, head=self.head + 1)
        name = _(AGGREGATES[self.head])
        return _("Layer {layer}, {name} over heads").format(layer=layer, name=name)

    @property
    def place(self) -> tuple[str, str]:
        """Where in the model it is: below a picture that is kept, and in names of files."""
        return _(KIND_NAMES[self.kind]), self.head_name


def kinds(translation: Translation) -> list[Kind]:
    """Return the kinds of attention that the model has: a recurrent one has few, or none."""
    return [kind for kind in KIND_NAMES if translation.capture.n_layers(kind)]


def kind_of(translation: Translation) -> Kind:
    """Return the kind that is chosen, or encoder-decoder attention where the model lacks it."""
    chosen: Kind = state.KIND.get()
    return chosen if chosen in kinds(translation) else "cross"


def chosen_look(translation: Translation) -> Look:
    """Return the attention that is chosen; what the model does not have counts as the default."""
    kind = kind_of(translation)
    source, target = translation.source, translation.target
    queries = source if kind == "encoder" else target
    return _look(translation, kind, _chosen_axis(queries), target if kind == "decoder" else source)


def look_of_steps(translation: Translation) -> Look:
    """Return encoder-decoder attention with one row a step: rows are all there, and apart."""
    rows = _axis(translation.target, merge=False, hide=False)
    return _look(translation, "cross", rows, translation.source)


def _look(translation: Translation, kind: Kind, queries: Axis, keys: Sentence) -> Look:
    capture, n_layers = translation.capture, translation.capture.n_layers(kind)
    layer, head = place_of(state.LAYER, n_layers, n_layers - 1), _head(capture.n_heads)
    return Look(translation, kind, layer, head, queries, _chosen_axis(keys))


def pick_attention(translation: Translation, *, one_head: bool = True, steps: bool = False) -> Look:
    """Draw the choices and return the attention chosen; for steps, the kind is no choice."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        if not steps:
            pick_kind(translation)
        look = look_of_steps(translation) if steps else chosen_look(translation)
        if one_head:
            _pick_head(look)
        st.toggle(_("Whole words"), key=state.MERGE.widget())
        st.toggle(_("Hide special tokens"), key=state.HIDE.widget())
    return look


def draw_explanation(look: Look, *, steps: bool = False) -> None:
    """Say what the numbers are: the formula, and what merging and hiding did to them."""
    capture = look.translation.capture
    formula = {"mean": texts.MEAN, "max": texts.MAX}.get(str(look.head), texts.ONE_HEAD)
    if look.additive:
        formula = texts.ADDITIVE
    sizes = {"heads": capture.n_heads, "d_k": capture.config.d_k}
    lines = [_(texts.KINDS[look.kind]), _(formula).format(**sizes)]
    if state.MERGE.get():
        merged = (texts.MERGED_COLUMNS,) if steps else (texts.MERGED_COLUMNS, texts.MERGED_ROWS)
        lines.append(" ".join(map(_, merged)))
    if state.HIDE.get():
        lines.append(_(texts.HIDDEN))
    st.caption("  \n".join(lines))


def pick_kind(translation: Translation) -> None:
    """Draw the choice among the kinds of attention that the model has."""
    names, value = {kind: KIND_NAMES[kind] for kind in kinds(translation)}, kind_of(translation)
    pick(state.KIND, _("Attention"), names, value=value, wrap=True, on_change=_unpin)


def _unpin() -> None:
    state.PIN.set(None)  # the same numbers would be other tokens


def _pick_head(look: Look) -> None:
    layers = [str(layer + 1) for layer in range(look.n_layers)]
    pick(state.LAYER, _("Layer"), layers, value=str(look.layer + 1))
    count = look.translation.capture.n_heads
    names = {str(head + 1): str(head + 1) for head in range(count)}
    if count > 1:
        names |= {str(how): name for how, name in AGGREGATES.items()}
    chosen = str(look.head + 1) if isinstance(look.head, int) else look.head
    pick(state.HEAD, _("Head"), names, value=chosen, wrap=True)


def _chosen_axis(sentence: Sentence) -> Axis:
    return _axis(sentence, state.MERGE.get(), state.HIDE.get())


def _axis(sentence: Sentence, merge: bool, hide: bool) -> Axis:
    tokens = sentence.tokens
    return axis(
        [token.text for token in tokens],
        sentence.words,
        word_starts(tokens),
        [token.special for token in tokens],
        merge=merge,
        hide=hide,
    )


def _head(count: int) -> int | Aggregate:
    chosen = next((how for how in AGGREGATES if how == state.HEAD.get()), None)
    return place_of(state.HEAD, count) if chosen is None or count == 1 else chosen
