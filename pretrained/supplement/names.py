"""Write pairs full of invented names, so that a translator learns to copy what it never saw.

    python pretrained/supplement/names.py

Each name is put together from syllables, once, and stands unchanged on both sides.
Rewrites `names.es-en.tsv` and `names.fr-en.tsv` beside this file; the same text every time.
"""

import random
from pathlib import Path

FOLDER = Path(__file__).parent
PAIRS = 4000

# Single letters stand twice and three times: most names are easy to say.
ONSETS = """
    b b b c c d d d f f g g h h j k k l l l m m m n n p p r r r s s s t t v v w y z z
    br ch cl cr dr fl fr gl gr kh kr pl pr qu sh sk st th tr vl x ñ
""".split()  # noqa: SIM905
NUCLEI = "a a a a a a e e e e e e i i i i o o o o u u u ai ei ia ie io ou y á é í ó ö ü".split()  # noqa: SIM905
CODAS = "l m n n r r s t d k x z ck ll nd ng rd rn st th".split()  # noqa: SIM905
ENDINGS = """
    a a o o i e ia io us is os as el al an en on in or er ir ar ez ov ova ski sen son ton ham berg
    ford wick land burg grad polis ville dor mir thal wyn nor rim dûr heim ione
""".split()  # noqa: SIM905

SPANISH = """
{a} vive en {b}.|{a} lives in {b}.
{a} y {b} viajan a {c}.|{a} and {b} are traveling to {c}.
{a} viajó a {b} con {c}.|{a} traveled to {b} with {c}.
Me llamo {a}.|My name is {a}.
Mi nombre es {a} {b}.|My name is {a} {b}.
Mi mejor amigo se llama {a}.|My best friend's name is {a}.
{a} es de {b}.|{a} is from {b}.
¿Conoces a {a}?|Do you know {a}?
¿Quién es {a} {b}?|Who is {a} {b}?
¿Dónde está {a}?|Where is {a}?
{a} no está aquí.|{a} isn't here.
{a} le dio un libro a {b}.|{a} gave {b} a book.
{a} quiere hablar con {b}.|{a} wants to talk to {b}.
{a} no quiere hablar con {b}.|{a} doesn't want to talk to {b}.
{a} ha comprado una casa en {b}.|{a} bought a house in {b}.
{a} está enamorado de {b}.|{a} is in love with {b}.
{a} y {b} son hermanos.|{a} and {b} are brothers.
{a} y {b} se casaron en {c}.|{a} and {b} got married in {c}.
El tren para {a} sale a las seis.|The train to {a} leaves at six.
{a} está cerca de {b}.|{a} is near {b}.
Nunca he estado en {a}.|I've never been to {a}.
¿Has estado alguna vez en {a}?|Have you ever been to {a}?
Quiero ir a {a} este verano.|I want to go to {a} this summer.
El señor {a} es nuestro profesor.|Mr. {a} is our teacher.
La señora {a} trabaja en {b}.|Mrs. {a} works in {b}.
El doctor {a} llegó ayer de {b}.|Dr. {a} arrived from {b} yesterday.
{a} escribió una carta a {b}.|{a} wrote a letter to {b}.
{a} es más alto que {b}.|{a} is taller than {b}.
{a} trabaja para {b}.|{a} works for {b}.
Mañana {a} nos enseñará {b}.|Tomorrow {a} will show us {b}.
He leído un libro de {a} {b}.|I've read a book by {a} {b}.
La capital de {a} es {b}.|The capital of {a} is {b}.
{a} nació en {b}.|{a} was born in {b}.
{a} murió en {b}.|{a} died in {b}.
{a}, ven aquí.|{a}, come here.
{a}, este es {b}.|{a}, this is {b}.
Ayer vi a {a} con {b}.|I saw {a} with {b} yesterday.
{a} no confía en {b}.|{a} doesn't trust {b}.
{a} estudia en la universidad de {b}.|{a} studies at the University of {b}.
El rey {a} luchó contra {b}.|King {a} fought against {b}.
""".strip()

