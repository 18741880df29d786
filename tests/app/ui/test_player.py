"""Playing through steps: what a press does when Streamlit delivers it more than once."""

import pytest
import streamlit as st

from app.ui import player


def test_a_press_counts_once(monkeypatch: pytest.MonkeyPatch) -> None:
    """On a busy machine Pause came twice, and playing went on."""
    session: dict[str, object] = {"playing": True, "play-drawn": True}
    monkeypatch.setattr(st, "session_state", session)
    player._play(False, 3, 9, 1)
    player._play(True, 3, 9, 1)  # the same press, which finds the button that Pause became
    assert not player.playing()
    session["play-drawn"] = True  # the button was drawn, and not pressed
    player._play(True, 3, 9, 1)
    assert player.playing()
