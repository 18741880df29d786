"""Chapter 9: the decoder at work, one token at a time."""

import numpy as np
import streamlit as st

from app.format import probability
from app.i18n import N_, _
from app.page.declare import Code, Drawer, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import OPTIONS, Task
from app.texts import decoding_ways
from app.ui import player
from app.views.walk.decoding import looks, steer, step, texts, wanted, ways
from app.views.walk.decoding.flow import draw_flow
from app.views.walk.decoding.loop import draw_loop, loop_text
from app.views.walk.decoding.moment import Moment, moment_of


def pick_time(moment: Moment) -> None:
    """Draw the player of all times: the encoder's, then the steps of the decoder."""
    player.controls(len(moment.walk.translation.steps), first=0, what="token")


def pick_step(moment: Moment) -> None:
    """Draw the player of the decoder's steps."""
    player.controls(len(moment.walk.translation.steps), what="token")


def pick_look(moment: Moment) -> None:
    """Draw the player, and beside it the heads."""
    time, heads = st.columns([0.6, 0.4], gap="medium", vertical_alignment="bottom")
    with time:
        pick_step(moment)
    with heads:
        step.pick_head(moment)


def pick_all(moment: Moment) -> None:
    """Draw all that can be chosen."""
    pick_time(moment)
    step.pick_head(moment)


def scopes(moment: Moment) -> list[str]:
    """Return the arrays of every step: they are the same whichever is on the page."""
    looks = [
        f"decoder.{layer}.{look}"
        for layer in range(moment.walk.config.n_decoder_layers)
        for look in ("self_attn", "cross_attn")
    ]
    return ["memory", "tgt", *looks, "logits"]


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
    named = [{"n": i + 1, "word": taken[i].token.text} for i in shown]
    return Task(
        _(texts.TASK),
        [_(texts.OPTION).format(**each) for each in named],
        frozenset(place for place, p in enumerate(sure) if p == lowest),
        _(texts.RIGHT).format(n=least + 1, word=taken[least].token.text, p=lowest),
        _(texts.WRONG),
        [_(texts.REASON).format(p=p, **each) for p, each in zip(sure, named, strict=True)],
    )


SECTIONS: tuple[Section[Moment], ...] = (
    Section("loop", "", draw_flow, pick=pick_time),
    Section(
        "encode",
        texts.ENCODE_TITLE,
        step.draw_memory,
        step.memory_text,
        pick=False,
        guess=step.guess_memory,
    ),
    Section(
        "step",
        texts.STEP_TITLE,
        step.draw_read,
        step.read_text,
        pick=pick_step,
        beside=((step.out_text, step.draw_out),),
        code=(
            Code(
                N_("One step: read a token, score what follows"),
                r"p(y_t \mid y_{<t}, x) = \mathrm{softmax}(\mathrm{logits}_t)",
                "model.nn.transformer:Transformer.decode_step",
            ),
        ),
        was=("out",),
    ),
    Section(
        "back",
        texts.BACK,
        step.draw_look("self_attn"),
        step.look_text("self_attn", texts.BACK_TEXT),
        pick=pick_look,
        beside=((step.look_text("cross_attn", texts.OVER_TEXT), step.draw_look("cross_attn")),),
        was=("over",),
    ),
    Section(
        "ways",
        decoding_ways.TITLE,
        ways.draw_ways,
        ways.ways_text,
        pick=False,
        guess=ways.guess_ways,
        drawers=(
            Drawer("greedy", texts.LOOP_TITLE, draw_loop, loop_text),
            Drawer("sums", texts.SUMS_TITLE, ways.draw_sums, ways.sums_text),
        ),
        code=(
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
        ),
        was=("totals",),
    ),
    Section(
        "branch",
        texts.BRANCH_TITLE,
        steer.draw_branch,
        steer.branch_text,
        pick=False,
        guess=steer.guess_branch,
        drawers=(
            Drawer("tree", texts.TREE_TITLE, ways.draw_tree, ways.tree_text),
            Drawer("begin", texts.BEGIN_TITLE, steer.draw_begin, texts.BEGIN),
        ),
        code=(
            Code(
                N_("Steer: strike out what the beginning does not allow"),
                r"\log p(w) = -\infty \;\text{ for }\; w \notin \mathrm{allowed}(y_{<t})",
                "model.decoding.prefix:Prefix.allowed",
            ),
        ),
    ),
    Section("wanted", texts.WANTED_TITLE, wanted.draw_wanted, wanted.wanted_text, pick=False),
    Section(looks.SLUG, texts.LOOKS_TITLE, looks.draw_looks, texts.LOOKS, pick=looks.pick_look),
)


PAGE = WalkPage(
    slug="decoding",
    intro=texts.INTRO,
    lens=looks.lens,
    select=moment_of,
    pick=pick_all,
    task_pick=False,
    sections=SECTIONS,
    myth=ways.myth,
    scopes=scopes,
    task=task,
    run_every=player.run_every,
)

if __name__ == "__main__":
    draw_page(PAGE)
