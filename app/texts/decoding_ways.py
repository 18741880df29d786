"""What is said of greedy decoding beside a beam."""

from typing import Final

from app.i18n import N_

TITLE: Final = N_("Greedy against beam")
INTRO: Final = N_(
    "The model gives probabilities; somebody has to choose. Greedy decoding takes the likeliest "
    "piece at every step and never looks back. A beam keeps the {width} best beginnings, continues "
    "all of them, and decides at the end. A sentence is as likely as the product of its pieces' "
    "probabilities, so we add up log p. The beam divides this sum by the number of pieces: "
    "otherwise short sentences would win too easily."
)
SAME: Final = N_(
    "Both write the same: here, the likeliest piece at every step also made the best sentence "
    "that the beam could find."
)
TRY: Final = N_("Long and unusual sentences part more often. Try one:")
PART: Final = N_(
    "They part at step {n}. Both have written the same so far and see the same probabilities. "
    "Greedy takes {a}, {p}. The beam's winner goes on with {b}, {q}."
)
PAYS: Final = N_(
    "It pays: log p for each piece is {beam} in the end, against {greedy} for greedy decoding."
)
PAYS_NOT: Final = N_(
    "It does not pay this time: log p for each piece is {beam} in the end, against {greedy} for "
    "greedy decoding, whose way the beam had dropped."
)
LOG_PROB: Final = N_("log p of the {n} pieces: {total} in all, {mean} for each")
WORDS_APART: Final = N_("Underlined: what is written after they part.")

# Proverbs are hard for models of this size: their two ways of decoding often differ.
HARD: Final = {
    "es": (
        "Aunque la mona se vista de seda, mona se queda",
        "Más vale pájaro en mano que ciento volando",
        "La gata no cruzó la calle porque estaba cansada",
    ),
    "fr": (
        "Petit à petit, l'oiseau fait son nid",
        "Un tiens vaut mieux que deux tu l'auras",
        "Elle s'est mise à pleurer sans raison au milieu de la fête",
    ),
}
