"""What happens at one moment: what goes in, where every decoder layer looks, what comes out."""

import streamlit as st

from app import state
from app.components.board import Fold, Grid
from app.data.walk import Cell
from app.format import grouped, probability
from app.i18n import _
from app.inspect.arrays import arrays, grid, weights_grid
from app.inspect.attention import AGGREGATES
from app.inspect.naming import layer_names, quoted
from app.inspect.stepper import draw_candidates, draw_candidates_table
from app.ui.pickers import pick
from app.ui.table import twins_name
from app.views.walk.decoding import texts
from app.views.walk.decoding.moment import MEAN, Look, Moment


def memory_text(moment: Moment) -> str:
    """Say what the encoder leaves for all steps."""
    walk = moment.walk
    return _(texts.ENCODE).format(n=len(walk.capture.src), d_model=walk.config.d_model)


def draw_memory(moment: Moment) -> None:
    """Draw the memory, and the keys and values that a layer makes of it."""
    walk, head = moment.walk, moment.head
    arrays(walk, [grid(walk, "memory", (None, None), _(texts.MEMORY))], key="memory")
    for column, name in zip(st.columns(2, gap="medium"), "kv", strict=True):
        with column:
            index = (head, None, None)
            drawn = grid(walk, f"decoder.0.cross_attn.{name}", index, name.upper())
            arrays(walk, [drawn], key=f"memory-{name}")
    st.caption(_(texts.ENCODE_HEAD).format(head=head + 1))


def read_text(moment: Moment) -> str:
    """Say which piece the decoder reads."""
    text = _(texts.NEXT if moment.at else texts.FIRST)
    return text.format(word=quoted(moment.read), before=moment.at)


def draw_read(moment: Moment) -> None:
    """Draw the vector of the piece that is read."""
    x = grid(moment.walk, "tgt.sum", (moment.at, None), f"x · “{moment.read.text}”")
    arrays(moment.walk, [x], "in")


def looks_text(moment: Moment) -> str:
    """Say where the piece that is read looks."""
    return _(texts.LOOKED).format(word=quoted(moment.read))


def draw_looks(moment: Moment) -> None:
    """Draw both looks of every layer, of one head or as the mean over heads."""
    _pick_head(moment)
    layers = list(enumerate(layer_names(moment.walk.config.n_decoder_layers)))
    looks: tuple[tuple[Look, str], ...] = (("self_attn", texts.BACK), ("cross_attn", texts.OVER))
    for column, (look, title) in zip(st.columns(2, gap="medium"), looks, strict=True):
        with column:
            most = ", ".join(_most(moment, look, *layer) for layer in layers)
            st.markdown(f"**{_(title)}**\n\n{_(texts.MOST).format(list=most)}")
            arrays(moment.walk, [_strip(moment, look, *layer) for layer in layers], key=look)
    if moment.mean:
        st.caption(_(texts.MEAN_CELLS))


def out_text(moment: Moment) -> str:
    """Say which piece was taken, and what is left for those without a bar."""
    candidates = moment.decoded.candidates
    rest = 1 - sum(candidate.probability for candidate in candidates)
    others = grouped(moment.walk.config.n_tgt_vocab - len(candidates))
    tail = _(texts.TAIL).format(n=others, p=probability(max(rest, 0.0)))
    return f"{_choice(moment)} {tail}"


def draw_out(moment: Moment) -> None:
    """Draw the likeliest pieces, and say how the sentence ends."""
    walk, step = moment.walk, moment.decoded
    draw_candidates(walk.translation, moment.at)
    ids = tuple(candidate.token.id for candidate in step.candidates)
    words = [candidate.token.text for candidate in step.candidates]
    at = (moment.at, None)
    p = grid(walk, "probabilities", at, "p", cols=ids, col_labels=words, role="output")
    fold = Fold(twins_name(picture=False), lambda: draw_candidates_table(step, moment.at))
    arrays(walk, [p], "out", fold)
    if moment.step == len(walk.translation.steps):
        ended = step.taken.token.id == walk.config.eos_id
        st.success(_(texts.ENDED) if ended else _(texts.CUT_OFF))


def strongest(moment: Moment) -> Cell:
    """Return the strongest look at the source of the last layer, in the chosen head."""
    name = f"decoder.{moment.walk.config.n_decoder_layers - 1}.cross_attn.weights"
    row = moment.walk.array(name, (moment.head, moment.at))
    return Cell(name, (moment.head, moment.at, int(row.argmax())))


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
    return f"{title} {quoted(moment.keys(look)[key])} {row[key]:.2f}"


def _pick_head(moment: Moment) -> None:
    heads = [str(i + 1) for i in range(moment.walk.config.n_heads)]
    names = dict(zip(heads, heads, strict=True)) | {MEAN: AGGREGATES[MEAN]}
    about = _("The mean adds the weights of all heads and divides by their number.")
    value = MEAN if moment.mean else heads[moment.head]
    pick(state.HEAD, _("Head"), names, value=value, wrap=True, help=about)


def _choice(moment: Moment) -> str:
    """Say which piece was taken, and whether a likelier one was left."""
    config, step = moment.walk.config, moment.decoded
    taken, top = step.taken, step.candidates[0]
    if moment.walk.translation.decoding.method == "sample":
        text = texts.DRAWN
    elif step.chosen == 0:
        text = texts.LIKELIEST
    else:
        never = top.token.id in (config.pad_id, config.bos_id)
        text = texts.NEVER if never else texts.NOT_LIKELIEST
    p, q = probability(taken.probability), probability(top.probability)
    return _(text).format(word=quoted(taken.token), p=p, top=quoted(top.token), q=q)
