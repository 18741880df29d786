"""The page “Open a trace”: whatever a file of some model's attention holds, and what it lacks."""

from functools import partial
from typing import Any, Final

import numpy as np
import streamlit as st

from app import state
from app.components.board import array_grid, board
from app.components.grid import Weights, table_words
from app.components.lines import lines
from app.components.matrix import matrix
from app.components.shared.kept import keeping
from app.components.wall import HeadPick, wall
from app.data.translation import Kind, model_names
from app.data.walk import ATTENTIONS
from app.format import escape, row_names
from app.i18n import N_, _, ngettext
from app.inspector.attention import KIND_NAMES, KINDS
from app.inspector.attention_views import draw_weights_menu
from app.inspector.picks import choose_head, pick_place, place_of, token_chips
from app.registry import view_of
from app.state import Pin
from app.ui.about import about
from app.ui.chosen import model_name
from app.ui.kept import screen_menu
from app.ui.pickers import pick, uploader
from app.ui.sentence_box import first_sentence
from app.ui.table import Columns, fold, table
from app.views.trace.data import MOST_BYTES, OpenedTrace, Trace, example, mask_of, read

PARTS: Final = {
    "encoder": N_("the attention of the encoder"),
    "decoder": N_("the masked attention of the decoder"),
    "cross": N_("the encoder-decoder attention"),
}

OPENED = "trace"  # in the session: the file that was loaded last, as it was read
UPLOADED = "trace file"  # in the session: which file that was
MOST_WEIGHTS = 8_000_000  # of all heads at once, one byte each
VIEWS = {"matrix": N_("Heatmap"), "wall": N_("All heads"), "lines": N_("Lines")}
MOST_ROWS, MOST_COLS = 64, 256  # of a drawn array


def draw() -> None:
    """Draw the field that opens a file, and what the last file holds."""
    st.title(_(view_of("trace").title))
    text = _(
        "A trace is a file with the attention of one run of any Transformer: an encoder-decoder "
        "model, a decoder alone or an encoder alone, with any number of layers and heads. Whatever "
        "is in it is shown here; nothing of it is kept on the server, and no model is run."
    )
    st.markdown(text)
    _take_in()
    opened: OpenedTrace | None = st.session_state.get(OPENED)
    # Each part has its own container: when parts above it disappear, it would be shown twice until
    # a large file is fully drawn.
    how, held = st.container(), st.container()
    if opened is None:
        with how:
            says = _(
                "It is a [safetensors]({address}) file with named arrays and the tokens. **Save as "
                "a trace**, on the page Translate, writes one; `docs/traces.md`, in the project's "
                "folder, has ten lines that write one from a model of Hugging Face."
            )
            st.markdown(says.format(address="https://huggingface.co/docs/safetensors"))
            opened = _example()
    if opened is None:
        return
    if opened.trace is None:
        st.error(escape(opened.refusal))
    else:
        title = _(view_of("trace").title)
        about_file = about(page="trace", title=title, sentence=opened.name)
        with held, about_file, keeping() as drawn:
            _draw_trace(opened.name, opened.trace)
            screen_menu([("", drawn)])


def _example() -> OpenedTrace | None:
    """Say that one of our own translations is shown as an example, and return its trace."""
    names = model_names()
    if not names:
        return None
    text = first_sentence(names[0])
    says = _(
        "No file is open yet. As an example, here is the trace of “{text}” from our own "
        "model, {model}."
    )
    st.caption(says.format(text=escape(text), model=escape(model_name(names[0]))))
    return example(names[0], text)


def _take_in() -> None:
    most = MOST_BYTES >> 20
    text = _("At most {most} MB. Its weights, names and tokens are checked before it is shown.")
    label, tip = _("A trace: a safetensors file"), text.format(most=most)
    # The file that was open is removed or replaced.
    forget = partial(st.session_state.pop, OPENED, None)
    look: dict[str, Any] = {"most": most, "help": tip, "on_change": forget}
    file = uploader(label, ["safetensors"], key="trace-file", **look)
    if file is not None and st.session_state.get(UPLOADED) != file.file_id:
        st.session_state[UPLOADED] = file.file_id
        st.session_state[OPENED] = read(file.name, file.getvalue())


def _draw_trace(name: str, trace: Trace) -> None:
    count = len(trace.arrays)
    arrays = ngettext("{n} array", "{n} arrays", count).format(n=count)
    holds = _("“{name}” holds {arrays}.").format(name=escape(name), arrays=arrays)
    missing = [_(text) for kind, text in PARTS.items() if kind not in trace.kinds]
    missing += [] if trace.stages else [_("the queries, keys and values behind the weights")]
    if missing:
        holds += " " + _("Not in this trace: {parts}.").format(parts=", ".join(missing))
    st.info(holds)
    with st.container():
        for side, label, role in (
            (trace.src, N_("The source, as the encoder reads it"), "input"),
            (trace.tgt, N_("The target, as the decoder reads it"), "output"),
        ):
            if side:
                token_chips(side, key=f"trace-{role}", label=_(label), role=role)
    with st.container():
        if trace.kinds:
            _draw_attention(trace)
        else:
            st.info(_("No attention weights are in this trace: only its arrays can be shown."))
    fold(_("All arrays"), "arrays", "data_array", lambda: draw_arrays(trace))


