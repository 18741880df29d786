"""Pairs full of numbers, prices, dates, times, telephone numbers, lists, people and places.

What fills a place is drawn once and written as each language writes it: "1.250,50 €" stands beside
"€1,250.50". `training` is what translators learn from, the same every time; `held_out` draws other
sentences, to see what a translator copies right. The words are in the folder `figures`.
"""

import calendar
import itertools
import random
import re
import string
import sys
from collections.abc import Callable, Iterator
from functools import cache
from pathlib import Path
from typing import NamedTuple

from unicode_rbnf import RbnfEngine

sys.path.insert(0, str(Path(__file__).parents[2]))
from model.text.reading import ADDRESSES

FOLDER = Path(__file__).parent
PAIRS = 10_000
_DOUBLE = re.compile(r"(\d)\1")
ES, FR, EN = range(3)
COLUMNS = {"es": ES, "fr": FR}


class Sentence(NamedTuple):
    """A pair, and what its translation must hold to the letter."""

    src: str
    tgt: str
    copied: tuple[str, ...]


Triple = tuple[str, str, str]  # as Spanish, French and English write it
Draw = Callable[[random.Random], Triple]


def read(name: str) -> str:
    """The text of a file beside this one."""
    return (FOLDER / name).read_text(encoding="utf-8")


def table(name: str) -> list[Triple]:
    """Read the lines "Spanish TAB French TAB English" of a file."""
    lines = read(f"figures/{name}.tsv").splitlines()
    return [(es, fr, en) for es, fr, en in (line.split("\t") for line in lines)]


def same(text: str) -> Triple:
    """What every language writes alike."""
    return text, text, text


FIRST_NAMES = read("figures/first_names.txt").split()
SURNAMES = read("figures/surnames.txt").split()
ASCII_NAMES = [name.lower() for name in FIRST_NAMES + SURNAMES if name.isascii()]
CITIES = table("cities")
IN_COUNTRIES = table("in_countries")
MONTHS = table("months")
WEEKDAYS = table("weekdays")
GOODS = table("goods")
# Nouns that can be counted, in the plural.
THINGS = table("things")
SENTENCES = table("sentences")
PHONES = read("figures/phones.txt").splitlines()


def count(rng: random.Random) -> int:
    """A number from 2 to 9,999; each count of digits alike."""
    digits = rng.randint(1, 4)
    return rng.randrange(max(2, 10 ** (digits - 1)), 10**digits)


def grouped(number: int) -> Triple:
    """A number with the separators of thousands that each language writes."""
    english = f"{number:,}"
    return english.replace(",", "."), english.replace(",", " "), english


def integer(rng: random.Random) -> Triple:
    number = count(rng)
    return same(str(number)) if number < 1000 or rng.random() < 0.5 else grouped(number)


def large(rng: random.Random) -> Triple:
    digits = rng.randint(4, 7)
    number = rng.randrange(10 ** (digits - 1), 10**digits)
    return grouped(number - number % 10 ** rng.randint(0, digits - 1))


def decimal(rng: random.Random) -> Triple:
    english = f"{rng.randrange(1, 100)}.{rng.randrange(1, 100)}".rstrip("0")
    comma = english.replace(".", ",")
    return comma, comma, english


def price(rng: random.Random) -> Triple:
    whole = count(rng) if rng.random() < 0.4 else rng.randrange(2, 100)
    cents = rng.choice(("", "50", "99", "25", "80"))
    spanish, french, english = grouped(whole)
    if cents:
        spanish, french, english = f"{spanish},{cents}", f"{french},{cents}", f"{english}.{cents}"
    style = rng.random()
    if style < 0.4:
        return f"{spanish} €", f"{french} €", f"€{english}"
    if style < 0.8:
        return f"{spanish} euros", f"{french} euros", f"{english} euros"
    return f"{spanish} dólares", f"{french} dollars", f"{english} dollars"


def signed(rng: random.Random) -> Triple:
    return same(f"{rng.choice('-+')}{rng.randrange(1, 100)}")


