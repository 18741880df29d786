"""One step of the decoder: what it reads, where it looks, what it writes."""

import html
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import numpy as np
import streamlit as st

from app import state
from app.charts.theme import both_modes
from app.components.board import Grid, Op
from app.data.atlas import first_head
from app.data.translation import DecodingStep, Token
from app.data.walk import Walk
from app.format import grouped, probability, share, visible
from app.i18n import N_, _
from app.inspector.arrays import STATE_FOLD, arrays, grid, weights_grid
from app.inspector.attention import AGGREGATES
from app.inspector.naming import layer_names, quoted_token
from app.inspector.picks import head_of
from app.inspector.stepper import candidates_of, draw_candidates
from app.page.kit import Code, QuizTask, Screens, beside, guess, pick, say
from app.ui import player
from app.ui.kept import show_html

MEMORY: Final = N_("memory")
STYLE = """<style>
.flow { display: grid; grid-template-columns: 1fr auto 1fr; gap: 0.5rem 0.75rem;
  align-items: center; }
.flow .box { border: 2px solid var(--role); border-radius: 0.6rem; padding: 0.6rem 0.5rem;
  text-align: center; font-weight: 600; }
.flow .box small { display: block; font-weight: 400; }
.flow .on { background: color-mix(in srgb, var(--role) 18%, transparent); border-width: 3px; }
.flow .off { border-style: dashed; }
.flow .tokens { display: flex; flex-wrap: wrap; gap: 0.25rem; justify-content: center;
  align-items: center; min-height: 2rem; }
.flow .token { border: 1px solid var(--role); border-radius: 0.4rem; padding: 0 0.35rem;
  overflow-wrap: anywhere; }
.flow .new { border-width: 3px; font-weight: 700; animation: flow-in 0.45s ease-out;
  background: color-mix(in srgb, var(--role) 18%, transparent); }
.flow .arrow { text-align: center; line-height: 1.1; font-size: 0.85rem; }
.flow .arrow b { display: block; font-size: 1.6rem; color: var(--role); }
.flow .up { grid-column: 3; text-align: center; line-height: 1; }
.flow .first { grid-column: 1; }
@keyframes flow-in { from { transform: translateY(0.8rem); } }
@media (prefers-reduced-motion: reduce) { .flow .new { animation: none; } }
</style>"""
Look = Literal["self_attn", "cross_attn"]
MEAN: Final = "mean"
BARS: Final = 6  # of what could come next


@dataclass(frozen=True, eq=False)
class DecoderStep:
    """A step of the decoder, from 1; 0 is the encoder's, before which the first one comes.

    `mean` stands for all heads.
    """

    walk: Walk
    step: int
    head: int
    mean: bool

    @property
    def at(self) -> int:
        """The place in the decoder's input that is read at this step, or first."""
        return min(max(self.step, 1), len(self.walk.capture.tgt)) - 1

    @property
    def read(self) -> Token:
        return self.walk.capture.tgt[self.at]

    @property
    def decoded(self) -> DecodingStep:
        return self.walk.translation.steps[self.at]

    def keys(self, look: Look) -> tuple[Token, ...]:
        """Return what is there to look at by this step."""
        capture = self.walk.capture
        return capture.src if look == "cross_attn" else capture.tgt[: self.at + 1]

    def weights(self, look: Look, layer: int) -> np.ndarray:
        """Return where one layer looks, in the chosen head or as the mean of all, (S,)."""
        array = self.walk.array(f"decoder.{layer}.{look}.weights", (None, self.at))  # (H, S)
        row = np.asarray(array.mean(0) if self.mean else array[self.head])
        return row[: len(self.keys(look))]


def moment_of(walk: Walk) -> DecoderStep:
    """Return the chosen moment; while the steps play, it is the next one when its time has come."""
    count = len(walk.translation.steps)
    player.tick(count, first=0)
    step = player.step_of(count, first=0)
    first = first_head(walk.translation.model, "cross").head
    return DecoderStep(walk, step, head_of(walk.config.n_heads, first), state.HEAD.get() == MEAN)


def pick_time(moment: DecoderStep) -> None:
    """Draw the player of all times: the encoder's, then the steps of the decoder."""
    player.controls(len(moment.walk.translation.steps), first=0, what="token")


def pick_step(moment: DecoderStep) -> None:
    """Draw the player of the decoder's steps."""
    player.controls(len(moment.walk.translation.steps), what="token")


def pick_head(moment: DecoderStep) -> None:
    """Draw the heads, and their mean."""
    heads = [str(i + 1) for i in range(moment.walk.config.n_heads)]
    names = dict(zip(heads, heads, strict=True)) | {MEAN: AGGREGATES[MEAN]}
    about = _("The mean adds the weights of all heads and divides by their number.")
    value = MEAN if moment.mean else heads[moment.head]
    pick(state.HEAD, _("Head"), names, value=value, wrap=True, help=about)


screens = Screens[DecoderStep]()


