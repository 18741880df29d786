"""Texts on what can be done with a trained model."""

from typing import Final

from app.i18n import N_

USE_HELP: Final = N_("Opens it on the page Translate; every other page can use it too.")
DELETE_SURE: Final = N_("Delete “{name}” and everything it learned? This cannot be undone.")
STRETCHED: Final = N_("The learning rate's schedule is stretched to the new last step.")
OWN_STATE: Final = N_("It continues from its last step, with its own optimiser state.")
FRESH: Final = N_(
    "Its weights are here, but not the state of its optimiser, which a zip does not hold. Training "
    "continues as a new run, with these weights and a fresh optimiser: at first the loss may rise "
    "a little. This run stays as it is."
)
ANEW: Final = N_("Steps of the new run, which has its own warm-up and schedule.")
FRESH_STATE: Final = N_("A new run, with its weights and a fresh optimiser.")
NO_PAIRS: Final = N_(
    "Its sentence pairs are not here either. Enter some under “Your sentence pairs” above; then "
    "you can continue its training on them here."
)
