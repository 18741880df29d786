"""Choosing one attention: kind, layer, head, words or pieces, with or without special tokens."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial

import numpy as np
import streamlit as st
from numpy.typing import NDArray

from app import state
from app.charts.arrange import Aggregate, Axis, aggregate, arrange, arrange_mask, axis
from app.charts.theme import Floats
from app.components.grid import Weights
from app.data.atlas import HeadPlace, aligns_best, first_head, row_of
from app.data.attention import muted, open_cells
from app.data.changed import Difference
from app.data.translation import Kind, ModelConfig, Sentence, Translation, word_starts
from app.data.walk import ATTENTIONS
from app.i18n import N_, _, short_code
from app.inspector.changes import run_name
from app.inspector.naming import query_names
from app.inspector.picks import place_of
from app.state import Settings
from app.ui.chosen import pair
from app.ui.pickers import aside, pick

KIND_NAMES: Mapping[Kind, str] = {
    "cross": N_("Encoder-decoder"),
    "encoder": N_("Encoder"),
    "decoder": N_("Decoder, masked"),
}
KINDS: Mapping[Kind, str] = {
    "cross": N_(
        "Encoder-decoder attention. A row is named “after … → …”: the decoder has just read the "
        "first token, looks at the source, and then writes the second."
    ),
    "encoder": N_(
        "Encoder self-attention: every source token looks at every source token, itself included."
    ),
    "decoder": N_(
        "Masked self-attention of the decoder. A row is named “after … → …”: the first token, just "
        "read, looks at itself and at what was written before it, and then the second is written. "
        "What comes later is masked."
    ),
}
# Which of a row's two tokens a head looks for, as the atlas measured it.
ROWS = {
    "reads": N_("This head looks at the source of each row's first token, the one just read."),
    "writes": N_("This head looks at the source of each row's second token, the one written next."),
}
BEST_ROWS = {
    "reads": N_(
        "Of all heads, this one aligns words best. It looks at the source of each row's first "
        "token, the one just read."
    ),
    "writes": N_(
        "Of all heads, this one aligns words best. It looks at the source of each row's second "
        "token, the one written next."
    ),
}
NO_ATTENTION = N_(
    "This model has no attention: all its decoder knows about the source is one vector, the "
    "encoder's last state. “Step by step” and “Beam” show how it writes."
)
UNHEARD = N_("muted: this head looks, but what it takes is not handed on")
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
        open_ = self._open
        mask = None if open_.all() else arrange_mask(open_, self.queries, self.keys)
        if not self.signed:
            return mask
        read = ~np.isnan(self.weights)
        return read if mask is None else mask & read

    def is_open(self, query: int, key: int) -> bool:
        """Whether one token may look at another one, in one of the runs."""
        return bool(self._open[query, key])

    @property
    def _open(self) -> NDArray[np.bool_]:
        """Where one may look, by token: (T, S); in a difference, in one of the runs."""
        shown = self.translation
        if not isinstance(shown, Difference):
            return open_cells(shown.capture, self.kind, self.layer)
        before, after = (
            open_cells(walk.capture, self.kind, self.layer) for walk in (shown.before, shown.after)
        )
        return before | after if before.shape == after.shape else before

    @property
    def signed(self) -> bool:
        """Whether the numbers are differences: what the changed run has more, or less."""
        return isinstance(self.translation, Difference)

    def heads(self, layer: int) -> Floats:
        """Return the weights of a layer's heads, by label: (H, T, S)."""
        return self._of_run(lambda heads: heads, layer)

    def aggregate(self, layer: int, how: Aggregate) -> Floats:
        """Return what the weights of a layer's heads come to, by label: (T, S)."""
        return self._of_run(lambda heads: aggregate(heads, how), layer)

    @property
    def weights(self) -> Floats:
        """The weights of the chosen head or aggregate, by label: (T, S)."""
        if isinstance(self.head, int):
            return self.heads(self.layer)[self.head]
        return self.aggregate(self.layer, self.head)

    def _of_run(self, join: Callable[[Floats], Floats], layer: int) -> Floats:
        """Join arranged heads, of two runs before one is taken off the other.

        What is arranged is no sum of what was: where words are hidden, rows are divided again.
        """
        weights = self.translation.capture.weights(self.kind, layer)
        if not isinstance(self.translation, Difference):
            return join(self._arranged(weights))
        before = self.translation.before.capture.weights(self.kind, layer)
        missing = np.isnan(weights)
        after = join(self._arranged(np.where(missing, 0, before + weights)))
        unread = join(self._arranged(missing.astype(float))) > 0
        return np.where(unread, np.nan, after - join(self._arranged(before)))

    @property
    def before(self) -> "Look":
        """The same attention in the original run, where the numbers are differences."""
        assert isinstance(self.translation, Difference)
        return replace(self, translation=self.translation.before.translation)

    def _arranged(self, weights: Floats) -> Floats:
        return arrange(weights, self.queries, self.keys)

    @property
    def reach(self) -> float:
        """The largest difference of all heads, at the end of the scale of colours."""
        largest = [np.nanmax(np.abs(self.heads(i)), initial=0) for i in range(self.n_layers)]
        return float(max(largest)) or 1.0

    @property
    def labelled(self) -> Weights:
        """The weights (T, S), with what their rows and their columns are called."""
        reach = self.reach if self.signed else None
        source, target = map(short_code, pair(self.translation.model))
        read = {"src": source, "tgt": target}
        languages = read[ATTENTIONS[self.kind].queries], read[ATTENTIONS[self.kind].keys]
        unheard = _(UNHEARD) if (self.layer, self.head) in self.unheard else ""
        return Weights(
            self.weights, self.query_names, self.keys.labels, reach, None, languages, unheard
        )

    @property
    def unheard(self) -> list[tuple[int, int]]:
        """The layers and heads that a change of the run has muted."""
        if isinstance(self.translation, Difference):
            return []
        made = [muted(self.translation.capture, self.kind, i) for i in range(self.n_layers)]
        return [(layer, int(head)) for layer, of in enumerate(made) for head in np.flatnonzero(of)]

    @property
    def query_names(self) -> Sequence[str]:
        """What the rows are called."""
        return query_names(self.kind, self.queries.labels)

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
    def place(self) -> tuple[str, ...]:
        """Where in the model it is: below a picture that is kept, and in names of files."""
        run = [run_name("difference")] if self.signed else []
        return _(KIND_NAMES[self.kind]), self.head_name, *run


