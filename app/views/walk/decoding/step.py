"""What happens at one moment: what goes in, where every decoder layer looks, what comes out."""

from collections.abc import Callable

import streamlit as st

from app import state
from app.components.board import Grid, Op
from app.format import grouped, probability, share
from app.i18n import _
from app.inspector.arrays import STATE_FOLD, arrays, grid, weights_grid
from app.inspector.attention import AGGREGATES
from app.inspector.naming import layer_names, quoted_token
from app.inspector.stepper import draw_candidates
from app.page.quiz import Task
from app.ui.pickers import pick
from app.views.walk.decoding import texts
from app.views.walk.decoding.moment import MEAN, Look, Moment


def memory_text(moment: Moment) -> str:
    """Say what the encoder leaves for all steps."""
    walk = moment.walk
    return _(texts.ENCODE).format(n=len(walk.capture.src), d_model=walk.config.d_model)


def guess_memory(moment: Moment) -> Task:
    """Ask how often the encoder runs."""
    says, n = texts.ENCODE_SAYS, len(moment.walk.translation.steps)
    options = [_(texts.ENCODE_EACH), _(texts.ENCODE_ONCE), _(texts.ENCODE_LAYER)]
    return Task.of(texts.ENCODE_ASK, options, [1], says, says, n=n)


def draw_memory(moment: Moment) -> None:
    """Draw the memory, and the keys and values that a layer makes of it."""
    walk, every = moment.walk, (moment.head, None, None)
    small = {"thumb": True, "row_labels": ()}
    drawn: list[Grid | Op] = [
        grid(walk, "memory", (None, None), _(texts.MEMORY), thumb=True),
        Op("→"),
        *(grid(walk, f"decoder.0.cross_attn.{v}", every, v.upper(), **small) for v in "kv"),
    ]
    arrays(walk, drawn, key="memory")
    st.caption(_(texts.ENCODE_HEAD).format(head=moment.head + 1))


def read_text(moment: Moment) -> str:
    """Say which token the decoder reads."""
    text = _(texts.NEXT if moment.at else texts.FIRST)
    return text.format(word=quoted_token(moment.read), n=moment.at + 1, before=moment.at)


def draw_read(moment: Moment) -> None:
    """Draw the vector of the token that is read, and what it is the sum of."""
    embed, pos, x = (
        grid(moment.walk, f"tgt.{name}", (moment.at, None), title, fold=STATE_FOLD)
        for name, title in (
            ("embed", f"{_('embedding')} · “{moment.read.text}”"),
            ("pos", _("position")),
            ("sum", "x"),
        )
    )
    arrays(moment.walk, [embed, Op("+"), pos, Op("="), x], "in")


def look_text(look: Look, text: str) -> Callable[[Moment], str]:
    """Return what says where the token that is read looks."""

    def say(moment: Moment) -> str:
        layers = enumerate(layer_names(moment.walk.config.n_decoder_layers))
        most = ", ".join(_most(moment, look, *layer) for layer in layers)
        return _(text).format(word=quoted_token(moment.read), list=most)

    return say


def draw_look(look: Look) -> Callable[[Moment], None]:
    """Return what draws one look of every layer, of one head or as the mean over heads."""

    def draw(moment: Moment) -> None:
        layers = enumerate(layer_names(moment.walk.config.n_decoder_layers))
        arrays(moment.walk, [_strip(moment, look, *layer) for layer in layers], key=look)
        if moment.mean:
            st.caption(_(texts.MEAN_CELLS))

    return draw


def out_text(moment: Moment) -> str:
    """Say which token was taken, and what is left for those without a bar."""
    candidates = moment.decoded.candidates
    rest = 1 - sum(candidate.probability for candidate in candidates)
    others = grouped(moment.walk.config.n_tgt_vocab - len(candidates))
    tail = _(texts.TAIL).format(n=others, p=probability(max(rest, 0.0)))
    return f"{_choice(moment)} {tail}"


def draw_out(moment: Moment) -> None:
    """Draw the likeliest tokens, and say how the sentence ends."""
    walk, step = moment.walk, moment.decoded
    bars, cells = st.columns([0.66, 0.34], gap="small")
    with bars:
        draw_candidates(walk.translation, moment.at)
    ids = tuple(candidate.token.id for candidate in step.candidates)
    words = [candidate.token.text for candidate in step.candidates]
    look = {"rows": ids, "cols": (moment.at,), "row_labels": words, "height": 210}
    p = grid(
        walk,
        "probabilities",
        (None, None),
        "p",
        transposed=True,
        role="output",
        col_labels=(),
        **look,
    )
    with cells:
        arrays(walk, [p], "out")
    if moment.at + 1 == len(walk.translation.steps):
        ended = "unfinished" not in walk.translation.notices
        st.success(_(texts.ENDED) if ended else _(texts.CUT_OFF))


def _strip(moment: Moment, look: Look, layer: int, title: str) -> Grid:
    """Return where a layer looks; the mean over heads is no number of the model's."""
    labels = [token.text for token in moment.keys(look)]
    if moment.mean:
        return weights_grid(moment.weights(look, layer), title, cols=labels)
    name, index = f"decoder.{layer}.{look}.weights", (moment.head, moment.at, None)
    return grid(moment.walk, name, index, title, cols=tuple(range(len(labels))))


def _most(moment: Moment, look: Look, layer: int, title: str) -> str:
    """Say which token gets most in a layer."""
    row = moment.weights(look, layer)
    key = int(row.argmax())
    return f"{title} {quoted_token(moment.keys(look)[key])} {share(row[key])}"


def pick_head(moment: Moment) -> None:
    """Draw the heads, and their mean."""
    heads = [str(i + 1) for i in range(moment.walk.config.n_heads)]
    names = dict(zip(heads, heads, strict=True)) | {MEAN: AGGREGATES[MEAN]}
    about = _("The mean adds the weights of all heads and divides by their number.")
    value = MEAN if moment.mean else heads[moment.head]
    pick(state.HEAD, _("Head"), names, value=value, wrap=True, help=about)


def _choice(moment: Moment) -> str:
    """Say which token was taken, and whether a likelier one was left."""
    config, step = moment.walk.config, moment.decoded
    taken, top = step.taken, step.candidates[0]
    if moment.walk.translation.decoding.method == "sample":
        text = texts.DRAWN
    elif step.chosen == 0:
        text = texts.LIKELIEST
    else:
        never = top.token.id in (config.pad_id, config.bos_id)
        text = texts.NEVER if never else texts.NOT_LIKELIEST
        if taken.token.id == config.eos_id and "unfinished" in moment.walk.translation.notices:
            text = texts.FORCED
    p, q = probability(taken.probability), probability(top.probability)
    return _(text).format(word=quoted_token(taken.token), p=p, top=quoted_token(top.token), q=q)
