"""What is said of a beam that is steered, wherever its tree is drawn."""

from typing import Final

from app.i18n import N_

HINT: Final = N_(
    "Dashed or dotted: click it, or press Enter on it, and the search goes on from there."
)
MOST: Final = N_("There is room for {n} branches: remove one to begin another.")
OWN: Final = N_("The beam's own: “{text}”, log p {total}, score {score}.")
BRANCH: Final = N_("From “{word}”, step {n}: “{text}”, log p {total}, score {score}.")
REMOVE: Final = N_("Remove {name}")
WORSE: Final = N_("None of these branches scores higher.")
BETTER: Final = N_("Branch {name} scores higher: the beam gave up a better translation.")
LOOKS: Final = N_("The chosen hypothesis and where it looked")
HYPOTHESIS: Final = N_("Hypothesis")
NUMBER: Final = N_("number {n}")
OF_BRANCH: Final = N_("branch {name}")
IN_TREE: Final = N_("chosen in the tree")
