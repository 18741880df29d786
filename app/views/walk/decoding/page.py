"""Chapter 9: the decoder at work, one piece at a time."""

import numpy as np

from app.data.walk import Cell
from app.format import probability
from app.i18n import N_, _
from app.inspect.decoding_ways import draw_ways, ways_text
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import OPTIONS, Task
from app.texts import decoding_ways
from app.ui import player
from app.views.walk.decoding import step, texts
from app.views.walk.decoding.flow import draw_flow
from app.views.walk.decoding.moment import Moment, moment_of


def step_title(moment: Moment) -> str:
    """Name the step."""
    return _(texts.STEP_TITLE).format(n=moment.step)


def decodes(moment: Moment) -> bool:
    """Whether the decoder is at work."""
    return moment.step > 0


def scopes(moment: Moment) -> list[str]:
    """Return the arrays of every step: they are the same whichever is on the page."""
    looks = [
        f"decoder.{layer}.{look}"
        for layer in range(moment.walk.config.n_decoder_layers)
        for look in ("self_attn", "cross_attn")
    ]
    return ["memory", "tgt", *looks, "logits"]


def start(moment: Moment) -> Cell:
    """Return the strongest look at the source, or a number of the memory before the first step."""
    return step.strongest(moment) if moment.step else Cell("memory", (0, 0))


def task(moment: Moment) -> Task:
    """Ask for the step at which the model was least sure."""
    taken = [decoded.taken for decoded in moment.walk.translation.steps]
    least = min(range(len(taken)), key=lambda i: taken[i].probability)
    spread = np.linspace(0, len(taken) - 1, min(len(taken), OPTIONS)).round().astype(int)
    shown = sorted({least, *spread.tolist()})
    if len(shown) > OPTIONS:
        shown.remove(next(i for i in shown if i != least))
    sure = [probability(taken[i].probability) for i in shown]
    lowest = probability(taken[least].probability)
    options = [_(texts.OPTION).format(n=i + 1, word=taken[i].token.text) for i in shown]
    answers = [place for place, p in enumerate(sure) if p == lowest]
    values = {"n": least + 1, "word": taken[least].token.text, "p": lowest}
    return Task.of(texts.TASK, options, answers, texts.RIGHT, texts.WRONG, **values)


SECTIONS: tuple[Section[Moment], ...] = (
    Section("loop", "", draw_flow),
    Section(
        "encode",
        texts.ENCODE_TITLE,
        step.draw_memory,
        step.memory_text,
        when=lambda moment: not moment.step,
    ),
    Section("step", step_title, step.draw_read, step.read_text, when=decodes),
    Section("looked", texts.LOOKED_TITLE, step.draw_looks, step.looks_text, when=decodes),
    Section("out", texts.OUT_TITLE, step.draw_out, step.out_text, when=decodes),
    Section("ways", decoding_ways.TITLE, lambda moment: draw_ways(moment.walk), ways_text),
)

CODE = (
    Code(
        N_("One step: read a piece, score what follows"),
        r"p(y_t \mid y_{<t}, x) = \mathrm{softmax}(\mathrm{logits}_t)",
        "model.nn.transformer:Transformer.decode_step",
    ),
    Code(
        N_("Greedy: take the likeliest"),
        r"y_t = \arg\max_w \; p(w \mid y_{<t}, x)",
        "model.decoding.sampling:likeliest",
    ),
    Code(
        N_("Beam: keep the best beginnings"),
        r"\mathrm{score}(y) = \frac{1}{|y|} \sum_t \log p(y_t \mid y_{<t}, x)",
        "model.decoding.beam:Beam.choose",
    ),
)

PAGE = WalkPage(
    slug="decoding",
    intro=texts.INTRO,
    select=moment_of,
    pick=lambda moment: player.controls(len(moment.walk.translation.steps), first=0),
    sections=SECTIONS,
    scopes=scopes,
    start=start,
    task=task,
    code=CODE,
    run_every=player.run_every,
)

if __name__ == "__main__":
    draw_page(PAGE)
