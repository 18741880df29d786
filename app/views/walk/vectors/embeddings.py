"""From a token to its row of the embedding table, what lies near it, and what sums of rows say."""

import math
from collections.abc import Sequence
from typing import Any, Final

import numpy as np
import streamlit as st

from app.charts.bars import similarity_bars
from app.charts.word_map import word_map as word_map_figure
from app.data.embedding import embedded, ids_of, padded
from app.data.translation import readable
from app.data.walk import Walk, length
from app.format import escape, grouped, number, percent, quoted, short
from app.i18n import N_, _
from app.inspector.arrays import Grid, Op, array_grid, arrays, draw_board, grid
from app.inspector.batch import NUMBERS, draw_block, draw_ids
from app.page.kit import Code, Screens, say, show_chart
from app.state import Param, up_to
from app.ui.about import about
from app.ui.pickers import live_text
from app.ui.sentence_box import offered
from app.ui.table import Columns
from app.views.walk.vectors import data
from app.views.walk.vectors.tokens import LONGEST, Piece, pick_token

MAP_TITLE: Final = N_("A map of the table")
TOO_FEW: Final = N_("This model's vocabulary has too few words for this.")
# The words that are added, taken away, added, and expected.
PRESETS: Final = (
    ("husband", "man", "woman", "wife"),
    ("himself", "he", "she", "herself"),
    ("went", "go", "come", "came"),
    ("king", "man", "woman", "queen"),
)
LABELS: Final = (N_("Start from"), N_("− take away"), N_("+ add"), N_("You expect"))
FIELDS: Final = tuple(
    Param[str | None](name, None, up_to(LONGEST)) for name in ("from", "less", "plus", "hope")
)
Words = Sequence[Sequence[int]]
MOST_EXAMPLES: Final = 3
# The lecture's numbers.
VECTORS: Final = {
    "king": np.array([0.603, 0.198, -0.585, -0.074]),
    "man": np.array([0.252, -0.836, -0.294, 0.455]),
    "woman": np.array([0.947, 0.388, -0.831, 0.773]),
    "queen": np.array([1.298, 1.422, -1.122, 0.244]),
}
HEIGHT = 312  # pixels: the page does not scroll
TABLE: Final = "param:src_embed"
AROUND: Final = 2  # rows of the table on each side
ROW_HEIGHT: Final = 110  # of their cells, in pixels
COLUMNS: Final = 8  # of them drawn, so that their numbers can be read
screens = Screens[Piece]()


@screens(
    "row",
    N_("From an id to a vector: the embedding"),
    Code(
        N_("Looking the row up, times √d_model"),
        r"x_t = \sqrt{d_{model}}\; E_{w_t}",
        "model.nn.translator:Translator.lookup",
    ),
    Code(N_("Padding a batch"), r"(B, S)", "model.text.batches:pad"),
    pick=pick_token,
    was=("scale",),
)
def draw_row(piece: Piece) -> None:
    """Draw one-hot vector × the table around the token's row = that row; then the vector x."""
    token = piece.token
    row = _(
        "An id is like a house number: {id} is not more than {other}. So “{piece}” becomes a "
        "one-hot vector of {vocabulary} numbers; multiplied by the **embedding table** E, it "
        "picks out the row of this id."
    ).format(
        id=token.id,
        other=token.id - 1 if token.id else 1,
        vocabulary=grouped(piece.walk.config.vocab_size),
        piece=escape(token.text),
    )
    say(f"{row} {_scaled(piece)}")
    width = min(COLUMNS, piece.walk.config.d_model)
    arrays(piece.walk, _items(piece, tuple(range(width))), "lookup", _items(piece, None))


@screens.drawer("batch", N_("Several sentences at once"), was=("block",))
def draw_batch(piece: Piece) -> None:
    """Draw the ids of the batch, with the length of each sentence."""
    shown = piece.walk.translation
    others = [text for text in offered(shown.model) if text != shown.text][:MOST_EXAMPLES]
    ids = tuple(piece.walk.capture.src_ids), *(ids_of(piece.walk, text) for text in others)
    batch = padded(piece.walk, ids)
    rows, columns = batch.ids.shape
    pad = piece.walk.config.pad_id
    text = _(
        "In training, the model reads many sentences in one go. They must fit into one block, so "
        "the shorter ones are filled up with <pad>, id {pad}. Your sentence and some of the "
        "examples make {rows} × {columns} ids; {padding} of them are padding."
    )
    say(text, pad=pad, rows=rows, columns=columns, padding=batch.padding)
    left, right = st.columns(2, gap="medium")
    with left:
        longest = piece.walk.config.max_len
        draw_ids(batch, "batch")
        if any(len(tokens) == longest for tokens in batch.tokens):
            text = _("This model reads at most {n} tokens: longer examples are cut there.")
            st.caption(text.format(n=longest))
    with right:
        D = piece.walk.config.d_model
        norm = float(length(embedded(piece.walk, pad)))
        block = _(
            "Now each id becomes its vector: {B} sentences × {S} tokens × {D} numbers, a block of "
            "shape (B, S, D) = ({B}, {S}, {D}). You see the first {shown} numbers of each vector."
        )
        padding = _("The vector of <pad> is all zeros.")
        if norm:
            padding = _(
                "In many drawings, the vector of <pad> is all zeros. In this model it is a row "
                "like any other, with a norm of {length}: what keeps it out is the mask."
            )
        sizes = {"B": rows, "S": columns, "D": D, "shown": min(NUMBERS, D)}
        say(f"{block} {padding}", length=number(norm), **sizes)
        draw_block(piece.walk, batch, "block")


