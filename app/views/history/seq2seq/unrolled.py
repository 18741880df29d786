"""A batch of sentences, read and written step by step."""

from dataclasses import dataclass, replace
from typing import Final

import numpy as np
import streamlit as st

from app.data.embedding import EncodedBatch, Padded, ids_of, padded, padded_targets
from app.data.translation import Token
from app.data.walk import Walk
from app.format import escape, number, power, probability, quoted, visible
from app.i18n import N_, _
from app.inspector import batch
from app.inspector.arrays import Grid, Op, array_grid, arrays, draw_board, state_grid
from app.inspector.naming import follows, token_markdown
from app.inspector.stepper import draw_candidates
from app.page.kit import Code, Screens, say
from app.page.moves import OPEN
from app.page.screens import ALL
from app.state import Param, whole
from app.ui import player
from app.views.history.seq2seq.data import memory, pad_length

PROVERBS: Final = (
    "Como un cordero al matadero",
    "Donde hay humo, hay fuego",
    "Nunca es tarde para aprender",
    "Qué será, será",
)
IN_ENGLISH: Final = (
    "Like a lamb to the slaughter",
    "Where there's smoke, there's fire",
    "It's never too late to learn",
    "Whatever will be, will be",
)
HIDDEN: Final = "encoder.0.forward.hidden"
UNIT: Final = Param[int]("gru", 0, whole(0, 100_000))  # from 1; 0: the one that moves most
# The screens that show only one of the networks.
READING: Final = "unrolled"
WRITING: Final = "write"
BARS: Final = 8  # of what could come next


@dataclass(frozen=True)
class UnrolledStep:
    """One step of either network and one unit of it: the token it reads, and its arrays' names."""

    walk: Walk
    step: int
    unit: int  # of the states, from 0

    @property
    def reading(self) -> bool:
        """Whether the encoder is at work."""
        return self.step <= len(self.walk.capture.src)

    @property
    def at(self) -> int:
        """The place of the token in its sentence."""
        return self.step - 1 - (0 if self.reading else len(self.walk.capture.src))

    @property
    def token(self) -> Token:
        capture = self.walk.capture
        return (capture.src if self.reading else capture.tgt)[self.at]

    @property
    def scope(self) -> str:
        return "encoder.0.forward" if self.reading else "decoder.0"

    @property
    def states(self) -> str:
        """The name of the array of states after each token, (T, H)."""
        return f"{self.scope}.{'hidden' if self.reading else 'state'}"

    @property
    def doing(self) -> str:
        """What happens, for Markdown."""
        if self.reading:
            return _("the encoder reads “{word}”").format(word=token_markdown(self.token))
        return _("the decoder reads “{word}” and writes “{next}”").format(
            word=token_markdown(self.token), next=token_markdown(follows(self.walk)[self.at])
        )


def moment(walk: Walk) -> UnrolledStep:
    """Return the chosen step and unit; while playing, move to the next step when it is due.

    By default it is the step that reads the last word, or the first one that writes.
    """
    player.tick(*_steps(walk))
    return UnrolledStep(walk, player.step_of(*_steps(walk)), unit_of(walk))


def pick_step(moment: UnrolledStep) -> None:
    """Draw the buttons that step through both networks, or only the one whose screen is open."""
    player.controls(*_steps(moment.walk), what="token")


screens = Screens[UnrolledStep]()


@screens(
    "batch",
    N_("Four proverbs, one batch; their translations, another"),
    pick=False,
    was=("target",),
)
def draw_batch(moment: UnrolledStep) -> None:
    """Draw the ids of the batch, with the length of each sentence."""
    src, tgt = proverbs(moment.walk), translations(moment.walk)
    text = _(
        "To be read together, sentences must fill one block of ids. So the shorter ones end in "
        "<pad>, id {pad}: here {padding} of {places} places."
    )
    pad = moment.walk.config.pad_id
    say(text.format(pad=pad, padding=src.padding, places=src.ids.size))
    left, right = st.columns(2, gap="medium")
    with left:
        batch.draw_ids(src, "proverbs")
    with right:
        S, T = src.ids.shape[1], tgt.ids.shape[1]
        text = _(
            "Row n is the translation of row n of the first block. This block is filled up to a "
            "length of its own: {T} tokens, where the Spanish one has {S}. Here {padding} of "
            "{places} places are <pad>. Each row ends in <eos>: the decoder has to learn when to "
            "stop."
        )
        say(text.format(S=S, T=T, padding=tgt.padding, places=tgt.ids.size))
        batch.draw_ids(tgt, "proverbs-target")


