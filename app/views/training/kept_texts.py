"""What is said about keeping, sharing and comparing trained models."""

from typing import Final

from app.i18n import N_

USE_HELP: Final = N_("Opens it on the page Translate; every other page can use it too.")
NAME_HELP: Final = N_("Letters, digits, spaces, hyphens and underscores: at most {most}.")
DELETE_SURE: Final = N_("Delete “{name}” and everything it learned? This cannot be undone.")
ZIP_HELP: Final = N_(
    "Its folder as a zip: weights, tokenizer, configuration and scores. If it has at most {most} "
    "MB, it can be loaded here again."
)
LOAD_HELP: Final = N_(
    "A zip saved on this page, here or on another machine. Nothing in it is ever run."
)
LOADED: Final = N_("“{name}” is loaded, and every page can use it.")
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
    "Its sentence pairs are not here either. Choose the task “Your own pairs” above and "
    "enter some; then you can continue its training on them here."
)
OTHER_SHAPE: Final = N_(
    "There is nothing to subtract: one of them has no attention, or they cut or translated the "
    "sentence differently."
)
DIFFERENCE: Final = N_(
    "Encoder-decoder attention in the last layer, mean over heads: second minus first. Blue cells "
    "get more weight from the second model, red ones less; each row adds up to 0."
)
