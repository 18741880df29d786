"""The two networks unrolled: one hidden state a word, read from left to right."""

from dataclasses import dataclass

import streamlit as st

from app.components.board import Grid, Op
from app.data.translation import Token
from app.data.walk import Walk
from app.format import probability
from app.i18n import _
from app.inspect.arrays import arrays, state_grid
from app.inspect.naming import follows, token_markdown
from app.inspect.stepper import draw_candidates, draw_candidates_table
from app.ui import player
from app.ui.section import section
from app.ui.table import table_fold
from app.views.history.seq2seq import texts


@dataclass(frozen=True)
class Moment:
    """One step of either network: which token it reads, and what its arrays are called."""

    walk: Walk
    step: int

    @property
    def reading(self) -> bool:
        """Whether it is the encoder that works."""
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
        """The array of the states after each token, (T, H)."""
        return f"{self.scope}.{'hidden' if self.reading else 'state'}"

    @property
    def doing(self) -> str:
        """What happens, for Markdown."""
        if self.reading:
            return _(texts.READS).format(word=token_markdown(self.token))
        return _(texts.WRITES).format(
            word=token_markdown(self.token), next=token_markdown(follows(self.walk)[self.at])
        )


def moment(walk: Walk) -> Moment:
    """Return the chosen step; at first, the one that reads the last word."""
    return Moment(walk, player.step_of(count(walk), ready=ready(walk)))


def count(walk: Walk) -> int:
    """Return how many steps both networks take together."""
    return len(walk.capture.src) + len(walk.capture.tgt)


def ready(walk: Walk) -> int:
    """Return the step that the page begins with."""
    return max(len(walk.capture.src) - 1, 1)


def unrolled(walk: Walk) -> None:
    """Draw the buttons, and the states that encoder and decoder have made so far."""
    player.tick(count(walk), ready=ready(walk))
    player.controls(count(walk), ready=ready(walk))
    now = moment(walk)
    st.markdown(f"**{_(texts.STEP).format(n=now.step, all=count(walk), doing=now.doing)}**")
    st.header(_(texts.READ_TITLE), anchor=False)
    size = walk.array("memory").shape[-1]
    st.markdown(_(texts.READ).format(size=size))
    arrays(walk, _encoder(now), key="read")
    section(_(texts.WRITE_TITLE), _(texts.WRITE).format(last=len(walk.capture.src)))
    if now.reading:
        st.caption(_(texts.NOT_YET).format(n=len(walk.capture.src) + 1))
        return
    arrays(walk, _decoder(now), key="write")
    _written(now)


def _encoder(now: Moment) -> list[Grid | Op]:
    items: list[Grid | Op] = []
    for at, token in enumerate(now.walk.capture.src[: now.step]):
        name = f"h_{at + 1} · “{token.text}”"
        items += [Op("→")] if items else []
        items.append(state_grid(now.walk, "encoder.0.forward.hidden", at, name, "input"))
    return items


def _decoder(now: Moment) -> list[Grid | Op]:
    bridge = f"h_{len(now.walk.capture.src)} · {_(texts.LAST)}"
    items: list[Grid | Op] = [state_grid(now.walk, "memory", 0, bridge, "input")]
    for at, token in enumerate(now.walk.capture.tgt[: now.at + 1]):
        name = f"s_{at + 1} · “{token.text}”"
        items += [Op("→"), state_grid(now.walk, "decoder.0.state", at, name, "output")]
    return items


def _written(now: Moment) -> None:
    """Draw the likeliest tokens of a step of the decoder."""
    steps = now.walk.translation.steps
    if now.at >= len(steps):  # the longest length was reached: nothing came after
        return
    step = steps[now.at]
    taken = step.taken
    st.markdown(
        _(texts.CHOSEN).format(word=token_markdown(taken.token), p=probability(taken.probability))
    )
    draw_candidates(now.walk.translation, now.at)
    table_fold("candidates", lambda: draw_candidates_table(step, now.at))