def _scaled(piece: Piece) -> str:
    """Say how large the row is, before and after it is multiplied by √d_model."""
    walk, index = piece.walk, (piece.at, None)
    position = walk.length("src.pos", index)
    text = _(
        "Many models multiply it by √d_model; this one takes it as it is, with a norm of {row}. x "
        "is all that the encoder gets of “{piece}”."
    )
    if walk.config.scale_embedding and position:
        text = _(
            "Times √d_model = {root}, it is large enough to stand beside the position that is "
            "added later: its norm goes from {row} to {scaled}; the position's is {position}. The "
            "result x is all that the encoder gets of “{piece}”."
        )
    elif walk.config.scale_embedding:
        text = _(
            "Times √d_model = {root}, its norm goes from {row} to {scaled}. The result x is all "
            "that the encoder gets of “{piece}”."
        )
    return text.format(
        row=number(walk.length(TABLE, (piece.token.id, None))),
        root=short(math.sqrt(walk.config.d_model)),
        scaled=number(walk.length("src.embed", index)),
        position=number(position),
        piece=escape(piece.token.text),
    )


def _items(piece: Piece, cols: tuple[int, ...] | None) -> list[Grid | Op]:
    """Return one-hot × the rows of the table around the token's, with some of their columns."""
    walk, row, size = piece.walk, piece.token.id, piece.walk.config.vocab_size
    shown = tuple(range(max(row - AROUND, 0), min(row + AROUND, size - 1) + 1))
    part: dict[str, Any] = {}
    if cols is not None:
        part = {"cols": cols, "col_labels": [str(i + 1) for i in cols]}
    one_hot = array_grid(
        np.array([float(i == row) for i in shown]),
        _("one-hot"),
        "input",
        scale="weights",
        cols=shown,
        col_labels=list(map(str, shown)),
        note=_("the other {n} are 0").format(n=grouped(size - len(shown))),
    )
    known = walk.tokenizer.vocab_size
    names = [f"{i} {walk.token(i).text}" if i < known else str(i) for i in shown]
    note, d_model = _window(piece, shown, cols), walk.config.d_model
    look = {"rows": shown, "row_labels": names, "height": ROW_HEIGHT, "note": note}
    rows = grid(walk, TABLE, (None, None), "E", **look, **part)
    scaled = f"× √{d_model} = {short(math.sqrt(d_model))} ="
    return [
        one_hot,
        Op("×"),
        rows,
        Op("="),
        grid(walk, TABLE, (row, None), f"E[{row}]", **part),
        Op(scaled if walk.config.scale_embedding else "="),
        grid(walk, "src.embed", (piece.at, None), f"x · {quoted(piece.token.text)}", **part),
    ]


def _window(piece: Piece, rows: Sequence[int], cols: Sequence[int] | None) -> str:
    config = piece.walk.config
    ends = {"first": grouped(rows[0]), "last": grouped(rows[-1]), "all": grouped(config.vocab_size)}
    if cols is None:
        return _("ids {first} to {last} of {all}").format(**ends)
    return _("ids {first} to {last} of {all}, columns 1 to {columns} of {d}").format(
        **ends, columns=len(cols), d=config.d_model
    )


