"""The two networks unrolled: one hidden state a word, read from left to right."""

from dataclasses import dataclass, replace
from typing import Final, NamedTuple

import numpy as np

from app.components.board import Grid, Op
from app.data.translation import Token
from app.data.walk import Walk
from app.format import probability, quoted
from app.i18n import _
from app.inspector.arrays import arrays, state_grid
from app.inspector.naming import follows, token_markdown
from app.inspector.stepper import draw_candidates
from app.page.moves import OPEN
from app.page.screens import ALL
from app.state import Param, whole
from app.ui import player
from app.views.history.seq2seq import texts

HIDDEN: Final = "encoder.0.forward.hidden"
UNIT: Final = Param[int]("gru", 0, whole(0, 100_000))  # from 1; 0: a telling one


# The screens that show one of the networks alone.
READING: Final = "unrolled"
WRITING: Final = "write"
BARS: Final = 8  # of what could come next


class Steps(NamedTuple):
    """The steps that a screen can show, from 1, and the one that it begins with."""

    first: int
    last: int
    ready: int


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
    """Return the chosen step and unit; while the steps play, the next one when its time has come.

    At first it is the step that reads the last word, or the first one that writes.
    """
    steps = _steps(walk)
    player.tick(steps.last, steps.first, steps.ready)
    step = player.step_of(steps.last, steps.first, steps.ready)
    return Moment(walk, step, unit_of(walk))


def pick_step(moment: Moment) -> None:
    """Draw the buttons that step through the networks, or the one of them that is open."""
    steps = _steps(moment.walk)
    player.controls(steps.last, steps.first, steps.ready, what="token")


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


def _steps(walk: Walk) -> Steps:
    """Return the steps of the screen that is open."""
    source, screen = len(walk.capture.src), "" if ALL.get() else OPEN.get()
    if screen == WRITING:
        return Steps(source + 1, count(walk), source + 1)
    return Steps(1, source if screen == READING else count(walk), max(source - 1, 1))


def read_text(moment: Moment) -> str:
    """Say what the encoder's pictures are."""
    text = _(texts.READ).format(size=moment.walk.array("memory").shape[-1])
    return f"{text} {_doing(moment)}"


def draw_read(moment: Moment) -> None:
    """Draw the states that the encoder has made so far."""
    arrays(moment.walk, _encoder(moment), key="read")


def write_text(moment: Moment) -> str:
    """Say what the decoder starts from."""
    text = _(texts.WRITE).format(last=len(moment.walk.capture.src))
    return f"{text} {_doing(_writing(moment))}"


def draw_write(moment: Moment) -> None:
    """Draw the states that the decoder has made so far."""
    written = _writing(moment)
    arrays(written.walk, _decoder(written), key="write")


def next_text(moment: Moment) -> str:
    """Say which token was chosen, and how likely it was."""
    written = _writing(moment)
    steps = written.walk.translation.steps
    if written.at >= len(steps):
        return _(texts.CUT_OFF)
    taken = steps[written.at].taken
    p, word = probability(taken.probability), token_markdown(taken.token)
    return _(texts.CHOSEN).format(n=written.at + 1, word=word, p=p)


def draw_next(moment: Moment) -> None:
    """Draw the likeliest tokens after the state."""
    at, translation = _writing(moment).at, moment.walk.translation
    if at < len(translation.steps):
        draw_candidates(translation, at, most=BARS)


def _writing(moment: Moment) -> Moment:
    """Return the moment, or the first one that writes."""
    return replace(moment, step=max(moment.step, len(moment.walk.capture.src) + 1))


def _doing(moment: Moment) -> str:
    text = _(texts.STEP).format(n=moment.step, all=count(moment.walk), doing=moment.doing)
    return f"**{text}**"


def _encoder(moment: Moment) -> list[Grid | Op]:
    items: list[Grid | Op] = []
    for at, token in enumerate(moment.walk.capture.src[: moment.step]):
        name = f"h_{at + 1} · {quoted(token.text)}"
        items += [Op("→")] if items else []
        items.append(state_grid(moment.walk, HIDDEN, at, name, "input"))
    return items


def _decoder(moment: Moment) -> list[Grid | Op]:
    bridge = f"h_{len(moment.walk.capture.src)} · {_(texts.BRIDGE_NAME)}"
    items: list[Grid | Op] = [state_grid(moment.walk, "memory", 0, bridge, "input")]
    for at, token in enumerate(moment.walk.capture.tgt[: moment.at + 1]):
        name = f"s_{at + 1} · {quoted(token.text)}"
        items += [Op("→"), state_grid(moment.walk, "decoder.0.state", at, name, "output")]
    return items
