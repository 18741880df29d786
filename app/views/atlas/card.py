"""The card of one head: its role, its measures, its sentences, and its weights on the visitor's."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.data.attention import scope_of
from app.data.walk import walk
from app.format import escape, share, signed
from app.i18n import N_, _
from app.inspector.arrays import array_grid, draw_board, grid
from app.inspector.changes import add
from app.page import moves
from app.registry import Address
from app.ui.buttons import button
from app.ui.chosen import decoding
from app.ui.error_box import error_box
from app.ui.live_part import FAILED
from app.ui.sentence_box import sentence_line
from app.ui.table import fold, table
from app.views.atlas.choice import AtlasChoice, name_of, title_of
from app.views.atlas.data import MEASURES, NORMS, QUANTILES, ROLES, THRESHOLD, HeadId, mute


def draw_card(choice: AtlasChoice, model: str) -> None:
    """Draw what is known about the head whose card is open."""
    head = choice.open
    st.subheader(name_of(head.id), anchor=False)
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
    add(mute(head))
    moves.go(Address("translate"))


def _draw_on_sentence(head: HeadId, model: str) -> None:
    says = _("On your sentence")
    st.markdown(f"**{says}**")
    text = sentence_line(model)
    nothing = _("There is nothing to show yet: type a sentence or choose an example.")
    with error_box(nothing, _(FAILED)):
        shown = walk(model, text, decoding())
        name = f"{scope_of(shown, head.kind, head.layer)}.weights"
        draw_board([grid(shown, name, (head.head, None, None), name_of(head))], "atlas-own")


def _draw_table(choice: AtlasChoice) -> None:
    measures = choice.open.measures
    names = [name for name in measures if name.removeprefix(NORMS) in MEASURES]
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