@screens(
    "near",
    N_("What the rows have come to mean"),
    Code(
        N_("The cosine between rows"),
        r"\cos(a, b) = \frac{a \cdot b}{\lVert a \rVert\,\lVert b \rVert}",
        "model.interpret.calculation.neighbours:cosines",
    ),
    Code(
        N_("The map's axes"),
        r"\max_{\lVert a \rVert = 1} \sum_i \big((E_i - \bar{E}) \cdot a\big)^2",
        "model.interpret.calculation.neighbours:principal_components",
    ),
    pick=pick_token,
)
def draw_neighbours(piece: Piece) -> None:
    """Draw the words whose rows point most nearly the same way as the chosen token's."""
    text = _(
        "Before training, the rows were random. Training has made the rows of tokens that are "
        "used in similar ways point in similar directions. The **cosine** of the angle between "
        "two rows measures it: 1 for the same direction, 0 for a right angle, −1 for the opposite."
    )
    say(text)
    walk, token = piece.walk, piece.token
    nearest = data.near(walk, token.id)
    if not nearest:
        st.info(_(TOO_FEW))
        return
    word, cosine = escape(walk.token(nearest[0].token_id).text), number(nearest[0].similarity, 3)
    result = _("Nearest to “{piece}” in the table: “{nearest}”, with a cosine of {value}.")
    st.markdown(result.format(piece=escape(token.text), nearest=word, value=cosine))
    draw_bars(walk, nearest, "neighbours")
    chance = data.chance(walk)
    line = _(
        "Dashed line, at {chance}: two of the {words} words, taken at random, have a cosine of "
        "{mean} ± {spread}; if nothing but chance made words near, in 19 of 20 cases not one "
        "would reach the line. Only tokens that begin a word are compared."
    )
    passed = _("Of the {shown} words shown, {above} pass the dashed line.")
    above = sum(one.similarity > chance.limit for one in nearest)
    measured = {"chance": chance.limit, "mean": chance.mean, "spread": chance.spread}
    values = {name: number(value) for name, value in measured.items()}
    values["words"] = grouped(len(data.words(walk)))
    st.caption(f"{line} {passed}".format(shown=len(nearest), above=above, **values))


@screens.drawer("map", MAP_TITLE)
def draw_map(piece: Piece) -> None:
    """Draw the map, and say how much of the table it shows."""
    walk = piece.walk
    flat = data.word_map(walk)
    if flat is None:
        st.info(_(TOO_FEW))
        return
    text = _(
        "The {words} words that were learned first, and so are frequent, on a flat map; "
        "diamonds are the tokens of your sentence. The axes are the two directions in which "
        "these rows differ most (principal components)."
    )
    say(text, words=len(flat.words))
    tokens = list(dict.fromkeys(walk.capture.src))
    places = [walk.capture.src.index(token) for token in tokens]
    first, second = map(percent, flat.explained)
    figure = word_map_figure(
        flat.points,
        [word.text for word in flat.words],
        flat.sentence[places],
        [token.text for token in tokens],
        x_title=_("first axis ({share} of the spread)").format(share=first),
        y_title=_("second axis ({share})").format(share=second),
        height=HEIGHT,
    )
    share = percent(flat.explained.sum())
    caption = _(
        "Read it with care: two axes of {d_model} show only {share} of all differences, so words "
        "that are far apart may lie on top of each other here. Cosines use all of them."
    ).format(d_model=walk.config.d_model, share=share)
    show_chart(figure, "map", _(MAP_TITLE), lambda: _columns(walk, flat), caption=caption)


@screens.drawer("by-hand", N_("king − man + woman"), was=("sum",))
def draw_by_hand(piece: Piece) -> None:
    """Draw king − man + woman, what comes out, and queen beside it."""
    text = _(
        "**Example by hand.** If directions carry meaning, you can calculate with words. Take "
        "“man” away from “king” and add “woman”, number by number: what comes out is “queen”, "
        "to the last digit."
    )
    say(text)
    left, right = st.columns(2, gap="medium")
    with left:
        result = VECTORS["king"] - VECTORS["man"] + VECTORS["woman"]
        reach = float(np.abs(result).max())

        def column(name: str, values: np.ndarray) -> Grid:
            return array_grid(values[:, None], name, "input", reach=reach)

        king, man, woman, queen = (column(word, values) for word, values in VECTORS.items())
        same = column("king − man + woman", result)
        items: list[Grid | Op] = [king, Op("−"), man, Op("+"), woman, Op("="), same, Op("="), queen]
        draw_board(items, "by-hand")
    with right:
        text = _(
            "Now with the rows of this model's table. Nothing comes out to the last digit any "
            "more; what counts is which row is nearest. Each vector is scaled to length 1 "
            "first, and a word of several tokens is their mean."
        )
        say(text)
        draw_arithmetic(piece)


