"""Choosing one attention: kind, layer, head, words or pieces, with or without special tokens."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app import state
from app.charts.arrange import (
    Aggregate,
    Axis,
    Floats,
    aggregate,
    arrange,
    arrange_mask,
    axis,
    causal,
)
from app.data.translation import Kind, Sentence, Translation
from app.i18n import N_, _
from app.texts.attention import (
    ADDITIVE,
    HIDDEN,
    KINDS,
    MAX,
    MEAN,
    MERGED_COLUMNS,
    MERGED_ROWS,
    ONE_HEAD,
)

KIND_NAMES: Mapping[Kind, str] = {
    "cross": N_("Encoder-decoder"),
    "encoder": N_("Encoder"),
    "decoder": N_("Decoder, masked"),
}
AGGREGATES: tuple[Aggregate, ...] = ("mean", "max")
AGGREGATE_NAMES = {"mean": N_("mean"), "max": N_("max")}


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
    def n_layers(self) -> int:
        return self.translation.capture.n_layers(self.kind)

    @property
    def additive(self) -> bool:
        """Whether a small network scores the keys, instead of q · k."""
        return self.translation.capture.config.arch == "rnnsearch"

    @property
    def name(self) -> str:
        """A name for files."""
        head = self.head + 1 if isinstance(self.head, int) else self.head
        return f"attention-{self.kind}-layer{self.layer + 1}-head{head}"


def kinds(translation: Translation) -> list[Kind]:
    """Return the kinds of attention that the model has: a recurrent one has few, or none."""
    every: tuple[Kind, ...] = ("cross", "encoder", "decoder")
    return [kind for kind in every if translation.capture.n_layers(kind)]


def kind_of(translation: Translation) -> Kind:
    """Return the kind that is chosen, or encoder-decoder attention where the model lacks it."""
    chosen: Kind = state.KIND.get()
    return chosen if chosen in kinds(translation) else "cross"


def look(translation: Translation) -> Look:
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
    return Look(
        translation,
        kind,
        _layer(translation.capture.n_layers(kind)),
        _head(translation.capture.n_heads),
        queries,
        _chosen_axis(keys),
    )


def pick(translation: Translation, *, one_head: bool = True, steps: bool = False) -> Look:
    """Draw the choices and return the attention chosen; for steps, the kind is no choice."""
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        if not steps:
            _choose_kind(translation)
        now = look_of_steps(translation) if steps else look(translation)
        if one_head:
            _choose_head(now)
        st.toggle(_("Whole words"), key=state.MERGE.widget())
        st.toggle(_("Hide special tokens"), key=state.HIDE.widget())
    return now


def explain(now: Look, *, steps: bool = False) -> None:
    """Say what the numbers are: the formula, and what merging and hiding did to them."""
    heads = now.translation.capture.n_heads
    formula = {"mean": MEAN, "max": MAX}.get(str(now.head), ONE_HEAD)
    d_k = now.translation.capture.config.d_k
    if now.additive:
        formula = ADDITIVE
    lines = [_(KINDS[now.kind]), _(formula).format(heads=heads, d_k=d_k)]
    if state.MERGE.get():
        lines.append(_(MERGED_COLUMNS) if steps else f"{_(MERGED_COLUMNS)} {_(MERGED_ROWS)}")
    if state.HIDE.get():
        lines.append(_(HIDDEN))
    st.caption("  \n".join(lines))


def _choose_kind(translation: Translation) -> None:
    st.segmented_control(
        _("Attention"),
        kinds(translation),
        format_func=lambda kind: _(KIND_NAMES[kind]),
        required=True,
        wrap=True,
        key=state.KIND.widget(kind_of(translation)),
        on_change=_kind_changed,
    )


def _kind_changed() -> None:
    state.PIN.set(None)  # the same numbers would be other tokens


def _choose_head(now: Look) -> None:
    st.segmented_control(
        _("Layer"),
        [str(layer + 1) for layer in range(now.n_layers)],
        required=True,
        key=state.LAYER.widget(str(now.layer + 1)),
    )
    heads = now.translation.capture.n_heads
    st.segmented_control(
        _("Head"),
        [*map(str, range(1, heads + 1)), *(AGGREGATES if heads > 1 else ())],
        format_func=lambda head: _(AGGREGATE_NAMES[head]) if head in AGGREGATES else head,
        required=True,
        wrap=True,
        key=state.HEAD.widget(str(now.head + 1) if isinstance(now.head, int) else now.head),
    )


def _chosen_axis(sentence: Sentence) -> Axis:
    return _axis(sentence, state.MERGE.get(), state.HIDE.get())


def _axis(sentence: Sentence, merge: bool, hide: bool) -> Axis:
    tokens = sentence.tokens
    return axis(
        [token.text for token in tokens],
        sentence.words,
        [token.starts_word for token in tokens],
        [token.special for token in tokens],
        merge=merge,
        hide=hide,
    )


def _layer(count: int) -> int:
    chosen = state.LAYER.get()
    return int(chosen) - 1 if chosen.isdecimal() and 1 <= int(chosen) <= count else count - 1


def _head(count: int) -> int | Aggregate:
    chosen = state.HEAD.get()
    if chosen in AGGREGATES and count > 1:
        return AGGREGATES[AGGREGATES.index(chosen)]
    return int(chosen) - 1 if chosen.isdecimal() and 1 <= int(chosen) <= count else 0
