"""The pages, one row each: the navigation, the map, the timeline and the tests read this table."""

from dataclasses import dataclass
from typing import Any, Final, Literal, NamedTuple

from app.i18n import N_

# What the sidebar shows: the model and its decoding, only the decoding, the training form, or
# nothing.
Side = Literal["model", "decoding", "training", "nothing"]
# Where a chapter is on the map of the Transformer, from left to right; "steps" is the way back.
Stack = Literal["whole", "input", "encoder", "decoder", "output", "training", "steps"]


@dataclass(frozen=True)
class MapPlace:
    """A chapter on the map of the Transformer: its stack, a short name, and its role."""

    stack: Stack
    name: str
    role: str = "output"


@dataclass(frozen=True)
class TimelinePoint:
    """A point on the timeline: `lane` 0 is the trunk, 1 the lane of images, 2 the lane of text."""

    year: str
    name: str
    lane: int = 0


class Address(NamedTuple):
    """A screen of a page, each given by its slug; without a screen, the page's first one."""

    page: str
    screen: str = ""


def address_of(written: str) -> Address:
    """Return the address that content writes as "page/screen", or as a page alone."""
    page, _, screen = written.partition("/")
    return Address(page, screen)


class TourStop(NamedTuple):
    """A screen of the short tour: the words that lead to it, and the chapters that go deeper.

    A stop without words uses the introduction of its chapter.
    """

    page: str
    screen: str
    words: str = ""
    chapters: tuple[str, ...] = ()


@dataclass(frozen=True)
class View:
    """One page: its folder in app/views, its entry in the navigation, and its sidebar."""

    slug: str
    title: str
    icon: str
    section: str
    side: Side
    place: MapPlace | None = None
    points: tuple[TimelinePoint, ...] = ()

    @property
    def path(self) -> str:
        """Return the path of the page's script relative to app/script.py, as Streamlit needs it."""
        return f"views/{FOLDERS.get(self.section, '')}{self.slug}/page.py"

    @property
    def module(self) -> str:
        """Return the name of the page's module; importing it declares the page without drawing."""
        return f"app.{self.path.removesuffix('.py').replace('/', '.')}"


START: Final = ""  # a page that belongs to no section
USE: Final = N_("Use the model")
TRAIN: Final = N_("Train")
WALK: Final = N_("Step by step")
HISTORY: Final = N_("How we got here")
LOOK_UP: Final = N_("Look up")
FOLDERS: Final = {WALK: "walk/", HISTORY: "history/"}


def _walk(slug: str, title: str, icon: str, stack: Stack, name: str, role: str = "output") -> View:
    """Return a chapter of the walk, with its place on the map."""
    return View(slug, title, f":material/{icon}:", WALK, "model", MapPlace(stack, name, role))


def _history(
    slug: str, title: str, icon: str, *points: tuple[Any, ...], side: Side = "nothing"
) -> View:
    """Return a chapter of the history, with the fields of its points on the timeline."""
    shown = tuple(TimelinePoint(*point) for point in points)
    return View(slug, title, f":material/{icon}:", HISTORY, side, points=shown)


