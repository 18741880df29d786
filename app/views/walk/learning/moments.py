"""One sentence before an untrained, an early and a trained model: what each says, and its loss."""

import html
from collections.abc import Iterator

import numpy as np
import streamlit as st

from app import state
from app.charts.learning import moment_bars
from app.charts.toolbar import plot_config
from app.components.board import Grid
from app.data.translation import ModelUnavailableError, model_names
from app.format import escape, grouped
from app.i18n import _
from app.inspect.arrays import arrays
from app.ui.chart import theme_mode
from app.ui.chosen import model_name, pair
from app.ui.table import table, table_fold
from app.views.walk.learning import texts
from app.views.walk.learning.data import Moment, Taught, moment, moments_of


def moments(walk: Taught) -> None:
    """Draw what models of the same languages, from the first step on, make of a sentence."""
    found = list(_found(walk))
    if any(map(_is_snapshot, found)):
        st.markdown(_(texts.MOMENTS).format(reference=escape(walk.text) or "∅"))
    else:
        _none_kept()
    shown = list(dict.fromkeys([*found[:2], found[-1]]))
    for one, column in zip(shown, st.columns(len(shown)), strict=True):
        with column:
            _card(one, walk)
    if len(found) > 1:
        _compare(found, walk)
    shares = ", ".join(f"{one.sharpness:.0%}" for one in shown)
    st.markdown(_(texts.MAP).format(shares=shares))
    arrays(walk, [_map(one) for one in shown], key="maps")


def _found(walk: Taught) -> Iterator[Moment]:
    """Yield the moments there are; a damaged model does not take the others with it."""
    name = walk.translation.model
    same = [other for other in model_names() if pair(other) == pair(name)]
    for other in moments_of(name, same):
        try:
            yield moment(other, walk)
        except ModelUnavailableError:
            continue


def _is_snapshot(one: Moment) -> bool:
    return one.name.startswith("snapshots/")


def _none_kept() -> None:
    """Say that there is nothing earlier, and offer a model of which there is."""
    st.info(_(texts.NO_SNAPSHOTS))
    others = [name for name in model_names() if name.startswith("snapshots/")]
    if others and st.button(
        _("Open {model}").format(model=escape(model_name(others[0]))), key="open-snapshot",
        icon=":material/school:",
    ):  # fmt: skip
        state.MODEL.set(others[0])
        state.TEXT.set(None)
        st.rerun()  # the whole page: the model is not this part's alone


def _card(one: Moment, walk: Taught) -> None:
    """Draw one moment: its step, its own translation, and what the right one costs it."""
    with st.container(border=True, height="stretch"):
        st.markdown(f"**{escape(model_name(one.name))}**")
        st.caption(_("after {steps} steps").format(steps=grouped(one.steps)))
        # Text that a model wrote never goes through Markdown.
        st.html(
            '<div style="max-height:7.5rem;overflow-y:auto;overflow-wrap:anywhere" tabindex="0" '
            f'role="group" aria-label="{html.escape(_("its translation"), quote=True)}">'
            f"{html.escape(one.output) or '∅'}</div>"
        )
        st.metric(_("loss of the right translation"), f"{one.losses.total:.2f}")
        st.caption(
            _("{word} a word, {character} a character").format(
                word=f"{one.losses.total / _words(walk):.2f}",
                character=f"{_per_character(one, walk):.3f}",
            )
        )


def _compare(found: list[Moment], walk: Taught) -> None:
    """Draw the loss by character of all moments, and say what may be compared with what."""
    title = _("The loss for each character of the right translation")
    names = [model_name(one.name) for one in found]
    figure = moment_bars(
        np.array([_per_character(one, walk) for one in found]), names,
        value_title=_("nats a character"), title=title, mode=theme_mode(),
        chosen=next((i for i, one in enumerate(found) if one.name == walk.translation.model), None),
    )  # fmt: skip
    st.plotly_chart(figure, theme=None, config=plot_config("moments"), key="moments", alt=title)
    table_fold("moments", lambda: table(_columns(found, walk), "moments"))
    small, last = found[0], found[-1]
    if len({one.vocabulary for one in found}) == 1:
        return
    st.caption(
        _(texts.SIZES).format(
            count=sum(map(_is_snapshot, found)), parameters=f"{small.parameters / 1e6:.1f}",
            pieces=grouped(small.vocabulary), model=escape(model_name(last.name)),
            its_parameters=f"{last.parameters / 1e6:.1f}", its_pieces=grouped(last.vocabulary),
        )
    )  # fmt: skip
    st.caption(_(texts.FAIR))
    if not walk.reference:
        own = escape(model_name(walk.translation.model))
        st.caption(_(texts.HEAD_START).format(model=own))


def _map(one: Moment) -> Grid:
    """Return where the sharpest encoder-decoder head of a moment looks."""
    layer, head = one.sharpest
    return Grid(
        "", (None, None), one.capture.weights("cross", layer, head), model_name(one.name), "output",
        "weights", row_labels=[token.text for token in one.capture.tgt],
        col_labels=[token.text for token in one.capture.src],
        note=_("layer {layer}, head {head}").format(layer=layer + 1, head=head + 1),
    )  # fmt: skip


def _columns(found: list[Moment], walk: Taught) -> dict[str, list[str | float]]:
    return {
        _("model"): [model_name(one.name) for one in found],
        _("steps"): [grouped(one.steps) for one in found],
        _("its translation"): [one.output for one in found],
        _("pieces"): [str(len(one.losses.targets)) for one in found],
        _("loss"): [one.losses.total for one in found],
        _("a word"): [one.losses.total / _words(walk) for one in found],
        _("a character"): [_per_character(one, walk) for one in found],
    }


def _words(walk: Taught) -> int:
    return max(len(walk.text.split()), 1)


def _per_character(one: Moment, walk: Taught) -> float:
    return one.losses.total / max(len(walk.text), 1)
