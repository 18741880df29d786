"""A head's line over the training: a measure at each step, and since when it has had its role."""

import numpy as np

from app.charts.curves import Curve, curves
from app.charts.theme import Role
from app.format import escape, grouped, share
from app.i18n import _
from app.ui.chart import show_chart
from app.ui.section import section
from app.ui.table import Columns
from app.views.atlas import texts
from app.views.atlas.choice import NORMS, Choice, name_of, title_of
from app.views.atlas.data import FILM, HeadId, HeadRecord, OverTraining, found_at, line_of


def draw_over_training(choice: Choice, role: Role) -> None:
    """Draw the open head's line among those of its attention, in the colour of a role."""
    over = choice.atlas.over_training
    if over is None:
        return
    says = _(texts.OVER_FILM if over.sample == FILM else texts.OVER_SAMPLE)
    says = says.format(sentences=over.sentences, n=len(over.steps))
    section(_(texts.OVER), f"{_said(choice.open, over, choice)} {says}")
    measure, head = _measure(choice, over), choice.open.id
    own = line_of(over, choice.atlas, head, measure)
    assert own is not None
    steps = np.array(over.steps)
    lines = [Curve(name_of(head), steps, own, role, "line")]
    others = [_line(over, choice, one.id, measure) for one in choice.heads if _beside(one, head)]
    if others:
        gapped = [np.append(line, np.nan) for line in others]
        x = np.tile(np.append(steps, steps[-1]), len(others))
        lines.insert(0, Curve(_(texts.OTHER_HEADS), x, np.concatenate(gapped), "residual"))
    found = choice.open.role
    is_role = found is not None and found.role == measure
    if found is not None and is_role:
        limit = np.full(2, found.threshold)
        lines.append(Curve(_("threshold"), steps[[0, -1]], limit, "residual", "dash"))
    here = found_at(over.steps, tuple(own), found.threshold) if found and is_role else None
    figure = curves(lines, _("training step"), title_of(measure), here=here, height=300)
    show_chart(figure, "atlas-over", _(texts.OVER), lambda: _columns(choice, over, measure))


def _beside(one: HeadRecord, head: HeadId) -> bool:
    return one.id.kind == head.kind and one.id != head


def _measure(choice: Choice, over: OverTraining) -> str:
    """Return the chosen measure, if it was followed; else that of the head's role, or entropy."""
    role = choice.open.role
    wanted = choice.measure.removeprefix(NORMS), role.role if role else "entropy"
    known = [one for one in wanted if _known(over, choice, choice.open.id, one)]
    return known[0] if known else "entropy"


def _known(over: OverTraining, choice: Choice, head: HeadId, measure: str) -> bool:
    return line_of(over, choice.atlas, head, measure) is not None


def _line(over: OverTraining, choice: Choice, head: HeadId, measure: str) -> np.ndarray:
    line = line_of(over, choice.atlas, head, measure)
    assert line is not None  # heads of one attention have the same measures
    return line


def _said(head: HeadRecord, over: OverTraining, choice: Choice) -> str:
    """Say since when a head has had its role."""
    name = name_of(head.id)
    if head.role is None:
        return _(texts.OVER_NO_ROLE).format(head=name)
    role, threshold = escape(_(texts.ROLES[head.role.role])), head.role.threshold
    since = _since(head, over, choice)
    if since == over.steps[0]:
        text = texts.OVER_ALWAYS
    else:
        text = texts.OVER_LATE if since is None else texts.OVER_FOUND
    line = line_of(over, choice.atlas, head.id, head.role.role)
    return _(text).format(
        head=name,
        role=role,
        step=grouped(since or 0),
        last=grouped(over.steps[-1]),
        share=share(float(line[-1])) if line is not None else share(0),
        threshold=share(threshold),
    )


def _since(head: HeadRecord, over: OverTraining, choice: Choice) -> int | None:
    if head.role is None:
        return None
    line = line_of(over, choice.atlas, head.id, head.role.role)
    return None if line is None else found_at(over.steps, tuple(line), head.role.threshold)


def _columns(choice: Choice, over: OverTraining, measure: str) -> Columns:
    heads = [one for one in choice.heads if _known(over, choice, one.id, measure)]
    since = [_since(one, over, choice) for one in heads]
    lines = [_line(over, choice, one.id, measure) for one in heads]
    columns: Columns = {
        _("head"): [name_of(one.id) for one in heads],
        _("role"): [_(texts.ROLES[one.role.role]) if one.role else "" for one in heads],
        _("since step"): ["" if one is None else grouped(one) for one in since],
    }
    steps = {grouped(step): [float(line[i]) for line in lines] for i, step in enumerate(over.steps)}
    return {**columns, **steps}
