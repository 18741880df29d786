"""A layer's attention split into heads, who a pronoun is, and what the heads add up to."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

import numpy as np
import streamlit as st

from app.charts.bars import Series, pair_bars
from app.components.grid import Weights
from app.components.wall import HeadPick, wall
from app.data.walk import Walk, along, length, walk
from app.format import escape, number, percent, share
from app.i18n import N_, _
from app.inspector.arrays import BLOCK, Grid, Op, arrays, equation, grid, weights_grid
from app.inspector.head import Head, read_from
from app.inspector.naming import head_names, layer_names
from app.inspector.picks import choose_head
from app.page.kit import Code, Screens, say, show_chart
from app.ui.chart import picture
from app.ui.chosen import pair
from app.ui.table import Columns, figure_menu, numbered, table
from app.views.walk.heads.charts import head_wall, recap_figure

screens = Screens[Head]()


@screens(
    "split",
    N_("One token, many queries"),
    Code(
        N_("Cutting a vector into heads"),
        r"x W_Q + b_Q \in \mathbb{R}^{d_{model}} \;\to\; q_1, \dots, q_H \in \mathbb{R}^{d_k}",
        "model.nn.attention:MultiHeadAttention.split_heads",
    ),
)
def draw_split(head: Head) -> None:
    """Draw the token's query in each head of the layer."""
    config = head.walk.config
    sizes = {"d_model": config.d_model, "heads": config.n_heads, "d_k": config.d_k}
    text = _(
        "“{word}” has a vector of {d_model} numbers. $W_Q$ turns it into {d_model} others, which "
        "are cut into {heads} queries of d_k = {d_k}, one for each head. Keys and values are cut "
        "the same way."
    )
    say(text, word=head.word, **sizes)
    names, at = head_names(config.n_heads), (None, head.query, None)
    queries = grid(head.walk, f"{head.scope}.q", at, head.title("q"), row_labels=names)
    arrays(head.walk, [queries], key="heads-split")


@screens(
    "look",
    lambda head: _("What does “{word}” look at?").format(word=head.word),
    name=N_("What one token looks at"),
)
def draw_look(head: Head) -> None:
    """Draw the word's row of weights in each head of the layer."""
    rows = rows_of(head)
    best, looked_at = rows.max(-1), rows.argmax(-1)  # (H,)
    sharp, broad = int(best.argmax()), int(best.argmin())
    text = _(
        "One row for each head of layer {layer}. Head {sharp} is the sharpest: {sharp_weight} on "
        "“{sharp_word}”. Head {broad} spreads its attention most: at most {broad_weight} on one "
        "token."
    )
    if len(rows) == 1:
        text = _(
            "This model has one head: it gives {sharp_weight} of its attention to “{sharp_word}”."
        )
    different = len(set(looked_at.tolist()))
    differ = _("Their favourites are {n} different tokens: training chose.")
    say(
        text if different == 1 else f"{text} {differ}",
        layer=head.layer + 1,
        sharp=sharp + 1,
        sharp_weight=percent(best[sharp]),
        sharp_word=head.words[looked_at[sharp]],
        broad=broad + 1,
        broad_weight=percent(best[broad]),
        n=different,
    )
    name, index = f"{head.scope}.weights", (None, head.query, None)
    names = head_names(len(rows))
    drawn = grid(head.walk, name, index, head.title(_("weights")), row_labels=names)
    arrays(head.walk, [drawn], key="heads-look")


def rows_of(head: Head) -> np.ndarray:
    """Return the weights of the word that looks in each head of the layer, (H, S)."""
    return np.asarray(head.walk.array(f"{head.scope}.weights", (None, head.query)))


@screens("all", N_("All heads at once"))
def draw_wall(head: Head) -> None:
    """Draw the weights of all layers and heads; one that is clicked is gone to."""
    text = _(
        "Every head of every layer, for the whole sentence: a row looks, a column is looked at. "
        "Choose a head to go there."
    )
    say(text)
    capture = head.walk.capture
    labels = [token.text for token in capture.src]
    heads = capture.all_weights(head.kind)
    locked = HeadPick(head.layer, head.head)
    wall(Weights(heads, labels, labels), key="heads-wall", locked=locked, on_lock=choose_head)

    def draw_menu() -> None:
        table(_wall_columns(heads, numbered(labels)), "heads")
        names = {"layer_names": layer_names(len(heads)), "head_names": head_names(heads.shape[1])}
        figure = head_wall(heads, **names, hover=_("weight"))
        picture(figure, "heads", _("All layers and heads"))

    figure_menu("heads-wall", draw_menu)


