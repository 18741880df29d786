"""The years without funding, and those who trained several layers all the same."""

from app.i18n import _
from app.ui.table import written_table
from app.views.history.backprop import texts
from app.views.history.backprop.choice import Choice


def draw_winter(_choice: Choice) -> None:
    """Draw who trained what, year by year."""
    years, people, works = zip(*texts.MEANWHILE, strict=True)
    written_table({_("year"): years, _("who"): people, _("what"): [_(work) for work in works]})
