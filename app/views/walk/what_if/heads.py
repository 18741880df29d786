"""What the model translates without a head, and without each of them in turn."""

from collections.abc import Mapping
from time import monotonic, sleep
from typing import Final, Literal

import numpy as np
import streamlit as st

from app import state
from app.data.changed import run_with
from app.data.walk import Cell, Walk, powers
from app.format import share, signed
from app.i18n import N_, _
from app.inspector import changes
from app.inspector.arrays import array_grid, draw_board
from app.inspector.both import draw_translations
from app.inspector.naming import head_names, layer_names
from app.inspector.picks import pick_layer
from app.inspector.probe import Probe, marked, pick_written
from app.page.changed_run import draw_open
from app.page.kit import Code, Myth, QuizTask, Screens, beside, guess, pick, say
from app.page.quiz import largest
from app.views.walk.what_if import data
from app.views.walk.what_if.questions import says

ROWS: Final = {
    "encoder": N_("encoder {n}"),
    "decoder": N_("masked {n}"),
    "cross": N_("enc.-dec. {n}"),
}
# What the wall says in place of a board's own words.
WALL_WORDS: Final = {
    "hint": N_("Point at a head, or move with the arrow keys. A click or Enter opens its run."),
    "matrix": N_(
        "{title}, {rows} × {cols}; arrow keys move, Enter opens the run without that head"
    ),
    "strip": N_("{title}, {cols} heads; arrow keys move, Enter opens the run without that head"),
    "asked": N_("Muted: {cell}"),
    "hatched": N_("not run yet"),
}
MYTH: Final = N_("“The head with the sharpest attention is the one that matters.”")
BESIDE: Final = (0.57, 0.43)  # a grid of heads, and the run without one of them
MOST_HIGH: Final = 190  # pixels of the cells, so that they fit a laptop's screen
About = Literal["sentence", "word"]
ABOUTS: Final[Mapping[About, str]] = {
    "sentence": N_("the whole translation"),
    "word": N_("one token"),
}
ABOUT: Final = state.Param[About]("about", "sentence", state.one_of("sentence", "word"))


Found = Mapping[data.AttentionLayer, np.ndarray]
MUTED: Final = state.Param[str]("muted", "", str)
WALL: Final = "muted"  # no array of the model: a click opens a run
HIGH: Final = 256  # pixels of the wall's cells, so that no head is below the window
AT_ONCE: Final = 1.0  # seconds: what takes longer shows how far it is
SEEN: Final = 0.15  # seconds: what is drawn goes to the browser before the page runs again
FOUND: Final = "what-if-swept"
STOPPED: Final = "what-if-stopped"


def myth(probe: Probe) -> Myth:
    """Compare, token by token, the head that looks most decidedly with the one that is needed."""
    weights = probe.walk.capture.all_weights("cross").max(-1)  # (L, H, T)
    changes = cross_muted(probe.walk)
    T = changes.shape[-1]
    sharp, needed = (one.reshape(-1, T).argmax(0) for one in (weights, -changes))  # (T,)
    apart = sharp != needed
    if not apart.any():
        truth = _(
            "For all {n} tokens of this translation it is the same head. That is chance, not a "
            "rule: try another sentence."
        )
        return Myth(_(MYTH), truth.format(n=T))
    at = int(np.where(apart, -changes.min((0, 1)), -np.inf).argmax())
    (layer, head), (other, its) = (divmod(int(i[at]), changes.shape[1]) for i in (sharp, needed))
    truth = _(
        "While the model writes “{word}”, head {head} of layer {layer} has the sharpest "
        "attention, a weight of {weight} on one token; mute it, and log p changes by {change}. "
        "Head {its} of layer {other} gives no token more than {less}, and without it log p "
        "changes by {more}. The two are different heads for {apart} of the {n} tokens: a map of "
        "attention says where a head looked, only a second run says what that look was worth."
    ).format(
        word=marked(Probe(probe.walk, at, 0).word),
        layer=layer + 1,
        head=head + 1,
        weight=share(weights[layer, head, at], 3),
        change=signed(changes[layer, head, at], 3),
        other=other + 1,
        its=its + 1,
        less=share(weights[other, its, at], 3),
        more=signed(changes[other, its, at], 3),
        apart=int(apart.sum()),
        n=T,
    )
    return Myth(_(MYTH), truth)


def pick_counted(_probe: Probe) -> None:
    """Draw whether a wall is about the whole translation, or about one token of it."""
    pick(ABOUT, _("What counts"), ABOUTS)


def _pick_counted_word(probe: Probe) -> None:
    if ABOUT.get() == "word":
        pick_written(probe)


pick_about = beside([0.3, 0.7], pick_counted, _pick_counted_word, gap="medium")
screens = Screens[Probe]()


