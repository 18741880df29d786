"""Sentences as visitors type them, and how each is read: 10 sentences in 17 shapes a language."""

from collections.abc import Callable, Iterator
from typing import NamedTuple

SENTENCES = {
    "es": (
        "El perro corre por la playa.",
        "Mañana vamos al mercado con mi tía.",
        "No sé dónde están las llaves.",
        "Me gusta leer antes de dormir.",
        "La sopa está demasiado caliente.",
        "Hoy hace frío y llueve mucho.",
        "Su hermano toca el piano muy bien.",
        "Ayer perdimos el último tren.",
        "Este niño siempre tiene hambre.",
        "El vecino arregló la ventana rota.",
    ),
    "fr": (
        "Le chien court sur la plage.",
        "Demain nous allons au marché avec ma tante.",
        "Je ne sais pas où sont les clés.",
        "J'aime lire avant de dormir.",
        "La soupe est beaucoup trop chaude.",
        "Il fait froid et il pleut beaucoup.",
        "Son frère joue très bien du piano.",
        "Hier nous avons raté le dernier train.",
        "Cet enfant a toujours faim.",
        "Le voisin a réparé la fenêtre cassée.",
    ),
    "en": (
        "The dog runs along the beach.",
        "Tomorrow we're going to the market with my aunt.",
        "She doesn't know where the keys are.",
        "He likes to read before going to sleep.",
        "The soup is far too hot.",
        "It's cold and it rains a lot.",
        "Her brother plays the piano very well.",
        "Yesterday we missed the last train.",
        "This child is always hungry.",
        "The neighbor fixed the broken window.",
    ),
}
NON_BREAKING, SOFT_HYPHEN, BOM, THIN, ZERO_WIDTH = "\u00a0", "\u00ad", "\ufeff", "\u2009", "\u200b"


class Odd(NamedTuple):
    """What is typed, what the model reads, and what is left out."""

    typed: str
    read: str
    left_out: tuple[str, ...] = ()


def decomposed(text: str) -> str:
    """Write accents as characters of their own, as some systems do."""
    marks = {"á": "a\u0301", "é": "e\u0301", "ñ": "n\u0303", "ê": "e\u0302", "ì": "i\u0300"}
    return "".join(marks.get(char, char) for char in text)


def full_width(text: str) -> str:
    first, rest = text.split(" ", 1)
    return "".join(chr(ord(c) + 0xFEE0) if c.isascii() else c for c in first) + f" {rest}"


SHAPES: dict[str, Callable[[str, str], Odd]] = {
    "capitals": lambda text, _: Odd(text.upper(), text),
    "an open end": lambda text, _: Odd(f"{text[:-1]}…", f"{text[:-1]}..."),
    "in curly quotes": lambda text, of: Odd(f"“{text}”", quoted(text, of)),
    "in low quotes": lambda text, of: Odd(f"„{text}“", quoted(text, of)),
    "in guillemets": lambda text, of: Odd(f"«{text}»", quoted(text, of)),
    "in straight quotes": lambda text, of: Odd(f'"{text}"', quoted(text, of)),
    "after a dash": lambda text, _: Odd(f"— {text}", f"- {text}"),
    "an emoji after": lambda text, _: Odd(f"{text} ❤️", text, ("❤️",)),
    "an emoji inside": lambda text, _: Odd(text.replace(" ", " 👩‍🚒 ", 1), text, ("👩‍🚒",)),
    "signs of another script": lambda text, _: Odd(f"你好 {text}", text, ("你好",)),
    "other blanks": lambda text, _: Odd(
        f"{BOM} {text.replace(' ', NON_BREAKING, 1).replace(' ', THIN, 1)}\t", text
    ),
    "invisible signs": lambda text, _: Odd(f"{text[:3]}{SOFT_HYPHEN}{text[3:]}{ZERO_WIDTH}", text),
    "decomposed accents": lambda text, _: Odd(decomposed(text), text),
    "full width": lambda text, _: Odd(full_width(text), text),
    "other apostrophes": lambda text, _: Odd(text.replace("'", "’"), text),
    "shouted": lambda text, of: Odd(f"{text[:-1]}!!!", text[:-1] + (" !" if of == "fr" else "!")),
    "asked as elsewhere": lambda text, of: Odd(
        f"{text[:-1]}{'?' if of == 'fr' else ' ?'}", text[:-1] + (" ?" if of == "fr" else "?")
    ),
}


def quoted(text: str, language: str) -> str:
    return f"« {text} »" if language == "fr" else f'"{text}"'


def odd_inputs(language: str) -> Iterator[tuple[str, Odd]]:
    """Yield the name of a shape and what is typed in it, for each sentence of a language."""
    for shape, odd in SHAPES.items():
        for text in SENTENCES[language]:
            yield shape, odd(text, language)
