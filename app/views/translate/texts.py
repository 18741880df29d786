"""What the page Translate says of changed runs; translated where it is shown."""

from typing import Final

from app.i18n import N_

FORCED: Final = N_("How likely each run finds the original translation, word by word:")
TOTALS: Final = N_(
    "Together, log p of the original translation goes from {before} to **{after}** ({more})."
)
SAME_TRANSLATION: Final = N_("Left to itself, the changed model still writes the same.")
OTHER_TRANSLATION: Final = N_(
    "Left to itself, the changed model writes something else, with log p {free}."
)
PARTING: Final = N_("Both runs are identical up to here: **{cell}** is the first that differs.")
IDENTICAL: Final = N_("Both runs are identical, number by number: these changes change nothing.")
