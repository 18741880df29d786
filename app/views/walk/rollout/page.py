"""Chapter 13: attention through all layers, by halves, by norms and as a flow."""

import numpy as np

from app.format import percent
from app.i18n import _
from app.inspector.probe import marked
from app.page.declare import Code, Drawer, Myth, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task, largest
from app.views.walk.rollout import choice, half, maps, texts
from app.views.walk.rollout.choice import Look
from app.views.walk.rollout.data import answer


def scopes(look: Look) -> tuple[str, ...]:
    """Return what all the maps are made of: every encoder-decoder attention, the memory."""
    layers = range(look.walk.config.n_decoder_layers)
    return *(f"decoder.{layer}.cross_attn" for layer in layers), "memory"


def myth(look: Look) -> Myth:
    """Say what stands at the place of the source word that keeps the least of itself."""
    rows = answer(look.walk, "norms", "encoder", -1)  # (S, S)
    at = int(np.diagonal(rows).argmin())
    others = np.where(np.arange(len(rows)) == at, 0, rows[at])
    values = {
        "word": marked(look.probe.source(at)),
        "own": percent(rows[at, at]),
        "rest": percent(others.sum()),
        "other": marked(look.probe.source(int(others.argmax()))),
        "share": percent(others.max()),
    }
    return Myth(_(texts.MYTH).format(**values), _(texts.MYTH_TRUTH).format(**values))


def task(look: Look) -> Task:
    """Ask which source token reaches the word most, by norms."""
    row = answer(look.walk, "norms", "decoder", -1)[look.probe.at, : len(look.walk.capture.src)]
    shown, answers = largest(row)
    best = shown[min(answers)]
    values = {"key": look.probe.source(best), "share": percent(row[best])}
    options = [look.probe.source(i) for i in shown]
    word = look.probe.word
    return Task.of(texts.ASK, options, answers, texts.RIGHT, texts.WRONG, word=word, **values)


SECTIONS = (
    Section(
        "encoder",
        texts.ENCODER_TITLE,
        maps.draw_encoder,
        pick=choice.pick_encoder,
        guess=maps.guess_encoder,
        code=(
            Code(
                texts.CODE_NORMS,
                r"M_{t,s} = \frac{\lVert T_t(x_s) \rVert}{\sum_{s'} \lVert T_t(x_{s'})"
                r" \rVert},\qquad "
                r"T_t(x_s) = \frac{\gamma}{\sigma_t} \odot \text{centre}\Big("
                r"\sum_h \alpha^h_{t,s} v^h_s W^h_O + [s = t]\, x_t\Big)",
                "model.interpret.rollout:contributions",
            ),
            Code(
                texts.CODE_HALF,
                r"M = \tfrac12 (I + \bar A)",
                "model.interpret.rollout:half_mixing",
            ),
        ),
        drawers=(Drawer("half", texts.HALF_TITLE, half.draw_half, guess=half.guess_half),),
    ),
    Section(
        "written",
        texts.WRITTEN_TITLE,
        maps.draw_written,
        maps.written_text,
        pick=choice.pick_decoder,
        code=(
            Code(
                texts.CODE_REACH,
                r"R_l = M_l R_{l-1},\qquad R_0 = I",
                "model.interpret.rollout:reach",
            ),
        ),
    ),
    Section(
        "compare",
        texts.COMPARE_TITLE,
        maps.draw_compare,
        maps.compare_text,
        pick=choice.pick_word,
        code=(
            Code(
                texts.CODE_FLOW,
                r"F_{t,s} = \text{max-flow}(s \to t)",
                "model.interpret.rollout:flow",
            ),
        ),
    ),
)

PAGE = WalkPage(
    slug="rollout",
    intro=texts.INTRO,
    select=choice.look_of,
    pick=choice.pick_all,
    task_pick=choice.pick_word,
    myth=myth,
    sections=SECTIONS,
    scopes=scopes,
    task=task,
)

if __name__ == "__main__":
    draw_page(PAGE)
