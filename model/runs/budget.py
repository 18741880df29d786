"""How many steps fit into a budget of minutes, judged by a few timed steps that are discarded."""

from __future__ import annotations

import itertools
import time
from dataclasses import replace

from model.runs.plan import Plan
from model.runs.session import Session

# The first step is slower: it allocates memory and selects kernels.
WARM_UP, MEASURED = 1, 6


def fit_steps(plan: Plan, session: Session) -> Plan:
    """Return the plan with its minutes replaced by the number of steps that fit into them.

    `session` must belong to this plan and not have begun; discard it afterwards, as it has learned.
    The new plan has as many validations as the old one.
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
