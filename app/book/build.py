"""A book is written: each screen in its states, with the scripts and styles that all share."""

import base64
import hashlib
import json
import shutil
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import chain, repeat
from multiprocessing import get_context
from pathlib import Path
from string import Template
from typing import Any, Final

from streamlit import config
from streamlit.logger import set_log_level

from app import i18n
from app.book import beyond
from app.book.assets import NAME, program, style, texts
from app.book.cells import Cells, run_of
from app.book.links import Links
from app.book.record import ScreenFailedError, ScreenState, Settings
from app.book.states import record
from app.book.tree import WrittenScreen
from app.charts.theme import palette
from app.components.document import safe, script_hash
from app.components.shared import FIGURES
from app.format import visible
from app.i18n import _
from app.lesson import Lesson
from app.page.contents import every_screen
from app.registry import Address
from app.ui.sentence_box import first_sentence

PAGE: Final = Path(__file__).with_name("page.html")
# Bytes of a screen's states, packed: from there on, no pairs of choices are recorded.
ROOM: Final = 120_000
# Bytes until a screen is drawn: of the first one, with all that the others share, and of others.
FIRST: Final = 600_000
FURTHER: Final = 200_000
LONG: Final = 20_000  # characters of a text that does not stand in its page's own HTML
MODEL: Final = "es-en"


@dataclass(frozen=True)
class BookEntry:
    """A screen of a book: its file's name, its address in the app, and what is chosen on it."""

    name: str
    address: Address
    settings: Settings = field(default_factory=dict)


@dataclass(frozen=True)
class BookPlan:
    """What a book holds: screens in their order, each on all sentences and in all languages."""

    entries: Sequence[BookEntry]
    sentences: Sequence[str]
    languages: Sequence[str] = (i18n.DEFAULT,)
    model: str = MODEL
    title: str = ""
    room: int = ROOM  # 0: no choice is recorded
    app: str = ""  # where the app itself runs, if readers are to be led there


def chapters(pages: Sequence[str]) -> list[BookEntry]:
    """Return the screens of some chapters; raises ValueError for a name that is none."""
    screens = [at for at in every_screen() if at.screen]
    known = {at.page for at in screens}
    if wrong := [page for page in pages if page not in known]:
        raise ValueError(f"There is no chapter {wrong[0]!r}, only {', '.join(sorted(known))}.")
    return [BookEntry(".".join(at), at) for at in screens if at.page in pages]


def of_lesson(lesson: Lesson) -> list[BookEntry]:
    """Return the screens of a lesson."""
    code = lesson.to_link()
    return [
        BookEntry(
            str(i + 1), Address(s.page, s.screen), {**s.settings, "lesson": code, "at": str(i)}
        )
        for i, s in enumerate(lesson.stops)
    ]


def _say_nothing(_text: str) -> None:
    """What a book's maker tells on the way is for the command line."""


def build(
    plan: BookPlan,
    out: Path,
    tell: Callable[[str], None] = _say_nothing,
    jobs: int = 1,
) -> None:
    """Write the book into a new folder, as many sentences at a time as there are jobs.

    It is written aside and stands there once it is whole. Raises OSError, and ValueError for a
    folder that has files and for a book of which a screen fails.
    """
    if out.is_dir() and any(out.iterdir()):
        raise ValueError(f"The folder {out} is not empty.")
    with written_aside(out) as folder:
        _build(plan, folder, tell, jobs)


@contextmanager
def written_aside(out: Path) -> Iterator[Path]:
    """Yield where to write a file or folder, which takes its own place once it is whole."""
    aside = out.with_name(f".{out.name}.unfinished")
    _remove(aside)  # what a build left that was killed at once
    try:
        yield aside
        if out.is_dir():
            out.rmdir()
        aside.replace(out)
    finally:
        _remove(aside)


def _remove(path: Path) -> None:
    if path.is_dir():
        shutil.rmtree(path, ignore_errors=True)
    else:
        path.unlink(missing_ok=True)


