"""A small text to learn word vectors from, generated from our own templates.

No template says what a word means. But who sits on the throne, whose hat is lost and what is
done today differs from word to word, and that is all the vectors have to go by.
"""

import random
from collections.abc import Mapping, Sequence
from typing import Final

Sentence = tuple[str, ...]

# By rank: a man, a woman, a boy, a girl.
PEOPLE: Final = {
    "royal": ("king", "queen", "prince", "princess"),
    "common": ("man", "woman", "boy", "girl"),
    "family": ("father", "mother", "son", "daughter"),
}
HIS: Final = {"he": "he", "his": "his", "hair": "beard", "coat": "suit"}
HER: Final = {"he": "she", "his": "her", "hair": "braid", "coat": "dress"}
LANDS: Final = (
    ("france", "paris", "french", "cheese"),
    ("spain", "madrid", "spanish", "olives"),
    ("italy", "rome", "italian", "pasta"),
    ("greece", "athens", "greek", "figs"),
    ("japan", "tokyo", "japanese", "rice"),
    ("russia", "moscow", "russian", "soup"),
)
ANIMALS: Final = (
    ("dog", "puppy", "barks"),
    ("cat", "kitten", "meows"),
    ("cow", "calf", "moos"),
    ("horse", "foal", "neighs"),
    ("sheep", "lamb", "bleats"),
)
VERBS: Final = (
    ("walks", "walked", "home"),
    ("sings", "sang", "songs"),
    ("drinks", "drank", "water"),
    ("eats", "ate", "bread"),
    ("writes", "wrote", "letters"),
    ("rides", "rode", "horses"),
)

# How often each topic comes, and its templates; those of people also say whom they are about.
SHARES: Final = {"people": 40, "verbs": 17, "lands": 28, "animals": 15}
TEMPLATES: Final[Mapping[str, Sequence[tuple[str, str]]]] = {
    "people": (
        ("royal", "the {person} sits on the throne"),
        ("royal", "the {person} wears a golden crown"),
        ("royal", "the {person} lives in the palace"),
        ("common", "the {person} lives in the village"),
        ("common", "the {person} buys fish at the market"),
        ("common", "the {person} cleans the stairs"),
        ("family", "the {person} loves the whole family"),
        ("family", "the {person} phones the relatives"),
        ("family", "our dear {person} came back"),
        ("any", "{he} is a {person}"),
        ("any", "the {person} lost {his} hat"),
        ("any", "the {person} combs {his} {hair}"),
        ("any", "the {person} wears {his} new {coat}"),
        ("young", "the {person} goes to school"),
        ("young", "the {person} plays with toys"),
        ("young", "the little {person} is a child"),
        ("young", "the young {person} climbs trees"),
        ("grown", "the {person} goes to work"),
        ("grown", "the old {person} has grey hair"),
        ("grown", "the tall {person} is an adult"),
        ("grown", "the busy {person} drives a car"),
    ),
    "verbs": (
        ("any", "today the {person} {does} {what}"),
        ("any", "today {he} {does} {what} again"),
        ("any", "yesterday the {person} {did} {what}"),
        ("any", "yesterday {he} {did} {what} again"),
    ),
    "lands": (
        ("any", "in {land} they speak {tongue}"),
        ("any", "in {city} they speak {tongue}"),
        ("any", "{tongue} people live in {land}"),
        ("any", "{tongue} people live in {city}"),
        ("any", "they cook {dish} in {land}"),
        ("any", "they cook {dish} in {city}"),
        ("any", "the country {land} likes {dish}"),
        ("any", "the city {city} likes {dish}"),
        ("any", "a {tongue} country is {land}"),
        ("any", "a {tongue} city is {city}"),
    ),
    "animals": (
        ("any", "the big {animal} {sound}"),
        ("any", "the little {cub} {sound}"),
        ("any", "the {animal} {sound} in the stable"),
        ("any", "the {cub} {sound} and plays"),
        ("any", "a {cub} is a young {animal}"),
    ),
}


def sentences(n: int, seed: int = 0) -> tuple[Sentence, ...]:
    """Write n sentences, each as a tuple of words; the same seed writes the same text."""
    rng = random.Random(seed)
    topics = rng.choices(list(SHARES), list(SHARES.values()), k=n)
    return tuple(_sentence(topic, rng) for topic in topics)


def _sentence(topic: str, rng: random.Random) -> Sentence:
    about, template = rng.choice(TEMPLATES[topic])
    person, is_female = rng.choice(_people(about))
    words = {"person": person} | (HER if is_female else HIS)
    words |= zip(("land", "city", "tongue", "dish"), rng.choice(LANDS), strict=True)
    words |= zip(("animal", "cub", "sound"), rng.choice(ANIMALS), strict=True)
    words |= zip(("does", "did", "what"), rng.choice(VERBS), strict=True)
    return tuple(template.format_map(words).split())


def _people(about: str) -> list[tuple[str, bool]]:
    """Return the people whom a template can be about, and whether each is female."""
    return [
        (word, place % 2 == 1)
        for rank, words in PEOPLE.items()
        for place, word in enumerate(words)
        if about in ("any", rank, "grown" if place < 2 else "young")
    ]
