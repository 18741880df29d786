"""Sentences to start from, by the language they are written in; the first greets the visitor."""

from typing import Final

EXAMPLES: Final = {
    "es": (
        "Nunca es tarde para aprender",
        "Qué será, será",
        "Donde hay humo, hay fuego",
        "Como un cordero al matadero",
        "Soy orador MadPy",
        "El animal no cruzó la calle porque estaba muy cansado",
    ),
    "fr": (
        "Je suis étudiant",
        "Que sera, sera",
        "Il n'est jamais trop tard pour apprendre",
        "Il n'y a pas de fumée sans feu",
        "L'animal n'a pas traversé la rue parce qu'il était trop fatigué",
    ),
}


def examples(language: str) -> tuple[str, ...]:
    """Return the sentences in one language, or all of them if there are none in it."""
    return EXAMPLES.get(language) or tuple(s for some in EXAMPLES.values() for s in some)
