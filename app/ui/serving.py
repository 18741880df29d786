"""What a visitor is told about this server: what is theirs, what is kept, and how long to wait."""

from collections.abc import Mapping
from math import ceil
from typing import Final

import streamlit as st

from app.data import visitors
from app.data.visitors import LOOKED_AT, Mode
from app.format import escape
from app.i18n import N_, _
from app.server.limits import LIMITS
from app.server.settings import SETTINGS
from app.ui.buttons import button

MODES: Final[Mapping[Mode, str]] = {
    "class": N_(
        "This is a class: what you train and load is yours alone. It is deleted {days} days after "
        "your last visit."
    ),
    "nobody": N_(
        "Your browser sends no cookie, so nothing of yours can be kept. Allow cookies here, and "
        "load the page again, to train and to load models."
    ),
    "guest": N_("This is a class: log in, and continue with your own work."),
    "exhibit": N_(
        "This is an exhibit: nothing is trained, loaded or deleted here. All models can be looked "
        "into, and all runs watched."
    ),
    "teacher": N_("You are the teacher of this class: the page Train your own shows all runs."),
}


def draw_serving() -> None:
    """Say how this visitor is served; draw nothing on one's own machine."""
    text = MODES.get(visitors.mode())
    if text is not None:
        st.caption(_(text).format(days=LIMITS.days))
    if SETTINGS.login:
        who = st.user.get("name") or st.user.get("email")
        help_ = _("You are logged in as {name}.").format(name=escape(str(who))) if who else None
        button(_("Log out"), "log-out", "logout", st.logout, help=help_)
    if looked_at := visitors.looked_at():
        looking = _("You are looking at the runs and models of visitor {visitor}.")
        st.warning(looking.format(visitor=short(looked_at)))
        button(_("Back to mine"), "mine-again", "undo", LOOKED_AT.set, "")


def asks_to_log_in() -> bool:
    """Return whether this visitor has yet to log in; if so, draw the login."""
    mode = visitors.mode()
    if mode != "guest":
        return False
    st.markdown(_(MODES[mode]))
    st.button(_("Log in"), icon=":material/login:", type="primary", on_click=st.login)
    return True


def short(visitor: str) -> str:
    """Return a short form of a visitor's name by which people can tell visitors apart."""
    return visitor[:6]


def asks_too_often() -> bool:
    """Return whether this visitor has to wait; if so, say for how long."""
    seconds = visitors.seconds_to_wait()
    if seconds > 0:
        says = _(
            "You are asking for more than this server allows one visitor: continue in "
            "{seconds} seconds."
        )
        st.warning(says.format(seconds=ceil(seconds)))
    return seconds > 0