def kinds(translation: Translation) -> list[Kind]:
    """Return the kinds of attention that the model has: a recurrent one has few, or none."""
    return kinds_of(translation.capture.config)


def kinds_of(config: ModelConfig) -> list[Kind]:
    """Return the kinds of attention that a model of these settings has."""
    return [kind for kind in KIND_NAMES if config.n_attentions(kind)]


def kind_of(translation: Translation, settings: Settings | None = None) -> Kind:
    """Return the kind that is chosen, or encoder-decoder attention where the model lacks it."""
    return _kind(translation.capture.config, settings)


def _kind(config: ModelConfig, settings: Settings | None = None) -> Kind:
    chosen: Kind = state.KIND.get(settings)
    return chosen if chosen in kinds_of(config) else "cross"


def chosen_look(translation: Translation, settings: Settings | None = None) -> Look:
    """Return the attention that is chosen, on the page or by some settings.

    What the model does not have counts as the default.
    """
    return _look(translation, kind_of(translation, settings), settings)


def look_of_steps(translation: Translation) -> Look:
    """Return encoder-decoder attention with one row a step: rows are all there, and apart."""
    rows = _axis(translation.target, merge=False, hide=False)
    return replace(_look(translation, "cross"), queries=rows)


def _look(translation: Translation, kind: Kind, settings: Settings | None = None) -> Look:
    layer, head = _place(translation.model, translation.capture.config, kind, settings)
    sides = {"src": translation.source, "tgt": translation.target}
    queries, keys = (
        _axis(sides[side], state.MERGE.get(settings), state.HIDE.get(settings))
        for side in (ATTENTIONS[kind].queries, ATTENTIONS[kind].keys)
    )
    return Look(translation, kind, layer, head, queries, keys)


def _place(
    model: str, config: ModelConfig, kind: Kind, settings: Settings | None = None
) -> tuple[int, int | Aggregate]:
    first = first_head(model, kind)
    layer = place_of(state.LAYER, config.n_attentions(kind), first.layer, settings)
    return layer, _head(config.n_heads, first.head, settings)


