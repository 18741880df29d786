"""How a typed sentence is read before it is cut into tokens: one way in for all that reads one.

| as typed | as read |
|---|---|
| decomposed accents, full-width letters, ligatures | one character each (NFC, NFKC) |
| controls, soft hyphens, marks of order or direction | nothing |
| every kind of blank | one blank |
| ’ ‘ ´ ` | ' |
| – — ― − ‐ | - |
| … | ... |
| “ ” „ « » | " in Spanish and English, « … » in French, as the training has them |
| œ | oe, but in French |
| a blank before ! ? : ; | none in Spanish and English, one in French |
| !!! ??? ¡¡¡ ¿¿¿ | ! ? ¡ ¿ |
| A WHOLE SENTENCE IN CAPITALS, or one Capitalised word | lower case: a name cannot be told apart |
| emoji, and signs of scripts that the model never saw | left out, and named |
| <b>, </p> | nothing |
| an address of the web or of mail | www.example.org, and put back into the translation |

Pages, notebooks, commands, captures, books and training all call `read`.
"""

import re
import unicodedata
from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

SIGNS: Final = str.maketrans(
    {one: as_read for signs, as_read in (
        ("’‘‚‛´`′", "'"),
        ("–—―−‐‑‒", "-"),
        ("…", "..."),
        ("“”„‟″", '"'),
    ) for one in signs}
)  # fmt: skip
# Of any script, what a Latin text is written with besides letters.
PLAIN: Final = frozenset("¿¡«»°ºª€£$%‰§&@#*+/=<>()[]{}_~^|\\½¼¾²³·×÷©®™¢¥")
FRENCH: Final = "fr"
# A quotation, with what stands inside it.
_QUOTED: Final = re.compile(r"(?:\"|«)\s*([^\"«»]*?)\s*(?:\"|»)")
_BEFORE_MARK: Final = re.compile(r"(?<=[\w»\"')%])\s*([!?;:]+)(?=\s|$|[\"»])")
_BEFORE_STOP: Final = re.compile(r"(?<=[\w»\"')%!?])\s+([.,]+)(?=\s|$)")
_AFTER_OPENING: Final = re.compile(r"([¿¡])\s+")
_AGAIN: Final = re.compile(r"([!?¡¿])\1+")
_ONE_WORD: Final = re.compile(r"[^\W\d_]{2,}")


# What stands for the first, second and third address of a text; the training is full of them.
ADDRESSES: Final = ("www.example.org", "www.example.net", "www.example.com")
_ADDRESS: Final = re.compile(
    r"(?:https?://|www\.)[^\s<>\"«»]*[^\s<>\"«».,;:!?)]|[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
)
# Mark-up of texts; anything else in angle brackets is a text like any other.
_TAG: Final = re.compile(
    r"</?(?:a|b|br|div|em|font|h[1-6]|i|li|ol|p|small|span|strong|sub|sup|u|ul)(?:\s[^<>]*)?/?>",
    re.IGNORECASE,
)


@dataclass(frozen=True)
class Reading:
    """A text as the model reads it, and the signs of the typed one that it cannot read.

    `addresses` are those that ADDRESSES stand for, in order.
    """

    text: str
    left_out: tuple[str, ...] = ()
    addresses: tuple[str, ...] = ()

    def restored(self, translation: str) -> str:
        """Return a translation with the addresses put back."""
        for placeholder, address in zip(ADDRESSES, self.addresses, strict=False):
            translation = translation.replace(placeholder, address)
        return translation


def clean(text: str) -> str:
    """Return a text without what cannot be seen, in composed characters and with single blanks."""
    kept = (" " if char.isspace() else char for char in text if is_seen(char))
    return " ".join(unicodedata.normalize("NFC", "".join(kept)).split())


def is_seen(char: str) -> bool:
    """Return whether a character is drawn: no control, format, surrogate or private one."""
    return char.isspace() or not unicodedata.category(char).startswith("C")


def read(text: str, language: str = "", is_known: Callable[[str], bool] | None = None) -> Reading:
    """Return how a text in a language is read; "" is a language without rules of its own.

    `is_known` tells of a sign that Latin texts do not have whether the model has learned it.
    """
    addresses = tuple(_ADDRESS.findall(text))[: len(ADDRESSES)]
    for placeholder, address in zip(ADDRESSES, addresses, strict=False):
        text = text.replace(address, placeholder, 1)
    text = "".join(map(_narrow, _TAG.sub(" ", text))).translate(SIGNS)
    text, left_out = _without_unknown(text, is_known)
    text = _AGAIN.sub(r"\1", clean(text))
    if language:
        text = _as_written_in(language, text)
    return Reading(_in_lower_case(text), left_out, addresses)


def _narrow(char: str) -> str:
    """Return the usual form of a full-width character or a ligature of print ("ﬁ")."""
    return (
        unicodedata.normalize("NFKC", char) if "ﬀ" <= char <= "ﬆ" or "！" <= char <= "～" else char
    )


def _without_unknown(
    text: str, is_known: Callable[[str], bool] | None
) -> tuple[str, tuple[str, ...]]:
    """Return a text without the signs that cannot be read, and these, neighbours together."""
    kept, left_out = list[str](), list[str]()
    is_open = False  # the sign before was left out, and what joins on belongs to it
    for char in unicodedata.normalize("NFC", text):
        if is_open and (_joins(char) or not _is_readable(char, is_known)):
            left_out[-1] += char
        elif _is_readable(char, is_known):
            kept.append(char)
            is_open = False
        else:
            kept.append(" ")
            left_out.append(char)
            is_open = True
    return "".join(kept), tuple(left_out)


def _joins(char: str) -> bool:
    """Return whether a character only changes the sign before it (an emoji's joiner or colour)."""
    return char == "\u200d" or unicodedata.category(char) in ("Mn", "Me", "Sk")


def _is_readable(char: str, is_known: Callable[[str], bool] | None) -> bool:
    if char.isascii() or char.isspace() or char in PLAIN or not is_seen(char):
        return True
    if char.isalpha() and unicodedata.name(char, "").startswith("LATIN"):
        return True
    return is_known is not None and is_known(char)


def _as_written_in(language: str, text: str) -> str:
    """Return a text with the quotation marks and the blanks beside marks that a language has."""
    french = language == FRENCH
    text = _QUOTED.sub(r"« \1 »" if french else r'"\1"', text)
    text = _BEFORE_MARK.sub(r" \1" if french else r"\1", text)
    text = _AFTER_OPENING.sub(r"\1", _BEFORE_STOP.sub(r"\1", text))
    return text if french else text.replace("œ", "oe").replace("Œ", "Oe")


def _in_lower_case(text: str) -> str:
    """Return a text without its capitals where all of it has them, or its only word."""
    letters = "".join(char for char in text if char.isalpha())
    one_word = _ONE_WORD.fullmatch(text)
    if one_word and (text.isupper() or text.istitle()):
        return text.lower()
    if len(letters) < 2 or not letters.isupper():
        return text
    text = text.lower()
    first = next(i for i, char in enumerate(text) if char.isalpha())
    return text[:first] + text[first].upper() + text[first + 1 :]
