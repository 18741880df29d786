"""The time that is left is told from steps, pictures and validations, each with its own share."""

from __future__ import annotations

import itertools
from types import SimpleNamespace
from typing import Any

import pytest

from model.config import TrainConfig
from model.runs.pace import STEPS_OF_AVERAGE, Pace
from model.runs.session import JUDGED, Progress
from model.training.evaluate import Validation
from model.training.trainer import Report

BEGAN, STEP, PICTURE, VALIDATION = 10.0, 0.25, 2.0, 5.0
FILMED = frozenset({1, 2, 4, 8, 16, 24, 40})
SCORES = Validation(1.0, 0.0, 0.0, 0.0)


def _session() -> Any:
    """A session of 40 steps that is filmed at some of them, and validated twice."""
    config = TrainConfig(steps=40, validate_every=20)
    trainer, pairs = SimpleNamespace(step=0), [None] * (2 * JUDGED)
    return SimpleNamespace(
        config=config, trainer=trainer, moments={*FILMED}, valid_pairs=pairs, seconds=BEGAN
    )


def _train(pace: Pace, steps: int) -> None:
    session = pace.session
    done = session.trainer.step
    for step in range(done + 1, done + steps + 1):
        session.trainer.step = step
        seconds = STEP * (26 if session.seconds == BEGAN else 1)
        validation = SCORES if step % 20 == 0 else None
        beside = VALIDATION if validation else PICTURE if step in FILMED else 0.0
        session.seconds += seconds + beside
        report = Report(step, 0, 1.0, 1.0, 0.1, 1.0, 100, seconds)
        pace.note(Progress(report, validation))


@pytest.fixture
def session(monkeypatch: pytest.MonkeyPatch) -> Any:
    """A session that has a quarter of a processor."""
    session = _session()
    monkeypatch.setattr("model.runs.pace.time.process_time", lambda: session.seconds / 4)
    return session


def test_the_time_left_does_not_count_what_comes_seldom_for_each_step(session: Any) -> None:
    """It did: with the slow first step it said six times too much on a busy machine, and with the
    pictures of the first seconds 2.6 times.
    """
    pace = Pace(session)
    _train(pace, 2)
    assert pace.seconds_left is None
    _train(pace, 1)
    # The validations are not known yet: each shows twice as many sentences as a picture, and one.
    validations = 2 * 3 * PICTURE
    assert pace.seconds_left == pytest.approx(37 * STEP + 4 * PICTURE + validations)
    _train(pace, 18)
    assert pace.seconds_left == pytest.approx(19 * STEP + PICTURE + VALIDATION)
    assert pace.tokens_per_second == pytest.approx(100 / STEP)
    _train(pace, 19)
    assert pace.seconds_left == 0


def test_a_resumed_run_is_timed_from_there(session: Any) -> None:
    session.trainer.step = 20
    pace = Pace(session)
    _train(pace, 3)  # none of them is filmed
    assert pace.seconds_left == pytest.approx(17 * STEP)
    _train(pace, 1)
    guess = (1 + 2) * PICTURE
    assert pace.seconds_left == pytest.approx(16 * STEP + guess)


def test_a_run_whose_every_step_is_filmed_has_an_end_too(session: Any) -> None:
    session.moments = {*range(41)}
    pace = Pace(session)
    _train(pace, 3)
    assert pace.seconds_left is None or pace.seconds_left > 0


def test_a_single_step_that_had_to_wait_changes_little(
    session: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Of a step of 0.04 s one that waited for 0.4 s made the rest of the run ten times as long."""
    computed = itertools.count(0.0, 0.1)
    monkeypatch.setattr("model.runs.pace.time.process_time", lambda: next(computed))
    session.moments = set[int]()
    pace = Pace(session)
    _train(pace, 10)
    before = pace.seconds_left
    assert before is not None
    session.seconds += 1.0  # of waiting
    _train(pace, 1)
    lasted, steps = session.seconds - BEGAN, 11
    assert pace.seconds_left == pytest.approx(29 * 0.1 * lasted / (0.1 * steps))


def test_a_step_costs_what_was_computed_and_no_wait_for_others(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    processor = 0.0
    monkeypatch.setattr("model.runs.pace.time.process_time", lambda: processor)
    pace = Pace(_session())
    _train(pace, STEPS_OF_AVERAGE - 1)
    assert pace.step_seconds == 0
    _train(pace, 1)
    processor = STEPS_OF_AVERAGE / 10
    assert pace.step_seconds == pytest.approx(0.1)
    processor = 10.0**6
    took = pace.session.seconds - BEGAN
    assert pace.step_seconds == pytest.approx(took / STEPS_OF_AVERAGE)  # many cores together
