"""The last vector, and a score for each token of the vocabulary."""

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.components.chips import Chip, chips
from app.data.translation import Token
from app.data.walk import Walk
from app.format import grouped, number, quoted
from app.i18n import N_, _
from app.inspector.arrays import Grid, Op, array_grid, arrays, grid
from app.inspector.naming import quoted_token
from app.inspector.picks import token_chips
from app.inspector.stepper import never_written
from app.page.kit import Code, Screens, say, show_chart, side_by_side
from app.page.sidebar import SETTINGS
from app.ui import player
from app.ui.table import fold
from app.views.walk.output.charts import logit_histogram

# The piece whose column is looked at, by its id; -1: the one that was written.
PIECE: Final = state.Param[int]("piece", -1, state.whole(-1, 10_000_000))
TOP: Final = 10


@dataclass(frozen=True, eq=False)
class VocabularyPiece:
    """A piece of the vocabulary, by its id, after the token `at` that the decoder has read."""

    walk: Walk
    at: int
    id: int

    @property
    def token(self) -> Token:
        return self.walk.token(self.id)

    @property
    def word(self) -> str:
        """The piece in quotation marks, for Markdown."""
        return quoted_token(self.token)

    @property
    def vocabulary(self) -> str:
        """How many pieces there are, as it is written."""
        return grouped(self.walk.config.n_tgt_vocab)

    @property
    def logits(self) -> np.ndarray:
        """The logits of the whole vocabulary at this step, (V,)."""
        return np.asarray(self.walk.capture.logits[self.at])

    @cached_property
    def likeliest(self) -> list[int]:
        """The ids of the likeliest pieces in order, and this one where it is none of them."""
        ids: list[int] = np.argsort(-self.logits, kind="stable")[:TOP].tolist()
        return ids if self.id in ids else [*ids, self.id]


MARKED: Final = 3


def pick_step(piece: VocabularyPiece) -> None:
    """Draw all that is written, to choose the token whose making is shown."""
    walk = piece.walk
    written = [walk.token(taken(walk, at)) for at in range(len(walk.translation.steps))]
    label = _("Which token is being written?")
    token_chips(
        written, key="pick-step", label=label, role="output", selected=piece.at, on_select=_go
    )


def pick_column(piece: VocabularyPiece) -> None:
    """Draw what is written, and the likeliest tokens, to choose one to look at."""
    draws = partial(pick_step, piece), partial(_pick_likely, piece)
    side_by_side([0.42, 0.58], *draws, gap="medium", align="top")


def pick_all(piece: VocabularyPiece) -> None:
    """Draw all that can be chosen."""
    pick_column(piece)
    if not _sampling():
        side_by_side([1] * len(SETTINGS), *SETTINGS, gap="medium", align="top")


def piece_of(walk: Walk) -> VocabularyPiece:
    """Return what is chosen; the piece that was written where there is none such."""
    at, chosen = player.step_of(len(walk.translation.steps)) - 1, PIECE.get()
    return VocabularyPiece(
        walk, at, chosen if 0 <= chosen < walk.config.n_tgt_vocab else taken(walk, at)
    )


screens = Screens[VocabularyPiece]()


@screens(
    "linear",
    N_("One column, one logit"),
    Code(
        N_("The final linear layer"),
        r"\mathrm{logits} = x \, W_{\mathrm{vocab}} + b",
        "model.nn.transformer:Transformer.logits",
    ),
    pick=pick_column,
    was=("vector",),
)
def draw_linear(piece: VocabularyPiece) -> None:
    """Draw the vector's product with one column of the matrix."""
    walk, read = piece.walk, piece.walk.capture.tgt[piece.at]
    became = (
        N_(
            "At step {n} the decoder has read {word}: all layers and one last normalisation have "
            "turned its vector into these {d_model} numbers."
        )
        if walk.config.norm == "pre"
        else N_(
            "At step {n} the decoder has read {word}: all layers have turned its vector into "
            "these {d_model} numbers."
        )
    )
    vector = _(became).format(n=piece.at + 1, word=quoted_token(read), d_model=walk.config.d_model)
    linear = _(
        "The final linear layer is a matrix of {d_model} rows and {size} columns, one for each "
        "token. Multiply x by the column of {word}, number by number, and add up: {sum}. With the "
        "bias {bias}, the *logit* is {logit}. Positive products (blue) speak for {word}, negative "
        "ones (red) against it."
    ).format(
        d_model=walk.config.d_model,
        size=piece.vocabulary,
        word=piece.word,
        sum=number(_products(piece).sum()),
        bias=number(walk.array("param:generator.b")[piece.id]),
        logit=number(piece.logits[piece.id]),
    )
    say(f"{vector}\n\n{linear}")
    product: list[Grid | Op] = [
        _vector(piece),
        Op("×"),
        _column(piece),
        Op("="),
        array_grid(_products(piece), _("products"), "output"),
    ]
    arrays(piece.walk, product, key="product")