def _wall_columns(heads: np.ndarray, words: list[str]) -> Columns:
    places = list(np.ndindex(heads.shape[:-1]))
    columns = {
        _("Layer"): [str(layer + 1) for layer, _head, _query in places],
        _("Head"): [str(head + 1) for _layer, head, _query in places],
        _("query ↓ key →"): [words[query] for _layer, _head, query in places],
    }
    flat = heads.reshape(-1, len(words))
    return columns | {word: flat[:, i].tolist() for i, word in enumerate(words)}


# By language: the animal and the street; and two sentences that differ in who is meant, each with
# the word that stands for it. Spanish leaves the pronoun out: the verb stands for it.
THINGS: Final = {"es": ("animal", "calle"), "fr": ("animal", "rue")}
PRONOUNS: Final = {
    "es": (
        ("El animal no cruzó la calle porque estaba muy cansado", "estaba"),
        ("El animal no cruzó la calle porque era muy ancha", "era"),
    ),
    "fr": (
        ("L'animal n'a pas traversé la rue parce qu'il était trop fatigué", "il"),
        ("L'animal n'a pas traversé la rue parce qu'elle était trop large", "elle"),
    ),
}
LOST: Final = N_("This model cuts the example into other tokens, so its words cannot be found.")
PARTS_TITLE: Final = N_("What each head adds")
RECAP_TITLE: Final = N_("All of it, in five steps")
SUBSCRIPT: Final = str.maketrans("0123456789", "₀₁₂₃₄₅₆₇₈₉")
WRITTEN: Final = ("it", "he", "she")


@dataclass(frozen=True, eq=False)
class Meant:
    """One sentence, and the tokens of the word that stands for another, and of the two others."""

    walk: Walk
    verb: str
    words: tuple[str, str]

    @property
    def found(self) -> bool:
        """Whether the words can be found in the model's tokens."""
        return all(self.tokens(word) for word in (self.verb, *self.words))

    def given(self, word: str) -> np.ndarray:
        """Return what the verb gives to a word in each encoder head, (L, H)."""
        weights = self.walk.capture.all_weights("encoder")  # (L, H, T, T)
        rows = weights[:, :, self.tokens(self.verb)].mean(2)  # (L, H, T)
        return np.asarray(rows[..., self.tokens(word)].sum(-1))

    def tokens(self, word: str) -> list[int]:
        """Return the tokens that a word was cut into, the last time it stands there."""
        pieces = ["" if token.special else token.text.strip() for token in self.walk.capture.src]
        ends = np.cumsum([len(piece) for piece in pieces])
        start = "".join(pieces).rfind(word)
        if start < 0:
            return []
        begins = ends - [len(piece) for piece in pieces]
        return np.flatnonzero((ends > start) & (begins < start + len(word))).tolist()


NAME: Final = "heads-recap"
STAGES: Final = ("q", "k", "v", "weights", "context", "concat", "out")


@screens(
    "pronoun",
    N_("Who was tired? And what if the street is meant?"),
    when=lambda head: pair(head.walk.translation.model)[0] in PRONOUNS,
    pick=False,
    was=("twin",),
)
def draw_pronoun(head: Head) -> None:
    """Draw what the verb gives to the animal and to the street in each head."""
    animal, street = meant(head, 0), meant(head, 1)
    if not (animal.found and street.found):
        say(_(LOST))
        return
    given = animal.given(animal.words[0])
    layer, best = np.unravel_index(int(given.argmax()), given.shape)
    text = _(
        "“{sentence}”: to understand “{verb}”, one must know who is meant. Each cell is what "
        "“{verb}” gives to one word in one head. Layer {layer}, head {head} gives “{animal}” "
        "the most: {weight}."
    )
    say(
        text,
        sentence=escape(animal.walk.translation.text),
        verb=animal.verb,
        animal=animal.words[0],
        layer=int(layer) + 1,
        head=int(best) + 1,
        weight=share(given.max()),
    )
    left, right = st.columns(2, gap="medium")
    with left:
        _draw_given(animal, "heads-pronoun")
    with right:
        twin = _("Now “{sentence}”: what “{verb}” stands for is the street.")
        says = _(
            "“{animal}” gets {first}, “{street}” {second}, added up over all heads. The "
            "picture shows where heads look, not what the model understood."
        )
        first, second = (share(street.given(word).sum()) for word in street.words)
        words = dict(zip(("animal", "street"), street.words, strict=True))
        of_twin = {"sentence": escape(street.walk.translation.text), "verb": street.verb} | words
        say(f"{twin} {says}", first=first, second=second, **of_twin)
        _draw_given(street, "heads-twin")


