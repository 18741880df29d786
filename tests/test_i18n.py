"""The interface speaks its languages fully, and the catalogues fit the code."""

import ast
import re
import shlex
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from functools import cache
from itertools import repeat
from pathlib import Path
from string import Formatter

import pytest
from babel.messages.catalog import Catalog
from babel.messages.extract import extract_from_dir
from babel.messages.frontend import CommandLineInterface
from babel.messages.pofile import read_po

from app import i18n

ROOT = Path(__file__).resolve().parents[1]
TRANSLATED = [language for language in i18n.LANGUAGES if language != i18n.DEFAULT]
METHODS = [("**.py", "python"), ("**.toml", "app.content:extract")]
FILLED_BEFORE = re.compile(r"""\b_\(\s*[fF]["']|\b_\([^()]*["']\.format\(""")
HINT = "run `make translations` and fill in the texts"
NO_WORDS = re.compile(r"`[^`]*`|\$[^$]*\$|\{[^}]*\}")  # code, TeX, and places
# Where a point stands between digits in every language: papers, licences, what is typed as code.
POINTS = re.compile(r"\b\d{4}\.\d{4,5}\b|\bCC BY \d\.\d\b|(?<=\b2 o )0\.5|(?<=\b2 ou )0\.5")
# What a language's typography never has: quotation marks of English, and in French blanks at which
# a line may end before a mark, and typewriter apostrophes.
WRONG = {
    "es": re.compile("[“”]|« | »|^[^¿]*\\w\\?"),
    "fr": re.compile("[“”]|[ \u00a0][;!?]|[ \u202f]:|«[^\u00a0]|[^\u00a0]»|(?<=\\w)'"),
}
# What was written word by word after the English; no native says it.
CALQUES = {
    "es": re.compile("^Fuera de lugar:|en pocas frases|Listas para dar|hicieron aprender"),
    "fr": re.compile(
        "^Hors de propos|sur peu de phrases|plus qu’aucun ordre|portes (sont )?fixées"
    ),
}


@pytest.fixture(autouse=True)
def _no_language_left_behind(monkeypatch: pytest.MonkeyPatch) -> Iterator[None]:
    monkeypatch.setattr(i18n, "_source", None)
    token = i18n._chosen.set(None)
    yield
    i18n._chosen.reset(token)


def in_the_code() -> set[tuple[str, ...]]:
    """All texts, each with its plural if it has one, that the code asks gettext for or marks."""
    return {
        texts(text)
        for folder in ("app", "model")
        for _file, _line, text, *_ in extract_from_dir(ROOT / folder, METHODS)
        if text
    }


@cache
def catalogue(language: str) -> Catalog:
    """The catalogue that translators edit; nothing may change it."""
    with po_path(language).open("rb") as file:
        return read_po(file, locale=language)


def po_path(language: str) -> Path:
    return i18n.LOCALE_DIR / language / "LC_MESSAGES" / "messages.po"


def texts(message: object) -> tuple[str, ...]:
    return tuple(message) if isinstance(message, list | tuple) else (str(message or ""),)


def places(text: str) -> set[str]:
    """Names between braces: "{count} tokens" -> {"count"}."""
    return {name for _text, name, _spec, _conversion in Formatter().parse(text) if name is not None}


def entries(catalog: Catalog) -> dict[tuple[str, ...], tuple[str, ...]]:
    """All forms of each text, with all forms of its translation."""
    return {texts(entry.id): texts(entry.string) for entry in catalog if entry.id}


def test_every_text_is_translated_and_no_translation_is_stale() -> None:
    """A text inside an f-string is not found by the extraction, and stays English."""
    code = in_the_code()
    for language in TRANSLATED:
        translated = entries(catalogue(language))
        assert not code - translated.keys(), HINT
        assert not translated.keys() - code, HINT
        assert not [forms for forms, translation in translated.items() if not all(translation)], (
            HINT
        )
        assert not [entry.id for entry in catalogue(language) if entry.id and entry.fuzzy], HINT
        assert not catalogue(language).obsolete, HINT
    found = {text for forms in code for text in forms}
    for file in (ROOT / "app").rglob("*.py"):
        source = file.read_text(encoding="utf-8")
        # An extractor cannot see into _(f"…"), nor translate what was filled in before.
        assert file.name == "i18n.py" or not FILLED_BEFORE.search(source), file
        for call in ast.walk(ast.parse(source)):
            if isinstance(call, ast.Call) and getattr(call.func, "id", "") in ("_", "N_"):
                text = call.args[0]
                if isinstance(text, ast.Constant):
                    assert text.value in found, f"{file.name}: {text.value!r}"