@screens(
    "head",
    N_("Which head carries this token?"),
    Code(
        N_("Change one number on its way: a hook"),
        r"z_h \leftarrow 0",
        "model.nn.hooks:Intervention",
    ),
    Code(
        N_("Many changes in one batch"),
        r"\Delta_t = \log p'_t - \log p_t",
        "model.interpret.experiments.plan:each_alone",
    ),
    pick=pick_written,
)
def draw_head(probe: Probe) -> None:
    """Draw the change of the word's log p for each muted head, and the run without the worst."""
    config, word = probe.walk.config, marked(probe.word)
    count = config.n_decoder_layers * config.n_heads
    text = _(
        "{n} heads of the encoder-decoder attention look at your sentence while the model writes "
        "“{word}”, with p = {p}. Mute them one at a time: zeros go into W_O in place of what that "
        "head has gathered. This is an ablation."
    )
    say(text, n=count, word=word, p=share(float(powers(probe.log_p[probe.at])), 4))
    guess(guess_head(probe))
    changes = cross_muted(probe.walk)[..., probe.at]  # (L, H)
    layer, head = divmod(int(changes.argmin()), changes.shape[1])
    together = run_with(probe.walk, data.change_types.MuteHeads("cross", layer))
    one, all_ = changes[layer].sum(), (together.after - together.before)[probe.at]
    text = _(
        "Without head {head} of layer {layer}, log p of “{word}” changes by {change}. Muted one "
        "at a time, the {n} heads of that layer add up to {sum}; all of them muted at once make "
        "{together}."
    ).format(
        layer=layer + 1,
        head=head + 1,
        word=marked(probe.word),
        change=signed(changes[layer, head]),
        n=changes.shape[1],
        sum=signed(one),
        together=signed(all_),
    )
    stand_in = _("So here no head stands in for another one.")
    if all_ < one:
        stand_in = _("So they stand in for each other: what one loses, the others still bring.")
    st.markdown(f"{text} {stand_in}")
    L, H = changes.shape
    title = _("Δ log p of “{word}” without one head").format(word=probe.word)
    labels = {"row_labels": layer_names(L), "col_labels": numbers(H)}
    left, right = st.columns(BESIDE, gap="medium")
    with left:
        draw_board([array_grid(changes, title, "output", **labels)], "what-head")
    with right:
        muted_run = run_with(probe.walk, data.change_types.MuteHeads("cross", layer, (head,)))
        draw_translations(muted_run)
        st.markdown(says(probe, muted_run))


@screens.drawer("one", N_("Does one head suffice?"))
def draw_one(probe: Probe) -> None:
    """Draw every token's log p with each head alone, and the run with the best one."""
    text = _(
        "Mute all but one of the {n} heads in layer {layer} of the encoder-decoder attention; "
        "do it for each, and keep the one that serves the translation best."
    )
    say(text, layer=probe.layer + 1, n=probe.walk.config.n_heads)
    pick_layer(probe.walk.config.n_decoder_layers)
    at = data.AttentionLayer("cross", probe.layer)
    changes = data.muted(probe.walk, at, True)  # (H, T)
    totals = changes.sum(-1)
    best = int(totals.argmax())
    others = tuple(h for h in range(len(totals)) if h != best)
    alone = run_with(probe.walk, data.change_types.MuteHeads(*at, others))
    none = run_with(probe.walk, data.change_types.MuteHeads(*at))
    text = _(
        "Head {best} alone changes log p of the translation by {change}, head {worst} alone by "
        "{least}; with no head in this layer, the change is {none}."
    ).format(
        best=best + 1,
        change=signed(totals[best]),
        worst=int(totals.argmin()) + 1,
        least=signed(totals.min()),
        none=signed((none.after - none.before).sum()),
    )
    title = _("Δ log p with one head alone")
    rows = head_names(len(totals))
    labels = {"row_labels": rows, "col_labels": probe.written, "height": MOST_HIGH}
    left, right = st.columns(BESIDE, gap="medium")
    with left:
        draw_board([array_grid(changes, title, "output", **labels)], "what-one")
    with right:
        draw_translations(alone)
        st.markdown(text)


def numbers(count: int) -> list[str]:
    """Return what heads are called where there is no room for more: 1, 2, 3."""
    return [str(i + 1) for i in range(count)]


def cross_muted(walk: Walk) -> np.ndarray:
    """Return Δ log p of each token for each muted head of the decoder's layers, (L, H, T)."""
    return np.stack([data.muted(walk, at) for at in data.layers(walk) if at.kind == "cross"])


def guess_head(probe: Probe) -> QuizTask:
    """Ask which head the word needs most; each is named with what it looks at."""
    changes = cross_muted(probe.walk)[..., probe.at]  # (L, H)
    shown, answers = largest(-changes.ravel())
    places = [divmod(i, changes.shape[1]) for i in shown]
    option, options = _("layer {layer}, head {head}: looks at “{key}”, {weight}"), []
    for layer, head in places:
        row = probe.walk.capture.weights("cross", layer)[head, probe.at]  # (S,)
        looks = {"key": probe.source(int(row.argmax())), "weight": share(row.max())}
        options.append(option.format(layer=layer + 1, head=head + 1, **looks))
    layer, head = places[min(answers)]
    asks = N_("Which of these heads does “{word}” miss most?")
    says = N_("It is head {head} of layer {layer}.")
    values = {"word": probe.word, "layer": layer + 1, "head": head + 1}
    return QuizTask.of(asks, options, answers, says, **values)