@screens.drawer("it", N_("Where does “it” come from?"))
def draw_it(head: Head) -> None:
    """Draw what each head of a decoder layer looked at when the pronoun was written."""
    of = meant(head, 0)
    if not of.found:
        say(_(LOST))
        return
    output = escape(of.walk.translation.output)
    words = [token.text.strip().lower() for token in of.walk.capture.tgt]
    place = next((i for i, word in enumerate(words) if i and word in WRITTEN), None)
    if place is None:
        text = _(
            "“{output}” This translation has no “it”, “he” or “she” whose origin could be shown."
        )
        say(text, output=output)
        return
    heads = of.walk.capture.all_weights("cross")  # (L, H, T, S)
    layer = min(head.layer, len(heads) - 1)
    weights = heads[layer, :, place - 1]  # (H, S): the row before writes it
    text = _(
        "“{output}” To write “{it}”, {n} of the {heads} heads of decoder layer {layer} looked "
        "most at “{verb}”."
    )
    spanish = pair(head.walk.translation.model)[0] == "es"
    it_verb = _("Spanish leaves the pronoun out, and the verb carries it.")
    say(
        f"{text} {it_verb}" if spanish else text,
        output=output,
        it=of.walk.capture.tgt[place].text.strip(),
        n=sum(int(key) in of.tokens(of.verb) for key in weights.argmax(-1)),
        heads=len(weights),
        layer=layer + 1,
        verb=of.verb,
    )
    labels = [token.text for token in of.walk.capture.src]
    drawn = weights_grid(weights, _("weights"), head_names(len(weights)), labels)
    arrays(of.walk, [drawn], key="heads-it")


def meant(head: Head, which: int) -> Meant:
    """Return the sentence about the animal, 0, or about the street, 1, as the model reads it."""
    shown = head.walk.translation
    language = pair(shown.model)[0]
    sentence, verb = PRONOUNS[language][which]
    return Meant(walk(shown.model, sentence, shown.decoding), verb, THINGS[language])


def _draw_given(of: Meant, key: str) -> None:
    grids = []
    for i, word in enumerate(of.words):
        given = of.given(word)
        rows = () if i else layer_names(len(given))
        title = _("from “{verb}” to “{word}”").format(verb=of.verb, word=word)
        grids.append(weights_grid(given, title, rows, head_names(given.shape[1])))
    arrays(of.walk, grids, key=key)


@screens(
    "out",
    N_("The heads side by side, mixed by W_O"),
    Code(
        N_("Attending in all heads at once, and joining them"),
        r"\mathrm{output} = [\, Z_1 \; Z_2 \; \dots \; Z_H \,] \, W_O + b_O",
        "model.nn.attention:MultiHeadAttention.attend",
    ),
    Code(
        N_("What each head adds"),
        r"\mathrm{output} = \sum_{h=1}^{H} Z_h W_O^{(h)} + b_O",
        "model.interpret.calculation.derived:part",
    ),
    was=("join",),
)
def draw_out(head: Head) -> None:
    """Draw the vectors of all heads side by side, and what W_O makes of them."""
    d_model, heads = head.walk.config.d_model, head.walk.config.n_heads
    sizes = {"d_k": head.d_k, "heads": heads, "last": subscript(heads), "d_model": d_model}
    joined = _(
        "Each head made a z of d_k = {d_k} numbers for “{word}”. Put in one row, Z₁ to Z{last} "
        "have {heads} × {d_k} = {d_model} numbers, as many as x. (Lectures that count from 0 call "
        "our Z₁ Z₀.)"
    )
    mixed = _(
        "Side by side, the heads are still separate. The matrix W_O mixes them: every number of "
        "the output takes something from every head."
    )
    say(f"{joined} {mixed}", word=head.word, **sizes)
    walk, at, concat = head.walk, (head.query, None), f"{head.scope}.concat"
    reach = float(np.abs(walk.array(concat, at)).max())
    look = {"reach": reach, "row_labels": [f"Z{subscript(h + 1)}" for h in range(heads)]}
    z = grid(walk, f"{head.scope}.context", (None, *at), head.title("z"), thumb=True, **look)
    side = grid(walk, concat, at, _("side by side"), reach=reach, fold=BLOCK)
    product = equation(walk, f"{head.scope}.out", at, side, _("output"))
    arrays(walk, [z, Op(_("in a row =")), *product], key="heads-output")


