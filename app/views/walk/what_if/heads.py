"""Which head of the encoder-decoder attention carries a word, and whether one head suffices."""

from typing import Final

import numpy as np
import streamlit as st

from app.components.board import array_grid
from app.data.walk import Walk
from app.format import share, signed
from app.i18n import _
from app.inspector.arrays import draw_board
from app.inspector.naming import head_names, layer_names, text_at
from app.inspector.picks import pick_layer
from app.inspector.probe import Probe, marked
from app.inspector.translations import draw_translations
from app.page.declare import Myth
from app.page.quiz import Task, largest
from app.views.walk.what_if import texts
from app.views.walk.what_if.both import says
from app.views.walk.what_if.data import Changed, Layer, left_alone, muted, of, run

BESIDE: Final = (0.57, 0.43)  # a grid of heads, and the run without one of them

MOST_HIGH: Final = 190  # pixels of the cells, so that they fit a laptop's screen


def numbers(count: int) -> list[str]:
    """Return what heads are called where there is no room for more: 1, 2, 3."""
    return [str(i + 1) for i in range(count)]


def cross_muted(walk: Walk) -> np.ndarray:
    """Return Δ log p of each token for each muted head of the decoder's layers, (L, H, T)."""
    return np.stack([muted(walk, Layer("cross", n)) for n in range(walk.config.n_decoder_layers)])


def head_text(probe: Probe) -> str:
    """Say what is muted."""
    config, word = probe.walk.config, marked(probe.word)
    count = config.n_decoder_layers * config.n_heads
    return _(texts.HEAD).format(
        n=count, word=word, p=share(float(np.exp(probe.log_p[probe.at])), 4)
    )


def guess_head(probe: Probe) -> Task:
    """Ask which head the word needs most; each is named with what it looks at."""
    changes = cross_muted(probe.walk)[..., probe.at]  # (L, H)
    shown, answers = largest(-changes.ravel())
    places = [divmod(i, changes.shape[1]) for i in shown]
    best = places[min(answers)]
    says = _(texts.HEAD_SAYS).format(layer=best[0] + 1, head=best[1] + 1)
    options = [_option(probe, *place) for place in places]
    return Task(_(texts.HEAD_ASK).format(word=probe.word), options, answers, says, says)


def draw_head(probe: Probe) -> None:
    """Draw the change of the word's log p for each muted head, and the run without the worst."""
    changes = cross_muted(probe.walk)[..., probe.at]  # (L, H)
    layer, head = _worst(changes)
    together = run(probe.walk, of.MuteHeads("cross", layer))
    one, all_ = changes[layer].sum(), (together.after - together.before)[probe.at]
    text = _(texts.HEAD_FOUND).format(
        layer=layer + 1,
        head=head + 1,
        word=marked(probe.word),
        change=signed(changes[layer, head]),
        n=changes.shape[1],
        sum=signed(one),
        together=signed(all_),
    )
    st.markdown(f"{text} {_(texts.STAND_IN if all_ < one else texts.NO_STAND_IN)}")
    L, H = changes.shape
    title = _("Δ log p of “{word}” without one head").format(word=probe.word)
    labels = {"row_labels": layer_names(L), "col_labels": numbers(H)}
    left, right = st.columns(BESIDE, gap="medium")
    with left:
        draw_board([array_grid(changes, title, "output", **labels)], "what-head")
    with right:
        muted_run = run(probe.walk, of.MuteHeads("cross", layer, (head,)))
        draw_translations(muted_run)
        st.markdown(says(probe, muted_run))


def one_text(probe: Probe) -> str:
    """Say what is left."""
    return _(texts.ONE).format(layer=probe.layer + 1, n=probe.walk.config.n_heads)


def draw_one(probe: Probe) -> None:
    """Draw every token's log p with each head alone, and the run with the best one."""
    pick_layer(probe.walk.config.n_decoder_layers)
    changes = left_alone(probe.walk, Layer("cross", probe.layer))  # (H, T)
    totals = changes.sum(-1)
    best, alone = _best_alone(probe)
    none = run(probe.walk, of.MuteHeads("cross", probe.layer))
    text = _(texts.ONE_FOUND).format(
        best=best + 1,
        change=signed(totals[best]),
        worst=int(totals.argmin()) + 1,
        least=signed(totals.min()),
        none=signed((none.after - none.before).sum()),
    )
    title = _("Δ log p with one head alone")
    names = [text_at(probe.tokens, at) for at in range(len(probe.tokens))]
    labels = {"row_labels": head_names(len(totals)), "col_labels": names, "height": MOST_HIGH}
    left, right = st.columns(BESIDE, gap="medium")
    with left:
        draw_board([array_grid(changes, title, "output", **labels)], "what-one")
    with right:
        draw_translations(alone)
        st.markdown(text)


def myth(probe: Probe) -> Myth:
    """Compare, token by token, the head that looks most decidedly with the one that is needed."""
    weights = probe.walk.capture.all_weights("cross").max(-1)  # (L, H, T)
    changes = cross_muted(probe.walk)
    T = changes.shape[-1]
    sharp, needed = (one.reshape(-1, T).argmax(0) for one in (weights, -changes))  # (T,)
    apart = sharp != needed
    if not apart.any():
        return Myth(_(texts.MYTH), _(texts.MYTH_AGREE).format(n=T))
    at = int(np.where(apart, -changes.min((0, 1)), -np.inf).argmax())
    (layer, head), (other, its) = (divmod(int(i[at]), changes.shape[1]) for i in (sharp, needed))
    truth = _(texts.MYTH_TRUTH).format(
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
    return Myth(_(texts.MYTH), truth)


def _option(probe: Probe, layer: int, head: int) -> str:
    row = probe.walk.capture.weights("cross", layer)[head, probe.at]  # (S,)
    looks = {"key": probe.source(int(row.argmax())), "weight": share(row.max())}
    return _(texts.HEAD_OPTION).format(layer=layer + 1, head=head + 1, **looks)


def _worst(changes: np.ndarray) -> tuple[int, int]:
    layer, head = np.unravel_index(changes.argmin(), changes.shape)
    return int(layer), int(head)


def _best_alone(probe: Probe) -> tuple[int, Changed]:
    """Return the head that alone serves the translation best, and the run with it."""
    best = int(left_alone(probe.walk, Layer("cross", probe.layer)).sum(-1).argmax())
    others = tuple(h for h in range(probe.walk.config.n_heads) if h != best)
    return best, run(probe.walk, of.MuteHeads("cross", probe.layer, others))
