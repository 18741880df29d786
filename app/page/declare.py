"""How a page is declared: its choices, its screens and their code, its question.

`app.page.frame` draws every page alike. S is what a page's `select` returns: its choice of word,
layer, head or setting, made once and handed to every part.
"""

from collections.abc import Callable, Sequence
from dataclasses import KW_ONLY, dataclass, field
from typing import Any, Final, Generic, TypeVar

from app.data.translation import Kind
from app.data.walk import Walk
from app.i18n import N_, _
from app.inspector.head import Head, look_of, pick_look
from app.page.quiz import QuizTask

S = TypeVar("S")
# A text in English, translated when it is drawn, or what makes one of the choice.
Text = str | Callable[[S], str]
# Whether the page's choices matter to a screen: to an example by hand they do not. Or those that
# do, in place of the page's; where all screens are drawn at once, the page's are.
Choices = bool | Callable[[S], None]
Draw = Callable[[S], None]
# The screen that ends each page: what many believe, and a question.
TASK: Final = N_("Your turn")


@dataclass(frozen=True)
class Code:
    """One step: its formula (LaTeX), and where our code does it: "module:qualname"."""

    title: str
    formula: str
    source: str


@dataclass(frozen=True)
class Drawer(Generic[S]):
    """A further case of a screen's idea, below it: drawn once it is opened, or its address is."""

    slug: str
    title: str
    draw: Draw[S]
    when: Callable[[S], bool] = lambda _chosen: True
    was: tuple[str, ...] = ()


@dataclass(frozen=True)
class Section(Generic[S]):
    """One idea of a page, a screen: its address, its title, and what says its words and draws it.

    The first one may have the page's own title; `when` says whether it is there at all. `code` is
    a drawer below it, after its other ones. `was` are the addresses of earlier screens that it took
    in.
    """

    slug: str
    title: Text[S]
    draw: Draw[S]
    when: Callable[[S], bool] = lambda _chosen: True
    pick: Choices[S] = True
    # What a list of all screens calls it, where the title depends on what is chosen.
    name: str = ""
    code: Sequence[Code] = ()
    was: tuple[str, ...] = ()
    drawers: list[Drawer[S]] = field(default_factory=list)


class Screens(list[Section[S]], Generic[S]):
    """The screens of a page in their order: each is added by decorating the function that draws it.

    The function says its words (`say`) and draws its picture in the order in which they are read.
    """

    def __call__(
        self,
        slug: str,
        title: Text[S],
        *code: Code,
        when: Callable[[S], bool] = lambda _chosen: True,
        pick: Choices[S] = True,
        name: str = "",
        was: tuple[str, ...] = (),
    ) -> Callable[[Draw[S]], Draw[S]]:
        """Add a screen; its arguments are the fields of a `Section`."""

        def add(draw: Draw[S]) -> Draw[S]:
            self.append(Section(slug, title, draw, when, pick, name, code, was))
            return draw

        return add

    def drawer(
        self,
        slug: str,
        title: str,
        *,
        when: Callable[[S], bool] = lambda _chosen: True,
        was: tuple[str, ...] = (),
    ) -> Callable[[Draw[S]], Draw[S]]:
        """Add a drawer to the screen that was added last."""

        def add(draw: Draw[S]) -> Draw[S]:
            self[-1].drawers.append(Drawer(slug, title, draw, when, was))
            return draw

        return add


@dataclass(frozen=True)
class Myth:
    """What many believe, and what the numbers on the screen say of it; both are Markdown."""

    claim: str
    truth: str


@dataclass(frozen=True)
class Page(Generic[S]):
    """What every page has; `pick` draws the choices that all sections share."""

    slug: str
    intro: str
    sections: Sequence[Section[S]]
    task: Callable[[S], QuizTask]
    _: KW_ONLY
    pick: Callable[[S], None] = lambda _chosen: None
    myth: Callable[[S], Myth] | None = None
    # The choices that the mistake and the question are about.
    task_pick: Choices[S] = True
    # How often the page runs again by itself, in seconds.
    run_every: Callable[[], float | None] = lambda: None

    def now(self, slug: str) -> str:
        """Return the screen that an address leads to: its own, or the one that took it in."""
        moved = {"myth": "task"}
        for part in reversed(self.sections):
            code = ("code",) if part.code else ()
            drawers = (at for drawer in part.drawers for at in (drawer.slug, *drawer.was))
            moved |= dict.fromkeys((*part.was, *drawers, *code), part.slug)
        return moved.get(slug, slug)

    def drawers(self) -> Sequence[Drawer[S]]:
        """Return those of all its screens."""
        return [drawer for part in self.sections for drawer in part.drawers]


@dataclass(frozen=True, kw_only=True)
class WalkPage(Page[S]):
    """A page about one translated sentence, any number of which can be opened.

    `scopes` are the parts of the model that its badge recomputes.
    """

    select: Callable[[Walk], S]
    scopes: Callable[[S], Sequence[str]]
    # Where in the model one looks, for the pictures that are kept: "layer 2", "head 3".
    place: Callable[[S], Sequence[str]] = lambda _chosen: ()
    # The same sentence in another light: all that the page shows is then of what this returns.
    lens: Callable[[Walk], Walk] = lambda walk: walk
    # Whether it shows the visitor's changed run: a page of experiments begins with the unchanged.
    changed: bool = True
    # The one model that the page is about, and the sentence that it begins with; otherwise the
    # visitor's choice, and the first example.
    model: str | None = None
    sentence: str | None = None


@dataclass(frozen=True, kw_only=True)
class HistoryPage(Page[S]):
    """A page about small networks of its own."""

    select: Callable[[], S]


def look_page(
    slug: str, kind: Kind, first: Callable[[Head], int], **declared: Any
) -> WalkPage[Head]:
    """Return a page about one token in one head; `first` says which token it is at first.

    The other fields are those of a `WalkPage`.
    """
    return WalkPage(
        slug=slug,
        select=lambda walk: look_of(walk, kind, first),
        pick=pick_look,
        place=lambda head: head.place,
        **declared,
    )


def text_of(text: Text[S], chosen: S) -> str:
    """Return a text in the language of the interface."""
    return _(text) if isinstance(text, str) else text(chosen)
