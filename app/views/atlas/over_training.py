"""A head's curve over the training: a measure at each step, and since when it has had its role."""

import numpy as np

from app import state
from app.charts.curves import Curve, curves
from app.charts.theme import Role
from app.data.translation import model_names
from app.format import escape, grouped, share
from app.i18n import N_, _
from app.ui.buttons import button
from app.ui.chart import show_chart
from app.ui.section import section
from app.ui.table import Columns
from app.views.atlas import data, texts
from app.views.atlas.choice import AtlasChoice, name_of, title_of


def draw_over_training(choice: AtlasChoice, role: Role, model: str) -> None:
    """Draw the open head's curve among those of its attention, in the colour of a role."""
    over = choice.atlas.over_training
    if over is None:
        _draw_unknown(model)
        return
    says = (
        _("The weights on the one sentence that this run filmed, at {n} steps of its training.")
        if over.sample == data.FILM
        else _("The weights on {sentences} sentences, at {n} steps of the training.")
    )
    says = says.format(sentences=over.sentences, n=len(over.steps))
    section(_(texts.OVER), f"{_said(choice.open, over, choice)} {says}")
    measure, head = _measure(choice, over), choice.open.id
    own = data.line_of(over, choice.atlas, head, measure)
    assert own is not None
    steps = np.array(over.steps)
    lines = [Curve(name_of(head), steps, own, role, "line")]
    beside = (one.id for one in choice.heads if one.id.kind == head.kind and one.id != head)
    others = [_line(over, choice, one, measure) for one in beside]
    if others:
        gapped = [np.append(line, np.nan) for line in others]
        x = np.tile(np.append(steps, steps[-1]), len(others))
        text = _("the other heads of this attention")
        lines.insert(0, Curve(text, x, np.concatenate(gapped), "residual"))
    found = choice.open.role
    threshold = found.threshold if found else data.THRESHOLD
    is_role = measure in data.ROLES
    if is_role:
        limit = np.full(2, threshold)
        lines.append(Curve(_("threshold"), steps[[0, -1]], limit, "residual", "dash"))
    here = data.found_at(over.steps, tuple(own), threshold) if is_role else None
    figure = curves(lines, _("training step"), title_of(measure), here=here, height=300)
    show_chart(figure, "atlas-over", _(texts.OVER), lambda: _columns(choice, over, measure))


def _draw_unknown(model: str) -> None:
    """Say that no checkpoint of the training was kept, and link to a model that has some."""
    section(_(texts.OVER), _(texts.OVER_NO_FILM if data.can_measure(model) else texts.OVER_NONE))
    snapshots = [name for name in model_names() if name.startswith("snapshots/")]
    if snapshots:
        label = _("See the heads of the model that was followed")
        button(label, "atlas-snapshots", "show_chart", state.MODEL.set, snapshots[-1])


def _measure(choice: AtlasChoice, over: data.OverTraining) -> str:
    """Return the chosen measure, if it was recorded; else that of the head's or nearest role."""
    role = choice.open.role
    chosen = choice.measure.removeprefix(data.NORMS)
    if _known(over, choice, choice.open.id, chosen):
        return chosen
    return role.role if role else _nearest(choice.open.id, over, choice)[0]


def _nearest(
    head: data.HeadId, over: data.OverTraining, choice: AtlasChoice
) -> tuple[str, np.ndarray]:
    """Return the role of which a head had the largest share at any step, with its curve."""
    lines = {
        role: line
        for role in data.roles_for(head.kind)
        if (line := data.line_of(over, choice.atlas, head, role)) is not None
    }
    role = max(lines, key=lambda one: lines[one].max())
    return role, lines[role]


def _known(over: data.OverTraining, choice: AtlasChoice, head: data.HeadId, measure: str) -> bool:
    return data.line_of(over, choice.atlas, head, measure) is not None


def _line(
    over: data.OverTraining, choice: AtlasChoice, head: data.HeadId, measure: str
) -> np.ndarray:
    line = data.line_of(over, choice.atlas, head, measure)
    assert line is not None  # heads of the same attention have the same measures
    return line


def _said(head: data.HeadRecord, over: data.OverTraining, choice: AtlasChoice) -> str:
    """Say since when a head has had its role, or how near it came to one."""
    if head.role is None:
        return _said_without(head.id, over, choice)
    role, threshold = escape(_(data.ROLES[head.role.role])), head.role.threshold
    since = _since(head, over, choice)
    if since == over.steps[0]:
        text = N_(
            "**{head} {role}**, and has given that at least {threshold} of its weight from "
            "the first of these steps on."
        )
    else:
        text = texts.OVER_LATE if since is None else texts.OVER_FOUND
    line = data.line_of(over, choice.atlas, head.id, head.role.role)
    return _(text).format(
        head=name_of(head.id),
        role=role,
        step=grouped(since or 0),
        last=grouped(over.steps[-1]),
        share=share(float(line[-1])) if line is not None else share(0),
        threshold=share(threshold),
    )


def _said_without(head: data.HeadId, over: data.OverTraining, choice: AtlasChoice) -> str:
    role, line = _nearest(head, over, choice)
    at = int(line.argmax())
    text = texts.OVER_NEVER if line[at] < data.THRESHOLD else texts.OVER_LOST
    return _(text).format(
        head=name_of(head),
        role=escape(_(data.ROLES[role])),
        step=grouped(over.steps[at]),
        share=share(float(line[at])),
        threshold=share(data.THRESHOLD),
    )


def _since(head: data.HeadRecord, over: data.OverTraining, choice: AtlasChoice) -> int | None:
    if head.role is None:
        return None
    line = data.line_of(over, choice.atlas, head.id, head.role.role)
    return None if line is None else data.found_at(over.steps, tuple(line), head.role.threshold)


def _columns(choice: AtlasChoice, over: data.OverTraining, measure: str) -> Columns:
    heads = [one for one in choice.heads if _known(over, choice, one.id, measure)]
    since = [_since(one, over, choice) for one in heads]
    lines = [_line(over, choice, one.id, measure) for one in heads]
    columns: Columns = {
        _("head"): [name_of(one.id) for one in heads],
        _("role"): [_(data.ROLES[one.role.role]) if one.role else "" for one in heads],
        _("since step"): ["" if one is None else grouped(one) for one in since],
    }
    steps = {grouped(step): [float(line[i]) for line in lines] for i, step in enumerate(over.steps)}
    return {**columns, **steps}