@screens.drawer("block", N_("Each id becomes a vector"))
def draw_block(moment: UnrolledStep) -> None:
    """Draw the first numbers of each token's vector, one sentence after the other."""
    made, walk = proverbs(moment.walk), moment.walk
    (B, S), D = made.ids.shape, walk.config.d_model
    length = pad_length(walk)
    lines = [
        _(
            "{B} sentences × {S} tokens × {D} numbers: a block of shape (B, S, D). The first "
            "{shown} numbers of each vector are drawn."
        ).format(B=B, S=S, D=D, shown=min(batch.NUMBERS, D)),
        *_twice(made),
    ]
    lines.append(
        (
            _("<pad> has a vector like any other, {length} long.")
            if length
            else _("The vector of <pad> is all zeros.")
        ).format(length=number(length))
    )
    say(" ".join(lines))
    batch.draw_block(walk, made, "proverbs-block")


@screens.drawer("padding", N_("The state stands still at <pad>"))
def draw_padding(moment: UnrolledStep) -> None:
    """Draw how far each token of each sentence moves the state."""
    made = proverbs(moment.walk)
    text = _(
        "An RNN keeps what it has read in one vector, its hidden state. Each cell is how far a "
        "token moves it: ‖h after − h before‖. At <pad> the encoder leaves it alone: 0."
    )
    if not made.padding:
        no_padding = _("All of them are equally long here, so no padding is needed.")
        say(f"{text} {no_padding}")
    else:
        differences = {
            "masked": power(made.difference),
            "unmasked": number(made.difference_unmasked),
        }
        padding_same = _(
            "So sentence {n} ends in the same state as it does alone (largest difference "
            "{masked}). If the encoder read the padding, a number of that state would change by "
            "{unmasked}."
        )
        say(f"{text} {padding_same.format(n=made.shortest + 1, **differences)}")
    far = memory.strides(moment.walk.model, made.ids)  # (B, S)
    rows = [_("sentence {n}").format(n=b + 1) for b in range(len(far))]
    cols = [str(s + 1) for s in range(far.shape[1])]
    drawn = array_grid(
        far, _("how far each token moves the state"), "input", row_labels=rows, col_labels=cols
    )
    draw_board([drawn], "strides")


def proverbs(walk: Walk) -> EncodedBatch:
    """Return the proverbs as one batch."""
    return padded(walk, tuple(ids_of(walk, text) for text in PROVERBS))


def translations(walk: Walk) -> Padded:
    """Return the proverbs' English halves as a separate block."""
    return padded_targets(walk, [ids_of(walk, text) for text in IN_ENGLISH])


def _twice(made: EncodedBatch) -> list[str]:
    """Name the longest token that occurs twice in a sentence, if there is one."""
    found = [
        (token.text, row)
        for row, tokens in enumerate(made.tokens, start=1)
        for token in tokens
        if not token.special and sum(other.id == token.id for other in tokens) == 2
    ]
    if not found:
        return []
    word, row = max(found, key=lambda each: len(each[0]))
    return [
        _("“{word}” appears twice in sentence {n}, and has the same vector twice.").format(
            word=escape(visible(word)), n=row
        )
    ]


def unit_of(walk: Walk) -> int:
    """Return the chosen unit, from 0; by default, the one that moves most while reading."""
    states = walk.array(HIDDEN)  # (S, H)
    chosen = UNIT.get()
    if 1 <= chosen <= states.shape[1]:
        return chosen - 1
    return int(np.abs(np.diff(states, axis=0)).sum(0).argmax())


def count(walk: Walk) -> int:
    """Return how many steps both networks take together."""
    return len(walk.capture.src) + len(walk.capture.tgt)


