"""The forms of Spanish words: plurals, genders and conjugations, by rule where there is one."""

from model.tasks.phrases.lexicon import Adjective, Noun, conjugations

ENDINGS = {
    ("ar", "present"): ("o", "as", "a", "amos", "áis", "an"),
    ("er", "present"): ("o", "es", "e", "emos", "éis", "en"),
    ("ir", "present"): ("o", "es", "e", "imos", "ís", "en"),
    ("ar", "past"): ("é", "aste", "ó", "amos", "asteis", "aron"),
    ("er", "past"): ("í", "iste", "ió", "imos", "isteis", "ieron"),
    ("ir", "past"): ("í", "iste", "ió", "imos", "isteis", "ieron"),
}
FUTURE = ("é", "ás", "á", "emos", "éis", "án")
BEFORE_E = {"c": "qu", "g": "gu", "z": "c"}
UNACCENTED = str.maketrans("áéíóú", "aeiou")


def pluralise(word: str) -> str:
    """Return the plural of a noun or an adjective."""
    if word == "joven":
        return "jóvenes"
    if word[-1] in "aeiouáéó":
        return word + "s"
    if word.endswith("z"):
        return word[:-1] + "ces"
    if word[-2] in "áéíóú":
        return word[:-2] + word[-2].translate(UNACCENTED) + word[-1] + "es"
    return word if word == "paraguas" else word + "es"


def noun_form(noun: Noun, plural: bool, is_feminine: bool) -> str:
    """Return the singular or plural of a noun, and its gender's form if it has two."""
    word = noun.es.split("/")[-1 if is_feminine else 0]
    return pluralise(word) if plural else word


def adjective_form(adjective: Adjective, plural: bool, is_feminine: bool) -> str:
    """Return the form of an adjective for a gender and number."""
    word = adjective.es
    if is_feminine and word.endswith("o"):
        word = word[:-1] + "a"
    elif is_feminine and word in ("español", "francés", "inglés"):
        word = word.replace("é", "e") + "a"
    return pluralise(word) if plural else word


def conjugate(infinitive: str, tense: str, person: int) -> str:
    """Return a verb in the present, the past (preterite; imperfect for states) or the future."""
    table = conjugations("es")
    if tense == "future":
        return table.get((infinitive, "stem"), [infinitive])[0] + FUTURE[person]
    if (infinitive, tense) in table:
        return table[infinitive, tense][person]
    stem, kind = infinitive[:-2], infinitive[-2:]
    ending = ENDINGS[kind, tense][person]
    if ending == "é" and stem[-1] in BEFORE_E:
        stem = stem[:-1] + BEFORE_E[stem[-1]]
    return stem + ending


def gerund(infinitive: str) -> str:
    """Return the gerund, which follows estar, such as "comiendo"."""
    regular = infinitive[:-2] + ("ando" if infinitive.endswith("ar") else "iendo")
    return conjugations("es").get((infinitive, "gerund"), [regular])[0]


def command(infinitive: str) -> str:
    """Return the familiar imperative: come, pon."""
    irregular = conjugations("es").get((infinitive, "command"))
    return irregular[0] if irregular else conjugate(infinitive, "present", 2)