FRENCH = """
{a} habite à {b}.|{a} lives in {b}.
{a} et {b} voyagent à {c}.|{a} and {b} are traveling to {c}.
{a} est allé à {b} avec {c}.|{a} went to {b} with {c}.
Je m'appelle {a}.|My name is {a}.
Mon nom est {a} {b}.|My name is {a} {b}.
Mon meilleur ami s'appelle {a}.|My best friend's name is {a}.
{a} vient de {b}.|{a} comes from {b}.
Connais-tu {a} ?|Do you know {a}?
Qui est {a} {b} ?|Who is {a} {b}?
Où est {a} ?|Where is {a}?
{a} n'est pas ici.|{a} isn't here.
{a} a donné un livre à {b}.|{a} gave {b} a book.
{a} veut parler à {b}.|{a} wants to talk to {b}.
{a} ne veut pas parler à {b}.|{a} doesn't want to talk to {b}.
{a} a acheté une maison à {b}.|{a} bought a house in {b}.
{a} est amoureux de {b}.|{a} is in love with {b}.
{a} et {b} sont frères.|{a} and {b} are brothers.
{a} et {b} se sont mariés à {c}.|{a} and {b} got married in {c}.
Le train pour {a} part à six heures.|The train to {a} leaves at six.
{a} est près de {b}.|{a} is near {b}.
Je ne suis jamais allé à {a}.|I've never been to {a}.
Es-tu déjà allé à {a} ?|Have you ever been to {a}?
Je veux aller à {a} cet été.|I want to go to {a} this summer.
Monsieur {a} est notre professeur.|Mr. {a} is our teacher.
Madame {a} travaille à {b}.|Mrs. {a} works in {b}.
Le docteur {a} est arrivé hier de {b}.|Dr. {a} arrived from {b} yesterday.
{a} a écrit une lettre à {b}.|{a} wrote a letter to {b}.
{a} est plus grand que {b}.|{a} is taller than {b}.
{a} travaille pour {b}.|{a} works for {b}.
Demain, {a} nous montrera {b}.|Tomorrow {a} will show us {b}.
J'ai lu un livre de {a} {b}.|I've read a book by {a} {b}.
La capitale de {a} est {b}.|The capital of {a} is {b}.
{a} est né à {b}.|{a} was born in {b}.
{a} est mort à {b}.|{a} died in {b}.
{a}, viens ici.|{a}, come here.
{a}, voici {b}.|{a}, this is {b}.
Hier, j'ai vu {a} avec {b}.|I saw {a} with {b} yesterday.
{a} ne fait pas confiance à {b}.|{a} doesn't trust {b}.
{a} étudie à l'université de {b}.|{a} studies at the University of {b}.
Le roi {a} s'est battu contre {b}.|King {a} fought against {b}.
""".strip()


def invent(rng: random.Random) -> str:
    """A name of 4 to 13 letters; now and then two with a hyphen."""
    if rng.random() < 0.03:
        return f"{invent(rng)}-{invent(rng)}"
    syllables = [
        (rng.choice(ONSETS) if place or rng.random() < 0.8 else "")
        + rng.choice(NUCLEI)
        + (rng.choice(CODAS) if rng.random() < 0.35 else "")
        for place in range(rng.choice((1, 1, 1, 2, 2, 3)))
    ]
    name = "".join(syllables) + (rng.choice(ENDINGS) if rng.random() < 0.5 else "")
    if not 4 <= len(name) <= 13:
        return invent(rng)
    return name[0].upper() + name[1:]


def pairs(templates: str, count: int, seed: int = 2017) -> list[str]:
    """`count` lines "source<TAB>target", each with names of its own."""
    rng = random.Random(seed)
    rows = [line.split("|") for line in templates.splitlines()]
    lines = []
    for number in range(count):
        src, tgt = rows[number % len(rows)]
        names = {place: invent(rng) for place in "abc"}
        lines.append(f"{src.format(**names)}\t{tgt.format(**names)}")
    return lines


if __name__ == "__main__":
    for language, templates in (("es", SPANISH), ("fr", FRENCH)):
        text = "\n".join(pairs(templates, PAIRS)) + "\n"
        (FOLDER / f"names.{language}-en.tsv").write_text(text, encoding="utf-8")
