"""The page “Head atlas”: what every head of the model does, once it was measured."""

from collections import defaultdict
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.charts.curves import Curve, curves
from app.components.shared.kept import Drawn, keeping
from app.data.errors import worded
from app.data.walk import Cell
from app.format import escape, grouped, number, percent, signed
from app.i18n import N_, _
from app.inspector.arrays import array_grid, draw_board
from app.inspector.naming import layer_names
from app.page import errors, moves
from app.registry import view_of
from app.ui.about import about
from app.ui.buttons import attempt, button, draw_refusal
from app.ui.chart import show_chart
from app.ui.kept import screen_menu
from app.ui.live_part import live_part
from app.ui.section import section
from app.ui.table import Columns, fold, table
from app.views.atlas import data
from app.views.atlas.card import draw_card, draw_over_training
from app.views.atlas.choice import (
    CARD,
    KINDS,
    AtlasChoice,
    choose,
    key_of,
    name_of,
    place_of,
    sample_name,
    title_of,
)
from app.views.atlas.every_head import draw_alignment, draw_every_head
from app.views.atlas.scatter import LOOKS, SCATTER, draw_scatter

SINK: Final = "sink"
PRUNING: Final = N_("How many heads can go?")
HALF: Final = 0.5  # of the attention weight
ENDS: Final = 3  # heads named at either end of the order
SECONDS: Final = 1.0  # between two updates on a job that is running


def draw() -> None:
    """Draw the atlas of the chosen model, or say how to make one."""
    st.title(_(view_of("atlas").title))
    model = errors.model()
    if model is None or errors.is_recurrent(model):
        return
    atlas = data.atlas_of(model)
    if atlas is None:
        draw_making(model)
        return
    intro = _(
        "What is each head for? Every head of this model was measured on {n} sentences "
        "({sample}). A cell is a head: click it to open its card."
    ).format(n=grouped(atlas.sentences), sample=sample_name(atlas.sample))
    text = _("Measuring took {seconds} s on one core.")
    took = text.format(seconds=grouped(round(atlas.seconds))) if atlas.seconds else ""
    st.markdown(f"{intro} {took}")
    chosen = st.container()
    with about(page="atlas", title=_(view_of("atlas").title)), keeping() as others:
        draw_every_head(atlas)
        _draw_sinks(atlas)
        _draw_pruning(atlas)
        if atlas.alignments:
            draw_alignment(atlas)
    with chosen:
        live_part(partial(_draw_chosen, atlas, model, others))


def _draw_chosen(atlas: data.Atlas, model: str, others: Drawn) -> None:
    """Draw what depends on the chosen measure and head, and the menu that exports the page."""
    moves.follow("atlas")
    with about(page="atlas", title=_(view_of("atlas").title)), keeping() as drawn:
        choice = choose(atlas)
        left, right = st.columns([0.56, 0.44], gap="large")
        with left:
            _draw_map(choice)
            if choice.measure == data.ROLE_SHARE:
                _draw_roles(choice)
            else:
                _draw_ends(choice)
            columns = partial(_columns, choice)
            draw = partial(draw_scatter, choice, columns)
            fold(_(SCATTER), "atlas-scatter", "scatter_plot", draw)
            title = _("All heads, the largest first")
            fold(title, "atlas-all", "sort", lambda: table(columns(), "atlas-heads"))
        with right:
            draw_card(choice, model)
        draw_over_training(choice, LOOKS[choice.open.id.kind][0], model)
        screen_menu([("", [*drawn, *others])])


def _draw_map(choice: AtlasChoice) -> None:
    st.caption(_(data.MEASURES[choice.measure.removeprefix(data.NORMS)].says))
    grids = []
    values = {
        kind: data.grid_of(choice.atlas, kind, choice.measure, choice.shown) for kind in data.KINDS
    }
    values = {kind: one for kind, one in values.items() if np.isfinite(one).any()}
    if not values:
        st.info(_("No head shown has this measure: choose another one, or show more heads."))
        return
    reach = max(float(np.nanmax(np.abs(one))) for one in values.values())
    for kind, one in values.items():
        labels = [str(i + 1) for i in range(one.shape[1])]
        look = {"row_labels": layer_names(len(one)), "col_labels": labels, "reach": reach}
        grids.append(array_grid(one, _(KINDS[kind]), "output", name=kind, **look))
    at = choice.open.id
    asked = Cell(at.kind, (at.layer, at.head)) if at.kind in values else None
    hint = _("Point at a cell, or walk with the arrow keys. A click or Enter opens its card.")
    matrix = _("{title}, {rows} × {cols}; arrow keys walk, Enter opens the card of a head")
    words = {"hint": hint, "matrix": matrix, "word": "{word}"}  # a head is no token to quote
    draw_board(grids, "atlas-map", asked=asked, on_ask=_open, text=words)


def _open(cell: Cell) -> None:
    layer, head = cell.index
    CARD.set(key_of(data.HeadId(cell.name, layer, head)))  # type: ignore[arg-type]


def _draw_roles(choice: AtlasChoice) -> None:
    """Name the heads of each role, the most frequent role first."""
    found: defaultdict[str, list[str]] = defaultdict(list)
    for one in choice.heads:
        if one.role is not None:
            found[one.role.role].append(place_of(one.id))
    ordered = sorted(found.items(), key=lambda of: -len(of[1]))
    lines = [
        _("**{role}** (layer.head): {heads}").format(
            role=escape(_(data.ROLES[role])), heads=", ".join(heads)
        )
        for role, heads in ordered
    ]
    st.caption("  \n".join(lines))


