"""The film of a run: what one head attended to in the same sentence, at each step or at two."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any, Final, cast

import numpy as np
import streamlit as st

from app import state
from app.charts.arrange import causal
from app.components.film import FilmFrame, Marked, payload
from app.components.film import film as film_strip
from app.components.grid import Weights
from app.components.shared.kept import KeptFigure
from app.components.wall import HeadPick, wall
from app.data.moments import Film, comparable, film_of
from app.data.runs import RECORDED, runs
from app.data.translation import Kind
from app.data.walk import ATTENTIONS
from app.format import grouped
from app.i18n import _
from app.inspector.arrays import Op, array_grid, draw_board
from app.inspector.attention import KIND_NAMES
from app.inspector.naming import query_names
from app.inspector.picks import pick_place, place_of
from app.state import Param, whole
from app.ui.about import about
from app.ui.kept import table_menu
from app.ui.pickers import pick, pick_from_list
from app.ui.table import matrix_columns
from app.views.training.runs import title_of

FRAME: Final = Param[int | None]("frame", None, whole(0, 10**9))
OTHER: Final = Param[str]("other", "", str)
OTHER_FRAME: Final = Param[int | None]("other-frame", None, whole(0, 10**9))


@dataclass(frozen=True, eq=False)
class FilmScene:
    """The chosen part of a film: one head of one attention, at the filmed step of index `at`."""

    film: Film
    kind: Kind
    layer: int
    head: int
    at: int

    @property
    def queries(self) -> list[str]:
        """The names of the rows."""
        tokens = [token.text for token in self.film.capture.queries(self.kind)]
        return query_names(self.kind, tokens)

    @property
    def keys(self) -> list[str]:
        return [token.text for token in self.film.capture.keys(self.kind)]

    @cached_property
    def mask(self) -> np.ndarray | None:
        """True where attending is allowed, (T, S); None if it is allowed everywhere."""
        hides = ATTENTIONS[self.kind].causal and self.film.plan.train.causal
        return causal(len(self.queries)) if hides else None

    @property
    def wanted(self) -> Sequence[tuple[int, int]]:
        return self.film.wanted if self.kind == "cross" else ()

    @property
    def aligning(self) -> tuple[int, int]:
        """Layer and head whose share of right alignments is shown: these, or else the best ones."""
        return (self.layer, self.head) if self.kind == "cross" else self.film.best

    @property
    def step(self) -> int:
        return self.film.steps[self.at]

    @property
    def place(self) -> tuple[str, str, str]:
        """Attention, head and step, to name the figures that are kept and their files."""
        name = _("Layer {layer}, head {head}")
        return (
            _(KIND_NAMES[self.kind]),
            name.format(layer=self.layer + 1, head=self.head + 1),
            _("step {step}").format(step=grouped(self.step)),
        )

    @property
    def weights(self) -> np.ndarray:
        """The attention weights at the chosen step, (T, S)."""
        return self.film.frames[self.at].capture.weights(self.kind, self.layer, self.head)


def scene_of(film: Film) -> FilmScene:
    """Return the chosen scene; defaults replace whatever the run does not have."""
    capture, kind = film.capture, state.KIND.get()
    if not capture.n_layers(kind):
        kind = "cross"
    n_layers = capture.n_layers(kind)
    layer, head = film.best if kind == "cross" and film.attends else (n_layers - 1, 0)
    layer = place_of(state.LAYER, n_layers, layer)
    head = place_of(state.HEAD, capture.n_heads, head)
    return FilmScene(film, kind, layer, head, film.at(FRAME.get()))


def pick_step(param: Param[int | None], film: Film, step: int, label: str, help_: str) -> None:
    """Draw the choice of a filmed step, if there are several."""
    if len(film.steps) > 1:
        key = param.widget(step)
        st.select_slider(label, film.steps, key=key, format_func=grouped, help=help_)


def draw_step_choice(scene: FilmScene) -> None:
    """Draw only the choice of a step, for a model without attention."""
    text = _(
        "This network has no attention to film: all it knows about the sentence is one "
        "vector. Its curves and translations show how far it has come."
    )
    st.info(text)
    help_ = _("Everything shown belongs to this moment.")
    pick_step(FRAME, scene.film, scene.step, _("Training step"), help_)


def draw_head_choice(scene: FilmScene) -> None:
    """Draw the choice of an attention, a layer and a head."""
    capture = scene.film.capture
    kinds = {kind: name for kind, name in KIND_NAMES.items() if capture.n_layers(kind)}
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        pick(state.KIND, _("Attention"), kinds, value=scene.kind, wrap=True)
        pick_place(state.LAYER, _("Layer"), capture.n_layers(scene.kind), scene.layer)
        pick_place(state.HEAD, _("Head"), capture.n_heads, scene.head)


def draw_film(scene: FilmScene, key: str, exact: str, caption: str) -> None:
    """Draw the film strip and the chosen step, with what the model wrote then.

    `exact` is the text for an output that equals the plan's target.
    """
    numbers = scene.film.head(scene.kind, scene.layer, scene.head)
    weights, reference = Weights(numbers, scene.queries, scene.keys), scene.film.plan.probe[1]
    notes = {True: exact, False: ""}
    moments = [
        FilmFrame(frame.step, marked(frame.output, reference), notes[frame.output == reference])
        for frame in scene.film.frames
    ]
    shown: Any = {"mask": scene.mask, "wanted": scene.wanted}
    film_strip(weights, moments, key=key, chosen=scene.at, on_pick=FRAME.set, **shown)
    st.caption(caption)
    names = scene.queries, scene.keys
    with about(place=scene.place):
        table_menu(
            key,
            lambda: matrix_columns(_("query ↓ key →"), *names, scene.weights),
            "attention",
            lambda: [KeptFigure("film", payload(weights, moments, **shown), scene.at)],
        )


def draw_all_heads(scene: FilmScene) -> None:
    """Draw every head at the chosen step; a head that is locked becomes the film's."""
    capture = scene.film.frames[scene.at].capture
    weights = Weights(capture.all_weights(scene.kind), scene.queries, scene.keys)

    def lock(picked: HeadPick) -> None:
        state.LAYER.set(str(picked.layer + 1))
        state.HEAD.set(str(cast(int, picked.head) + 1))

    wall(weights, key="heads", locked=HeadPick(scene.layer, scene.head), on_lock=lock)


