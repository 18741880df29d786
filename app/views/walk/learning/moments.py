"""One sentence before an untrained, an early and a trained model: what each says, and its loss."""

import html
from contextlib import suppress
from typing import Any

import numpy as np
import streamlit as st

from app import state
from app.components.board import Grid
from app.data.moments import OF_RUN, film_of
from app.data.translation import ModelUnavailableError, model_names
from app.format import escape, grouped, listed, number, percent
from app.i18n import _
from app.inspector.arrays import arrays, weights_grid
from app.ui.chart import show_chart
from app.ui.chosen import model_name, pair
from app.ui.table import Columns
from app.views.walk.learning import texts
from app.views.walk.learning.data import Moment, Taught, moment, moments_of
from app.views.walk.learning.lesson import Lesson
from app.views.walk.learning.loss_chart import moment_bars


def moments_text(lesson: Lesson) -> str:
    """Say what the models are compared by; nothing where no earlier moments were kept."""
    if not any(map(_is_snapshot, _moments(lesson.walk))):
        return ""
    return _(texts.MOMENTS).format(reference=escape(lesson.walk.text) or "∅")


def draw_moments(lesson: Lesson) -> None:
    """Draw what models of the same languages, from the first step on, make of a sentence."""
    walk = lesson.walk
    shown = _shown(walk)
    if not any(map(_is_snapshot, shown)):
        _draw_none_kept(walk.translation.model)
    for one, column in zip(shown, st.columns(len(shown)), strict=True):
        with column:
            _draw_card(one, walk)
    _draw_sizes(walk)


def answers_text(lesson: Lesson) -> str:
    """Say what each model gives the right tokens."""
    means = (one.losses.probabilities.mean() for one in _shown(lesson.walk))
    return _(texts.ANSWERS).format(means=listed(percent(float(mean)) for mean in means))


def draw_answers(lesson: Lesson) -> None:
    """Draw the target, and what each moment says at each position."""
    shown = _shown(lesson.walk)
    cols = [token.text for token in shown[0].columns]
    rows = [token.text for token in shown[0].capture.tgt]
    target = weights_grid(shown[0].target, _("the target"), rows, cols, thumb=True)
    arrays(lesson.walk, [target, *map(_answers, shown)], key="moment-answers")


def has_moments(lesson: Lesson) -> bool:
    """Whether there is more than one moment to compare."""
    return len(_names(lesson.walk)) > 1


def characters_text(lesson: Lesson) -> str:
    """Say what may be compared with what."""
    alike = len({one.vocabulary for one in _moments(lesson.walk)}) == 1
    return _(texts.CHARACTERS if alike else texts.FAIR)


def draw_characters(lesson: Lesson) -> None:
    """Draw the loss by character of all moments."""
    walk, moments = lesson.walk, _moments(lesson.walk)
    title = _("The loss for each character of the right translation")
    own = [one.name == walk.translation.model for one in moments]
    losses = np.array([_per_character(one, walk) for one in moments])
    names = [model_name(one.name) for one in moments]
    figure = moment_bars(losses, names, own.index(True) if any(own) else None, title)
    show_chart(figure, "moments", title, lambda: _columns(moments, walk))


def _draw_sizes(walk: Taught) -> None:
    """Say how large the models are, where they are not moments of one training."""
    moments = _moments(walk)
    small, last = moments[0], moments[-1]
    if len({one.vocabulary for one in moments}) == 1:
        return
    sizes = _(texts.SIZES).format(
        count=sum(map(_is_snapshot, moments)),
        parameters=number(small.parameters / 1e6, 1),
        tokens=grouped(small.vocabulary),
        model=escape(model_name(last.name)),
        its_parameters=number(last.parameters / 1e6, 1),
        its_tokens=grouped(last.vocabulary),
    )
    model = escape(model_name(walk.translation.model))
    head_start = "" if walk.reference else _(texts.HEAD_START).format(model=model)
    st.caption(f"{sizes} {head_start}")