@screens("sweep", N_("All heads, one after the other"), pick=pick_about)
def draw_sweep(probe: Probe) -> None:
    """Draw the wall as far as it was computed, and the run without the chosen head."""
    walk, summed = probe.walk, ABOUT.get() == "sentence"
    about = _("log p of the whole translation") if summed else _("log p of “{word}”")
    count = len(data.layers(walk)) * walk.config.n_heads
    text = _(
        "Mute the {n} heads of the model one at a time and watch {about}. Red: less probable "
        "than before, so the head helped; blue: more probable. Click a head to see its run."
    )
    say(text, n=count, about=about.format(word=marked(probe.word)))
    stopped = st.session_state.get(STOPPED) == walk.key
    found = _swept(walk, 0.0 if stopped else AT_ONCE)
    underway = len(found) < len(data.layers(walk))
    if underway:
        _draw_progress(walk, len(found), stopped)
    if not found:
        return
    # Of each head's changes (H, T), what counts: their sum, or one token's, (H,).
    wall = {at: rows.sum(-1) if summed else rows[:, probe.at] for at, rows in found.items()}
    chosen = data.read_mute(MUTED.get(), walk)
    if chosen is None or chosen[0] not in wall:
        worst = min(wall, key=lambda at: float(wall[at].min()))
        chosen = worst, int(wall[worst].argmin())
    mute = _mute(chosen)
    left, right = st.columns(BESIDE, gap="medium")
    with left:
        _draw_wall(walk, wall, chosen)
    if underway and not stopped:
        sleep(SEEN)
        st.rerun()  # goes on; a click on Stop comes between
    with right:
        draw_translations(run_with(walk, mute))
        st.markdown(_found(probe, wall, chosen, mute))
        draw_open(mute, key="open-muted")


def _swept(walk: Walk, seconds: float) -> Found:
    """Mute head after head, a layer at once, for some seconds; what was found before is kept."""
    known, found = st.session_state.get(FOUND, (None, {}))
    if known != walk.key:
        found = {}
        st.session_state[FOUND] = walk.key, found
    end = monotonic() + seconds
    for at in data.layers(walk):
        if at not in found and monotonic() < end:
            found[at] = data.muted(walk, at)
    return found


def _draw_progress(walk: Walk, done: int, stopped: bool) -> None:
    """Draw how far the sweep is, and the button that stops it or lets it go on."""
    count = len(data.layers(walk))
    text = _("Stopped after {n} of {all} layers.") if stopped else _("{n} of {all} layers")
    with st.container(horizontal=True, vertical_alignment="center"):
        st.progress(done / count, text=text.format(n=done, all=count))
        if stopped:
            st.button(_("Go on"), "sweep-on", icon=":material/play_arrow:", on_click=_stop)
        else:
            icon = ":material/stop:"
            st.button(_("Stop"), "sweep-stop", icon=icon, on_click=_stop, args=(walk.key,))


def _stop(key: object = None) -> None:
    st.session_state[STOPPED] = key


def _draw_wall(walk: Walk, wall: Found, chosen: tuple[data.AttentionLayer, int]) -> None:
    """Draw a row an attention and a cell a head; a click chooses one."""
    places, heads = data.layers(walk), walk.config.n_heads
    values = np.stack([wall.get(at, np.full(heads, np.nan)) for at in places])
    rows = [_(ROWS[at.kind]).format(n=at.layer + 1) for at in places]
    mask = None if len(wall) == len(places) else ~np.isnan(values)
    look = {"name": WALL, "height": HIGH, "mask": mask}
    labels = {"row_labels": rows, "col_labels": numbers(heads)}
    title = _("Δ log p without one head")
    at, head = chosen
    draw_board(
        [array_grid(values, title, "output", **look, **labels)],
        "what-sweep",
        asked=Cell(WALL, (places.index(at), head)),
        on_ask=lambda cell: MUTED.set(_mute((places[cell.index[0]], cell.index[1])).text),
        text={name: _(words) for name, words in WALL_WORDS.items()},
    )


def _mute(chosen: tuple[data.AttentionLayer, int]) -> data.Change:
    at, head = chosen
    return data.change_types.MuteHeads(*at, (head,))


def _found(
    probe: Probe, wall: Found, chosen: tuple[data.AttentionLayer, int], mute: data.Change
) -> str:
    """Say what the chosen head is worth, and how many of all count for anything."""
    at, head = chosen
    all_ = np.concatenate(list(wall.values()))
    said = changes.sentence(mute, probe.walk)
    values = {"change": said, "worth": signed(wall[at][head], 3)}
    numbers = {"more": int((all_ > 0).sum()), "n": all_.size, "least": signed(all_.min(), 3)}
    return _(
        "**{change}**: {worth}. Of the {n} heads, {more} do more harm than good here: mute any "
        "one of them, and what counts becomes more probable. The head that is missed most costs "
        "{least}."
    ).format(**values, **numbers)
