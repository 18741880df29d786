"""Masked self-attention, screen by screen."""

from functools import partial
from typing import Any, Final

import numpy as np
import streamlit as st

from app import state
from app.charts.bars import pair_bars
from app.data.attention import allowed
from app.data.translation import Token
from app.data.walk import Walk
from app.format import number, percent
from app.i18n import N_, _
from app.inspector.arrays import Grid, Op, arrays, weights_grid
from app.inspector.head import Head
from app.inspector.naming import follows, labels_of, token_markdown
from app.page.kit import Code, QuizTask, Screens, guess, pick_from_list, say, show_chart
from app.ui import vectors_html as boxes
from app.ui.chosen import pair
from app.ui.kept import table_menu
from app.ui.table import Columns, matrix_columns, numbered
from app.ui.vectors_html import Box, Row
from app.views.walk.masked_attention import data
from app.views.walk.masked_attention.masks_chart import mask_squares

# Pairs to share a batch with, as in training: the first that is longer on both sides is taken.
LONGER: Final = (
    "My mother is learning how to swim in the sea.",
    "My mother says that it is easy to learn to swim in the sea.",
    "When we got to the station there was nobody left, so we walked back home in the rain with all "
    "the suitcases.",
    "When we finally got to the station there was nobody left, because the last train had already "
    "gone, so we left our suitcases with the man at the hotel and walked through the old town in "
    "the rain until we found a small place that was still open.",
)
SPANISH: Final = (
    "Mi madre aprende a nadar en el mar.",
    "Mi madre dice que es fácil aprender a nadar en el mar.",
    "Cuando llegamos a la estación ya no había nadie, así que volvimos a casa andando bajo la "
    "lluvia con todas las maletas.",
    "Cuando por fin llegamos a la estación ya no quedaba nadie, porque el último tren ya había "
    "salido, así que dejamos las maletas al hombre del hotel y anduvimos por el casco antiguo bajo "
    "la lluvia hasta que encontramos un sitio que seguía abierto.",
)
FRENCH: Final = (
    "Ma mère apprend à nager dans la mer.",
    "Ma mère dit qu'il est facile d'apprendre à nager dans la mer.",
    "Quand nous sommes arrivés à la gare, il n'y avait plus personne, alors nous sommes rentrés à "
    "pied sous la pluie avec toutes les valises.",
    "Quand nous sommes enfin arrivés à la gare, il n'y avait plus personne, parce que le dernier "
    "train était déjà parti, alors nous avons laissé nos valises à l'homme de l'hôtel et marché "
    "dans la vieille ville sous la pluie jusqu'à trouver un petit endroit encore ouvert.",
)
PAIRS: Final = {
    ("es", "en"): (
        ("Hoy hace mucho frío en casa.", "It is very cold at home today."),
        *zip(SPANISH, LONGER, strict=True),
    ),
    ("fr", "en"): (
        ("Il fait très froid aujourd'hui.", "It is very cold today."),
        *zip(FRENCH, LONGER, strict=True),
    ),
}
PLACE: Final = state.Param[int]("replaced", -1, state.whole(-1, 10_000))
INSTEAD: Final = state.Param[int]("instead", 0, state.whole(0, 4))


def has_future(head: Head) -> bool:
    """Say whether there is anything to look ahead at."""
    return len(head.words) > 1


screens = Screens[Head]()


