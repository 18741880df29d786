"""A run, built of its plan: from its first step, or from what it saved last."""

from __future__ import annotations

from model.text.pairs import Pair
from model.runs.plan import START, Plan
from model.training.processor import prepare_processor
from model.runs.session import Run
from model.runs.data import make_pairs, read_pairs
from model.runs.folder import RunFolder


def build_run(plan: Plan, folder: RunFolder, resume: bool, threads: int | None = None) -> Run:
    """Build the run of a folder, as its plan asks for it; raises ValueError where it cannot be."""
    prepare_processor(threads)
    if plan.data:
        train_pairs = read_pairs([folder.path / name for name in plan.data])
        valid_pairs = read_pairs([folder.path / plan.valid])
    else:
        train_pairs, valid_pairs = make_pairs(
            plan.task, plan.pairs, plan.train.validate_pairs, plan.train.seed
        )
    return Run(
        folder.path, train_pairs, valid_pairs, plan.model, plan.train, resume,
        start=folder.path / START if plan.from_model else None, probe=Pair(*plan.probe),
        about={"plan": plan.to_dict()},
    )  # fmt: skip