@pytest.mark.parametrize("language", TRANSLATED)
def test_translations_keep_places_and_their_languages_typography(language: str) -> None:
    """Half of the French texts had typewriter apostrophes and blanks that let a line end at «.

    Where numbers filled in had commas, a few that stood in the text itself kept their points.
    """
    for forms, translation in entries(catalogue(language)).items():
        for form in translation:
            words = NO_WORDS.sub("x", form)
            assert places(form) == places(forms[-1])
            assert not WRONG[language].search(words), form
            assert not CALQUES[language].search(words), form
            assert not re.search(r"\d\.\d", POINTS.sub("", words)), form


def test_a_changed_text_keeps_its_translation_until_it_is_confirmed(tmp_path: Path) -> None:
    """A comma set in an English sentence once emptied its Spanish and its French."""
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8").replace("\\\n", "")
    (update,) = re.findall(r"pybabel (-q update .+?) \|\|", makefile)
    update = update.replace("$$language", "es").replace("$(LOCALE)", str(tmp_path))
    po = tmp_path / "es/LC_MESSAGES/messages.po"
    po.parent.mkdir(parents=True)
    po.write_text('msgid "Where does that come from?"\nmsgstr "¿De dónde viene?"\n')
    (tmp_path / "messages.pot").write_text('msgid "Where does this come from?"\nmsgstr ""\n')
    CommandLineInterface().run(["pybabel", *shlex.split(update)])
    with po.open("rb") as file:
        entry = read_po(file, locale="es")["Where does this come from?"]
    assert (entry.string, entry.fuzzy) == ("¿De dónde viene?", True)


def test_a_fuzzy_translation_is_not_shown(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It may say what the English said before."""
    folder = tmp_path / "es" / "LC_MESSAGES"
    folder.mkdir(parents=True)
    po = 'msgid "Heads"\nmsgstr "Cabezas"\n\n#, fuzzy\nmsgid "Layers"\nmsgstr "Capa"\n'
    (folder / "messages.po").write_text(po, encoding="utf-8")
    monkeypatch.setattr(i18n, "LOCALE_DIR", tmp_path)
    monkeypatch.setattr(i18n, "_catalogue", i18n._catalogue.__wrapped__)
    i18n.use("es")
    assert [i18n.gettext(text) for text in ("Heads", "Layers")] == ["Cabezas", "Layers"]


def test_an_untranslated_text_is_english() -> None:
    for language in (i18n.DEFAULT, "es"):
        i18n.use(language)
        assert i18n.gettext("a text nobody translated") == "a text nobody translated"
        assert i18n.gettext("") == ""
        assert i18n.ngettext("{n} nobody", "{n} nobodies", 1) == "{n} nobody"
        assert i18n.ngettext("{n} nobody", "{n} nobodies", 2) == "{n} nobodies"
    with pytest.raises(ValueError, match="choose one of en, es, fr"):
        i18n.use("../../etc")


def test_browser_locale() -> None:
    languages = {"es": "es", "es-MX": "es", "FR_ca": "fr", "de-DE": "en", "": "en", None: "en"}
    assert {locale: i18n.match(locale) for locale in languages} == languages


def test_a_choice_stays_in_its_thread_and_a_new_one_follows_the_session() -> None:
    i18n.use("fr")
    with ThreadPoolExecutor(1) as thread:
        assert thread.submit(i18n.current).result() == "en"
    assert i18n.current() == "fr"
    for session, language in (("es", "es"), ("xx", "en"), (None, "en")):
        i18n.follow(repeat(session).__next__)
        with ThreadPoolExecutor(1) as thread:
            assert thread.submit(i18n.current).result() == language


def test_what_is_no_visitors_is_made_once_a_language() -> None:
    made = []

    @i18n.once_a_language
    def texts_of(page: str) -> str:
        made.append((i18n.current(), page))
        return i18n.gettext("Search")

    for _visitor in range(30):
        for language in i18n.LANGUAGES:
            with i18n.speaking(language):
                assert texts_of("walk") == i18n.gettext("Search")
    assert made == [(language, "walk") for language in i18n.LANGUAGES]