@screens.drawer("parts", PARTS_TITLE, was=("sizes", "every"))
def draw_parts(head: Head) -> None:
    """Draw what each head adds to the output; beside it, how much of its length."""
    text = _(
        "The product can be taken apart: each head's z meets only its own {d_k} rows of W_O. So "
        "the output is a sum of {heads} vectors, one for each head, and the bias b_O."
    )
    heads, walk, scope = head.walk.config.n_heads, head.walk, head.scope
    say(text, d_k=head.d_k, heads=heads)
    # What each head adds to the token's output, and last the bias, (H + 1, D).
    parts, bias = walk.array(f"{scope}.part", (None, head.query)), walk.array(f"param:{scope}.b_O")
    vectors = np.vstack([parts, bias])
    left, right = st.columns(2, gap="medium")
    with left:
        out = walk.array(f"{scope}.out")[head.query]
        reach = float(max(np.abs(vectors).max(), np.abs(out).max()))
        at, look = (head.query, None), {"reach": reach, "fold": BLOCK}
        by, rows = _("z × its rows of W_O"), {"row_labels": head_names(heads), "thumb": True}
        items: list[Grid | Op] = [
            grid(walk, f"{scope}.part", (None, *at), by, reach=reach, **rows),
            Op(_("Σ of the rows +")),
            grid(walk, f"param:{scope}.b_O", (None,), "b_O", **look),
            Op("="),
            grid(walk, f"{scope}.out", at, _("output"), **look),
        ]
        arrays(walk, items, key="heads-parts")
    with right:
        output, lengths = vectors.sum(0), length(vectors)
        most, least = int(lengths[:-1].argmax()), int(lengths[:-1].argmin())
        text = _(
            "Head {most} adds the longest vector to “{word}”: {most_size}; head {least} the "
            "shortest: {least_size}. Vectors partly cancel, so lengths do not add up. What each "
            "adds *in the direction of the output* does: with the bias, that makes {total}, the "
            "output's length."
        )
        if heads == 1:
            text = _(
                "The only head adds a vector of length {most_size} to “{word}”. In the "
                "direction of the output, it and the bias make {total}, the output's length."
            )
        say(
            text,
            word=head.word,
            most=most + 1,
            most_size=number(lengths[most]),
            least=least + 1,
            least_size=number(lengths[least]),
            total=number(float(length(output))),
        )
        names = [*head_names(heads), "b_O"]
        pairs: list[Series] = [
            (_("length of what it adds"), "residual", lengths),
            (_("part in the direction of the output"), "output", along(vectors, output)),
        ]
        figure = pair_bars(pairs, names, value_title=_("length"))
        sizes = {name: values.tolist() for name, _role, values in pairs}
        show_chart(figure, "heads-sizes", _(PARTS_TITLE), lambda: {_("Head"): names} | sizes)


def subscript(n: int) -> str:
    """Write a whole number as an index."""
    return str(n).translate(SUBSCRIPT)


@screens("recap", RECAP_TITLE)
def draw_recap(head: Head) -> None:
    """Draw the five steps of the layer for the whole sentence."""
    heads = head.walk.config.n_heads
    text = _(
        "**1** The sentence as tokens. **2** A vector each: X. **3** Each of the {heads} heads "
        "multiplies X by its own W_Q, W_K and W_V. **4** It attends: softmax(Q Kᵀ ÷ √d_k) V = Z. "
        "**5** Z₁ to Z{last} side by side, times W_O, are the output, as wide as X."
    )
    chosen = _("The dotted frame is head {head}.") if heads > 1 else ""
    say(f"{text} {chosen}".rstrip(), heads=heads, last=subscript(heads), head=head.head + 1)
    walk = head.walk
    read = walk.inputs(f"{head.scope}.q")[0]
    x, stages = walk.array(read), {name: walk.array(f"{head.scope}.{name}") for name in STAGES}
    words = [token.text for token in walk.capture.src]
    names = [_("tokens"), "X", "Q K V", "softmax, Z", _("output")]
    figure = recap_figure(x, stages, words, names, chosen=head.head)
    source = _("In layer 1, X is made of embeddings and positions.")
    if head.layer:
        source = _(
            "From layer 2 on no embedding is needed: X comes from the layer before (the lectures "
            "call it R)."
        )
    caption = f"{source} {read_from(walk, read)}"

    def tables() -> dict[str, Columns]:
        return {
            f"{NAME}-x": _columns("X", x, words),
            f"{NAME}-z": _columns(f"Z₁ … Z{subscript(heads)}", stages["concat"], words),
            f"{NAME}-output": _columns(_("output"), stages["out"], words),
        }

    show_chart(figure, NAME, _(RECAP_TITLE), tables=tables, caption=caption)


def _columns(title: str, values: np.ndarray, words: Sequence[str]) -> Columns:
    """Return vectors (T, D) as one column a word."""
    vectors = dict(zip(numbered(words), values.astype(float).tolist(), strict=True))
    return {title: [f"[{i}]" for i in range(values.shape[1])], **vectors}