@screens.drawer(
    "tied",
    N_("Where the columns come from"),
    when=lambda piece: "generator.W" in piece.walk.parameters.tied,
)
def draw_tied(piece: VocabularyPiece) -> None:
    """Draw the token's row of the embedding table beside its column."""
    text = _(
        "This model learned no matrix of its own for this: the two matrices are *tied*. The "
        "column of {word} is its row of the embedding table, number for number. So the final "
        "layer compares x with the embedding of every token, by a dot product."
    )
    say(text.format(word=piece.word))
    title = _("embedding of “{word}”").format(word=piece.token.text)
    row = grid(piece.walk, "param:tgt_embed", (piece.id, None), title, role="input")
    arrays(piece.walk, [row, Op("="), _column(piece)], key="tied")


def _pick_likely(piece: VocabularyPiece) -> None:
    ids = piece.likeliest
    tokens = [piece.walk.token(i) for i in ids]
    chips(
        [Chip(t.text, special=t.special, note=_("id {id}").format(id=t.id)) for t in tokens],
        key="pick-piece",
        label=_("Whose column?"),
        role="key",
        selected=ids.index(piece.id),
        on_select=lambda i: PIECE.set(ids[i]),
    )


def _go(at: int) -> None:
    PIECE.set(-1)
    state.STEP.set(at + 1)


def taken(walk: Walk, at: int) -> int:
    """Return the id of the piece that was written."""
    return walk.translation.steps[at].taken.token.id


def _vector(piece: VocabularyPiece) -> Grid:
    walk, at = piece.walk, piece.at
    return grid(
        walk, walk.inputs("logits")[0], (at, None), f"x · {quoted(walk.capture.tgt[at].text)}"
    )


def _column(piece: VocabularyPiece) -> Grid:
    title = _("column of “{word}”").format(word=piece.token.text)
    return grid(piece.walk, "param:generator.W", (None, piece.id), title, role="key")


def _products(piece: VocabularyPiece) -> np.ndarray:
    """Return x times the column, number by number, (D,)."""
    x = np.asarray(_vector(piece).values, dtype=np.float64)
    return x * piece.walk.array("param:generator.W", (None, piece.id))


@screens("highest", N_("All logits, and the highest"), pick=pick_step, was=("all",))
def draw_likeliest(piece: VocabularyPiece) -> None:
    """Draw the likeliest tokens' logits as cells, and all of them on demand."""
    first, second = np.argsort(-piece.logits, kind="stable")[:2].tolist()
    never = never_written(piece.walk.translation, piece.at) or ""
    said = _(
        "Each of the {size} tokens gets a logit: any number in (−∞, ∞). Here are the highest. On "
        "its own a logit means little; only the gaps between logits count. {first} leads {second} "
        "by {gap}."
    ).format(
        size=piece.vocabulary,
        first=quoted_token(piece.walk.token(first)),
        second=quoted_token(piece.walk.token(second)),
        gap=number(float(piece.logits[first]) - float(piece.logits[second])),
    )
    say(f"{said} {never}".rstrip())
    left, right = st.columns(2, gap="medium")
    with left:
        walk, ids, index = piece.walk, piece.likeliest, (piece.at, None)
        words = [walk.token(i).text for i in ids]
        strip = grid(walk, "logits", index, "logits", cols=ids, col_labels=words, role="output")
        arrays(walk, [strip], key="logits")

        def draw_all() -> None:
            whole = grid(walk, "logits", index, _("all logits, by id"), role="output")
            arrays(walk, [whole], key="all-logits")

        label = _("The whole row: {size} logits").format(size=piece.vocabulary)
        fold(label, "all-logits", "apps", draw_all)
    with right:
        above = int((piece.logits > piece.logits[piece.id]).sum())
        text = (
            _(
                "All {size} logits, by size; the count is logarithmic, so that even a single "
                "token shows. Half of them lie below {median}. {word} has {logit}; others with "
                "more: {above}."
            )
            if above
            else _(
                "All {size} logits, by size; the count is logarithmic, so that even a single "
                "token shows. Half of them lie below {median}. {word} has {logit}, more than "
                "any other."
            )
        )
        say(
            text.format(
                size=piece.vocabulary,
                median=number(np.median(piece.logits)),
                word=piece.word,
                logit=number(piece.logits[piece.id]),
                above=grouped(above),
            )
        )
        marked = dict.fromkeys([*piece.likeliest[:MARKED], piece.id])
        logits = {walk.token(i).text: float(piece.logits[i]) for i in marked}
        figure = logit_histogram(piece.logits, logits)
        show_chart(figure, "logits", _("How many tokens have which logit"))


def pick_temperature(piece: VocabularyPiece) -> None:
    """Draw what is written, and the temperature."""
    _pick_settings(piece, SETTINGS[:1])


def pick_settings(piece: VocabularyPiece) -> None:
    """Draw what is written, and all that shapes what a token is drawn from."""
    _pick_settings(piece, SETTINGS)


def _pick_settings(piece: VocabularyPiece, settings: tuple[Callable[[], None], ...]) -> None:
    if _sampling():
        pick_step(piece)
        text = _(
            "You decode by sampling now, so these settings shape the translation itself: they "
            "are in the sidebar, under “Decoding”."
        )
        st.info(text)
        return
    widths = [1 - 0.19 * len(settings), *[0.19] * len(settings)]
    side_by_side(widths, partial(pick_step, piece), *settings, gap="medium", align="top")


def _sampling() -> bool:
    """Whether the settings are those of the translation itself, which are in the sidebar."""
    return state.METHOD.get() == "sample"
