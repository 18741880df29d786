"""The card of one head: its role, its measures, its sentences, its weights, and its training."""

from collections.abc import Mapping, Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.charts.curves import Curve, curves
from app.charts.theme import Role
from app.data.attention import scope_of
from app.data.changed import change_types
from app.data.translation import model_names
from app.data.walk import walk
from app.format import escape, grouped, share, signed
from app.i18n import N_, _
from app.inspector.arrays import array_grid, draw_board, grid
from app.inspector.changes import add
from app.page import moves
from app.registry import Address
from app.ui.buttons import button
from app.ui.chart import show_chart
from app.ui.chosen import decoding
from app.ui.error_box import error_box
from app.ui.section import section
from app.ui.sentence_box import sentence_line
from app.ui.table import Columns, fold, table
from app.views.atlas import data
from app.views.atlas.choice import AtlasChoice, name_of, title_of
from app.views.atlas.data import NORMS, QUANTILES, ROLES, THRESHOLD, HeadId, HeadRecord

OVER: Final = N_("When did this head find its role?")
Lines = Mapping[str, tuple[float, ...]]  # a head's measures, a value at each step of a training


def draw_card(choice: AtlasChoice, model: str) -> None:
    """Draw what is known about the head whose card is open."""
    head = choice.open
    st.header(name_of(head.id), anchor=False)
    measures = head.measures
    if head.role is None:
        told = _("**No clear role**: nothing that was measured gets {threshold} of its weight.")
        says = told.format(threshold=share(THRESHOLD))
    else:
        role = _(ROLES[head.role.role])
        shares = share(head.role.share), share(head.role.threshold)
        says = _(
            "**Role: {role}**, with {share} of its weight on sentences that did not choose "
            "this role (at least {threshold} is required)."
        ).format(role=escape(role), share=shares[0], threshold=shares[1])
    muted = _(
        "Muted alone on the sample, it costs {log_p} of log p a token, where the gradient "
        "predicted {gradient}, and {bleu} points of BLEU, on {n} sentences only."
    ).format(
        log_p=signed(measures["log_p_lost"].mean, 4),
        bleu=signed(measures["bleu_lost"].mean),
        n=choice.atlas.bleu_sentences,
        gradient=signed(measures["gradient"].mean, 4),
    )
    raised = ", ".join(f"“{escape(text)}” ({share(part)})" for text, part in head.lens_tokens)
    said = _("What it writes raises these tokens most: {tokens}.")
    lens = said.format(tokens=raised) if raised else ""
    st.markdown("\n\n".join(filter(None, [says, muted, lens])))
    button(_("Mute it in your translation"), "atlas-mute", "volume_off", _mute, head.id)
    _draw_spread(choice)
    _draw_on_sentence(head.id, model)
    fold(_("All its measures"), "atlas-measures", "table", lambda: _draw_table(choice))
    examples = choice.atlas.examples
    if examples:
        kinds = {N_("Typical"): head.typical, N_("Untypical"): head.untypical}
        _draw_examples(choice, kinds | {N_("Where its role fails"): head.fails})


def _draw_spread(choice: AtlasChoice) -> None:
    """Draw the spread of the chosen measure over the sample as a strip of its quantiles."""
    measure = choice.open.measures.get(choice.measure)
    if measure is None or not measure.quantiles:
        return
    text = _(
        "**Over the sentences of the sample**: the share of them that lies below each "
        "value; half lie below the one in the middle."
    )
    st.markdown(text)
    shares, values = [f"{part:.0%}" for part in QUANTILES], np.array(measure.quantiles)
    strip = array_grid(values, title_of(choice.measure), "output", col_labels=shares)
    draw_board([strip], "atlas-spread")


def _mute(head: HeadId) -> None:
    add(change_types.MuteHeads(head.kind, head.layer, (head.head,)))
    moves.go(Address("translate"))


def _draw_on_sentence(head: HeadId, model: str) -> None:
    says = _("On your sentence")
    st.markdown(f"**{says}**")
    text = sentence_line(model)
    with error_box():
        shown = walk(model, text, decoding())
        name = f"{scope_of(shown, head.kind, head.layer)}.weights"
        draw_board([grid(shown, name, (head.head, None, None), name_of(head))], "atlas-own")


def _draw_table(choice: AtlasChoice) -> None:
    measures = choice.open.measures
    names = [name for name in measures if name.removeprefix(NORMS) in data.MEASURES]
    columns: dict[str, Sequence[str | float]] = {
        _("measure"): [title_of(name) for name in names],
        _("mean"): [measures[name].mean for name in names],
    }
    for i, part in enumerate(QUANTILES):
        columns[f"{part:.0%}"] = [
            measures[name].quantiles[i] if measures[name].quantiles else float("nan")
            for name in names
        ]
    table(columns, "atlas-head")