@screens(
    "mask",
    N_("No token may look ahead"),
    Code(
        N_("Masks: True where one may look"),
        r"\text{mask}_{ij} = (j \le i) \wedge (\text{token}_j \ne \text{<pad>})",
        "model.nn.masks:target_mask",
    ),
    Code(N_("The causal mask"), r"\text{causal}_{ij} = (j \le i)", "model.nn.masks:causal_mask"),
    pick=False,
    was=("whole",),
)
def draw_mask(head: Head) -> None:
    """Draw the causal mask of the sentence."""
    mask = allowed(head.walk, head.kind)
    text = _(
        "The causal mask makes the two cases alike: a token may look at itself and at what came "
        "before. Here that leaves {open} of {cells} pairs (filled); those crossed out are "
        "forbidden."
    )
    say(text, open=int(mask.sum()), cells=mask.size)
    left, right = st.columns(2, gap="medium")
    with left:
        title = _("causal mask")
        words = [token.text for token in head.walk.capture.tgt]
        columns = partial(matrix_columns, title, words, words, mask)
        show_chart(mask_squares(mask, words, title), "mask-causal", title, columns)
    with right:
        look = {"mask": mask, "row_labels": (), "thumb": True}
        items: list[Grid | Op] = [
            head.part("scaled", (None, None), "q · k ÷ √d_k", thumb=True),
            Op(_("mask →")),
            head.part("masked", (None, None), _("after the mask"), **look),
            Op("softmax →"),
            head.part("weights", (None, None), _("weights"), **look),
        ]
        arrays(head.walk, items, "mask-whole")


@screens(
    "row",
    N_("One token and its future"),
    Code(
        N_("−∞ before the softmax"),
        r"\text{softmax}\!\left(\text{mask}\!\left(\frac{QK^\top}{\sqrt{d_k}}\right)\right)V",
        "model.nn.attention:MultiHeadAttention.attend",
    ),
)
def draw_row(head: Head) -> None:
    """Draw one token's scores, before and after the mask, and its weights."""
    masked = head.walk.array(f"{head.scope}.masked")[head.head]
    whole = _(
        "The same for every token: {shut} of the {cells} scores become −∞, all those above the "
        "diagonal. The first row is left with one token, itself; the last row sees everything."
    )
    own = _(
        "“{word}” is the last token: nothing comes after it, so the mask takes nothing away. "
        "Choose an earlier token to see −∞."
    )
    values: dict[str, object] = {}
    if (later := best_later(head)) is not None:
        own = _(
            "“{later}” comes after “{word}”, and its score, divided by √d_k, is {score}. The mask "
            "puts −∞ in its place. e to the power of −∞ is 0, so the weight is exactly 0, and the "
            "tokens that are left share the whole 1."
        )
        values = {"later": head.words[later], "score": number(head.row("scaled")[later])}
    shut = int(np.isneginf(masked).sum())
    say(f"{own} {whole}", word=head.word, shut=shut, cells=masked.size, **values)
    items: list[Grid | Op] = [
        head.column("scaled", "q · k ÷ √d_k"),
        Op(_("mask →")),
        head.column("masked", _("after the mask"), row_labels=()),
        Op("softmax →"),
        head.column("weights", _("weights"), row_labels=()),
    ]
    arrays(head.walk, items, "mask-row")


def best_later(head: Head) -> int | None:
    """Return the later token that the token scores highest against, or None for the last one."""
    later = head.row("scaled")[head.query + 1 :]
    return head.query + 1 + int(later.argmax()) if later.size else None


@screens.drawer(
    "ways",
    N_("Why −∞, and why before the softmax?"),
    when=lambda head: best_later(head) is not None,
)
def draw_ways(head: Head) -> None:
    """Compare −∞ before the softmax with the two ways that seem simpler."""
    say(_("Three ways to hide the future from “{word}”. Only one of them works."), word=head.word)
    ways, later = data.hide(head.row("scaled"), head.query), slice(head.query + 1, None)
    zero, after = percent(float(ways.zero[later].sum())), number(float(ways.after.sum()))
    says = N_(
        "They would get {zero}: a score of 0 forbids nothing, as e to the power of 0 is 1. And "
        "erasing the weights afterwards leaves a row that adds up to {after}, not to 1."
    )
    asks = N_(
        "Suppose the mask wrote 0 instead of −∞ into the scores of later tokens. How much "
        "attention would they get?"
    )
    guess(QuizTask.of(asks, [_("None"), _("Some")], [1], says, zero=zero, after=after))
    names = [_("score −∞"), _("score 0"), _("weight 0")]
    weights = np.stack([ways.before, ways.zero, ways.after])  # (3, T)
    sums = np.stack([weights.sum(-1), weights[:, later].sum(-1)], -1)  # (3, 2)
    words = [token.text for token in head.walk.capture.tgt]
    all_ = weights_grid(weights, _("weights"), names, words)
    title, parts = _("sums"), (_("all"), _("later"))
    arrays(head.walk, [all_, Op("Σ"), weights_grid(sums, title, (), parts)], "mask-ways")


