"""How fast a run goes, and how long it has still to go."""

from __future__ import annotations

import time
from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from typing import Final

from model.runs.session import JUDGED, Progress, Session

STEPS_OF_SPEED: Final = 50
PICTURES_OF_SPEED: Final = 3  # the better a model is, the shorter what it writes
FEWEST_STEPS: Final = 2  # to tell the time left from
STEPS_OF_AVERAGE: Final = 20  # at least: of the first ones, each second one is filmed


class Pace:
    """Times steps, pictures and validations each apart: how often they come changes in a run.

    The first step is left out: memory is asked for, kernels are chosen.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self._step, self._began = session.trainer.step, session.seconds
        self._processor = time.process_time()
        self._seconds = session.seconds
        self._steps: deque[tuple[int, float]] = deque(maxlen=STEPS_OF_SPEED)  # tokens, seconds
        self._pictures: deque[float] = deque(maxlen=PICTURES_OF_SPEED)
        self._validations: deque[float] = deque(maxlen=PICTURES_OF_SPEED)
        steps, every = session.config.steps, session.config.validate_every
        self._validated = [*range(every, steps, every), steps]
        self._filmed = sorted(session.moments.difference(self._validated))

    def note(self, progress: Progress) -> None:
        """Note a step, and what was done after it."""
        report, before = progress.report, self._seconds
        self._seconds = self.session.seconds
        if report.step <= self._step + 1:
            return
        self._steps.append((report.tokens, report.seconds))
        beside = self._seconds - before - report.seconds
        if progress.validation:
            self._validations.append(beside)
        elif report.step in self.session.moments:
            self._pictures.append(beside)

    @property
    def tokens_per_second(self) -> float:
        """Return the speed of the last steps; 0 before there are any."""
        seconds = sum(seconds for _, seconds in self._steps)
        return sum(tokens for tokens, _ in self._steps) / seconds if seconds else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Return how long the rest will take; None at the very beginning."""
        if len(self._steps) < FEWEST_STEPS:
            return None
        step, (_, seconds) = self.session.trainer.step, map(_mean, zip(*self._steps, strict=True))
        picture = _mean(self._pictures)
        # A picture, too, translates sentences that are held out: so many.
        guess = picture * (1 + len(self.session.valid_pairs) / JUDGED)
        return (
            (self.session.config.steps - step) * seconds
            + _later(self._filmed, step) * picture
            + _later(self._validated, step) * (_mean(self._validations) or guess)
        )

    @property
    def step_seconds(self) -> float:
        """Return what a step takes with its share of all else, and no wait for other programs.

        It is no longer than the processors computed, all together; 0 before that is known.
        """
        steps = self.session.trainer.step - self._step
        if steps < STEPS_OF_AVERAGE:
            return 0.0
        computed = time.process_time() - self._processor
        return min(self.session.seconds - self._began, computed) / steps


def _later(steps: Sequence[int], step: int) -> int:
    """Count those of some sorted steps that come after one."""
    return len(steps) - bisect_right(steps, step)


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0
