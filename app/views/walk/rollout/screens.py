"""Attention rollout, screen by screen."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.data.walk import Walk
from app.format import percent
from app.i18n import N_, _
from app.inspector.arrays import draw_board, weights_grid
from app.inspector.naming import layer_names, texts_of
from app.inspector.picks import pick_place, place_of
from app.inspector.probe import Probe, marked, pick_written, probe_of
from app.page.kit import Code, QuizTask, Screens, beside, guess, pick, say
from app.views.walk.rollout.data import KINDS, Stack, Way, contributions, flow_spread, own_shares

WAYS: Final[Mapping[Way, str]] = {
    "weights": N_("weights of this layer"),
    "rollout": N_("rollout"),
    "norms": N_("rollout by norms"),
    "flow": N_("flow"),
}
SAYS: Final[Mapping[Way, str]] = {
    "weights": N_(
        "Only this layer, the mean of its heads: as if its vectors were still the words at "
        "their places."
    ),
    "rollout": N_(
        "Each attention hands on one half of what came in, and one half of what it looked at; "
        "multiply all layers up to this one (Abnar & Zuidema 2020)."
    ),
    "norms": N_(
        "How long is the part of the output that each vector brought, residual and normalisation "
        "included? Multiply all layers up to this one (Kobayashi 2021, Ferrando 2022)."
    ),
    "flow": N_(
        "Weights as the widths of pipes: how much water can get from a word to this vector? Each "
        "number is a part of its row's sum (Abnar & Zuidema 2020)."
    ),
}
KIND_NAMES: Final = {
    "encoder": N_("encoder self-attention"),
    "decoder": N_("decoder self-attention"),
    "cross": N_("encoder-decoder attention"),
}
WAY: Final = state.Param[Way]("way", "norms", state.one_of(*WAYS))


@dataclass(frozen=True, eq=False)
class RolloutLook(Probe):
    """The token that is asked about, and the way of asking."""

    way: Way = WAY.default

    def layer_of(self, stack: Stack) -> int:
        """Return the chosen layer of a stack, from 0; the last where none such is chosen."""
        count = self.walk.config.n_layers(stack)
        return place_of(state.LAYER, count, count - 1)


HIGH: Final = 120  # pixels of a map's cells, so that both fit a laptop's screen


def look_of(walk: Walk) -> RolloutLook:
    """Return what is chosen."""
    probe = probe_of(walk)
    return RolloutLook(walk, probe.at, probe.layer, WAY.get())


def _pick(look: RolloutLook, stack: Stack) -> None:
    with st.container(horizontal=True, gap="medium"):
        pick(WAY, _("Way of asking"), WAYS, wrap=True)
        pick_place(state.LAYER, _("Layer"), look.walk.config.n_layers(stack), look.layer_of(stack))


def pick_all(look: RolloutLook) -> None:
    """Draw all that can be chosen; a layer that a stack has not is its last."""
    pick_written(look)
    _pick(look, max(("encoder", "decoder"), key=look.walk.config.n_layers))


screens = Screens[RolloutLook]()


@screens(
    "encoder",
    N_("Words become mixtures"),
    Code(
        N_("By norms: what each vector adds"),
        r"M_{t,s} = \frac{\lVert T_t(x_s) \rVert}{\sum_{s'} \lVert T_t(x_{s'}) \rVert},\qquad"
        r" T_t(x_s) = \frac{\gamma}{\sigma_t} \odot \text{centre}\Big(\sum_h \alpha^h_{t,s} v^h_s"
        r" W^h_O + [s = t]\, x_t\Big)",
        "model.interpret.rollout:contributions",
    ),
    Code(
        N_("Rollout: one half and one half"),
        r"M = \tfrac12 (I + \bar A)",
        "model.interpret.rollout:half_mixing",
    ),
    pick=partial(_pick, stack="encoder"),
)
def draw_encoder(look: RolloutLook) -> None:
    """Draw what each of the encoder's vectors is made of, and say it."""
    say()
    guess(guess_encoder(look))
    title = _("encoder, after layer {n}").format(n=look.layer_of("encoder") + 1)
    rows, tokens = rows_of(look, "encoder"), look.sources
    draw_board([weights_grid(rows, title, tokens, tokens)], "rollout-encoder")
    own = np.diagonal(rows)
    least = int(own.argmin())
    text = _(
        "A row: a vector after encoder layer {layer}. A column: the source word it came from. "
        "Each row adds up to 1. {says}\n\nOn average a vector has {own} of its own word; “{word}” "
        "keeps the least, {least}."
    )
    say(
        text,
        layer=look.layer_of("encoder") + 1,
        says=_(SAYS[look.way]),
        own=percent(own.mean()),
        word=marked(tokens[least]),
        least=percent(own[least]),
    )