@screens(
    "batch",
    N_("A second mask, for padding"),
    Code(
        N_("The padding mask"),
        r"\text{padding}_{j} = (\text{token}_j \ne \text{<pad>})",
        "model.nn.masks:padding_mask",
    ),
    was=("both", "padding"),
)
def draw_batch(head: Head) -> None:
    """Draw the batch that the encoder reads."""
    text = _(
        "Sentences go through the model many at a time, as one block, so the shorter ones are "
        "filled up with `<pad>`. Here your sentence really shares a batch with a longer one. The "
        "decoder needs both masks: a pair stays open only if both leave it open."
    )
    say(text)
    both = data.batch(head.walk, PAIRS.get(pair(head.walk.translation.model), ()))
    left, right = st.columns(2, gap="medium")
    with left:
        title = _("What the encoder reads")
        pad = head.walk.token(head.walk.config.pad_id)
        rows: list[Row] = [
            (str(i), [Box(one.text, look="shut" if one == pad else "plain") for one in tokens])
            for i, tokens in enumerate(both.src, 1)
        ]
        st.markdown(f"**{title}**")
        boxes.show_batch(rows, title)  # one sentence a row, its padding hatched
        columns = {
            _("sentence {n}").format(n=i): [token.text for token in tokens]
            for i, tokens in enumerate(both.src, 1)
        }
        table_menu("batch-src", lambda: columns, "batch-src")
    with right:
        if both.src_padding[0].all():
            text = _(
                "Your sentence is as long as this model can read: none is longer, so it gets no "
                "padding."
            )
            say(text)
            return
        walk, real = head.walk, both.src_padding[0]
        layer = min(head.layer, walk.config.n_encoder_layers - 1)
        name = f"encoder.{layer}.self_attn.weights"
        # The encoder's weights of the sentence in the batch, with the mask and without.
        weights, opened = (of[name][head.head][real] for of in (both.weights, both.open_weights))
        shares = opened[:, ~real].sum(-1)  # of each token's look that goes to padding
        word = int(shares.argmax())
        text = _(
            "In the encoder there is no causal mask: the padding mask does all the work. "
            "Without it, “{word}” would give {share} of its attention to `<pad>`, and "
            "probabilities would change by up to {open}. With it, the largest difference from "
            "your sentence alone is {apart}."
        )
        say(
            text,
            word=token_markdown(head.walk.capture.src[word]),
            share=percent(shares[word]),
            apart=number(both.apart, 4),
            open=number(both.apart_open, 4),
        )
        words, keys = ([token.text for token in one] for one in (walk.capture.src, both.src[0]))
        place = _("encoder layer {layer}, head {head}")
        look: dict[str, Any] = {
            "cols": keys,
            "note": place.format(layer=layer + 1, head=head.head + 1),
            "thumb": True,
        }
        mask = np.broadcast_to(real, weights.shape)
        masked = weights_grid(weights, _("with the padding mask"), words, mask=mask, **look)
        arrays(walk, [masked, weights_grid(opened, _("without it"), **look)], "mask-encoder")


