"""The film of a run: where one head looked on the same sentence, moment by moment."""

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Final, cast

import numpy as np
import streamlit as st

from app import state
from app.charts.arrange import causal
from app.components.film import Marked, Moment, film
from app.components.wall import HeadPick, wall
from app.data.moments import Film
from app.data.translation import Kind
from app.format import grouped
from app.i18n import _
from app.inspect.attention import KIND_NAMES
from app.state import Param, whole
from app.ui.table import table, table_fold
from app.views.training import texts

FRAME: Final = Param[int | None]("frame", None, whole(0, 10**9))
# As on the other pages, but without a choice it is the best head.
LAYER: Final = Param[str]("layer", "", str)
HEAD: Final = Param[str]("head", "", str)


@dataclass(frozen=True, eq=False)
class Scene:
    """What of a film is looked at: one attention, and one moment by its place."""

    film: Film
    kind: Kind
    layer: int
    head: int
    at: int

    @property
    def queries(self) -> list[str]:
        """What each row looks for; a decoder's row that looks at the source says what it writes."""
        tokens = [token.text for token in self.film.capture.queries(self.kind)]
        if self.kind != "cross":
            return tokens
        return [f"{old} → {new}" for old, new in zip(tokens, [*tokens[1:], "<eos>"], strict=True)]

    @property
    def keys(self) -> list[str]:
        return [token.text for token in self.film.capture.keys(self.kind)]

    @cached_property
    def mask(self) -> np.ndarray | None:
        """Where one may look, (T, S); None for everywhere."""
        hides = self.kind == "decoder" and self.film.plan.train.causal
        return causal(len(self.queries)) if hides else None

    @property
    def wanted(self) -> Sequence[tuple[int, int]]:
        return self.film.wanted if self.kind == "cross" else ()

    @property
    def step(self) -> int:
        return self.film.steps[self.at]

    @property
    def weights(self) -> np.ndarray:
        """The weights of the chosen moment, (T, S)."""
        return self.film.frames[self.at].capture.weights(self.kind, self.layer, self.head)


def scene_of(made: Film) -> Scene:
    """Return what is chosen; what the run does not have counts as the default."""
    kind = _kind(made)
    layers, heads = made.capture.n_layers(kind), made.capture.n_heads
    best = (layers - 1, 0)
    if kind == "cross" and made.attends:
        best = made.best
    layer, head = _number(LAYER.get(), layers), _number(HEAD.get(), heads)
    return Scene(
        made, kind, best[0] if layer is None else layer, best[1] if head is None else head,
        made.at(FRAME.get()),
    )  # fmt: skip


def _kind(made: Film) -> Kind:
    """Return the chosen attention; what the model does not have counts as the default."""
    kind: Kind = state.KIND.get()
    return kind if made.capture.n_layers(kind) else "cross"


def pick_moment(now: Scene) -> None:
    """Draw the choice of a moment alone, where there is no attention to draw."""
    st.info(_(texts.NO_ATTENTION))
    if len(now.film.steps) > 1:
        st.select_slider(
            _("Training step"), now.film.steps, key=FRAME.widget(now.step), format_func=grouped,
            help=_("What is shown is of this moment."),
        )  # fmt: skip


def pick_head(now: Scene) -> None:
    """Draw the choice of an attention, a layer and a head."""
    capture = now.film.capture
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        st.segmented_control(
            _("Attention"), [kind for kind in KIND_NAMES if capture.n_layers(kind)],
            format_func=lambda kind: _(KIND_NAMES[kind]), required=True, wrap=True,
            key=state.KIND.widget(now.kind),
        )  # fmt: skip
        for label, param, count, chosen in (
            (_("Layer"), LAYER, capture.n_layers(now.kind), now.layer),
            (_("Head"), HEAD, capture.n_heads, now.head),
        ):
            st.segmented_control(
                label, [str(i + 1) for i in range(count)], required=True, wrap=True,
                key=param.widget(str(chosen + 1)),
            )  # fmt: skip


def draw(now: Scene) -> None:
    """Draw the strip, the chosen moment large, and what the model then wrote."""
    film(
        now.film.head(now.kind, now.layer, now.head), _moments(now.film), now.queries, now.keys,
        key="film", chosen=now.at, mask=now.mask, wanted=now.wanted, on_pick=FRAME.set,
    )  # fmt: skip
    st.caption(_(texts.ROWS) if now.wanted else _(texts.FILM))
    table_fold("film", lambda: table(columns(now, now.weights), f"attention-step{now.step}"))


def all_heads(now: Scene) -> None:
    """Draw every head of the chosen moment; one that is locked becomes the film's."""
    capture = now.film.frames[now.at].capture
    layers = range(capture.n_layers(now.kind))
    wall(
        np.stack([capture.weights(now.kind, layer) for layer in layers]), now.queries, now.keys,
        key="heads", locked=HeadPick(now.layer, now.head), on_lock=_lock,
    )  # fmt: skip


def marked(output: str, wanted: str) -> Marked:
    """Return the words of a translation, each with whether it is as it should be."""
    words, right = output.split(), wanted.split()
    match = difflib.SequenceMatcher(a=words, b=right, autojunk=False)
    same = {block.a + i for block in match.get_matching_blocks() for i in range(block.size)}
    return tuple((word, i in same) for i, word in enumerate(words))


def _moments(made: Film) -> list[Moment]:
    wanted = made.plan.probe[1]
    found = [Moment(frame.step, marked(frame.output, wanted)) for frame in made.frames]
    return [
        Moment(one.step, one.output, _("✓ exact") if frame.output == wanted else "")
        for one, frame in zip(found, made.frames, strict=True)
    ]


def _number(raw: str, count: int) -> int | None:
    return int(raw) - 1 if raw.isdecimal() and 1 <= int(raw) <= count else None


def _lock(picked: HeadPick) -> None:
    LAYER.set(str(picked.layer + 1))
    HEAD.set(str(cast(int, picked.head) + 1))


def columns(now: Scene, values: np.ndarray) -> dict[str, list[str | float]]:
    """Return numbers of each query and key, (T, S), as columns of a table."""
    rows: list[str | float] = [f"{i} {label}" for i, label in enumerate(now.queries, start=1)]
    found = {_("query ↓ key →"): rows}
    for i, label in enumerate(now.keys):
        found[f"{i + 1} {label}"] = values[:, i].astype(float).tolist()
    return found