# One page per row.
VIEWS: Final = (
    View("start", N_("Start"), ":material/home:", START, "model"),
    View("tour", N_("The tour"), ":material/movie:", START, "model"),
    View("translate", N_("Translate"), ":material/translate:", USE, "model"),
    View("atlas", N_("Head atlas"), ":material/map:", USE, "model"),
    View("trace", N_("Open a trace"), ":material/file_open:", USE, "nothing"),
    View("models", N_("Models"), ":material/inventory_2:", USE, "nothing"),
    View("training", N_("Train your own"), ":material/model_training:", TRAIN, "training"),
    _walk(
        "big_picture", N_("The big picture"), "account_tree",
        "whole", N_("The whole"), "residual",
    ),
    _walk(
        "vectors", N_("From words to vectors"), "data_array",
        "input", N_("Words → vectors"), "input",
    ),
    _walk("positions", N_("Positional encoding"), "waves", "input", N_("Positions"), "input"),
    _walk(
        "self_attention", N_("Self-attention, step by step"), "hub",
        "encoder", N_("Self-attention"),
    ),
    _walk("heads", N_("Many heads"), "grid_view", "encoder", N_("Many heads")),
    _walk(
        "add_norm", N_("Add & normalise, feed-forward"), "add_circle",
        "encoder", N_("Add & norm, feed-forward"), "residual",
    ),
    _walk(
        "masked_attention", N_("Masked self-attention"), "visibility_off",
        "decoder", N_("Masked self-attention"),
    ),
    _walk(
        "cross_attention", N_("Encoder-decoder attention"), "compare_arrows",
        "decoder", N_("Encoder-decoder attention"),
    ),
    _walk("decoding", N_("Decoding, token by token"), "play_circle", "steps", N_("Token by token")),
    _walk("output", N_("Final linear and softmax"), "bar_chart", "output", N_("Linear, softmax")),
    _walk("learning", N_("How it learned"), "school", "training", N_("Learning"), "residual"),
    _walk("what_if", N_("What if?"), "experiment", "training", N_("What if?"), "residual"),
    _walk("rollout", N_("Attention through all layers"), "layers", "training", N_("All layers")),
    _walk(
        "explanation", N_("Is attention an explanation?"), "balance",
        "training", N_("A reason?"),
    ),
    _history(
        "neuron", N_("Neuron, perceptron, XOR"), "scatter_plot",
        ("1943", N_("Neuron")), ("1957", N_("Perceptron, Mark I")), ("1969", N_("XOR, AI winter")),
    ),
    _history(
        "backprop", N_("Backpropagation"), "undo",
        ("1970", N_("Derivatives backwards")), ("1986", N_("Back-propagation")),
    ),
    _history(
        "filters", N_("Filters, AlexNet, ResNet"), "grid_on",
        ("2009–12", N_("Filters, AlexNet"), 1), ("2015", N_("Residual learning"), 1),
    ),
    _history(
        "words_as_vectors", N_("Words as vectors"), "explore", ("2013", N_("Words as vectors"), 2)
    ),
    _history(
        "evolution", N_("The evolution of attention"), "timeline",
        ("2014", N_("RNN to RNN"), 2), ("2015", N_("RNNsearch: attention"), 2),
        ("2017", N_("Transformer")), side="decoding",
    ),
    View("lessons", N_("Lessons"), ":material/slideshow:", LOOK_UP, "nothing"),
    View("cheat_sheet", N_("Cheat sheet"), ":material/print:", LOOK_UP, "model"),
    View("glossary", N_("Glossary"), ":material/dictionary:", LOOK_UP, "nothing"),
    View("people", N_("People and sources"), ":material/groups:", LOOK_UP, "nothing"),
)  # fmt: skip

