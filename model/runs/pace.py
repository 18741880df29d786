"""How fast a run is, how long it still has to go, and how many steps fit into minutes."""

import itertools
import time
from bisect import bisect_right
from collections import deque
from collections.abc import Sequence
from dataclasses import replace
from typing import Final

from model.runs.plan import Plan
from model.runs.session import JUDGED, Progress, Session

STEPS_OF_SPEED: Final = 50
PICTURES_OF_SPEED: Final = 3  # the better a model is, the shorter its translations
FEWEST_STEPS: Final = 2  # needed to estimate the time left
STEPS_OF_AVERAGE: Final = 20  # at least, because about every second one of the first is filmed


class Pace:
    """Times steps, frames and validations separately, because their proportions change in a run.

    It measures processor time, and separately how much longer the elapsed time is: when other
    programs run too, a single step may take ten times as long as the next. The first step is left
    out, because it allocates memory and selects kernels.
    """

    def __init__(self, session: Session) -> None:
        self.session = session
        self._step, self._began = session.trainer.step, session.seconds
        self._processor = time.process_time()
        self._noted = self._began, self._processor
        self._speeds: deque[tuple[int, float]] = deque(maxlen=STEPS_OF_SPEED)  # (tokens, seconds)
        # Elapsed seconds and processor seconds of each step.
        self._lasted: deque[tuple[float, float]] = deque(maxlen=STEPS_OF_SPEED)
        # Processor seconds of steps alone, with a frame, and with a validation.
        self._steps: deque[float] = deque(maxlen=STEPS_OF_SPEED)
        self._filmed: deque[float] = deque(maxlen=PICTURES_OF_SPEED)
        self._validated: deque[float] = deque(maxlen=PICTURES_OF_SPEED)
        steps, every = session.config.steps, session.config.validate_every
        self._to_validate = [*range(every, steps, every), steps]
        self._to_film = sorted(session.moments.difference(self._to_validate))

    def note(self, progress: Progress) -> None:
        """Record the time of a step and of what followed it."""
        report, (seconds, processor) = progress.report, self._noted
        self._noted = self.session.seconds, time.process_time()
        lasted, computed = self._noted[0] - seconds, self._noted[1] - processor
        self._lasted.append((lasted, computed))
        if report.step <= self._step + 1:
            return
        self._speeds.append((report.tokens, report.seconds))
        if progress.validation:
            self._validated.append(computed)
        elif report.step in self.session.moments:
            self._filmed.append(computed)
        else:
            self._steps.append(computed)

    @property
    def tokens_per_second(self) -> float:
        """Return the speed of the last steps; 0 before there are any."""
        seconds = sum(seconds for _, seconds in self._speeds)
        return sum(tokens for tokens, _ in self._speeds) / seconds if seconds else 0.0

    @property
    def seconds_left(self) -> float | None:
        """Return how long the rest of the run will take; None at the very beginning."""
        if len(self._speeds) < FEWEST_STEPS:
            return None
        at = self.session.trainer.step
        step = _mean(self._steps or self._filmed or self._validated)
        picture = max(0.0, _mean(self._filmed) - step)
        # A frame also translates held-out sentences, but only JUDGED of them.
        guess = picture * (1 + len(self.session.valid_pairs) / JUDGED)
        validation = max(0.0, _mean(self._validated) - step) if self._validated else guess
        left = (
            (self.session.config.steps - at) * step
            + _later(self._to_film, at) * picture
            + _later(self._to_validate, at) * validation
        )
        lasted, computed = map(sum, zip(*self._lasted, strict=True))
        return left * lasted / max(computed, 1e-6)

    @property
    def step_seconds(self) -> float:
        """Return the seconds of a step with its share of frames and validations; 0 if unknown.

        Waiting for other programs does not count: the result is at most the processor time of all
        cores together.
        """
        steps = self.session.trainer.step - self._step
        if steps < STEPS_OF_AVERAGE:
            return 0.0
        computed = time.process_time() - self._processor
        return min(self.session.seconds - self._began, computed) / steps


def _later(steps: Sequence[int], step: int) -> int:
    """Count the sorted steps that come after a given one."""
    return len(steps) - bisect_right(steps, step)


def _mean(numbers: Sequence[float]) -> float:
    return sum(numbers) / len(numbers) if numbers else 0.0


# The first step is slower: it allocates memory and selects kernels.
WARM_UP, MEASURED = 1, 6


def fit_steps(plan: Plan, session: Session) -> Plan:
    """Return the plan with its minutes replaced by the number of steps that fit into them.

    It times a few steps. `session` must belong to this plan and not have begun; discard it
    afterwards, as it has learned. The new plan has as many validations as the old one.
    """
    assert plan.minutes is not None
    began = time.perf_counter()
    session.trainer.config = replace(session.config, steps=WARM_UP + MEASURED)
    steps = session.trainer.train_steps()
    for _ in itertools.islice(steps, WARM_UP):
        pass
    start = time.perf_counter()
    for _ in steps:
        pass
    a_step = (time.perf_counter() - start) / MEASURED
    start = time.perf_counter()
    session.scores(session.model.eval())
    a_validation = time.perf_counter() - start
    validations = -(-plan.train.steps // plan.train.validate_every)
    seconds = 60 * plan.minutes
    left = seconds - (time.perf_counter() - began) - validations * a_validation
    fitting = max(1, round(max(left, seconds / 2) / a_step))
    # All processes use the writing process's number, since their clocks may disagree.
    (agreed,) = session.workers.sum_values([fitting if session.workers.writes else 0])
    fitting = int(agreed)
    every = max(1, round(fitting / validations))
    train = replace(plan.train, steps=fitting, validate_every=every)
    return replace(plan, minutes=None, train=train)