def _build(plan: BookPlan, out: Path, tell: Callable[[str], None], jobs: int) -> None:
    assets = Assets(out)
    if jobs == 1:
        failed = [_write(edition, assets, tell) for edition in _editions(plan)]
    else:
        with ProcessPoolExecutor(jobs, get_context("spawn"), quiet) as pool:
            try:
                failed = list(pool.map(_write, _editions(plan), repeat(assets), repeat(tell)))
            except BaseException:
                pool.shutdown(cancel_futures=True)
                raise
    if any(failed):
        raise ScreensFailedError(chain.from_iterable(failed))
    first = f"1/{plan.entries[0].name}.html"
    for language in plan.languages:
        (out / language / "index.html").write_text(_redirect(first), encoding="utf-8")
    whole = _redirect(f"{plan.languages[0]}/{first}")
    (out / "index.html").write_text(whole, encoding="utf-8")


def _write(edition: "Edition", assets: "Assets", tell: Callable[[str], None]) -> list[str]:
    """Write an edition; return its screens that failed."""
    with i18n.speaking(edition.language):
        try:
            edition.write(assets, tell)
        except ScreensFailedError as error:
            return error.screens
    return []


def quiet() -> None:
    """Say nothing of the server that Streamlit misses at each run."""
    config.get_config_options()  # which would set the level again
    set_log_level("error")


def single(plan: BookPlan, tell: Callable[[str], None] = _say_nothing) -> str:
    """Return the book of the first sentence and language as one file, with all it needs in it."""
    one = replace(plan, sentences=plan.sentences[:1], languages=plan.languages[:1])
    edition = next(_editions(one, single=True))
    with i18n.speaking(edition.language):
        return edition.file(tell)


def _editions(plan: BookPlan, single: bool = False) -> Iterator["Edition"]:
    for language in plan.languages:
        for number, sentence in enumerate(plan.sentences, start=1):
            yield Edition(plan, language, number, sentence, single)


class ScreensFailedError(ValueError):
    """Some screens could not be drawn: a book has all of them, or it is not written."""

    def __init__(self, screens: Iterable[str]) -> None:
        self.screens = list(screens)
        lines = "\n  ".join(self.screens)
        super().__init__(f"No book was written, because these screens failed:\n  {lines}")


class Assets:
    """The files that several pages load, each named by what is in it."""

    def __init__(self, out: Path) -> None:
        self.out = out
        (out / "assets").mkdir(parents=True)
        self.script = self.write("book", ".js", program())
        self.style = self.write("style", ".css", style())

    def write(self, name: str, ending: str, text: str) -> str:
        """Write a file, and return its address from a page's folder."""
        file = f"{name}.{_hash(text).hex()[:10]}{ending}"
        (self.out / "assets" / file).write_text(text, encoding="utf-8")
        return f"../../assets/{file}"