def pick_attention(
    model: str, config: ModelConfig, *, one_head: bool = True, steps: bool = False
) -> None:
    """Draw the choices in the sidebar; for steps, the kind is no choice."""
    kind = "cross" if steps else _kind(config)
    layer, head = _place(model, config, kind)
    with aside():
        if not steps:
            pick_kind(config)
        if not one_head:
            return
        layers = [str(i + 1) for i in range(config.n_attentions(kind))]
        pick(state.LAYER, _("Layer"), layers, value=str(layer + 1))
        names = {str(i + 1): str(i + 1) for i in range(config.n_heads)}
        if len(names) > 1:
            names |= {str(how): name for how, name in AGGREGATES.items()}
        chosen = str(head + 1) if isinstance(head, int) else head
        pick(state.HEAD, _("Head"), names, value=chosen, wrap=True)


def pick_labels() -> None:
    """Draw whether words stand in one piece, and special tokens at all."""
    st.toggle(_("Whole words"), key=state.MERGE.widget())
    st.toggle(_("Hide special tokens"), key=state.HIDE.widget())


def draw_explanation(look: Look, *, steps: bool = False) -> None:
    """Say what the numbers are: the formula, and what merging and hiding did to them."""
    capture = look.translation.capture
    formulas = {
        "mean": _(
            "Mean: (head 1 + … + head {heads}) / {heads}, weight by weight. The weights of one "
            "query add up to 1."
        ),
        "max": _(
            "Maximum: the largest of the {heads} heads' weights, weight by weight. "
            "Those of one query can add up to more than 1."
        ),
    }
    one_head = _(
        "weights = softmax(Q Kᵀ / √d_k), with d_k = {d_k}. The weights of one query add up to 1."
    )
    formula = formulas.get(str(look.head), one_head)
    if look.additive:
        formula = _(
            "weights = softmax(v_a · tanh(W_a s + U_a h)): a small network scores each source "
            "token. The weights of one query add up to 1."
        )
    if look.signed:
        formula = _("These weights are the same in both runs: what was changed comes after them.")
        if np.nan_to_num(look.weights).any():
            formula = _(
                "Changed run − original run, weight by weight; both read the original translation. "
                "Within one head, what some words gain, others lose: each row adds up to 0."
            )
    told = ""
    if isinstance(look.head, int) and not look.signed:
        told = row_text(look.translation.model, look.kind, HeadPlace(look.layer, look.head))
    sizes = {"heads": capture.n_heads, "d_k": capture.config.d_k}
    draw_shown_as(look.kind, formula.format(**sizes), told, steps=steps)


def row_text(model: str, kind: Kind, place: HeadPlace) -> str:
    """Say which of a row's two tokens a head looks for; "" where its atlas found neither."""
    row = row_of(model, kind, place)
    if row is None:
        return ""
    return _((BEST_ROWS if aligns_best(model, place) else ROWS)[row])


def draw_shown_as(kind: Kind, numbers: str, told: str = "", *, steps: bool = False) -> None:
    """Say what a kind of attention is, what the numbers are, and what merging and hiding did."""
    lines = [*([f"**{told}**"] if told else []), _(KINDS[kind]), numbers]
    if state.MERGE.get():
        merged = _(
            "Tokens are merged into words. The weights on a word's tokens are added up: to look at "
            "one of them is to look at the word."
        )
        rows = _("The weights that a word's own tokens give are averaged.")
        lines.append(merged if steps else f"{merged} {rows}")
    if state.HIDE.get():
        hidden = _(
            "Special tokens are hidden. Each query's remaining weights are divided by their sum, "
            "so those shown are at least as large as the model's own."
        )
        lines.append(hidden)
    st.caption("  \n".join(lines))


def pick_kind(config: ModelConfig) -> None:
    """Draw the choice among the kinds of attention that the model has."""
    names, value = {kind: KIND_NAMES[kind] for kind in kinds_of(config)}, _kind(config)
    unpin = partial(state.PIN.set, None)  # the same numbers would be other tokens
    pick(state.KIND, _("Attention"), names, value=value, wrap=True, on_change=unpin)


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


def _head(count: int, default: int, settings: Settings | None = None) -> int | Aggregate:
    chosen = next((how for how in AGGREGATES if how == state.HEAD.get(settings)), None)
    if chosen is None or count == 1:
        return place_of(state.HEAD, count, default, settings)
    return chosen
