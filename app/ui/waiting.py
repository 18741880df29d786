"""What a visitor sees who waits for others' work: their place in the queue, as it gets smaller."""

from typing import Final

import streamlit as st
from streamlit.runtime.scriptrunner import get_script_run_ctx

from app.data.queue import QUEUE
from app.i18n import _

LINE: Final = "waiting-line"  # in the session's state


def draw() -> None:
    """Keep a line on the page, which says nothing until one has to wait."""
    with st.container(key="waiting"):
        line = st.session_state[LINE] = st.empty()
        line.markdown(_status(""), unsafe_allow_html=True)


def tell(place: int) -> None:
    """Say a place in the queue, 0 for none; raises what ends this run if its page wants no more.

    That is how one leaves the queue whose page was closed, or who asks for something else.
    """
    if get_script_run_ctx() is None or LINE not in st.session_state:
        return
    text = _("You are number {place} in the queue: the model works for others first.")
    said = text.format(place=place) if place else ""
    st.session_state[LINE].markdown(_status(said), unsafe_allow_html=True)


def _status(text: str) -> str:
    return f'<div role="status">{text}</div>'


QUEUE.tell = tell