def _draw_ends(choice: AtlasChoice) -> None:
    """Name the heads with the largest and the smallest values."""
    heads = [one for one in _sorted(choice) if np.isfinite(data.value_of(one, choice.measure))]
    if len(heads) < 2 * ENDS:
        return
    largest, smallest = (
        ", ".join(
            f"{place_of(one.id)} ({number(data.value_of(one, choice.measure), 3)})" for one in of
        )
        for of in (heads[:ENDS], heads[: -ENDS - 1 : -1])
    )
    text = _("Largest (layer.head): {largest}. Smallest: {smallest}.")
    st.caption(text.format(largest=largest, smallest=smallest))


def _sorted(choice: AtlasChoice) -> list[data.HeadRecord]:
    return sorted(choice.heads, key=lambda one: -np.nan_to_num(data.value_of(one, choice.measure)))


def _columns(choice: AtlasChoice) -> Columns:
    heads = _sorted(choice)
    roles = [_(data.ROLES[one.role.role]) if one.role else "" for one in heads]
    values = {
        title_of(name): [data.value_of(one, name) for one in heads]
        for name in (choice.measure, choice.against)
    }
    return {_("head"): [name_of(one.id) for one in heads], _("role"): roles} | values


def _draw_sinks(atlas: data.Atlas) -> None:
    """Say how many heads rest on tokens with little meaning, and what the first one carries."""
    if SINK not in atlas.heads[0].measures:  # an atlas made by an earlier version
        return
    most = max(atlas.heads, key=lambda one: data.value_of(one, SINK))
    says = _(
        "A softmax has to give away all of its weight, even where a head finds nothing to look "
        "for. Then much of it goes to the first token, to <eos> or to a full stop: an "
        "**attention sink** (Xiao et al. 2024). {count} of {n} heads give such tokens at least "
        "half of their weight; {head} gives the most, {weight}. Measured by the lengths of "
        "α·v·W_O, by what is really carried, that is {carried}."
    ).format(
        count=sum(data.value_of(one, SINK) >= HALF for one in atlas.heads),
        n=len(atlas.heads),
        head=name_of(most.id),
        weight=percent(data.value_of(most, SINK)),
        carried=percent(data.value_of(most, data.NORMS + SINK)),
    )
    section(_("Where do heads rest?"), says.replace("<", r"\<"))


def _draw_pruning(atlas: data.Atlas) -> None:
    pruning = atlas.pruning
    values = np.array(pruning.log_p)
    says = _(
        "Heads muted one after the other: each time, of the {tried} last known to hurt least, "
        "the one that now hurts least, chosen on {n} sentences; log p is that of {held_out} "
        "others. Muting {half} of {all} heads costs {lost} of log p a token."
    ).format(
        tried=pruning.tried,
        n=pruning.sentences,
        held_out=pruning.held_out,
        half=len(pruning.order),
        all=len(atlas.heads),
        lost=signed(float(values[0] - values[-1])),
    )
    section(_(PRUNING), says)
    curve = Curve(_("log p a token"), np.arange(len(values)), values, "output")
    span = float(values.min()) - 0.05, max(0.0, float(values.max()))
    figure = curves([curve], _("heads muted"), _("log p a token"), span=span)
    gone = ["", *(name_of(one) for one in pruning.order)]
    columns = {
        _("heads muted"): list(range(len(values))),
        _("last one muted"): gone,
        _("log p a token"): values.tolist(),
    }
    show_chart(figure, "atlas-pruning", _(PRUNING), lambda: columns)


def draw_making(model: str) -> None:
    """Offer to measure a model without an atlas, and show the progress; else say why not."""
    if not data.can_measure(model):
        command = f"python -m model atlas --model {model}"
        text = _(
            "Nobody has measured the heads of this model yet, or its weights have changed "
            "since. This command does it: `{command}`"
        )
        st.info(text.format(command=command))
        return
    live_part(
        partial(_draw_job, model),
        run_every=SECONDS if data.is_measured(model) else None,
        shared=lambda: (data.is_measured(model), data.atlas_of(model) is None),
    )


def _draw_job(model: str) -> None:
    draw_refusal("atlas")
    if data.is_measured(model):
        _draw_progress(model)
    elif data.is_training(model):
        st.info(_("This run is still going. Its heads can be measured once it has ended."))
    else:
        _draw_offer(model)


def _draw_progress(model: str) -> None:
    known = data.status(model)
    assert known is not None
    if known.state == "queued":
        text = _("It begins as soon as no other atlas is being made.")
    elif not known.steps:
        text = _("The held-out sentences are being drawn.")
    else:
        says = _("{done} of {total} parts are measured, after {seconds} s.")
        text = says.format(done=known.step, total=known.steps, seconds=f"{known.seconds:.0f}")
    st.progress(known.step / known.steps if known.steps else 0.0, text=text)
    help_ = _("What was measured is kept, and you can continue later.")
    button(_("Stop"), "atlas-stop", "stop", data.stop, model, help=help_)


def _draw_offer(model: str) -> None:
    known = data.status(model)
    if known is not None and known.error:
        st.error(escape(worded(known.error)))
    elif known is not None and known.state == "stopped":
        st.info(_("Measuring was stopped. What was measured is kept: it goes on from there."))
    elif known is not None and known.state == "interrupted":
        st.warning(_("Measuring ended early. What was measured is kept: it goes on from there."))
    else:
        text = _(
            "Nobody has measured the heads of this model yet, or its weights have changed "
            "since. Measuring them takes sentences that its task held out from training, and "
            "runs in the background: a small model takes seconds, a large one minutes."
        )
        st.info(text)
    act = ("atlas", data.measure, model)
    button(_("Measure its heads"), "atlas-make", "map", attempt, *act, type="primary")


draw()
