"""What is chosen on the page: a way of asking, a layer of each stack, a written token."""

from dataclasses import dataclass
from typing import Final

import streamlit as st

from app import state
from app.data.walk import Walk
from app.i18n import _
from app.inspector.picks import pick_place, place_of
from app.inspector.probe import Probe, pick_written, probe_of
from app.ui.pickers import pick
from app.views.walk.rollout import texts
from app.views.walk.rollout.data import Stack, Way

WAY: Final = state.Param[Way]("way", "norms", state.one_of("weights", "rollout", "norms", "flow"))

PICKS: Final = (0.34, 0.66)  # how tokens and ways of asking share a row


@dataclass(frozen=True, eq=False)
class Look:
    """The token that is asked about, and the way of asking."""

    probe: Probe
    way: Way

    @property
    def walk(self) -> Walk:
        return self.probe.walk

    def layer(self, stack: Stack) -> int:
        """Return the chosen layer of a stack, from 0; the last where none such is chosen."""
        count = _count(self.walk, stack)
        return place_of(state.LAYER, count, count - 1)


def look_of(walk: Walk) -> Look:
    """Return what is chosen."""
    return Look(probe_of(walk), WAY.get())


def pick_word(look: Look) -> None:
    """Draw the written tokens."""
    pick_written(look.probe)


def pick_encoder(look: Look) -> None:
    """Draw the ways of asking and the encoder's layers."""
    _pick(look, "encoder")


def pick_decoder(look: Look) -> None:
    """Draw the written tokens, the ways of asking and the decoder's layers."""
    left, right = st.columns(PICKS)
    with left:
        pick_word(look)
    with right:
        _pick(look, "decoder")


def pick_all(look: Look) -> None:
    """Draw all that can be chosen; a layer that a stack has not is its last."""
    pick_word(look)
    _pick(look, max(("encoder", "decoder"), key=lambda stack: _count(look.walk, stack)))


def _pick(look: Look, stack: Stack) -> None:
    with st.container(horizontal=True, gap="medium"):
        pick(WAY, _(texts.PICK_WAY), texts.WAYS, wrap=True)
        pick_place(state.LAYER, _("Layer"), _count(look.walk, stack), look.layer(stack))


def _count(walk: Walk, stack: Stack) -> int:
    config = walk.config
    return config.n_encoder_layers if stack == "encoder" else config.n_decoder_layers
