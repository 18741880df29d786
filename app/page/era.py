"""What all pages of "How we got here" share: timeline, text, badge, task, formulas and code."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass

import numpy as np
import streamlit as st

from app import state
from app.components.timeline import timeline
from app.i18n import _
from app.page import errors as trouble
from app.page.badge import badge
from app.page.frame import Code, formulas, turn
from app.page.quiz import Task, task
from app.registry import view_of


@dataclass(frozen=True, eq=False)
class Recomputed:
    """Numbers of the page, the same computed again by other code, and how far they may differ."""

    name: str
    ours: np.ndarray
    again: np.ndarray
    tolerance: float

    @property
    def difference(self) -> float:
        if self.ours.shape != self.again.shape:
            return float("inf")
        differences = np.abs(np.asarray(self.ours, float) - np.asarray(self.again, float))
        return float(np.nan_to_num(differences, nan=np.inf).max(initial=0.0))

    @property
    def passed(self) -> bool:
        return self.difference <= self.tolerance


@dataclass(frozen=True)
class Proof:
    """What the badge of a page stands for; `by` says with what the numbers were computed again."""

    stages: Sequence[Recomputed]
    by: str

    @property
    def worst(self) -> Recomputed:
        """The stage nearest to its bound, or furthest beyond it."""
        return max(self.stages, key=lambda stage: stage.difference / stage.tolerance)


@dataclass(frozen=True)
class Era:
    """A page of the section; `pace` is how often it runs again by itself, in seconds."""

    slug: str
    intro: str
    body: Callable[[], None]
    proof: Callable[[], Proof]
    task: Callable[[], Task]
    code: Sequence[Code]
    pace: Callable[[], float | None] = lambda: None


def era(page: Era) -> None:
    """Draw a page of the section, or say in one sentence why there is nothing to draw."""
    view = view_of(page.slug)
    st.title(_(view.title))
    timeline(page.slug, key="timeline")
    st.markdown(_(page.intro))
    st.fragment(_live, run_every=page.pace())(page)
    turn(view)


def _live(page: Era) -> None:
    """Draw what answers to a click, apart from the rest of the page."""
    state.sync()
    with trouble.told(
        _("There is nothing to show yet: type a sentence or choose an example."),
        _("This page could not be shown; the server's log says why."),
    ):
        left, right = st.columns([0.7, 0.3], gap="medium")
        with left:
            page.body()
            formulas(page.code)
        with right, st.container(key="side"):
            _checked(page.proof())
            asked = page.task()
            task((asked.question, *asked.options), asked, page.slug)


def _checked(proof: Proof) -> None:
    """Say how many numbers of the page other code gets too, and how far apart they are."""
    worst = proof.worst
    passed = all(stage.passed for stage in proof.stages)
    count = sum(np.size(stage.ours) for stage in proof.stages)
    said = _(
        "{n} numbers of this page computed again: {by}. Largest difference {difference}, "
        "allowed {tolerance}, at: {place}."
    )
    badge(
        passed,
        said.format(
            n=count, by=_(proof.by), place=_(worst.name), difference=f"{worst.difference:.1e}",
            tolerance=f"{worst.tolerance:.1e}",
        ),
    )  # fmt: skip