# The short tour, which tells the whole story once. In a chapter, the screens after a stop go deeper
# than that stop, and the screens before the chapter's first stop go deeper than that first stop.
TOUR: Final = (
    TourStop("big_picture", "box"),
    TourStop(
        "big_picture", "map",
        N_(
            "Inside are two machines: the encoder reads the source, the decoder writes the "
            "translation. You will meet each part once, from the words that go in to the word that "
            "comes out."
        ),
    ),
    TourStop("vectors", "tokens"),
    TourStop(
        "vectors", "row",
        N_(
            "An id is only a name and says nothing about meaning. So each token is replaced by a "
            "vector, a list of numbers learned in training: tokens that are used in similar ways "
            "have similar vectors."
        ),
        ("words_as_vectors",),
    ),
    TourStop("self_attention", "idea"),
    TourStop(
        "self_attention", "qkv",
        N_(
            "How does a token know where to look? It asks a question, the query. And every token "
            "offers a key, by which it is found, and a value, which it passes on."
        ),
    ),
    TourStop(
        "self_attention", "score",
        N_("Where a query and a key point the same way, their dot product is large."),
    ),
    TourStop(
        "self_attention", "softmax",
        N_(
            "A score can be any number. But attention is divided up, so we need shares: none "
            "negative, and all of them together 1."
        ),
    ),
    TourStop(
        "self_attention", "sum",
        N_("Now every token gives what it has to offer, in proportion to its weight."),
    ),
    TourStop(
        "self_attention", "z",
        N_(
            "All tokens do this at the same time. Written with matrices, it is the one line that "
            "the paper is famous for."
        ),
    ),
    TourStop("heads", "split"),
    TourStop(
        "heads", "out",
        N_(
            "What the heads found is put back together: one vector for each token, as wide as "
            "before."
        ),
        ("rollout",),
    ),
    TourStop("positions", "sum"),
    TourStop("positions", "lost", N_("Does the model really need them?")),
    TourStop("add_norm", "add", chapters=("filters",)),
    TourStop(
        "add_norm", "norm",
        N_(
            "Every layer adds something, so the numbers would keep growing. Before each next step "
            "they are brought back to the same scale."
        ),
    ),
    TourStop(
        "add_norm", "ffn",
        N_(
            "Attention has moved information between tokens. Now each token works alone on what it "
            "has gathered."
        ),
        ("neuron",),
    ),
    TourStop(
        "big_picture", "stacks",
        N_(
            "Attention, then feed-forward: that is one layer. Layers are stacked, and each refines "
            "what the one below has made."
        ),
    ),
    TourStop("masked_attention", "mask"),
    TourStop("cross_attention", "made", chapters=("evolution",)),
    TourStop(
        "cross_attention", "map",
        N_(
            "This is how the decoder finds its way in the source, though nobody told it which word "
            "belongs to which."
        ),
        ("explanation",),
    ),
    TourStop("output", "linear"),
    TourStop(
        "output", "softmax",
        N_(
            "The softmax that you know from attention, now over the whole vocabulary: a "
            "probability for every token that could come next."
        ),
    ),
    TourStop("decoding", "loop"),
    TourStop("learning", "teacher"),
    TourStop(
        "learning", "loss",
        N_("To learn, a model needs a single number that says how wrong it was."),
        ("backprop",),
    ),
    TourStop(
        "learning", "maps",
        N_(
            "Step by step the loss falls, and what you have seen takes shape. That is the whole "
            "Transformer, told once; most screens of the tour lead deeper."
        ),
        ("what_if",),
    ),
)  # fmt: skip
# Pages that were merged into another one, and the screen of it that now comes first for them; their
# screens are found under the same slugs there, unless MOVED says otherwise.
MERGED: Final = {
    "perceptron": Address("neuron", "points"),
    "residual": Address("filters", "race"),
    "seq2seq": Address("evolution", "unrolled"),
    "rnnsearch": Address("evolution", "map"),
}
# Screens that were merged into a screen of another page; a section's `was` names the screens of its
# own page that it replaced.
MOVED: Final = {
    Address("vectors", "one-hot"): Address("learning", "whole"),
    Address("vectors", "mask"): Address("masked_attention", "batch"),
    Address("words_as_vectors", "picture"): Address("vectors", "picture"),
    Address("words_as_vectors", "bytes"): Address("vectors", "picture"),
    Address("words_as_vectors", "by-hand"): Address("vectors", "by-hand"),
    Address("evolution", "it"): Address("heads", "it"),
    Address("seq2seq", "ways"): Address("decoding", "ways"),
    Address("seq2seq", "totals"): Address("decoding", "ways"),
}


def of_section(section: str) -> list[View]:
    """Return the rows of a section, in their order."""
    return [view for view in VIEWS if view.section == section]


def moved(address: Address) -> Address:
    """Return where a screen is now, if its page was merged or it moved to another page."""
    if address in MOVED:
        return MOVED[address]
    there = MERGED.get(address.page)
    return address if there is None else Address(there.page, address.screen or there.screen)


def neighbours(slug: str) -> tuple[str | None, str | None]:
    """Return the pages before and after a page with screens, in the order of all such pages."""
    way = [view.slug for view in VIEWS if view.section in (WALK, HISTORY)]
    at = way.index(slug)
    return (way[at - 1] if at > 0 else None), (way[at + 1] if at + 1 < len(way) else None)


_OF_PAGES: Final = {view.slug: view for view in VIEWS}
_BY_SLUG: Final = _OF_PAGES | {slug: _OF_PAGES[there.page] for slug, there in MERGED.items()}


def view_of(slug: str) -> View:
    """Return the row of a page, or of the one that it was merged into."""
    return _BY_SLUG[slug]


def path_of(slug: str) -> str | None:
    """Return the path of a page's script; None if there is no such page."""
    view = _BY_SLUG.get(slug)
    return None if view is None else view.path