def marked(output: str, reference: str) -> Marked:
    """Return the words of a translation, each with whether it is right."""
    words = output.split()
    match = difflib.SequenceMatcher(a=words, b=reference.split(), autojunk=False)
    right = {block.a + i for block in match.get_matching_blocks() for i in range(block.size)}
    return tuple((word, i in right) for i, word in enumerate(words))


def draw_comparison(scene: FilmScene) -> None:
    """Draw the chosen step, another one, and the first minus the second."""
    other = _pick_film(scene.film)
    if other is None:
        st.info(_("That run was not filmed yet."))
        return
    capture = other.capture
    if scene.layer >= capture.n_layers(scene.kind) or scene.head >= capture.n_heads:
        st.info(_("The other run has no such layer and head: choose another one above."))
        return
    chosen = OTHER_FRAME.get()
    at = 0 if chosen is None else other.at(chosen)
    help_ = _("The second picture is of this moment.")
    pick_step(OTHER_FRAME, other, other.steps[at], _("Its step"), help_)
    second = replace(scene, film=other, at=at)
    labels: dict[str, Any] = {"row_labels": scene.queries, "col_labels": scene.keys}
    before, after = (
        array_grid(one.weights, _title(one), "output", scale="weights", **labels)
        for one in (scene, second)
    )
    values = scene.weights - second.weights
    difference = array_grid(values, _("first − second"), reach=1.0, **labels)
    draw_board([before, Op("−"), after, Op("="), difference], "difference")
    text = _(
        "The moment chosen above, minus the other one: blue cells get more attention at "
        "the first, red ones less. Each row adds up to 0."
    )
    st.caption(text)


def _pick_film(film: Film) -> Film | None:
    others = (run for run in runs() if run.plan.probe == film.plan.probe)
    titles = {run.name: title_of(run) for run in others if comparable(film, run.name)}
    chosen = OTHER.get() if OTHER.get() in titles else film.name
    titles[film.name] = _("another moment of this run")
    help_ = _("The runs filmed on the same sentence, cut into the same tokens.")
    pick_from_list(OTHER, _("Compare with"), titles, value=chosen, help=help_)
    return film_of(chosen)


def _title(scene: FilmScene) -> str:
    name = scene.film.name.removeprefix(RECORDED)
    return _("{run}, step {step}").format(run=name, step=grouped(scene.step))