@screens("loop", "", pick=pick_time)
def draw_flow(moment: DecoderStep) -> None:
    """Draw who is at work, what it has read and what it has written."""
    say()
    walk, step = moment.walk, moment.step
    green, pink, grey = both_modes("input"), both_modes("output"), both_modes("residual")
    written = [done.taken.token for done in walk.translation.steps[:step]]
    read, gap = walk.capture.tgt[:step], "<span></span>"
    up, up_first = (f'<span class="{at}" aria-hidden="true">↑</span>' for at in ("up", "up first"))
    decoding = _("step {n}").format(n=step) if step else _("waits for the memory")
    encoding = _("has done its work") if step else _("works now, and only now")
    encoder = _("{n} × encoder layer").format(n=walk.config.n_encoder_layers)
    decoder = _("{n} × decoder layer").format(n=walk.config.n_decoder_layers)
    keys_values = _("K, V")
    memory = (
        f'<span class="arrow" style="--role:{green}">{html.escape(_(MEMORY))}'
        f'<b aria-hidden="true">→</b>{html.escape(keys_values)}</span>'
    )
    show_html(
        f'{STYLE}<div class="flow" data-testid="flow">'
        f"{gap}{gap}{_tokens(written, pink)}"
        f"{gap}{gap}{up}"
        f"{_box(encoder, green, not step, encoding)}{memory}"
        f"{_box(decoder, grey, bool(step), decoding)}"
        f"{up_first}{gap}{up}"
        f"{_tokens(walk.capture.src, green, last_is_new=False)}{gap}{_tokens(read, pink)}</div>"
    )


def _box(name: str, colour: str, on: bool, state: str) -> str:
    return (
        f'<div class="box {"on" if on else "off"}" style="--role:{colour}">{html.escape(name)}'
        f"<small>{html.escape(state)}</small></div>"
    )


def _tokens(tokens: Sequence[Token], colour: str, *, last_is_new: bool = True) -> str:
    spans = [
        f'<span class="token{" new" if last_is_new and i + 1 == len(tokens) else ""}">'
        f"{html.escape(visible(token.text))}</span>"
        for i, token in enumerate(tokens)
    ]
    not_yet = _("nothing yet")
    inside = "".join(spans) or f"<i>{html.escape(not_yet)}</i>"
    return f'<div class="tokens" style="--role:{colour}">{inside}</div>'


@screens("encode", N_("Time 0: the encoder reads the sentence"), pick=False)
def draw_memory(moment: DecoderStep) -> None:
    """Draw the memory, and the keys and values that a layer makes of it."""
    walk = moment.walk
    text = _(
        "The encoder reads all {n} tokens at once and leaves one vector of {d_model} numbers for "
        "each: the memory. From it, every decoder layer makes its keys K and values V."
    )
    say(text, n=len(walk.capture.src), d_model=walk.config.d_model)
    says = N_(
        "It runs once. Whatever the decoder writes later, the memory and its keys and values "
        "stay as they are."
    )
    asks = N_(
        "The decoder takes {n} steps to write your translation. How often does the encoder run?"
    )
    options = [_("Once for each step of the decoder"), _("Once"), _("Once for each decoder layer")]
    guess(QuizTask.of(asks, options, [1], says, says, n=len(walk.translation.steps)))
    every = (moment.head, None, None)
    small = {"thumb": True, "row_labels": ()}
    drawn: list[Grid | Op] = [
        grid(walk, "memory", (None, None), _(MEMORY), thumb=True),
        Op("→"),
        *(grid(walk, f"decoder.0.cross_attn.{v}", every, v.upper(), **small) for v in "kv"),
    ]
    arrays(walk, drawn, key="memory")
    st.caption(_("Shown: K and V of decoder layer 1, head {head}.").format(head=moment.head + 1))


