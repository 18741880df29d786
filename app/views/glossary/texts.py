"""The texts of the page."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "Every technical term of this app in one sentence, and the page that shows it at work. "
    "On all other pages, a click on a term with a dotted line below it opens the same sentence."
)
SEARCH: Final = N_("Find a term")
