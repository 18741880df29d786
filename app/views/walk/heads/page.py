"""Many heads: what each looks at and adds, who is meant, and the recap in five steps."""

from dataclasses import replace

import numpy as np

from app.format import share
from app.i18n import _
from app.inspector.head import Head
from app.inspector.look_picks import divides_heads, look_of, pick_look
from app.inspector.naming import head_names
from app.page.declare import Code, Drawer, Myth, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task, largest
from app.views.walk.heads import look, output, pronoun, texts
from app.views.walk.heads.look import look_title, rows_of
from app.views.walk.heads.recap import draw_recap, recap_text


def scopes(head: Head) -> tuple[str, ...]:
    """Return what the page shows: the chosen layer's attention, and the weights of all others."""
    layers = range(head.walk.config.n_encoder_layers)
    weights = (f"encoder.{layer}.self_attn.weights" for layer in layers)
    return head.walk.inputs(f"{head.scope}.q")[0], head.scope, *weights


def task(head: Head) -> Task:
    """Ask in which head the word looks most at another one; with one head, at which word."""
    rows = rows_of(head)
    return _which_head(head, rows) if len(rows) > 1 else _which_word(head, rows[0])


def _which_head(head: Head, rows: np.ndarray) -> Task:
    second, first = np.sort(rows, axis=0)[-2:]  # (S,) each
    lead = first - second
    if len(lead) > 1:
        lead[head.query] = -1
    key = int(lead.argmax())
    shown, answers = largest(rows[:, key])
    names, tokens = head_names(len(rows)), head.walk.capture.src
    options = [names[h] for h in shown]
    words = {"word": tokens[head.query].text, "looked_at": tokens[key].text}
    values = {"layer": head.layer + 1, "weight": share(first[key]), "second": share(second[key])}
    asked = Task.of(texts.ASK, options, answers, texts.RIGHT, texts.WRONG, **words, **values)
    reason, weights = _(texts.REASON), [share(rows[h, key], 3) for h in shown]
    return replace(asked, reasons=[reason.format(weight=weight, **words) for weight in weights])


def _which_word(head: Head, row: np.ndarray) -> Task:
    tokens = head.walk.capture.src
    shown, answers = largest(row)
    options = [_("{n}: {word}").format(n=i + 1, word=tokens[i].text) for i in shown]
    word, weight = tokens[head.query].text, share(row.max())
    values = {"layer": head.layer + 1, "word": word, "weight": weight}
    return Task.of(texts.ASK_ONE, options, answers, texts.RIGHT_ONE, texts.WRONG_ONE, **values)


def myth(head: Head) -> Myth:
    """Count at how many distances each head of the layer looks most."""
    weights = np.asarray(head.walk.array(f"{head.scope}.weights"))  # (H, T, T)
    away = weights.argmax(-1) - np.arange(weights.shape[1])  # (H, T)
    distances = [len(set(row)) for row in away.tolist()]
    values = {"strict": distances.count(1), "distances": max(distances), "n": weights.shape[1]}
    place = {"layer": head.layer + 1, "head": int(np.argmax(distances)) + 1}
    truth = _(texts.MYTH_TRUTH).format(heads=len(distances), **place, **values)
    return Myth(_(texts.MYTH), truth)


SECTIONS = (
    Section(
        "split",
        texts.SPLIT_TITLE,
        look.draw_split,
        look.split_text,
        code=(
            Code(
                texts.CODE_SPLIT,
                r"x W_Q + b_Q \in \mathbb{R}^{d_{model}} \;\to\; q_1, \dots, q_H \in"
                r" \mathbb{R}^{d_k}",
                "model.nn.attention:MultiHeadAttention.split_heads",
            ),
        ),
    ),
    Section("look", look_title, look.draw_look, look.look_text, name=texts.LOOK_NAME),
    Section("all", texts.ALL_TITLE, look.draw_wall, texts.ALL),
    Section(
        "pronoun",
        texts.PRONOUN_TITLE,
        pronoun.draw_pronoun,
        pronoun.pronoun_text,
        when=pronoun.has_pronoun,
        pick=False,
        beside=((pronoun.twin_text, pronoun.draw_twin),),
        drawers=(Drawer("it", texts.IT_TITLE, pronoun.draw_it, pronoun.it_text),),
        was=("twin",),
    ),
    Section(
        "out",
        texts.OUT_TITLE,
        output.draw_out,
        output.out_text,
        was=("join",),
        drawers=(
            Drawer(
                "parts",
                texts.PARTS_TITLE,
                output.draw_parts,
                output.parts_text,
                beside=((output.sizes_text, output.draw_sizes),),
                was=("sizes", "every"),
            ),
        ),
        code=(
            Code(
                texts.CODE_JOIN,
                r"\mathrm{output} = [\, Z_1 \; Z_2 \; \dots \; Z_H \,] \, W_O + b_O",
                "model.nn.attention:MultiHeadAttention.attend",
            ),
            Code(
                texts.CODE_PART,
                r"\mathrm{output} = \sum_{h=1}^{H} Z_h W_O^{(h)} + b_O",
                "model.interpret.calculation.derived:part",
            ),
        ),
    ),
    Section("recap", texts.RECAP_TITLE, draw_recap, recap_text),
)


PAGE = WalkPage(
    slug="heads",
    intro=texts.INTRO,
    select=lambda walk: look_of(walk, "encoder", divides_heads),
    pick=pick_look,
    place=lambda head: head.place,
    sections=SECTIONS,
    scopes=scopes,
    task=task,
    myth=myth,
)

if __name__ == "__main__":
    draw_page(PAGE)