def _draw_examples(choice: AtlasChoice, kinds: dict[str, tuple[int, ...]]) -> None:
    lines = []
    for title, numbers in kinds.items():
        pairs = [choice.atlas.examples[i] for i in numbers]
        if pairs:
            shown = "\n".join(f"- {escape(one.src)} → {escape(one.tgt)}" for one in pairs)
            lines.append(f"**{_(title)}**\n\n{shown}")
    st.markdown("\n\n".join(lines))


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
    lines = dict(zip((one.id for one in choice.atlas.heads), over.measures, strict=True))
    head = choice.open
    section(_(OVER), f"{_said(head, over.steps, lines[head.id])} {says}")
    measure = _measure(choice, lines[head.id])
    own, steps = np.array(lines[head.id][measure]), np.array(over.steps)
    drawn = [Curve(name_of(head.id), steps, own, role, "line")]
    beside = (one.id for one in choice.heads if one.id.kind == head.id.kind and one != head)
    others = [np.append(lines[one][measure], np.nan) for one in beside]
    if others:
        x = np.tile(np.append(steps, steps[-1]), len(others))
        text = _("the other heads of this attention")
        drawn.insert(0, Curve(text, x, np.concatenate(others), "residual"))
    here = None
    if measure in ROLES:
        threshold = head.role.threshold if head.role else THRESHOLD
        limit = np.full(2, threshold)
        drawn.append(Curve(_("threshold"), steps[[0, -1]], limit, "residual", "dash"))
        here = data.found_at(over.steps, tuple(own), threshold)
    figure = curves(drawn, _("training step"), title_of(measure), here=here, height=300)
    columns = partial(_columns, choice, over.steps, lines, measure)
    show_chart(figure, "atlas-over", _(OVER), columns)


def _draw_unknown(model: str) -> None:
    """Say that no checkpoint of the training was kept, and link to a model that has some."""
    text = (
        N_(
            "Nobody can say for this model: no sentence was filmed while it was trained. A run "
            "that films one has its heads followed at each filmed step."
        )
        if data.can_measure(model)
        else N_(
            "Nobody can say for this model: no earlier moment of its training was kept with it. "
            "For a small one, four were kept, and each of its heads was measured at all four."
        )
    )
    section(_(OVER), _(text))
    snapshots = [name for name in model_names() if name.startswith("snapshots/")]
    if snapshots:
        label = _("See the heads of the model that was followed")
        button(label, "atlas-snapshots", "show_chart", state.MODEL.set, snapshots[-1])


def _measure(choice: AtlasChoice, lines: Lines) -> str:
    """Return the chosen measure, if it was recorded; else that of the head's or nearest role."""
    chosen, role = choice.measure.removeprefix(NORMS), choice.open.role
    if chosen in lines:
        return chosen
    return role.role if role else _nearest(choice.open.id, lines)


def _nearest(head: HeadId, lines: Lines) -> str:
    """Return the role of which a head had the largest share at any step."""
    known = [role for role in data.roles_for(head.kind) if role in lines]
    return max(known, key=lambda role: max(lines[role]))


def _said(head: HeadRecord, steps: Sequence[int], lines: Lines) -> str:
    """Say since when a head has had its role, or how near it came to one."""
    if head.role is None:
        return _said_without(head.id, steps, lines)
    since, line = _since(head, steps, lines), lines.get(head.role.role)
    if since == steps[0]:
        text = N_(
            "**{head} {role}**, and has given that at least {threshold} of its weight from "
            "the first of these steps on."
        )
    elif since is None:
        text = N_(
            "**{head} {role}** on the whole sample, but on these sentences it ends with {share} of "
            "its weight, below {threshold}: no step can be named."
        )
    else:
        text = N_(
            "**{head} {role}**: from step {step} on, to the end at step {last}, it gives that at "
            "least {threshold} of its weight."
        )
    return _(text).format(
        head=name_of(head.id),
        role=escape(_(ROLES[head.role.role])),
        step=grouped(since or 0),
        last=grouped(steps[-1]),
        share=share(line[-1] if line else 0.0),
        threshold=share(head.role.threshold),
    )


def _said_without(head: HeadId, steps: Sequence[int], lines: Lines) -> str:
    role = _nearest(head, lines)
    most = max(lines[role])
    text = (
        N_(
            "**{head}** never found a clear role: at none of these steps does it give {threshold} "
            "of its weight to one thing. It came nearest at step {step}, when it {role} with "
            "{share}."
        )
        if most < THRESHOLD
        else N_(
            "**{head}** has no clear role at the end, but it had one: at step {step} it {role} "
            "with {share} of its weight, where {threshold} is required."
        )
    )
    return _(text).format(
        head=name_of(head),
        role=escape(_(ROLES[role])),
        step=grouped(steps[lines[role].index(most)]),
        share=share(most),
        threshold=share(THRESHOLD),
    )


def _since(head: HeadRecord, steps: Sequence[int], lines: Lines) -> int | None:
    line = None if head.role is None else lines.get(head.role.role)
    if head.role is None or line is None:
        return None
    return data.found_at(steps, line, head.role.threshold)


def _columns(
    choice: AtlasChoice, steps: Sequence[int], lines: Mapping[HeadId, Lines], measure: str
) -> Columns:
    heads = [one for one in choice.heads if measure in lines[one.id]]
    since = [_since(one, steps, lines[one.id]) for one in heads]
    columns: Columns = {
        _("head"): [name_of(one.id) for one in heads],
        _("role"): [_(ROLES[one.role.role]) if one.role else "" for one in heads],
        _("since step"): ["" if one is None else grouped(one) for one in since],
    }
    at = {
        grouped(step): [lines[one.id][measure][i] for one in heads] for i, step in enumerate(steps)
    }
    return {**columns, **at}
