"""What is said of greedy decoding beside a beam."""

from typing import Final

from app.i18n import N_

TITLE: Final = N_("Greedy against beam")
SAME: Final = N_(
    "Both write the same: here, the likeliest token at every step also made the best sentence "
    "that the beam could find."
)
TRY: Final = N_("They differ more often on long and unusual sentences. Try one:")
PART: Final = N_(
    "They differ from step {n} on. Until then both have written the same, and they see the same "
    "probabilities. Greedy decoding takes {a}, {p}. The beam's winner continues with {b}, {q}."
)
PAYS: Final = N_(
    "It pays off: log p per token is {beam} in the end, against {greedy} for greedy decoding."
)
PAYS_NOT: Final = N_(
    "It does not pay off this time: log p per token is {beam} in the end, against {greedy} for "
    "greedy decoding, whose way the beam had dropped."
)
LOG_PROB: Final = N_("log p of the {n} tokens: {total} in all, {mean} per token")
WORDS_APART: Final = N_("Underlined: what they write from there on.")

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
TOTALS: Final = N_(
    "The last row of each board adds up log p, token by token. Every token makes the sum smaller, "
    "so short sentences would win too easily. The beam divides it by the number of tokens: "
    "{greedy} for greedy decoding, {beam} for the beam. The larger one is better."
)