def _draw_attention(trace: Trace) -> None:
    view = state.VIEW.get() if state.VIEW.get() in VIEWS else "matrix"
    pick(state.VIEW, _("Look inside"), VIEWS, value=view, label_visibility="collapsed")
    chosen = state.KIND.get()
    kind: Kind = chosen if chosen in trace.kinds else trace.kinds[-1]
    names = {one: KIND_NAMES[one] for one in trace.kinds}
    layer = place_of(state.LAYER, trace.n_layers(kind), trace.n_layers(kind) - 1)
    head = place_of(state.HEAD, trace.n_heads(kind))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        unpin = partial(state.PIN.set, None)  # the same indices would mean other tokens
        pick(state.KIND, _("Attention"), names, value=kind, wrap=True, on_change=unpin)
        if view != "wall":
            pick_place(state.LAYER, _("Layer"), trace.n_layers(kind), layer)
            pick_place(state.HEAD, _("Head"), trace.n_heads(kind), head)
    if view == "wall":
        everything = _weights(trace, kind)
        if everything.values.size > MOST_WEIGHTS:
            st.info(_("There are too many heads to draw all at once: choose one of them."))
        else:
            wall(everything, key="wall", locked=HeadPick(layer, head), on_lock=choose_head)
        return
    weights, mask = _weights(trace, kind, layer, head), mask_of(trace, kind, layer, head)
    pin = _pin(weights)
    if view == "lines":
        locked = pin if pin and pin.key is None else None
        lines(weights, key="lines", locked=locked, on_lock=_set_pin)
    else:
        matrix(weights, key="matrix", pinned=pin, mask=mask, on_pin=_set_pin)
    text = _("The numbers are those of the file.")
    st.caption(f"{_(KINDS[kind])}  \n{text}")
    place = _("Layer {layer}, head {head}").format(layer=layer + 1, head=head + 1)
    with about(place=(_(KIND_NAMES[kind]), place)):
        draw_weights_menu("trace", weights, mask, None, table_words()["name"])


def _weights(trace: Trace, kind: Kind, *at: int) -> Weights:
    """Return the weights of one layer and head, or of all, with their tokens."""
    queries, keys = (
        [token.text for token in side] for side in (trace.queries(kind), trace.keys(kind))
    )
    # No file tells which token came after its last one.
    rows = queries if ATTENTIONS[kind].queries == "src" else row_names(queries, "…")
    return Weights(trace.weights(kind)[at], rows, keys)


def _pin(weights: Weights) -> Pin | None:
    """Return the pin, if these weights have its row and column."""
    pin = state.PIN.get()
    sides = zip(pin or (), weights.values.shape, strict=False)
    return pin if all(place is None or place < length for place, length in sides) else None


def _set_pin(pin: Pin) -> None:
    state.PIN.set(None if pin == (None, None) else pin)


def draw_arrays(trace: Trace) -> None:
    """Draw each array's name, shape and range, and the numbers of a chosen one."""
    names = sorted(trace.arrays)
    listed = [trace.arrays[name] for name in names]
    finite = [array[np.isfinite(array)] for array in listed]
    columns: Columns = {
        _("name"): names,
        _("shape"): [" × ".join(map(str, array.shape)) for array in listed],
        _("smallest"): [float(array.min(initial=np.inf)) for array in finite],
        _("largest"): [float(array.max(initial=-np.inf)) for array in finite],
    }
    table(columns, "trace-arrays")
    name = st.selectbox(_("Array"), names, key="trace-array")
    array = trace.arrays[name]
    # The last two axes of it, up to MOST_ROWS and MOST_COLS.
    matrix = array[(0,) * max(array.ndim - 2, 0)]
    part = matrix[..., :MOST_COLS] if matrix.ndim == 1 else matrix[:MOST_ROWS, :MOST_COLS]
    if part.size < array.size:
        rows, cols = np.atleast_2d(part).shape
        text = _("{rows} × {cols} of its numbers are drawn: at the first index of its other axes.")
        st.caption(text.format(rows=rows, cols=cols))
    # An underscore would make a subscript of what follows it.
    title = name.rpartition(".")[2].replace("_", " ")
    board([array_grid(part, title, mask=np.isfinite(part))], key="trace-board")


draw()