def temperature(rng: random.Random) -> Triple:
    sign = "-" if rng.random() < 0.4 else ""
    return same(f"{sign}{rng.randrange(1, 60)}{rng.choice((' °C', ' °C', '°C', '°', ' °F'))}")


def money(rng: random.Random) -> Triple:
    """A price with its sign: Spanish and French set it behind, English before, dollars all do."""
    spanish, french, english = price_figures(rng)
    sign = rng.choice("$€£")
    if sign != "€" and rng.random() < 0.5:
        return same(f"{sign}{english}")
    return f"{spanish} {sign}", f"{french} {sign}", f"{sign}{english}"


def price_figures(rng: random.Random) -> Triple:
    """The figures of a price, with thousands and cents as each language writes them."""
    spanish, french, english = grouped(count(rng) if rng.random() < 0.5 else rng.randrange(2, 100))
    cents = rng.choice(("", "", "50", "99", "05", "80"))
    if not cents:
        return spanish, french, english
    return f"{spanish},{cents}", f"{french},{cents}", f"{english}.{cents}"


def measured(rng: random.Random) -> Triple:
    """A number with its unit, as 70 kg, 1,80 m or 90 km/h."""
    unit = rng.choice(("kg", "g", "km", "m", "cm", "m²", "km/h", "l", "ml", "GB", "W", "min"))
    numbers = decimal(rng) if rng.random() < 0.4 else integer(rng)
    spanish, french, english = (f"{number} {unit}" for number in numbers)
    return spanish, french, english


def span(rng: random.Random) -> Triple:
    start = rng.randrange(1, 90)
    return same(f"{start}-{start + rng.randrange(1, 30)}")


def fraction(rng: random.Random) -> Triple:
    above = rng.randrange(1, 10)
    return same(f"{above}/{rng.randrange(above + 1, 13)}")


def full_date(rng: random.Random) -> Triple:
    """A day in figures, as in 03/05/1998."""
    return same(
        f"{rng.randrange(1, 29):02d}/{rng.randrange(1, 13):02d}/{rng.randrange(1950, 2035)}"
    )


def link(rng: random.Random) -> Triple:
    """An address: half of the time one that stands for any while a translator reads."""
    if rng.random() < 0.5:
        return same(rng.choice(ADDRESSES))
    path = "/".join(rng.choices(ASCII_NAMES, k=rng.randrange(1, 3)))
    return same(f"https://{site(rng)[EN]}/{path}{rng.choice(('', '', '?id=' + str(count(rng))))}")


def handle(rng: random.Random) -> Triple:
    return same(rng.choice("#@") + rng.choice(ASCII_NAMES) + rng.choice(("", str(count(rng)))))


# Minutes as Spanish and French add them to an hour, and English before one.
MINUTES = {
    0: (" en punto", "", ""), 5: (" y cinco", " cinq", "five past "),
    10: (" y diez", " dix", "ten past "), 15: (" y cuarto", " et quart", "a quarter past "),
    20: (" y veinte", " vingt", "twenty past "),
    25: (" y veinticinco", " vingt-cinq", "twenty-five past "),
    30: (" y media", " et demie", "half past "),
    35: (" menos veinticinco", " moins vingt-cinq", "twenty-five to "),
    40: (" menos veinte", " moins vingt", "twenty to "),
    45: (" menos cuarto", " moins le quart", "a quarter to "),
    50: (" menos diez", " moins dix", "ten to "), 55: (" menos cinco", " moins cinq", "five to "),
}  # fmt: skip
_HELD_OUT_TIME = (6, 45)  # asked by hand


def hour(rng: random.Random) -> Triple:
    """A time of the day from two to eleven o'clock, in words."""
    hours, minutes = rng.randrange(2, 12), rng.choice(tuple(MINUTES))
    if (hours, minutes) == _HELD_OUT_TIME:
        return hour(rng)
    spanish, french, english = (engine(one).format_number(hours).text for one in ("es", "fr", "en"))
    after_es, after_fr, before_en = MINUTES[minutes]
    english = f"{before_en}{english}" if minutes else f"{english} o'clock"
    return f"las {spanish}{after_es}", f"{french} heures{after_fr}", english