@dataclass
class Edition:
    """The screens of one sentence in one language, in a folder or in a `single` file."""

    plan: BookPlan
    language: str
    number: int
    sentence: str
    single: bool
    shared: dict[str, str] = field(default_factory=dict)

    @cached_property
    def links(self) -> Links:
        """The book's screens."""
        return Links({entry.name: entry.address for entry in self.plan.entries}, self.plan.title)

    def write(self, assets: Assets, tell: Callable[[str], None]) -> None:
        """Run all screens and write them as a folder."""
        folder = assets.out / self.language / str(self.number)
        folder.mkdir(parents=True)
        files: dict[str, str] = {}

        def keep(name: str, content: Any) -> None:
            text = packed(name, content)
            files[name] = f"{name}.{_hash(text).hex()[:10]}.js"
            (folder / files[name]).write_text(text, encoding="utf-8")

        pages = self._pages(keep, tell)
        shared = packed("shared", {"pieces": self.shared})
        files["shared"] = assets.write(f"shared.{self.language}", ".js", shared)
        keep("index", self._index(files))
        link = f'<link rel="stylesheet" href="{assets.style}">'
        for name, (title, body) in pages.items():
            sources = assets.script, files["index"], files["shared"], files[name]
            scripts = (f'<script src="{safe(source)}" defer></script>' for source in sources)
            policy = "'self' file:"
            text = self._page(name, title, body, link, "\n".join(scripts), policy)
            (folder / f"{name}.html").write_text(text, encoding="utf-8")
        first = f"{self.plan.entries[0].name}.html"
        text = beyond.page(self.language, assets.style, self.plan.app, first)
        (folder / beyond.FILE).write_text(text, encoding="utf-8")
        for name, size in self._large(folder, files, assets):
            tell(f"{self.language} {self.number} {name}: {size // 1000} kB before it is drawn")

    def _large(
        self, folder: Path, files: Mapping[str, str], assets: Assets
    ) -> Iterator[tuple[str, int]]:
        """Yield the screens, with their bytes, that take more than a book should."""
        common = (assets.script, assets.style, files["shared"], files["index"])
        shared = sum((folder / file).stat().st_size for file in common)
        for i, entry in enumerate(self.plan.entries):
            own = (f"{entry.name}.html", files[entry.name])
            size = sum((folder / file).stat().st_size for file in own)
            whole = size if i else shared + size
            if whole > (FURTHER if i else FIRST):
                yield entry.name, whole

    def file(self, tell: Callable[[str], None]) -> str:
        """Run all screens and return them as one file."""
        data: list[str] = []
        pages = self._pages(lambda name, content: data.append(packed(name, content)), tell)
        data.append(packed("shared", {"pieces": self.shared}))
        data.append(packed("index", self._index({})))
        script = "\n".join([program(), *data])
        name, (title, body) = next(iter(pages.items()))
        look, data_ = f"<style>{style()}</style>", f"<script>{script}</script>"
        return self._page(name, title, body, look, data_, script_hash(script))

    def _pages(
        self, keep: Callable[[str, Any], None], tell: Callable[[str], None]
    ) -> dict[str, tuple[str, str]]:
        """Hand over the data of all screens; return their titles and texts as they open.

        Raises ScreensFailedError, after the last screen.
        """
        pages, failed = {}, []
        for entry in self.plan.entries:
            name = f"{self.language} {self.number} {entry.name}"
            tell(name)
            try:
                pages[entry.name] = self._screen(entry, keep)
            except ScreenFailedError as error:
                failed.append(f"{name}: {error}")
        if failed:
            raise ScreensFailedError(failed)
        return pages

    def _screen(self, entry: BookEntry, keep: Callable[[str, Any], None]) -> tuple[str, str]:
        own = {"model": self.plan.model, **entry.settings, "lang": self.language}
        own["text"] = self.sentence or own.get("text") or first_sentence(own["model"])
        recording = record(entry.address, own, self.plan.room, self._scales())
        cells = Cells(run_of(own))
        first, *others = written = [
            WrittenScreen(state, self.links, recording.offers, cells.opens)
            for state in recording.states
        ]
        for one in written:
            self.shared |= one.shared
        title = self.links.title_of(entry.address)
        screen: dict[str, Any] = {
            "page": entry.address.page,
            "title": title,
            "html": first.html,
            "settings": recording.states[0].settings,
            "choices": recording.choices,
            "events": recording.events,
            "pieces": first.pieces,
        }
        if others:
            screen["states"] = f"{entry.name}+"
            states = [
                {"settings": state.settings, "html": other.html}
                for state, other in zip(recording.states[1:], others, strict=True)
            ]
            more = {key: text for other in others for key, text in other.pieces.items()}
            fresh = {key: text for key, text in more.items() if key not in first.pieces}
            keep(f"{entry.name}+", {"states": states, "pieces": fresh})
        cells.take(state.main for state in recording.states)
        if cells.panels:
            screen["cells"] = f"{entry.name}="
            keep(f"{entry.name}=", cells.data())
        keep(entry.name, screen)
        return title, filled(first.html, first.pieces)

    def _scales(self) -> Callable[[ScreenState], int]:
        """Return what tells how many bytes a state adds to those before it."""
        known: set[str] = set()

        def weigh(state: ScreenState) -> int:
            whole = WrittenScreen(state, self.links, lambda *_option: True, lambda _items: False)
            pieces = whole.pieces
            fresh = [text for key, text in pieces.items() if key not in known]
            known.update(pieces)
            return sum(len(zlib.compress(_bytes(text))) * 4 // 3 for text in fresh)

        return weigh

    def _index(self, files: Mapping[str, str]) -> dict[str, Any]:
        steps = {str(i): entry.name for i, entry in enumerate(self.plan.entries)}
        is_lesson = any("lesson" in entry.settings for entry in self.plan.entries)
        return {
            "language": self.language,
            "figures": [*sorted(FIGURES - {"chips"}), "chart"],
            "palette": palette(),
            "screens": dict.fromkeys(self.links.screens, 1),
            "first": self.links.first,
            "last": self.links.last,
            "steps": steps if is_lesson else None,
            "files": files,
            "text": texts() | ({} if self.single else {"app": beyond.label()}),
            "single": self.single,
        }

    def _page(self, name: str, title: str, body: str, look: str, data: str, policy: str) -> str:
        return Template(PAGE.read_text(encoding="utf-8")).substitute(
            language=self.language,
            scripts=policy,
            title=safe(title),
            styles=look,
            screen=safe(name),
            header=self._header(name),
            body=body,
            data=data,
        )

    def _header(self, name: str) -> str:
        """Return the line above a page: the other sentences and languages, and the colours."""

        def menu(label: str, options: Sequence[tuple[str, str]], here: str) -> str:
            if len(options) < 2:
                return ""
            rows = "".join(
                f'<option value="{safe(place)}"{" selected" if place == here else ""}>'
                f"{safe(visible(text))}</option>"
                for place, text in options
            )
            return (
                f'<select autocomplete="off" aria-label="{safe(label)}" data-goes>{rows}</select>'
            )

        numbers = enumerate(self.plan.sentences, start=1)
        sentences = [(f"{self.language}/{number}", text) for number, text in numbers]
        languages = [
            (f"{code}/{self.number}", i18n.LANGUAGES[code]) for code in self.plan.languages
        ]
        here = f"{self.language}/{self.number}"
        others = menu(_("The sentence"), sentences, here) + menu(_("Language"), languages, here)
        colours = _("Light or dark")
        return (
            f'<a class="name" href="#" data-screen="{safe(self.plan.entries[0].name)}">'
            f"{safe(self.plan.title or NAME)}</a>"
            f"{others}{self._beyond_link()}"
            f'<button type="button" data-mode="" aria-label="{safe(colours)}" '
            f'title="{safe(colours)}">◐</button>'
        )

    def _beyond_link(self) -> str:
        """Return the link to what needs the app, which a book of one file has no place for."""
        return "" if self.single else f'<a href="{beyond.FILE}">{safe(beyond.label())}</a>'


def filled(html: str, pieces: Mapping[str, str]) -> str:
    """Return a screen's HTML with its texts in their places, to be read without a script.

    What is long, a table in a drawer, would be loaded twice: the script puts it there.
    """
    mark = '<div class="piece" data-piece="'
    first, *parts = html.split(mark)
    for i, part in enumerate(parts):
        name, _end, rest = part.partition('"></div>')
        text = pieces[name] if len(pieces[name]) < LONG else ""
        parts[i] = f'{mark}{name}">{text}</div>{rest}'
    return "".join([first, *parts])


def packed(name: str, content: Any) -> str:
    """Return a script that hands some data to the book, packed.

    Base 85 takes a sixteenth less than base 64; with a comma for its "<" it closes no script.
    """
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    data = base64.b85encode(zlib.compress(_bytes(text), 9)).decode().replace("<", ",")
    return f'book_take({json.dumps(name)}, "{data}");\n'


def _bytes(text: str) -> bytes:
    return text.encode(errors="replace")


def _hash(text: str) -> bytes:
    return hashlib.sha256(_bytes(text)).digest()


HEAD: Final = (
    '<!doctype html>\n<html lang="en"><meta charset="utf-8">\n'
    '<meta http-equiv="Content-Security-Policy" content="default-src \'none\'">\n'
)


def _redirect(href: str) -> str:
    return (
        f'{HEAD}<meta http-equiv="refresh" content="0; url={safe(href)}">\n'
        f'<title>{NAME}</title>\n<a href="{safe(href)}">{NAME}</a></html>\n'
    )