def _steps(walk: Walk) -> tuple[int, int, int]:
    """Return the last and the first step of the screen that is open, and the one shown first."""
    source, screen = len(walk.capture.src), "" if ALL.get() else OPEN.get()
    if screen == WRITING:
        return count(walk), source + 1, source + 1
    return source if screen == READING else count(walk), 1, max(source - 1, 1)


@screens(
    READING,
    N_("The encoder reads, one token after another"),
    Code(N_("The encoder keeps its last state"), r"m = h_S", "model.nn.rnn:RnnEncoder"),
    Code(
        N_("The loop that makes it recurrent"),
        r"h_t = f(x_t, h_{t-1})",
        "model.nn.cell:RecurrentCell.forward",
    ),
    pick=pick_step,
    was=("encoder", "loop"),
)
def draw_read(moment: UnrolledStep) -> None:
    """Draw the states that the encoder has made so far."""
    text = _(
        "Each picture is the hidden state after one more token: {size} numbers. One cell makes "
        "them all, from the previous state and the new token. It cannot skip ahead, and it "
        "cannot look back."
    ).format(size=moment.walk.array("memory").shape[-1])
    say(f"{text} {_doing(moment)}")
    items: list[Grid | Op] = []
    for at, token in enumerate(moment.walk.capture.src[: moment.step]):
        name = f"h_{at + 1} · {quoted(token.text)}"
        items += [Op("→"), state_grid(moment.walk, HIDDEN, at, name, "input")]
    arrays(moment.walk, items[1:], key="read")


def _doing(moment: UnrolledStep) -> str:
    text = _("Step {n} of {all}: {doing}.").format(
        n=moment.step, all=count(moment.walk), doing=moment.doing
    )
    return f"**{text}**"


@screens(
    WRITING,
    N_("The decoder writes, one token after another"),
    Code(
        N_("The decoder goes on from it"),
        r"s_0 = m \qquad s_t = \mathrm{GRU}(y_{t-1}, s_{t-1}) \qquad"
        r" \mathrm{logits}_t = E \tanh(W s_t + b) + b_E",
        "model.nn.rnn:Rnn.decode_step",
    ),
    pick=pick_step,
    was=("next", "decoder"),
)
def draw_write(moment: UnrolledStep) -> None:
    """Draw the states that the decoder has made so far."""
    text = _(
        "The decoder is a cell of the same kind. It starts from the encoder's last state, "
        "$h_{{{last}}}$, and from <bos>. Each new state chooses a token, and the next step reads "
        "that token: the decoder is autoregressive."
    ).format(last=len(moment.walk.capture.src))
    writing = replace(moment, step=max(moment.step, len(moment.walk.capture.src) + 1))
    translation, at = writing.walk.translation, writing.at
    say(f"{text} {_doing(writing)}")
    left, right = st.columns(2, gap="medium")
    with left:
        arrays(writing.walk, _decoder(writing), key="write")
    with right:
        if at >= len(translation.steps):
            say(_("Here the greatest length was reached: nothing was written after it."))
        else:
            taken = translation.steps[at].taken
            p, word = probability(taken.probability), token_markdown(taken.token)
            text = _(
                "The state $s_{{{n}}}$ gives every token of the vocabulary a score, and a softmax "
                "turns scores into probabilities. The decoder wrote “{word}”, with a probability "
                "of {p}."
            )
            say(text.format(n=at + 1, word=word, p=p))
            draw_candidates(translation, at, most=BARS)


def _decoder(moment: UnrolledStep) -> list[Grid | Op]:
    bridge_name = _("the bridge")
    bridge = f"h_{len(moment.walk.capture.src)} · {bridge_name}"
    items: list[Grid | Op] = [state_grid(moment.walk, "memory", 0, bridge, "input")]
    for at, token in enumerate(moment.walk.capture.tgt[: moment.at + 1]):
        name = f"s_{at + 1} · {quoted(token.text)}"
        items += [Op("→"), state_grid(moment.walk, "decoder.0.state", at, name, "output")]
    return items