def percent(rng: random.Random) -> Triple:
    number = rng.randrange(1, 100)
    return f"{number} %" if rng.random() < 0.5 else f"{number}%", f"{number} %", f"{number}%"


def year(rng: random.Random) -> Triple:
    return same(str(rng.randrange(1700, 2050)))


def day(rng: random.Random) -> Triple:
    place = rng.randrange(12)
    month, number = MONTHS[place], rng.randint(1, calendar.mdays[place + 1])
    french = "1er" if number == 1 else str(number)
    return f"{number} de {month[ES]}", f"{french} {month[FR]}", f"{month[EN]} {number}"


def date(rng: random.Random) -> Triple:
    (spanish, french, english), (number, *_) = day(rng), year(rng)
    return f"{spanish} de {number}", f"{french} {number}", f"{english}, {number}"


def weekday(rng: random.Random) -> Triple:
    return rng.choice(WEEKDAYS)


def short_date(rng: random.Random) -> Triple:
    parts = rng.randrange(1, 29), rng.randrange(1, 13), rng.randrange(1950, 2035)
    return same(rng.choice("/-.").join(map(str, parts)))


def clock(rng: random.Random) -> Triple:
    """A time of the day from two o'clock on, in figures."""
    hour, minute = rng.randrange(2, 24), rng.randrange(60)
    colon, french = f"{hour}:{minute:02d}", rng.choice((" h ", " h ", "h"))
    return colon, f"{hour}{french}{minute:02d}", colon


def phone(rng: random.Random) -> Triple:
    digits = [str(rng.randrange(10)) for _ in range(12)]
    return same("".join(digits.pop() if c == "#" else c for c in rng.choice(PHONES)))


def code(rng: random.Random) -> Triple:
    letters = "".join(rng.choice("ABCDEFGHJKLMNPRSTUVWXYZ") for _ in range(rng.randint(1, 3)))
    return same(letters + rng.choice(("", "-", " ")) + str(count(rng)))


@cache
def engine(language: str) -> RbnfEngine:
    """Read the spelling rules of a language once: it takes a twentieth of a second."""
    return RbnfEngine.for_language(language)


def in_words(rng: random.Random) -> Triple:
    """A number from 2 to 99 in words, without those that change before a noun."""
    number = rng.choice([n for n in range(2, 100) if n % 10 != 1 or n == 11])
    spanish, french, english = (
        engine(language).format_number(number).text for language in ("es", "fr", "en")
    )
    return spanish, french, english


def first(rng: random.Random) -> Triple:
    return same(rng.choice(FIRST_NAMES))


def person(rng: random.Random) -> Triple:
    return same(f"{rng.choice(FIRST_NAMES)} {rng.choice(SURNAMES)}")


def surname(rng: random.Random) -> Triple:
    return same(rng.choice(SURNAMES))


def city(rng: random.Random) -> Triple:
    return rng.choice(CITIES)


def in_country(rng: random.Random) -> Triple:
    return rng.choice(IN_COUNTRIES)


def things(rng: random.Random) -> Triple:
    return rng.choice(THINGS)


def joined(items: list[Triple]) -> Triple:
    """A list, as each language writes one; English sets a comma before the last of three."""
    *rest, last = items
    comma = "," if len(rest) > 1 else ""
    spanish, french, english = (", ".join(item[place] for item in rest) for place in (ES, FR, EN))
    return f"{spanish} y {last[ES]}", f"{french} et {last[FR]}", f"{english}{comma} and {last[EN]}"


def goods(rng: random.Random) -> Triple:
    return joined(rng.sample(GOODS, rng.randint(2, 4)))