def maps_text(lesson: Lesson) -> str:
    """Say what the sharpest head of each moment gives to its favourite word."""
    shares = listed(percent(one.sharpness) for one in _shown(lesson.walk))
    return _(texts.MAP).format(shares=shares)


def draw_maps(lesson: Lesson) -> None:
    """Draw where the sharpest head of each moment looks."""
    arrays(lesson.walk, [_map(one) for one in _shown(lesson.walk)], key="maps")


def _names(walk: Taught) -> list[str]:
    name = walk.translation.model
    return moments_of(name, [other for other in model_names() if pair(other) == pair(name)])


def _moments(walk: Taught) -> list[Moment]:
    """Return the moments there are; a damaged model does not take the others with it."""
    moments = []
    for name in _names(walk):
        with suppress(ModelUnavailableError):
            moments.append(moment(name, walk))
    return moments


def _shown(walk: Taught) -> list[Moment]:
    """Return the first moments, and the last."""
    moments = _moments(walk)
    return list(dict.fromkeys([*moments[:2], moments[-1]]))


def _is_snapshot(one: Moment) -> bool:
    return one.name.startswith("snapshots/")


def _draw_film_link(name: str) -> None:
    run = name.removeprefix(OF_RUN)
    filmed = name.startswith(OF_RUN) and film_of(run) is not None
    label = _("See the film of its training") if filmed else _("See the film of a training")
    query = {"run": run} if filmed else None
    icon = ":material/movie:"
    st.page_link("views/training/page.py", label=label, icon=icon, query_params=query)


def _draw_none_kept(name: str) -> None:
    """Say that there is nothing earlier; lead to a film of its training, or of another's."""
    st.info(_(texts.NO_SNAPSHOTS))
    _draw_film_link(name)
    others = [name for name in model_names() if name.startswith("snapshots/")]
    if not others:
        return
    label = _("Open {model}").format(model=escape(model_name(others[0])))
    if st.button(label, key="open-snapshot", icon=":material/school:"):
        state.MODEL.set(others[0])
        state.TEXT.set(None)
        st.rerun()  # the whole page: the model is not this part's alone


def _draw_card(one: Moment, walk: Taught) -> None:
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
        st.metric(_("loss"), number(one.losses.total))
        st.caption(
            _("{word} a word, {character} a character").format(
                word=number(one.losses.total / _words(walk)),
                character=number(_per_character(one, walk), 3),
            )
        )


def _answers(one: Moment) -> Grid:
    """Return what a moment says at each position, in its own tokens."""
    cols = [token.text for token in one.columns]
    title = _("after {steps} steps").format(steps=grouped(one.steps, " "))
    return weights_grid(one.answers, title, (), cols, role="output", thumb=True)


def _map(one: Moment) -> Grid:
    """Return where the sharpest encoder-decoder head of a moment looks."""
    layer, head = one.sharpest
    rows, cols = ([token.text for token in side] for side in (one.capture.tgt, one.capture.src))
    weights = one.capture.weights("cross", layer, head)
    place = _("layer {layer}, head {head}").format(layer=layer + 1, head=head + 1)
    look: dict[str, Any] = {"role": "output", "note": place, "thumb": True}
    return weights_grid(weights, model_name(one.name), rows, cols, **look)


def _columns(moments: list[Moment], walk: Taught) -> Columns:
    return {
        _("model"): [model_name(one.name) for one in moments],
        _("steps"): [grouped(one.steps) for one in moments],
        _("its translation"): [one.output for one in moments],
        _("tokens"): [str(len(one.losses.targets)) for one in moments],
        _("loss"): [one.losses.total for one in moments],
        _("a word"): [one.losses.total / _words(walk) for one in moments],
        _("a character"): [_per_character(one, walk) for one in moments],
    }


def _words(walk: Taught) -> int:
    return max(len(walk.text.split()), 1)


def _per_character(one: Moment, walk: Taught) -> float:
    return one.losses.total / max(len(walk.text), 1)
