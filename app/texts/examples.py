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
    # Of models that were imported.
    "en": ("It is never too late to learn", "Where is the station?"),
    "ar": ("لا يفوت الأوان أبدا للتعلم", "أين محطة القطار؟"),
    "ca": ("Mai no és tard per aprendre", "On és l'estació?"),
    "cs": ("Nikdy není pozdě se učit", "Kde je nádraží?"),
    "de": ("Es ist nie zu spät, etwas zu lernen", "Wo ist der Bahnhof?"),
    "fi": ("Koskaan ei ole liian myöhäistä oppia", "Missä asema on?"),
    "it": ("Non è mai troppo tardi per imparare", "Dov'è la stazione?"),
    "ja": ("学ぶのに遅すぎることはない", "駅はどこですか。"),
    "nl": ("Het is nooit te laat om te leren", "Waar is het station?"),
    "pl": ("Na naukę nigdy nie jest za późno", "Gdzie jest dworzec?"),
    "pt": ("Nunca é tarde para aprender", "Onde fica a estação?"),
    "ru": ("Учиться никогда не поздно", "Где вокзал?"),
    "sv": ("Det är aldrig för sent att lära sig", "Var ligger stationen?"),
    "tr": ("Öğrenmek için asla geç değildir", "İstasyon nerede?"),
    "uk": ("Вчитися ніколи не пізно", "Де вокзал?"),
    "zh": ("活到老，学到老", "火车站在哪里？"),
}


def examples(language: str) -> tuple[str, ...]:
    """Return the sentences in a language; none in one that is not here, and all where it is ""."""
    if not language:
        return (*EXAMPLES["es"], *EXAMPLES["fr"])
    return EXAMPLES.get(language, ())