@screens.drawer("half", N_("Is one half right?"))
def draw_half(look: RolloutLook) -> None:
    """Draw what is kept in each attention of each layer, and say it."""
    grids, means = [], []
    for way in ("rollout", "norms"):
        shares = [own_shares(look.walk, way, kind) for kind in KINDS]
        means.append(percent(np.concatenate(shares).mean()))
        values = np.full((len(shares), max(map(len, shares))), np.nan)
        for row, kept in zip(values, shares, strict=True):
            row[: len(kept)] = kept
        title = _("kept of itself, {way}").format(way=_(WAYS[way]))
        rows = [_(KIND_NAMES[kind]) for kind in KINDS]
        grids.append(weights_grid(values, title, rows, layer_names(values.shape[1])))
    text = _(
        "Rollout does not look at the residual connection: it assumes one half. By norms it is "
        "measured: what each attention hands on of the vector that came in, own weight included, "
        "is {measured} on average, where rollout assumes {assumed}. The more a vector keeps of "
        "itself, the less the weights alone can tell."
    )
    say(text, assumed=means[0], measured=means[1])
    draw_board(grids, "rollout-half")


def rows_of(look: RolloutLook, stack: Stack) -> np.ndarray:
    """Return the answer to what is chosen."""
    return contributions(look.walk, look.way, stack, look.layer_of(stack))


def guess_encoder(look: RolloutLook) -> QuizTask:
    """Ask how much of its word an average vector of the memory still is."""
    share = float(np.diagonal(contributions(look.walk, "norms", "encoder", -1)).mean())
    asks = N_(
        "After all encoder layers, by norms: how much of an average vector is still the word "
        "at its place?"
    )
    options = [_("Less than a third"), _("A third to two thirds"), _("More")]
    says = N_("It is {share}, on average over your sentence.")
    right = [int(share >= 1 / 3) + int(share > 2 / 3)]
    return QuizTask.of(asks, options, right, says, share=percent(share))


@screens(
    "written",
    N_("Which words reach a written word"),
    Code(
        N_("All layers, multiplied"),
        r"R_l = M_l R_{l-1},\qquad R_0 = I",
        "model.interpret.rollout:reach",
    ),
    pick=beside([0.34, 0.66], pick_written, partial(_pick, stack="decoder"), align="top"),
)
def draw_written(look: RolloutLook) -> None:
    """Draw what reaches each written token from the source, and from the translation so far."""
    rows, S = rows_of(look, "decoder"), len(look.walk.capture.src)
    row = rows[look.at]
    most = int(row[:S].argmax())
    text = _(
        "A row: the vector that writes a word, after decoder layer {layer}. What it took from the "
        "source and from what was already written adds up to 1. {says}\n\n“{word}”: {source} came "
        "from the source, most of it from “{key}” ({most}); {target} from the translation so far."
    )
    if look.way == "weights":
        text = _(
            "A row: the vector that writes a word, in decoder layer {layer}; its weights over "
            "the source, and over what was already written: two attentions, each adding up to "
            "1. {says}\n\n“{word}” is written while looking most at “{key}” ({most})."
        )
    say(
        text,
        layer=look.layer_of("decoder") + 1,
        says=_(SAYS[look.way]),
        word=marked(look.word),
        source=percent(row[:S].sum()),
        target=percent(row[S:].sum()),
        key=marked(look.source(most)),
        most=percent(row[most]),
    )
    words, read = look.written, texts_of(look.walk.capture.tgt)
    past, title = np.tri(len(rows), dtype=bool), _("from the translation so far")
    cols = look.sources
    source = weights_grid(rows[:, :S], _("from the source"), words, cols, height=HIGH)
    target = weights_grid(rows[:, S:], title, words, read, mask=past, height=HIGH)
    draw_board([source, target], "rollout-written")


@screens(
    "compare",
    N_("Four answers for one word"),
    Code(
        N_("The largest flow"),
        r"F_{t,s} = \text{max-flow}(s \to t)",
        "model.interpret.rollout:flow",
    ),
    pick=pick_written,
)
def draw_compare(look: RolloutLook) -> None:
    """Draw a row for each way of asking."""
    titles = [_(title) for title in WAYS.values()]
    compared = _compared(look)
    named = [marked(look.source(int(row.argmax()))) for row in compared]
    firsts = ", ".join(f"{way}: “{key}”" for way, key in zip(titles, named, strict=True))
    spread = flow_spread(look.walk)
    flow = _(
        "From one source word, the flow to the written words differs by at most {spread}: it asks "
        "what *can* get through, and not what did."
    ).format(spread=percent(spread))
    text = _(
        "Where does “{word}” come from? Four ways of asking, after the last decoder layer; each "
        "row is scaled to add up to 1 over the source. First place: {firsts}."
    ).format(word=marked(look.word), firsts=firsts)
    flow_same = _(
        "Look at the flow for other words too: it does not change. The narrowest place lies "
        "inside the encoder, on the way out of each source word, and all written words draw from "
        "the same memory. In a deep model flow says what *can* get through, and not what did."
    )
    say(f"{text}\n\n{flow if spread > 1e-4 else flow_same}")
    grid = weights_grid(compared, _("share of the source"), titles, look.sources)
    draw_board([grid], "rollout-compare")


def _compared(look: RolloutLook) -> np.ndarray:
    """Return the chosen token's answers after the last layer, over the source, (ways, S)."""
    S, last = len(look.walk.capture.src), look.walk.config.n_decoder_layers - 1
    rows = [contributions(look.walk, way, "decoder", last)[look.at, :S] for way in WAYS]
    found = np.stack(rows)
    scaled: np.ndarray = found / found.sum(-1, keepdims=True)
    return scaled
