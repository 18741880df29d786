"""Self-attention: the idea, without parameters, by hand, step by step, and as matrices."""

import numpy as np

from app.format import number, percent, share
from app.i18n import _
from app.inspector.head import Head
from app.inspector.look_picks import look_of, looks_away, pick_look
from app.inspector.steps import STEPS
from app.page.declare import Code, Drawer, Myth, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task, largest
from app.views.walk.self_attention import by_hand, matrices, scaling, simple, texts
from app.views.walk.self_attention.idea import draw_idea, idea_text
from app.views.walk.self_attention.picture import draw_picture, picture_text
from app.views.walk.self_attention.sound import draw_sound, sound_text


def scopes(head: Head) -> tuple[str, ...]:
    """Return what the page shows: x, and the chosen layer's attention."""
    return "src", "simple", head.walk.inputs(f"{head.scope}.q")[0], head.scope


def myth(head: Head) -> Myth:
    """Show the row of the layer whose largest weight is least of all its longest vector."""
    weights = np.asarray(head.walk.array(f"{head.scope}.weights"))  # (H, T, T)
    values = np.linalg.norm(head.walk.array(f"{head.scope}.v"), axis=-1)  # (H, T)
    lengths = weights * values[:, None]
    most, longest = weights.argmax(-1), lengths.argmax(-1)  # (H, T)
    brought = np.take_along_axis(lengths, most[..., None], -1)[..., 0]
    at = np.unravel_index(int((lengths.max(-1) / brought).argmax()), most.shape)
    a, b = int(most[at]), int(longest[at])
    truth = _(texts.MYTH_SAME if a == b else texts.MYTH_TRUTH)
    words = {"word": head.words[at[1]], "most": head.words[a], "other": head.words[b]}
    shares = {"weight": percent(weights[at][a]), "other_weight": percent(weights[at][b])}
    sizes = {"size": number(lengths[at][a]), "longest": number(lengths[at][b])}
    place = {"layer": head.layer + 1, "head": int(at[0]) + 1}
    return Myth(_(texts.MYTH), truth.format(**words, **shares, **sizes, **place))


def task(head: Head) -> Task:
    """Ask for the largest weight of a column."""
    weights = np.asarray(head.walk.array(f"{head.scope}.weights")[head.head])  # (T, T)
    column = weights[:, head.query]
    shown, answers = largest(column)
    tokens = head.walk.capture.src
    options = [_("{n}: {word}").format(n=i + 1, word=tokens[i].text) for i in shown]
    looked_at = tokens[head.query].text
    weights_of = [share(column[i], 3) for i in shown]
    reason = _(texts.REASON)
    return Task(
        _(texts.ASK).format(layer=head.layer + 1, head=head.head + 1, word=looked_at),
        options,
        answers,
        _(texts.RIGHT).format(
            word=options[min(answers)], looked_at=looked_at, weight=share(column.max(), 3)
        ),
        _(texts.WRONG).format(looked_at=looked_at),
        [
            reason.format(word=option, looked_at=looked_at, weight=weight)
            for option, weight in zip(options, weights_of, strict=True)
        ],
    )


SECTIONS = (
    Section(
        "idea",
        texts.IDEA_TITLE,
        draw_idea,
        idea_text,
        drawers=(
            Drawer(
                "picture",
                texts.PICTURE_TITLE,
                draw_picture,
                picture_text,
                beside=((sound_text, draw_sound),),
                was=("sound",),
            ),
        ),
    ),
    Section(
        "simple",
        texts.SIMPLE_TITLE,
        simple.draw_simple,
        simple.simple_text,
        code=(
            Code(
                texts.CODE_SIMPLE,
                r"w'_{ij} = x_i \cdot x_j \qquad w_{ij} = \frac{e^{w'_{ij}}}{\sum_j e^{w'_{ij}}}"
                r" \qquad y_i = \sum_j w_{ij} x_j",
                "model.interpret.calculation.simple:simple_attention",
            ),
        ),
        was=("shares", "mix"),
    ),
    Section(
        "two",
        texts.TWO_TITLE,
        by_hand.draw_two,
        by_hand.two_text,
        pick=False,
        guess=by_hand.guess_two,
        was=("half", "total"),
    ),
    *(Section(**step._asdict()) for step in STEPS),
    Section(
        "matrix",
        texts.MATRIX_TITLE,
        matrices.draw_matrices,
        matrices.matrices_text,
        code=(
            Code(
                texts.CODE_QKV,
                r"Q = X W_Q + b_Q \qquad K = X W_K + b_K \qquad V = X W_V + b_V",
                "model.nn.attention:MultiHeadAttention.self_qkv",
            ),
        ),
    ),
    Section(
        "z",
        texts.Z_TITLE,
        matrices.draw_z,
        matrices.z_text,
        code=(
            Code(
                texts.CODE_ATTEND,
                r"Z = \mathrm{softmax}\left(\frac{Q K^\top}{\sqrt{d_k}}\right) V",
                "model.nn.attention:MultiHeadAttention.attend",
            ),
        ),
        was=("product", "rows"),
    ),
    Section(
        "scale",
        texts.SCALE_TITLE,
        scaling.draw_scaling,
        scaling.scaling_text,
        guess=scaling.guess_scaling,
        was=("why",),
    ),
)


PAGE = WalkPage(
    slug="self_attention",
    intro=texts.INTRO,
    select=lambda walk: look_of(walk, "encoder", looks_away),
    pick=pick_look,
    place=lambda head: head.place,
    sections=SECTIONS,
    scopes=scopes,
    task=task,
    myth=myth,
)

if __name__ == "__main__":
    draw_page(PAGE)
