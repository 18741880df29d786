"""A reader's own sentence in a book: the app's screens drawn on it, with all that they offer."""

import json
from collections.abc import Mapping, Sequence
from typing import Any

from app import i18n
from app.book.cells import Cells, run_of
from app.book.links import Links
from app.book.record import OpenScreen, ScreenState, Settings
from app.book.states import CONSTANT
from app.book.tree import WrittenScreen, drawn_live
from app.data.translation import NothingToTranslateError, translate
from app.data.walk import Cell
from app.i18n import _
from app.registry import Address
from app.state import LONGEST_SENTENCE
from app.ui.chosen import decoding
from app.ui.sentence_box import first_sentence

Answer = dict[str, Any]  # what JSON can write


class LiveSession:
    """What a reader does, and what the app shows for it.

    `names` has the page and the screen of each screen of the book. What people cause is answered by
    a sentence, {"error": …}.
    """

    def __init__(
        self, language: str, model: str, names: Mapping[str, Sequence[str]], title: str = ""
    ) -> None:
        i18n.use(language)
        self.links = Links({name: Address(*at) for name, at in names.items()}, title)
        self.run = {"model": model, "lang": language, "text": first_sentence(model)}
        self.screen: OpenScreen | None = None
        self.state: ScreenState | None = None

    def sentence(self, text: str) -> Answer:
        """Translate a sentence, of which all screens are drawn from now on."""
        text = text[:LONGEST_SENTENCE]
        try:
            translation = translate(self.run["model"], text, decoding(self._settings()))
        except NothingToTranslateError:
            return {
                "error": _(
                    "There is nothing to translate yet: type a sentence or choose an example."
                )
            }
        self.run["text"] = text
        return {"text": text, "output": translation.output}

    def open(self, name: str, settings: Settings | None = None) -> Answer:
        """Draw a screen, with what was chosen on others, and some choices made on it."""
        address, chosen = self.links.screens[name], {**(settings or {}), **self.run}
        if self.screen is None:
            self.screen = OpenScreen(address, chosen, live=True)
        else:
            self.screen.go(address, chosen)
        return self._drawn(self.screen.draw())

    def choose(self, key: str, option: int | None = None) -> Answer:
        """Choose an option of a control, or press a button."""
        screen, state = self._opened()
        if option is None or key not in state.controls:
            screen.press(key)
        else:
            screen.choose(key, state.controls[key].options[option])
        return self._drawn(screen.draw())

    def type(self, key: str, text: str) -> Answer:
        """Type a text into a field."""
        screen, _state = self._opened()
        screen.type(key, text)
        return self._drawn(screen.draw())

    def send(self, key: str, value: Any) -> Answer:
        """Hand over what a component says of a click in it."""
        screen, state = self._opened()
        sender = next(node for node in state.main.walk() if node.component and node.key == key)
        return self._drawn(screen.send(sender, value))

    def cell(self, _key: str, value: Mapping[str, Any]) -> Answer:
        """Return the calculation of a number and those of what it came from, as a book does."""
        cells, cell = Cells(run_of(self._settings())), Cell(value["name"], tuple(value["index"]))
        if cells.walk.has(cell):
            for source in cells.keep(cell):
                cells.keep(source)
        return cells.data()

    def _opened(self) -> tuple[OpenScreen, ScreenState]:
        assert self.screen, "no screen is open"
        assert self.state, "no screen is open"
        return self.screen, self.state

    def _settings(self) -> Settings:
        return {**(self.state.settings if self.state else {}), **self.run}

    def _drawn(self, state: ScreenState) -> Answer:
        self.state = state
        self.run["text"] = state.settings.get("text", self.run["text"])  # unless it is too long
        cells = Cells(run_of(self._settings()))
        written = WrittenScreen(state, self.links, drawn_live, cells.opens)
        return {
            "name": self.links.name_of(state.address),
            "page": state.address.page,
            "title": self.links.title_of(state.address),
            "text": self.run["text"],
            "html": written.html,
            "settings": {k: raw for k, raw in state.settings.items() if k not in CONSTANT},
            "pieces": {**written.shared, **written.pieces},
        }


_SESSIONS: list[LiveSession] = []


def answer(call: str, arguments: str) -> str:
    """Begin a session, or call a method of it; what fails is told as {"error": …}.

    Names and values go to the browser's worker and back as JSON.
    """
    given = json.loads(arguments)
    if call == "begin":
        _SESSIONS[:] = [LiveSession(**given)]
        return "{}"
    try:
        answered = getattr(_SESSIONS[0], call)(*given)
    except MemoryError:
        raise
    except Exception as error:  # whatever the app does not foresee, the page goes on
        told = f"{type(error).__name__}: {error}"
        answered = {"error": _("This could not be computed. ({error})").format(error=told)}
    return json.dumps(answered)
