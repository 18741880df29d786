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

PIN: Final = N_("Keep this run, to compare other ones with it.")
IS_PINNED: Final = N_("This run is pinned already.")
FULL: Final = N_("Four runs are pinned, and there is no room for more: remove one first.")
NO_MODEL: Final = N_("Its model is not there any more.")
THUMBNAIL: Final = N_("Attention map: {place}")

WAYS: Final = {
    "side": N_("Side by side"),
    "overlay": N_("Overlay"),
    "difference": N_("Difference"),
}
READS: Final = N_("{run} reads")
WRITES: Final = N_("{run} writes")
UNAVAILABLE: Final = N_("Run {run} cannot be shown: its model is not there any more.")
LACKS_KIND: Final = N_(
    "The model of run {run}, {model}, has no attention of the kind “{kind}”: choose another kind, "
    "or another run."
)
BESIDE: Final = N_("Both runs side by side, with the same rows and columns.")
OVERLAY: Final = N_("Each cell has the weights of both runs: A above, B below.")
SIGNED: Final = N_("Run B − run A, weight by weight.")
ALIGNED: Final = N_(
    "Rows and columns are matched word by word; what only one run has is hatched in the other."
)
FIRST: Final = N_("Click a cell to pin it. Until then, this is where the runs differ most.")
NOTHING_SHARED: Final = N_("The two runs have no cell in common: click one to see its number.")
NO_CALCULATION: Final = N_("{run}: several heads are joined here. Choose one to see how it counts.")
MASKED: Final = N_("{run}: this cell is masked: its score becomes −∞, and its weight 0.")

SAVE: Final = N_("Keep what you see, as a file")
SAVED_PAGE: Final = N_(
    "One HTML file with all layers and heads, to point at and to choose from. It needs no network "
    "and no server, and says how to make it again."
)
SAVED_REPORT: Final = N_(
    "All of this translation on A4: its tokens, the head you see, all heads, and what was likely "
    "at each step."
)
SAVED_TRACE: Final = N_(
    "Every array of this run, as a safetensors file: for “Open a trace”, or for Python."
)
NO_TRACE: Final = N_(
    "A changed run is not saved as a trace: the file would not say what was changed."
)