def people(rng: random.Random) -> Triple:
    names = [name for name in FIRST_NAMES if not name.startswith(("I", "Í"))]  # "e" before an i
    return joined([same(name) for name in rng.sample(names, rng.randint(2, 4))])


def numbers(rng: random.Random) -> Triple:
    return joined([same(str(rng.randrange(12, 1000))) for _ in range(rng.randint(2, 4))])


def email(rng: random.Random) -> Triple:
    end = rng.choice(("com", "es", "fr", "org", "net"))
    user = rng.choice((".", "_", "")).join(rng.choices(ASCII_NAMES, k=2))
    return same(f"{user}@{rng.choice(ASCII_NAMES)}.{end}")


def site(rng: random.Random) -> Triple:
    end = rng.choice(("com", "es", "fr", "org"))
    return same(f"www.{''.join(rng.choices(ASCII_NAMES, k=2))}.{end}")


def score(rng: random.Random) -> Triple:
    ours, theirs = rng.randrange(2, 9), rng.randrange(0, 8)
    return f"{ours} a {theirs}", f"{ours} à {theirs}", f"{ours} to {theirs}"


DRAWS: dict[str, Draw] = {
    "n": integer, "m": integer, "large": large, "decimal": decimal, "percent": percent,
    "price": price, "other_price": price, "year": year, "date": date, "short_date": short_date,
    "day": day, "other_day": day, "weekday": weekday, "clock": clock, "other_clock": clock,
    "phone": phone, "code": code, "numbers": numbers, "words": in_words, "score": score,
    "things": things, "goods": goods, "people": people, "first": first,
    "friend": first, "person": person, "surname": surname, "city": city, "town": city,
    "in_country": in_country, "email": email, "site": site, "signed": signed,
    "temperature": temperature, "money": money, "figures": price_figures, "measured": measured,
    "span": span, "fraction": fraction, "full_date": full_date, "link": link, "handle": handle,
    "hour": hour, "other_hour": hour,
}  # fmt: skip


def fill(row: Triple, language: str, rng: random.Random) -> Sentence:
    """Draw what stands in the places of a sentence."""
    places = [place for _, place, _, _ in string.Formatter().parse(row[EN]) if place]
    drawn = {place: DRAWS[place](rng) for place in places}
    column = COLUMNS[language]
    src, tgt = (
        row[at].format(**{place: texts[at] for place, texts in drawn.items()})
        for at in (column, EN)
    )
    if language == "fr":
        src = re.sub(r"\b([dD])e (?=[AEIOUÉÈ])", r"\1'", src)  # d'Athènes
    copied = tuple(texts[EN] for texts in drawn.values())
    return Sentence(capitalised(src), capitalised(tgt), copied)


def capitalised(text: str) -> str:
    return text[:1].upper() + text[1:]


def sentences(language: str, seed: int) -> Iterator[Sentence]:
    """Sentences without end, each form in its turn."""
    rng = random.Random(f"{language} {seed}")
    for row in itertools.cycle(SENTENCES):
        yield fill(row, language, rng)


def training(language: str) -> list[Sentence]:
    """What a translator of a language is trained on; no source stands twice."""
    drawn = {sentence.src: sentence for sentence in itertools.islice(sentences(language, 1), PAIRS)}
    return list(drawn.values())


def with_doubles(language: str, count: int) -> list[Sentence]:
    """More to train on: sentences with two digits alike, side by side, of which one gets lost."""
    known = {sentence.src for sentence in training(language) + held_out(language, 1000)}
    drawn = (
        sentence
        for sentence in sentences(language, 3)
        if sentence.src not in known and any(_DOUBLE.search(text) for text in sentence.copied)
    )
    return list(itertools.islice(drawn, count))


def held_out(language: str, count: int, seed: int = 2) -> list[Sentence]:
    """Sentences that no translator was trained on."""
    seen = {sentence.src for sentence in training(language)}
    drawn = (sentence for sentence in sentences(language, seed) if sentence.src not in seen)
    return list(itertools.islice(drawn, count))
