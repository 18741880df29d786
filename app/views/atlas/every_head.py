"""Whether every head has a role: first a guess, then what was measured."""

from collections import Counter

from app.format import escape, share, signed
from app.i18n import _
from app.page.quiz import Task, guessed
from app.ui.section import section
from app.views.atlas import texts
from app.views.atlas.choice import name_of
from app.views.atlas.data import ROLES, THRESHOLD, Atlas


def draw_every_head(atlas: Atlas) -> None:
    """Let the visitor guess how many heads have a role, then count them."""
    section(_(texts.EACH), "")
    if guessed(_task(atlas)):
        section("", _answer(atlas))


def _task(atlas: Atlas) -> Task:
    n, count = len(atlas.heads), sum(one.role is not None for one in atlas.heads)
    options = [_(one) for one in texts.EACH_OPTIONS]
    right = 0 if not count else 3 if count == n else 2 if 2 * count >= n else 1
    answer = texts.EACH_ANSWER
    return Task.of(texts.EACH_GUESS, options, [right], answer, answer, n=n, count=count)


def _answer(atlas: Atlas) -> str:
    """Say how many heads have which role, how steadily, and how much those without one matter."""
    with_role = [one for one in atlas.heads if one.role is not None]
    counts = Counter(one.role.role for one in with_role if one.role)
    threshold = share(THRESHOLD)
    roles = "; ".join(f"{n} × {escape(_(ROLES[role]))}" for role, n in counts.most_common())
    count = len(with_role)
    parts = [
        _(texts.EACH_MYTH).format(
            count=count, n=len(atlas.heads), threshold=threshold, roles=roles or "–"
        )
    ]
    if with_role:
        unsteady = sum(
            one.measures[one.role.role].quantiles[0] < one.role.threshold
            for one in with_role
            if one.role
        )
        parts.append(_(texts.EACH_STEADY).format(count=unsteady, threshold=threshold))
    if count < len(atlas.heads):
        without = [one for one in atlas.heads if one.role is None]
        most = max(without, key=lambda one: one.measures["log_p_lost"].mean)
        lost = signed(most.measures["log_p_lost"].mean, 3)
        parts.append(_(texts.EACH_MUTED).format(head=name_of(most.id), lost=lost))
    return "\n\n".join(parts)
