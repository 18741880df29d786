"""What is said about keeping, sharing and comparing trained models."""

from typing import Final

from app.i18n import N_

USE_HELP: Final = N_("Opens it on the page Translate; every other page can use it too.")
NAME_HELP: Final = N_("Letters, digits, blanks, hyphens and underscores: at most {most}.")
DELETE_SURE: Final = N_("Delete “{name}” with all that it learned? This cannot be undone.")
ZIP_HELP: Final = N_(
    "Its folder as a zip: weights, tokenizer, configuration and scores. Up to {most} MB it can be "
    "loaded here again."
)
LOAD_HELP: Final = N_("A zip saved here, of this or another machine; nothing in it is ever run.")
LOADED: Final = N_("“{name}” is loaded, and every page can use it.")
STRETCHED: Final = N_("The schedule of the learning rate is stretched to the new last step.")
OWN_STATE: Final = N_("From its last step, with its own optimiser state.")
FRESH: Final = N_(
    "Its weights are here, but not the state of its optimiser, which no zip holds. Training on "
    "begins a new run with these weights and a fresh optimiser: the loss may rise a little until "
    "it has found its pace. This one stays as it is."
)
ANEW: Final = N_("Steps of the new run, with a warm-up and a schedule of its own.")
FRESH_STATE: Final = N_("A new run: its weights, and a fresh optimiser.")
NO_PAIRS: Final = N_(
    "Nor are its sentence pairs. Choose the task “Your own pairs” in the sidebar and give some: "
    "then you can train it on with them here."
)
OTHER_SHAPE: Final = N_(
    "One of them has no attention, or they wrote or cut the sentence differently: there are no "
    "cells to subtract."
)
DIFFERENCE: Final = N_(
    "Encoder-decoder attention in the last layer, as the mean over heads: second minus first. "
    "Blue cells are looked at more by the second, red ones less; each row adds up to 0."
)
