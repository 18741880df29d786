"""Sentences to start from, by the language they are written in; the first greets the visitor."""

from collections.abc import Mapping
from typing import Final

LEARN, STATION = "It is never too late to learn", "Where is the station?"
# What each means in English, "" for one that is English.
EXAMPLES: Final[Mapping[str, Mapping[str, str]]] = {
    "es": {
        "Nunca es tarde para aprender": "It is never too late to learn",
        "Qué será, será": "What will be, will be",
        "Donde hay humo, hay fuego": "Where there is smoke, there is fire",
        "Como un cordero al matadero": "Like a lamb to the slaughter",
        "Soy orador MadPy": "I am a MadPy speaker",
        "El animal no cruzó la calle porque estaba muy cansado": (
            "The animal did not cross the street because it was very tired"
        ),
    },
    "fr": {
        "Je suis étudiant": "I am a student",
        "Que sera, sera": "What will be, will be",
        "Il n'est jamais trop tard pour apprendre": "It is never too late to learn",
        "Il n'y a pas de fumée sans feu": "There is no smoke without fire",
        "L'animal n'a pas traversé la rue parce qu'il était trop fatigué": (
            "The animal did not cross the street because it was too tired"
        ),
    },
    "en": dict.fromkeys(
        (
            "It is never too late to learn",
            "Where there is smoke, there is fire",
            "My sister lives in an old house",
            "The animal did not cross the street because it was too tired",
        ),
        "",
    ),
    # Of models that were imported.
    "ar": {"لا يفوت الأوان أبدا للتعلم": LEARN, "أين محطة القطار؟": STATION},
    "ca": {"Mai no és tard per aprendre": LEARN, "On és l'estació?": STATION},
    "cs": {"Nikdy není pozdě se učit": LEARN, "Kde je nádraží?": STATION},
    "de": {"Es ist nie zu spät, etwas zu lernen": LEARN, "Wo ist der Bahnhof?": STATION},
    "fi": {"Koskaan ei ole liian myöhäistä oppia": LEARN, "Missä asema on?": STATION},
    "it": {"Non è mai troppo tardi per imparare": LEARN, "Dov'è la stazione?": STATION},
    "ja": {"学ぶのに遅すぎることはない": LEARN, "駅はどこですか。": STATION},
    "nl": {"Het is nooit te laat om te leren": LEARN, "Waar is het station?": STATION},
    "pl": {"Na naukę nigdy nie jest za późno": LEARN, "Gdzie jest dworzec?": STATION},
    "pt": {"Nunca é tarde para aprender": LEARN, "Onde fica a estação?": STATION},
    "ru": {"Учиться никогда не поздно": LEARN, "Где вокзал?": STATION},
    "sv": {"Det är aldrig för sent att lära sig": LEARN, "Var ligger stationen?": STATION},
    "tr": {"Öğrenmek için asla geç değildir": LEARN, "İstasyon nerede?": STATION},
    "uk": {"Вчитися ніколи не пізно": LEARN, "Де вокзал?": STATION},
    "zh": {"活到老，学到老": LEARN, "火车站在哪里？": STATION},
}
MEANINGS: Final = {text: says for some in EXAMPLES.values() for text, says in some.items()}
# Frequent in English, and no words of Spanish and French.
FREQUENT: Final = (
    "about after again am and are at because been but can cannot could did do does doesn't don't "
    "every for friend from get go good had have hello her his house how i i'm in is isn't it "
    "it's its like live lives love morning my name never new not of old our please she "
    "should sister some than thank thanks that that's the their them there these they this"
    " those to today tomorrow very want was water we were what when where which who why "
    "will with would yesterday you your"
)
ENGLISH: Final = frozenset(FREQUENT.split())
TOLD_APART: Final = ("es", "fr")
LOOKS_ENGLISH: Final = 0.3  # of its words


def examples(language: str) -> tuple[str, ...]:
    """Return the sentences in a language; none in one that is not here, and all where it is ""."""
    if not language:
        return (*EXAMPLES["es"], *EXAMPLES["fr"])
    return tuple(EXAMPLES.get(language, ()))


def with_meaning(text: str) -> str:
    """Return a sentence with what it means in English, where that is known."""
    meaning = MEANINGS.get(text)
    return f"{text} · {meaning}" if meaning else text


def looks_english(text: str, language: str) -> bool:
    """Return whether many of a text's words are frequent English ones, and none of a language."""
    if language not in TOLD_APART:
        return False
    words = [word.strip('.,;:!?¡¿"“”()') for word in text.lower().replace("’", "'").split()]
    return bool(words) and sum(word in ENGLISH for word in words) >= LOOKS_ENGLISH * len(words)
