"""A book is written: each screen in its states, and the scripts and styles that all of them share."""

import base64
import json
import zlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from pathlib import Path
from string import Template
from typing import Any, Final

from app import i18n
from app.book.record import State
from app.book.states import Recording, record
from app.book.tree import Writer, piece_name
from app.charts.theme import _colours, palette
from app.components.document import safe, _theme
from app.components.shared.library import COMPONENTS, KINDS, add, script
from app.i18n import _
from app.page.contents import every_screen, name_of, title_of
from app.registry import Address, view_of

FOLDER: Final = Path(__file__).parent
APP: Final = FOLDER.parent
NAME: Final = "Illuminated Transformer"


@dataclass(frozen=True)
class Plan:
    """What a book holds: a model's sentences, the languages it speaks, and its screens in order."""

    model: str
    sentences: Sequence[str]
    languages: Sequence[str]
    screens: Sequence[Address]
    most: int = 170_000  # bytes of a screen's states, before pairs of choices are left out

    def name(self, address: Address) -> str:
        """Return the name of a screen's file, without its ending."""
        return ".".join(filter(None, address))


def screens_of(pages: Sequence[str]) -> list[Address]:
    """Return the screens of some chapters, in their order."""
    return [at for at in every_screen() if at.page in pages and at.screen]


def build(plan: Plan, out: Path, tell: Callable[[str], None] = lambda _text: None) -> None:
    """Write the book into a folder; raises OSError."""
    assets = Assets(out)
    for language in plan.languages:
        with i18n.speaking(language):
            for number, sentence in enumerate(plan.sentences, start=1):
                Walk(plan, assets, language, number, sentence).write(tell)
    first = f"{plan.languages[0]}/1/{plan.name(plan.screens[0])}.html"
    (out / "index.html").write_text(_redirect(first), encoding="utf-8")


class Assets:
    """The files that several pages load, each named by what is in it."""

    def __init__(self, out: Path) -> None:
        self.out = out
        (out / "assets").mkdir(parents=True, exist_ok=True)
        self.script = self.write("book", ".js", program())
        self.style = self.write("style", ".css", style())

    def write(self, name: str, ending: str, text: str) -> str:
        """Write a file, and return its address from a page's folder."""
        file = f"{name}.{sha256(text.encode()).hexdigest()[:10]}{ending}"
        (self.out / "assets" / file).write_text(text, encoding="utf-8")
        return f"../../assets/{file}"


