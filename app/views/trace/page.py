"""The page “Open a trace”: whatever a file of some model's attention holds, and what it lacks."""

import streamlit as st

from app import state
from app.components.grid import Weights, table_words
from app.components.lines import lines
from app.components.matrix import matrix
from app.components.shared.kept import keeping
from app.components.wall import HeadPick, wall
from app.data.translation import Kind, model_names
from app.format import escape
from app.i18n import N_, _, ngettext
from app.inspector.attention import KIND_NAMES
from app.inspector.attention_views import draw_weights_menu
from app.inspector.naming import row_names
from app.inspector.picks import choose_head, pick_place, place_of, token_chips
from app.registry import view_of
from app.state import Pin
from app.texts.attention import KINDS
from app.ui.about import about
from app.ui.chosen import model_name
from app.ui.kept import screen_menu
from app.ui.pickers import pick, uploader
from app.ui.sentence_box import first_sentence
from app.ui.table import fold
from app.views.trace import texts
from app.views.trace.arrays import draw_arrays
from app.views.trace.data import MOST_BYTES, Opened, Trace, example, mask_of, read

OPENED = "trace"  # in the session: the file that was loaded last, as it was read
UPLOADED = "trace file"  # in the session: which file that was
MOST_WEIGHTS = 8_000_000  # of all heads at once, one byte each
VIEWS = {"matrix": N_("Heatmap"), "wall": N_("All heads"), "lines": N_("Lines")}


def draw() -> None:
    """Draw the field that opens a file, and what the last file holds."""
    st.title(_(view_of("trace").title))
    st.markdown(_(texts.INTRO))
    _take_in()
    opened: Opened | None = st.session_state.get(OPENED)
    # Each part has its own container: when parts above it disappear, it would be shown twice until
    # a large file is fully drawn.
    how, held = st.container(), st.container()
    if opened is None:
        with how:
            st.markdown(_(texts.HOW).format(address=texts.FORMAT))
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


def _example() -> Opened | None:
    """Say that one of our own translations is shown as an example, and return its trace."""
    names = model_names()
    if not names:
        return None
    text = first_sentence(names[0])
    st.caption(_(texts.EXAMPLE).format(text=escape(text), model=escape(model_name(names[0]))))
    return example(names[0], text)


def _take_in() -> None:
    most = MOST_BYTES >> 20
    file = uploader(
        _(texts.UPLOAD),
        ["safetensors"],
        key="trace-file",
        most=most,
        help=_(texts.HELP).format(most=most),
        on_change=_forget,
    )
    if file is not None and st.session_state.get(UPLOADED) != file.file_id:
        st.session_state[UPLOADED] = file.file_id
        st.session_state[OPENED] = read(file.name, file.getvalue())


def _forget() -> None:
    """Forget the file that was open: it was removed or replaced."""
    st.session_state.pop(OPENED, None)


def _draw_trace(name: str, trace: Trace) -> None:
    count = len(trace.arrays)
    arrays = ngettext("{n} array", "{n} arrays", count).format(n=count)
    holds = _(texts.HOLDS).format(name=escape(name), arrays=arrays)
    missing = [_(text) for kind, text in texts.KINDS.items() if kind not in trace.kinds]
    missing += [] if trace.stages else [_(texts.STAGES)]
    if missing:
        holds += " " + _(texts.MISSING).format(parts=", ".join(missing))
    st.info(holds)
    with st.container():
        for side, label, role in (
            (trace.src, texts.SOURCE, "input"),
            (trace.tgt, texts.TARGET, "output"),
        ):
            if side:
                token_chips(side, key=f"trace-{role}", label=_(label), role=role)
    with st.container():
        if trace.kinds:
            _draw_attention(trace)
        else:
            st.info(_(texts.NO_ATTENTION))
    fold(_(texts.ARRAYS), "arrays", ":material/data_array:", lambda: draw_arrays(trace))


def _draw_attention(trace: Trace) -> None:
    view = state.VIEW.get() if state.VIEW.get() in VIEWS else "matrix"
    pick(state.VIEW, _("Look inside"), VIEWS, value=view, label_visibility="collapsed")
    chosen = state.KIND.get()
    kind: Kind = chosen if chosen in trace.kinds else trace.kinds[-1]
    names = {one: KIND_NAMES[one] for one in trace.kinds}
    layer = place_of(state.LAYER, trace.n_layers(kind), trace.n_layers(kind) - 1)
    head = place_of(state.HEAD, trace.n_heads(kind))
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        pick(state.KIND, _("Attention"), names, value=kind, wrap=True, on_change=_unpin)
        if view != "wall":
            pick_place(state.LAYER, _("Layer"), trace.n_layers(kind), layer)
            pick_place(state.HEAD, _("Head"), trace.n_heads(kind), head)
    if view == "wall":
        everything = _weights(trace, kind)
        if everything.values.size > MOST_WEIGHTS:
            st.info(_(texts.TOO_MANY))
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
    st.caption(f"{_(KINDS[kind])}  \n{_(texts.OF_FILE)}")
    place = _("Layer {layer}, head {head}").format(layer=layer + 1, head=head + 1)
    with about(place=(_(KIND_NAMES[kind]), place)):
        draw_weights_menu("trace", weights, mask, None, table_words()["name"])


def _weights(trace: Trace, kind: Kind, *at: int) -> Weights:
    """Return the weights of one layer and head, or of all, with their tokens."""
    queries, keys = (
        [token.text for token in side] for side in (trace.queries(kind), trace.keys(kind))
    )
    # No file tells which token came after its last one.
    rows = queries if kind == "encoder" else row_names(queries, "…")
    return Weights(trace.weights(kind)[at], rows, keys)


def _pin(weights: Weights) -> Pin | None:
    """Return the pin, if these weights have its row and column."""
    pin = state.PIN.get()
    sides = zip(pin or (), weights.values.shape, strict=False)
    return pin if all(place is None or place < length for place, length in sides) else None


def _set_pin(pin: Pin) -> None:
    state.PIN.set(None if pin == (None, None) else pin)


def _unpin() -> None:
    state.PIN.set(None)  # the same indices would mean other tokens


draw()
