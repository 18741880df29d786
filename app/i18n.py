"""The language of the interface: English in the code, the others in gettext catalogues.

Write `_("English text")` at render time, with a literal string; fill in its places afterwards:
`_("{count} tokens").format(count=n)`. A table that is built at import marks its texts with
`N_("English text")` and translates them when it is drawn: `_(row.title)`.

The catalogues are in app/locale; `make translations` updates them.
"""

import gettext as _gettext
import io
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from contextvars import ContextVar
from functools import cache, lru_cache, wraps
from pathlib import Path
from typing import Any, Final, ParamSpec, TypeVar

from babel import Locale
from babel.core import get_global
from babel.messages.mofile import write_mo
from babel.messages.pofile import read_po
from babel.numbers import get_decimal_symbol

P = ParamSpec("P")
R = TypeVar("R")
LANGUAGES: Final = {"en": "English", "es": "Español", "fr": "Français"}
DEFAULT: Final = "en"
LOCALE_DIR: Final = Path(__file__).resolve().parent / "locale"

_chosen: ContextVar[str | None] = ContextVar("language", default=None)
_source: Callable[[], str | None] | None = None


def use(language: str) -> None:
    """Set the language of this thread; raise ValueError if the interface does not have it."""
    if language not in LANGUAGES:
        raise ValueError(f"unknown language {language!r}: choose one of {', '.join(LANGUAGES)}")
    _chosen.set(language)


@contextmanager
def speaking(language: str) -> Iterator[None]:
    """Use a language within a context; raise ValueError if the interface does not have it."""
    before = _chosen.get()
    use(language)
    try:
        yield
    finally:
        _chosen.set(before)


def follow(source: Callable[[], str | None]) -> None:
    """Ask `source` for the language wherever `use` was not called.

    Streamlit runs a callback or a fragment in a new thread, in which the script has not called
    `use`; a source that reads the visitor's session gives their language there too.
    """
    global _source
    _source = source


def current() -> str:
    """Return the language in use: the one set in this thread, else the session's, else English."""
    language = _chosen.get() or (_source() if _source else None)
    return language if language in LANGUAGES else DEFAULT


def decimal_mark() -> str:
    """Return the decimal mark of the current language."""
    return _decimal_mark(current())


def short_code(language: str) -> str:
    """Return the two-letter code of a language such as "deu", if it has one."""
    plain = language.lower()
    return str(get_global("language_aliases").get(plain, plain))


def language_called(code: str) -> str:
    """Return a language's name in the current language; "" if the code has none.

    The code has two or three letters, such as "de" or "deu".
    """
    return str(Locale.parse(current()).languages.get(short_code(code), ""))


def match(locale: str | None) -> str:
    """Return the interface's language closest to a browser's locale such as "es-MX"."""
    language = (locale or "").replace("_", "-").split("-")[0].lower()
    return language if language in LANGUAGES else DEFAULT


def gettext(message: str) -> str:
    """Return the text in the current language."""
    # For "", gettext would return the catalogue's header.
    return _catalogue(current()).gettext(message) if message else ""


def ngettext(singular: str, plural: str, count: int) -> str:
    """Return the singular or plural that goes with a number, in the current language."""
    return _catalogue(current()).ngettext(singular, plural, count)


def once_a_language(function: Callable[P, R]) -> Callable[P, R]:
    """Cache a function's result per language and arguments.

    All visitors share the result, so nothing may change it.
    """
    plain: Callable[..., R] = function

    @cache
    def made(_language: str, args: Any) -> R:
        return plain(*args)

    @wraps(function)
    def in_language(*args: P.args, **kwargs: P.kwargs) -> R:
        assert not kwargs, "what is made is told by the order of its arguments"
        return made(current(), args)

    return in_language


def N_(message: str) -> str:  # noqa: N802 - gettext's own name, which extractors look for
    """Mark a text for translation and leave it as it is."""
    return message


_decimal_mark = lru_cache(get_decimal_symbol)


@lru_cache
def _catalogue(language: str) -> _gettext.NullTranslations:
    """Compile the catalogue that translators edit; its fuzzy entries count as missing."""
    path = LOCALE_DIR / language / "LC_MESSAGES" / "messages.po"
    if not path.is_file():
        return _gettext.NullTranslations()
    with path.open("rb") as file:
        texts = read_po(file, locale=language)
    compiled = io.BytesIO()
    write_mo(compiled, texts)
    compiled.seek(0)
    return _gettext.GNUTranslations(compiled)


_ = gettext