class Walk:
    """The screens of one sentence in one language."""

    def __init__(
        self, plan: Plan, assets: Assets, language: str, number: int, sentence: str
    ) -> None:
        self.plan, self.assets = plan, assets
        self.language, self.number, self.sentence = language, number, sentence
        self.folder = assets.out / language / str(number)
        self.folder.mkdir(parents=True, exist_ok=True)
        self.names = {plan.name(address): address for address in plan.screens}
        self.shared: dict[str, str] = {}

    def write(self, tell: Callable[[str], None]) -> None:
        """Run and write all screens."""
        files: dict[str, str] = {}
        pages = []
        for name, address in self.names.items():
            tell(f"{self.language} {self.number} {name}")
            parts, page = self._screen(name, address)
            for part, content in parts.items():
                files[part] = self._data(part, content)
            pages.append((name, page))
        files["shared"] = self.assets.write(
            f"shared.{self.language}", ".js", packed("shared", {"pieces": self.shared})
        )
        files["index"] = self._data("index", self._index(files))
        for name, page in pages:
            sources = [files["index"], files["shared"], files[name]]
            self._page(name, page, sources)

    def _screen(self, name: str, address: Address) -> tuple[dict[str, Any], tuple[str, str]]:
        """Return the data of a screen by their names, and its title and text as it opens."""
        settings = {"model": self.plan.model, "text": self.sentence, "lang": self.language}
        known: set[str] = set()

        def weigh(state: State) -> int:
            writer = Writer(state.controls, state.texts, lambda *_: True, self._link, self._shape)
            pieces = writer.write(state.main).pieces
            fresh = [text for key, text in pieces.items() if key not in known]
            known.update(pieces)
            return sum(len(zlib.compress(text.encode(errors="replace"))) * 4 // 3 for text in fresh)

        recording = record(address, settings, self.plan.most, weigh)
        first, *others = [self._written(state, recording) for state in recording.states]
        title = f"{title_of(address)} · {NAME}"
        html, pieces = first
        screen = {
            "page": address.page,
            "title": title,
            "html": html,
            "settings": recording.states[0].settings,
            "choices": recording.choices,
            "events": recording.events,
            "pieces": pieces,
        }
        parts: dict[str, Any] = {name: screen}
        if others:
            screen["states"] = f"{name}+"
            more = {key: text for _html, own in others for key, text in own.items()}
            states = [
                {"settings": state.settings, "html": html}
                for state, (html, _own) in zip(recording.states[1:], others, strict=True)
            ]
            fresh = {key: text for key, text in more.items() if key not in pieces}
            parts[f"{name}+"] = {"states": states, "pieces": fresh}
        return parts, (title, filled(html, pieces))

    def _written(self, state: Any, recording: Recording) -> tuple[str, dict[str, str]]:
        def offers(key: str, option: int) -> bool:
            made = recording.choices.get(key, [])
            return option < len(made) and made[option] is not None

        writer = Writer(state.controls, state.texts, offers, self._link, self._shape)
        written = writer.write(state.main)
        self.shared |= writer.shared
        return written.html, written.pieces

    def _link(self, path: str) -> str | None:
        first = self._first().get(path)
        return None if first is None else f"{first}.html"

    def _first(self) -> dict[str, str]:
        found: dict[str, str] = {}
        for name, address in self.names.items():
            found.setdefault(address.page, name)
        return found

    def _shape(self, kind: str, fixed: Any) -> Any:
        """Return what a component draws, as far as the book has what it leads to."""
        if kind == "search":
            pages = self._first()
            finds = [f for f in fixed["finds"] if f[3] in pages and f[0] != "head"]
            return fixed | {"finds": [f for f in finds if self._has(f[3], f[4])]}
        return fixed

    def _has(self, page: str, screen: str) -> bool:
        return not screen or self.plan.name(Address(page, screen)) in self.names

    def _index(self, files: Mapping[str, str]) -> dict[str, Any]:
        last = {address.page: name for name, address in self.names.items()}
        return {
            "language": self.language,
            "palette": palette(),
            "colours": {"light": _colours("light"), "dark": _colours("dark")},
            "screens": dict.fromkeys(self.names, 1),
            "first": self._first(),
            "last": last,
            "files": files,
            "text": texts(),
        }

    def _data(self, name: str, content: Any) -> str:
        text = packed(name, content)
        file = f"{name}.{sha256(text.encode()).hexdigest()[:10]}.js"
        (self.folder / file).write_text(text, encoding="utf-8")
        return file

    def _page(self, name: str, page: tuple[str, str], sources: Sequence[str]) -> None:
        title, body = page
        scripts = "".join(
            f'<script src="{safe(source)}" defer></script>\n'
            for source in (self.assets.script, *sources)
        )
        text = Template((FOLDER / "page.html").read_text(encoding="utf-8")).substitute(
            language=self.language,
            sources="'self' file:",
            scripts="'self' file:",
            title=safe(title),
            styles=f'<link rel="stylesheet" href="{self.assets.style}">',
            screen=safe(name),
            header=self._header(name),
            body=body,
            footer="",
            data=scripts,
        )
        (self.folder / f"{name}.html").write_text(text, encoding="utf-8")

    def _header(self, name: str) -> str:
        languages = [(f"../../{code}/{self.number}/{name}.html", i18n.LANGUAGES[code]) for code in self.plan.languages]
        here = f"../../{self.language}/{self.number}/{name}.html"
        sentences = [
            (f"../../{self.language}/{i}/{name}.html", text)
            for i, text in enumerate(self.plan.sentences, start=1)
        ]
        return (
            f'<a class="name" href="../../index.html">{NAME}</a>'
            + _menu(_("The sentence"), sentences, here)
            + _menu(_("Language"), languages, here)
            + f'<button type="button" data-mode>{safe(_("Light or dark"))}</button>'
        )


def filled(html: str, pieces: Mapping[str, str]) -> str:
    """Return a screen's HTML with its texts in their places, to be read without a script."""
    parts = html.split('<div class="piece" data-piece="')
    for i, part in enumerate(parts[1:], start=1):
        name, _end, rest = part.partition('"></div>')
        parts[i] = f'{name}">{pieces[name]}</div>{rest}'
    return '<div class="piece" data-piece="'.join(parts)


def packed(name: str, content: Any) -> str:
    """Return a script that hands some data to the book, packed."""
    text = json.dumps(content, ensure_ascii=False, separators=(",", ":"))
    data = base64.b64encode(zlib.compress(text.encode(errors="replace"), 9)).decode()
    return f"book_take({json.dumps(name)}, \"{data}\");\n"


@cache
def program() -> str:
    """Return the script of a book: the app's components, its charts, and what leads through it."""
    modules: dict[Path, str] = {}
    drawn = script(KINDS, modules)
    known = set(modules)
    for file in (FOLDER / "chart/chart.js", FOLDER / "runtime/book.js"):
        add(file, modules)
    picture = COMPONENTS / "document" / "picture" / "picture.css"
    looks = "\n".join(f.read_text(encoding="utf-8") for f in (picture, FOLDER / "chart/chart.css"))
    own = [text for file, text in modules.items() if file not in known]
    return "\n".join(
        [
            drawn,
            *own,
            f'shared_mount.define("chart", chart_chart.build, {json.dumps(looks)});',
            "globalThis.book_take = runtime_book.take;",
            'addEventListener("DOMContentLoaded", runtime_book.start);',
        ]
    )


@cache
def style() -> str:
    """Return the style sheet of a book: what Streamlit's page gives, then the app's own."""
    own = Template((FOLDER / "book.css").read_text(encoding="utf-8"))
    base = own.safe_substitute(light=_theme("light"), dark=_theme("dark"))
    app = (APP / "style.css").read_text(encoding="utf-8")
    return f"{base}\n{app}\n{(FOLDER / 'last.css').read_text(encoding='utf-8')}"


def texts() -> dict[str, Any]:
    """Return what the book says of itself."""
    return {
        "missing": _("This screen is not in this book."),
        "only": _("This book does not hold this choice: the app does."),
        "nearest": _("This book does not hold these choices together: it shows the nearest."),
        "cell": _("This book does not hold the calculation of this number: the app does."),
        "frame": _("Copy as a frame"),
        "copied": _("Copied: paste it into another page."),
        "table": _("Table"),
        "chart": {
            "hint": _("Point at the picture, or walk with the arrow keys, to read its numbers."),
            "many": _(
                "There are too many numbers to point at in a file: the tables below have them."
            ),
        },
    }


def _menu(label: str, options: Sequence[tuple[str, str]], here: str) -> str:
    if len(options) < 2:
        return f"<span>{safe(options[0][1])}</span>"
    rows = "".join(
        f'<option value="{safe(href)}"{" selected" if href == here else ""}>{safe(text)}</option>'
        for href, text in options
    )
    return f'<select aria-label="{safe(label)}" data-goes>{rows}</select>'


def _redirect(href: str) -> str:
    return (
        '<!doctype html>\n<meta charset="utf-8">\n'
        f'<meta http-equiv="refresh" content="0; url={safe(href)}">\n'
        f'<title>{NAME}</title>\n<a href="{safe(href)}">{NAME}</a>\n'
    )