@screens(
    "step",
    N_("What goes in, and what comes out"),
    Code(
        N_("One step: read a token, score what follows"),
        r"p(y_t \mid y_{<t}, x) = \mathrm{softmax}(\mathrm{logits}_t)",
        "model.nn.transformer:Transformer.decode_step",
    ),
    pick=pick_step,
    was=("out",),
)
def draw_step(moment: DecoderStep) -> None:
    """Draw the vector of the token that is read, and what it is the sum of."""
    text = _(
        "At step 1 nothing is written yet. The decoder reads only {word}, the token that begins "
        "every translation. Its vector x is its embedding plus its position."
    )
    if moment.at:
        text = _(
            "At step {n} the decoder reads what it has written. The newest token is {word}, "
            "which came out of step {before}: its vector x is its embedding plus its position. "
            "The keys and values of earlier tokens are kept, so only this one vector goes "
            "through the layers."
        )
    say(text, word=quoted_token(moment.read), n=moment.at + 1, before=moment.at)
    walk, candidates = moment.walk, candidates_of(moment.decoded, BARS)
    left, right = st.columns(2, gap="medium")
    with left:
        embed, pos, x = (
            grid(walk, f"tgt.{name}", (moment.at, None), title, fold=STATE_FOLD)
            for name, title in (
                ("embed", f"{_('embedding')} · “{moment.read.text}”"),
                ("pos", _("position")),
                ("sum", "x"),
            )
        )
        ids = tuple(candidate.token.id for candidate in candidates)
        words = [candidate.token.text for candidate in candidates]
        part = {"rows": (moment.at,), "row_labels": (), "cols": ids, "col_labels": words}
        p = grid(walk, "probabilities", (None, None), "p", **part, role="output")
        arrays(walk, [embed, Op("+"), pos, Op("="), x, Op("… →"), p], "in")
    with right:
        rest = 1 - sum(candidate.probability for candidate in candidates)
        others = grouped(walk.config.n_tgt_vocab - len(candidates))
        tail = _("The other {n} tokens of the vocabulary have no bar here; together they have {p}.")
        tail = tail.format(n=others, p=probability(max(rest, 0.0)))
        say(f"{_choice(moment)} {tail}")
        draw_candidates(walk.translation, moment.at, BARS)
        if moment.at + 1 == len(walk.translation.steps):
            end = _("The end sign came out: the sentence is complete, and the decoder stops.")
            if "unfinished" in walk.translation.notices:
                end = _(
                    "The model did not end the sentence by itself: here the longest allowed "
                    "length was reached."
                )
            st.success(end)


def _choice(moment: DecoderStep) -> str:
    """Say which token was taken, and whether a likelier one was left."""
    config, step = moment.walk.config, moment.decoded
    taken, top = step.taken, step.candidates[0]
    if moment.walk.translation.decoding.method == "sample":
        text = _("{word} is taken, with {p}: it was drawn by chance. The likeliest is {top}, {q}.")
    elif step.chosen == 0:
        text = _("The likeliest token is {word}, with {p}, and it is taken.")
    elif taken.token.id == config.eos_id and "unfinished" in moment.walk.translation.notices:
        text = _(
            "{word} is taken, with {p}, although {top} is likelier, with {q}: this model ends each "
            "sentence that reaches the longest allowed length."
        )
    elif top.token.id in (config.pad_id, config.bos_id):
        text = _(
            "{word} is taken, with {p}. {top} is more likely, with {q}, but is never written: it "
            "only marks the beginning of a sentence or pads a batch."
        )
    else:
        text = _(
            "{word} is taken, with {p}, although {top} is likelier here, with {q}: by way of "
            "{word}, the beam found a better sentence as a whole."
        )
    p, q = probability(taken.probability), probability(top.probability)
    return text.format(word=quoted_token(taken.token), p=p, top=quoted_token(top.token), q=q)


@screens(
    "back",
    N_("Where it looks: back at what it wrote, over at the source"),
    pick=beside([0.6, 0.4], pick_step, pick_head, gap="medium"),
    was=("over",),
)
def draw_back(moment: DecoderStep) -> None:
    """Draw both looks of every layer, of one head or as the mean over heads."""
    text = _(
        "**Masked self-attention**: in every layer, {word} looks back at the tokens written so "
        "far, itself included. Each strip is one layer of the chosen head, and adds up to 1. "
        "Largest weights: {list}."
    )
    word = quoted_token(moment.read)
    say(text, word=word, list=_largest(moment, "self_attn"))
    left, right = st.columns(2, gap="medium")
    with left:
        _draw_look(moment, "self_attn")
    with right:
        text = _(
            "**Encoder-decoder attention**: then {word} looks over at the source, through the "
            "keys and values of the memory. This is where the translation learns what to say "
            "next. Largest weights: {list}."
        )
        say(text, word=word, list=_largest(moment, "cross_attn"))
        _draw_look(moment, "cross_attn")


def _largest(moment: DecoderStep, look: Look) -> str:
    """Say which token gets most in each layer."""
    keys, most = moment.keys(look), []
    for layer, title in enumerate(layer_names(moment.walk.config.n_decoder_layers)):
        row = moment.weights(look, layer)
        most.append(f"{title} {quoted_token(keys[int(row.argmax())])} {share(row.max())}")
    return ", ".join(most)


def _draw_look(moment: DecoderStep, look: Look) -> None:
    labels, strips = [token.text for token in moment.keys(look)], []
    for layer, title in enumerate(layer_names(moment.walk.config.n_decoder_layers)):
        name, index = f"decoder.{layer}.{look}.weights", (moment.head, moment.at, None)
        strips.append(
            weights_grid(moment.weights(look, layer), title, cols=labels)
            if moment.mean
            else grid(moment.walk, name, index, title, cols=tuple(range(len(labels))))
        )
    arrays(moment.walk, strips, key=look)
    if moment.mean:
        text = _(
            "The mean over the heads is our summary; the model has no such number. Choose one "
            "head to ask where a cell comes from."
        )
        st.caption(text)
