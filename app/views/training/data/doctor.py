"""What the doctor finds in a run so far."""

from app.data.moments import curves_of, film_of, samples_of
from app.data.runs import RunSummary
from model.runs.doctor import FEWEST_ROWS, Finding, diagnose

__all__ = ["Finding"]


def findings_of(one: RunSummary, step: int) -> tuple[Finding, ...]:
    """Return the findings on a run up to a step, the worst first."""
    film = film_of(one.name)
    frame = film.frames[film.at(step)] if film is not None else None
    rows, samples = (
        [row for row in rows if row["step"] <= step]
        for rows in (curves_of(one.name).rows, samples_of(one.name))
    )
    return diagnose(one.plan, rows, samples, frame)


def is_early(one: RunSummary, step: int) -> bool:
    """Return whether too little was logged up to a step to say that nothing is wrong."""
    return sum(row["step"] <= step for row in curves_of(one.name).rows) < FEWEST_ROWS
