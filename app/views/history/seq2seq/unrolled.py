"""The two networks unrolled: one hidden state a word, read from left to right."""

from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st

from app.components.board import Grid, Op
from app.data.translation import Token
from app.data.walk import Walk
from app.format import probability
from app.i18n import _
from app.inspect.arrays import arrays, state_grid
from app.inspect.naming import follows, token_markdown
from app.inspect.stepper import draw_candidates, draw_candidates_table
from app.state import Param, whole
from app.ui import player
from app.ui.section import section
from app.ui.table import table_fold
from app.views.history.seq2seq import texts

HIDDEN: Final = "encoder.0.forward.hidden"
UNIT: Final = Param[int]("gru", 0, whole(0, 100_000))  # from 1; 0: a telling one


@dataclass(frozen=True)
class Moment:
    """One step of either network and one unit of it: the token it reads, and its arrays' names."""

    walk: Walk
    step: int
    unit: int  # of the states, from 0

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
    """Return the chosen step and unit; at first, the step that reads the last word."""
    return Moment(walk, player.step_of(count(walk), ready=ready(walk)), unit_of(walk))


def unit_of(walk: Walk) -> int:
    """Return the chosen unit, from 0; at first, the one that moves most while reading."""
    states = walk.array(HIDDEN)  # (S, H)
    chosen = UNIT.get()
    if 1 <= chosen <= states.shape[1]:
        return chosen - 1
    return int(np.abs(np.diff(states, axis=0)).sum(0).argmax())


def count(walk: Walk) -> int:
    """Return how many steps both networks take together."""
    return len(walk.capture.src) + len(walk.capture.tgt)


def ready(walk: Walk) -> int:
    """Return the step that the page begins with."""
    return max(len(walk.capture.src) - 1, 1)


def draw_player(walk: Walk) -> None:
    """Draw the buttons that step through both networks."""
    player.tick(count(walk), ready=ready(walk))
    player.controls(count(walk), ready=ready(walk))


def draw_unrolled(moment: Moment) -> None:
    """Draw the states that encoder and decoder have made so far."""
    walk, source = moment.walk, len(moment.walk.capture.src)
    st.markdown(f"**{_(texts.STEP).format(n=moment.step, all=count(walk), doing=moment.doing)}**")
    section(_(texts.READ_TITLE), _(texts.READ).format(size=walk.array("memory").shape[-1]))
    arrays(walk, _encoder(moment), key="read")
    section(_(texts.WRITE_TITLE), _(texts.WRITE).format(last=source))
    if moment.reading:
        st.caption(_(texts.NOT_YET).format(n=source + 1))
        return
    arrays(walk, _decoder(moment), key="write")
    _draw_written(moment)


def _encoder(moment: Moment) -> list[Grid | Op]:
    items: list[Grid | Op] = []
    for at, token in enumerate(moment.walk.capture.src[: moment.step]):
        name = f"h_{at + 1} · “{token.text}”"
        items += [Op("→")] if items else []
        items.append(state_grid(moment.walk, HIDDEN, at, name, "input"))
    return items


def _decoder(moment: Moment) -> list[Grid | Op]:
    bridge = f"h_{len(moment.walk.capture.src)} · {_(texts.LAST)}"
    items: list[Grid | Op] = [state_grid(moment.walk, "memory", 0, bridge, "input")]
    for at, token in enumerate(moment.walk.capture.tgt[: moment.at + 1]):
        name = f"s_{at + 1} · “{token.text}”"
        items += [Op("→"), state_grid(moment.walk, "decoder.0.state", at, name, "output")]
    return items


def _draw_written(moment: Moment) -> None:
    steps = moment.walk.translation.steps
    if moment.at >= len(steps):  # the longest length was reached: nothing came after
        return
    step = steps[moment.at]
    taken = step.taken
    p = probability(taken.probability)
    st.markdown(_(texts.CHOSEN).format(word=token_markdown(taken.token), p=p))
    draw_candidates(moment.walk.translation, moment.at)
    table_fold("candidates", lambda: draw_candidates_table(step, moment.at))