@screens("peek", N_("Take the mask away"))
def draw_peek(head: Head) -> None:
    """Draw the weights with the causal mask and without it."""
    if not has_future(head):
        text = _(
            "The decoder has only read `<bos>` here, so there is no future to hide. Type a longer "
            "sentence."
        )
        say(text)
        return
    word = min(head.query, len(head.words) - 2)
    ahead = data.unmasked(head.walk)[f"{head.scope}.weights"][head.head, word, word + 1 :].sum()
    text = _(
        "The same model reads the same tokens once more, without the causal mask. Cells above the "
        "diagonal light up: “{word}” spends {share} of its attention on tokens that are not "
        "written yet."
    )
    say(text, word=head.words[word], share=percent(ahead))
    walk, name = head.walk, f"{head.scope}.weights"
    words, mask = labels_of(walk, name, 2), allowed(walk, head.kind)
    masked = head.part("weights", (None, None), _("with the mask"), mask=mask, thumb=True)
    opened = data.unmasked(walk)[name][head.head]
    without = weights_grid(opened, _("without the mask"), (), words, thumb=True)
    arrays(walk, [masked, Op("→"), without], "mask-peek")


@screens.drawer("change", N_("The proof that it looks ahead"), when=has_future)
def draw_change(head: Head) -> None:
    """Draw what another token at one place changes before it, with the mask and without."""
    text = _(
        "Put another token at one place: does the model predict something else *before* that place?"
    )
    say(text)
    walk, tokens = head.walk, head.walk.capture.tgt
    place, instead = _pick_change(walk)
    masked, opened = (data.effect(walk, place, instead, causal) for causal in (True, False))
    change = opened.largest
    text = _(
        "With the mask, earlier probabilities change by {masked}. Without it, by up to {open}: "
        "after “{reads}”, “{next}” had {before}; once “{word}” is “{instead}”, it has {after}."
    ).format(
        word=token_markdown(tokens[place]),
        instead=token_markdown(instead),
        masked=number(masked.largest.size, 4),
        open=number(change.size, 4),
        reads=token_markdown(tokens[change.row]),
        next=token_markdown(change.token),
        before=number(change.before, 4),
        after=number(change.after, 4),
    )
    title = _("What each earlier token predicts next: how much of it changes")
    st.markdown(text)
    st.markdown(f"**{title}**")
    figure = pair_bars(
        (
            (_("with the mask"), "value", 100 * masked.moved[:place]),
            (_("without the mask"), "key", 100 * opened.moved[:place]),
        ),
        [f"{read.text} →" for read in tokens[:place]],
        value_title=_("probability that moves to other tokens, in %"),
    )
    show_chart(figure, "peek", title, lambda: _columns(walk, masked, opened))


def _pick_change(walk: Walk) -> tuple[int, Token]:
    """Draw the choices and return the place that changes and the word that comes there."""
    tokens = walk.capture.tgt
    names = numbered([token.text for token in tokens], " · ")
    words = {i: name for i, name in enumerate(names) if i}
    last = [i for i, token in enumerate(tokens) if i and token.text.isalpha()]
    place = PLACE.get() if PLACE.get() in words else (last or [len(tokens) - 1])[-1]
    others = data.alternatives(walk, place)
    at = min(INSTEAD.get(), len(others) - 1)
    about = _("The tokens that the model itself found likeliest there, after its own choice.")
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pick_from_list(PLACE, _("Change this token"), words, value=place)
        titles = dict(enumerate(token.text for token in others))
        pick_from_list(INSTEAD, _("Put this token there"), titles, value=at, help=about)
    return place, others[at]


def _columns(walk: Walk, masked: data.Effect, opened: data.Effect) -> Columns:
    pairs = zip(walk.capture.tgt, follows(walk), strict=True)
    return {
        _("after → next token"): numbered([f"{read.text} → {new.text}" for read, new in pairs]),
        _("with the mask, before"): masked.before.tolist(),
        _("with the mask, after"): masked.after.tolist(),
        _("with the mask, moved"): masked.moved.tolist(),
        _("without the mask, before"): opened.before.tolist(),
        _("without the mask, after"): opened.after.tolist(),
        _("without the mask, moved"): opened.moved.tolist(),
    }
