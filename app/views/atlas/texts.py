"""The texts of the page “Head atlas”."""

from collections.abc import Mapping
from typing import Final, Literal

from app.i18n import N_

By = Literal["weights", "norms"]
KINDS: Final[Mapping[str, str]] = {
    "encoder": N_("Encoder self-attention"),
    "decoder": N_("Decoder self-attention"),
    "cross": N_("Encoder-decoder attention"),
}
ONLY: Final[Mapping[str, str]] = {
    "all": N_("All three"),
    "encoder": N_("Encoder"),
    "decoder": N_("Decoder"),
    "cross": N_("Encoder-decoder"),
}
BY: Final[Mapping[By, str]] = {"weights": N_("Weights"), "norms": N_("Lengths of α·v·W_O")}
SCATTER: Final = N_("Two measures, one point per head")
PRUNING: Final = N_("How many heads can go?")
GOLD: Final[Mapping[str, str]] = {"parliament.tsv": N_("Speeches of a parliament")}
WAYS: Final[Mapping[str, str]] = {
    "target": N_("from the target"),
    "source": N_("from the source"),
    "both": N_("both agree"),
}
ROWS: Final = {"writes": N_("writes the word"), "reads": N_("has read the word")}

OVER: Final = N_("When did this head find its role?")
OVER_FOUND: Final = N_(
    "**{head} {role}**: from step {step} on, to the end at step {last}, it gives that at least "
    "{threshold} of its weight."
)
OVER_LATE: Final = N_(
    "**{head} {role}** on the whole sample, but on these sentences it ends with {share} of its "
    "weight, below {threshold}: no step can be named."
)
OVER_NEVER: Final = N_(
    "**{head}** never found a clear role: at none of these steps does it give {threshold} of its "
    "weight to one thing. It came nearest at step {step}, when it {role} with {share}."
)
OVER_LOST: Final = N_(
    "**{head}** has no clear role at the end, but it had one: at step {step} it {role} with "
    "{share} of its weight, where {threshold} is required."
)
OVER_NONE: Final = N_(
    "Nobody can say for this model: no earlier moment of its training was kept with it. For a "
    "small one, four were kept, and each of its heads was measured at all four."
)
OVER_NO_FILM: Final = N_(
    "Nobody can say for this model: no sentence was filmed while it was trained. A run that "
    "films one has its heads followed at each filmed step."
)
EACH_GUESS: Final = N_("How many of the {n} heads of this model have a clear role?")
EACH_OPTIONS: Final = (
    N_("None of them"),
    N_("Less than half"),
    N_("Half or more, but not all"),
    N_("All of them"),
)