@about(sentence="", place=())
def draw_arithmetic(piece: Piece) -> None:
    """Let the visitor add and take away words, and show what is nearest to the result."""
    walk = piece.walk
    with st.container(horizontal=True, gap="small"):
        for i, preset in enumerate(PRESETS):
            sum_of = "{} − {} + {}".format(*preset)
            st.button(sum_of, key=f"sum-{i}", on_click=_take, args=(preset,))
    start, less, more, hope = _draw_fields(first_preset(walk))
    ids = {word: _ids(walk, word) for word in (start, less, more)}
    _draw_pieces(walk, [word for word in ids if ids[word]])
    plus = [ids[word] for word in (start, more) if ids[word]]
    minus = [ids[less]] if ids[less] else []
    if not plus:
        st.info(_("Type at least one word to start from."))
        return
    nearest = data.sums(walk, plus, minus)
    if not nearest or not nearest[0].similarity:
        st.info(_("These words cancel each other out: nothing is left to compare."))
        return
    draw_bars(walk, nearest, "sum")
    if _ids(walk, hope):
        st.markdown(_hoped(walk, plus, minus, hope, nearest[0]))


def first_preset(walk: Walk) -> Sequence[str]:
    """Return the first preset whose expected word is the nearest one in this model."""
    for preset in PRESETS:
        start, less, more, hope = (_ids(walk, word) for word in preset)
        nearest = data.sums(walk, [start, more], [less])
        if nearest and [nearest[0].token_id] == hope:
            return preset
    return PRESETS[0]


def _take(preset: Sequence[str]) -> None:
    for param, word in zip(FIELDS, preset, strict=True):
        param.set(word)


def _draw_fields(preset: Sequence[str]) -> list[str]:
    """Draw the four fields, with a preset to begin with; return what was typed into them."""
    typed = []
    columns = st.columns(4)
    for column, param, label, default in zip(columns, FIELDS, LABELS, preset, strict=True):
        word = param.get()
        key = param.widget(default if word is None else word)
        with column:
            typed.append(readable(live_text(_(label), key, max_chars=LONGEST)))
    return typed


def _ids(walk: Walk, word: str) -> list[int]:
    return [piece.id for piece in data.pieces_of(walk, word)]


def _draw_pieces(walk: Walk, typed: Sequence[str]) -> None:
    """Say into which tokens the words are cut that the model does not know as one."""
    parts = []
    for word in typed:
        cut = [token.text for token in data.pieces_of(walk, word)]
        if len(cut) > 1:
            form = _("“{word}”: {n} tokens, {cut}")
            parts.append(form.format(word=word, n=len(cut), cut=" · ".join(cut)))
    if parts:
        st.caption(escape("; ".join(parts)))


def _hoped(walk: Walk, plus: Words, minus: Words, hope: str, best: data.Neighbour) -> str:
    """Say where the word that the visitor expected stands."""
    ids = _ids(walk, hope)
    similarity, rank = data.expected(walk, plus, minus, ids)
    place = (
        _("“{word}” has a cosine of {value}: place {place} of {words}.")
        if len(ids) == 1
        else _(
            "“{word}” has no row of its own: it is cut into {cut}. So it cannot be among the "
            "answers; the mean of its tokens has a cosine of {value}, and would stand in place "
            "{place} of {words}."
        )
    ).format(
        word=hope,
        value=number(similarity, 3),
        place=grouped(rank),
        words=grouped(len(data.words(walk))),
        cut=" · ".join(walk.token(i).text for i in ids),
    )
    nearest, value = walk.token(best.token_id).text, number(best.similarity, 3)
    end = (
        _("So this model does give the answer you expected.")
        if ids == [best.token_id]
        else _(
            "The nearest is “{nearest}”, with {value}: not what you expected. It takes a model "
            "that has read far more than this one to lay words out so neatly."
        )
    )
    return escape(f"{place} {end.format(nearest=nearest, value=value)}")


def _columns(walk: Walk, flat: data.WordMap) -> Columns:
    rows = [*zip(walk.capture.src, flat.sentence, strict=True)]
    rows += [*zip(flat.words, flat.points, strict=True)]
    return {
        _("word"): [token.text for token, _point in rows],
        _("first axis"): [float(point[0]) for _token, point in rows],
        _("second axis"): [float(point[1]) for _token, point in rows],
        _("in your sentence"): ["✓"] * len(walk.capture.src) + [""] * len(flat.words),
    }


def draw_bars(walk: Walk, nearest: Sequence[data.Neighbour], name: str) -> None:
    """Draw the cosines of the nearest words, with the line that chance would hardly pass."""
    labels = [walk.token(one.token_id).text for one in nearest]
    cosines = np.array([one.similarity for one in nearest])
    names = {"chance_title": _("chance"), "value_title": _("cosine")}
    figure = similarity_bars(cosines, labels, chance=data.chance(walk).limit, **names)
    alt = _("Cosines with the nearest words")
    show_chart(figure, name, alt, lambda: {_("word"): labels, _("cosine"): cosines.tolist()})
