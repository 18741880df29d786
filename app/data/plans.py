"""What a plan needs on this machine, and the plan that every page can start."""

import math
from dataclasses import replace
from typing import Final

from app.data.runs import RECORDED, free_name, held_bytes, runs
from model.config import ModelConfig, TrainConfig
from model.runs.plan import Plan, plan_of
from model.tasks import TASKS
from model.training.estimate import SECONDS_TO_BEGIN, Estimate, estimate, step_seconds
from model.training.presets import defaults

__all__ = ["Estimate"]

LETTERS: Final = "reverse"


def letters_plan() -> Plan:
    """Return the plan of a small model that learns to reverse letters, as its form begins."""
    task = TASKS[LETTERS]
    settings = defaults(task.name, task.preset)
    name = free_name(task.name)
    return plan_of(task, name, ModelConfig.of(settings), TrainConfig.of(settings))


def needs(plan: Plan) -> Estimate:
    """Return parameters, memory and time of a plan, by how long the steps of other runs took here.

    A run that is timed needs the minutes that were asked for, and what comes before them.
    One plan has one figure: neither what else the machine does nor a run under way changes it.
    """
    needed = estimate(_sized(plan), plan.train, plan.pairs, held_bytes(), _slower(plan))
    if plan.minutes is None:
        return needed
    return replace(needed, seconds=SECONDS_TO_BEGIN + 60 * plan.minutes)


def _slower(plan: Plan) -> float:
    """Return how many times longer than guessed a step took here: of the run that is most alike."""
    guess = step_seconds(_sized(plan), plan.train)
    ran = [
        (run.plan.model.arch != plan.model.arch, abs(math.log(guessed / guess)), took / guessed)
        for run in runs()
        if (took := run.status.step_seconds) and not (run.alive or run.name.startswith(RECORDED))
        for guessed in [step_seconds(_sized(run.plan), run.plan.train)]
    ]
    return min(ran)[-1] if ran else 1.0


def _sized(plan: Plan) -> ModelConfig:
    """Return the model with no more pieces than a tokenizer finds in the pairs of its task."""
    pieces = TASKS[plan.task].pieces if plan.task in TASKS else None
    most = plan.model.vocab_size
    return replace(plan.model, vocab_size=min(most, pieces or most))
