"""Chapter 4: self-attention, one token at a time and all at once."""

import numpy as np

from app.data.walk import length
from app.format import number, percent, share
from app.i18n import N_, _
from app.inspector.head import Head, looks_away
from app.page.kit import Myth, QuizTask, draw_page, look_page
from app.views.walk.self_attention import screens, steps


def myth(head: Head) -> Myth:
    """Show the row of the layer whose largest weight is least of all its longest vector."""
    weights = np.asarray(head.walk.array(f"{head.scope}.weights"))  # (H, T, T)
    lengths = weights * length(head.walk.array(f"{head.scope}.v"))[:, None]  # (H, T, T)
    most, longest = weights.argmax(-1), lengths.argmax(-1)  # (H, T)
    brought = np.take_along_axis(lengths, most[..., None], -1)[..., 0]
    at = np.unravel_index(int((lengths.max(-1) / brought).argmax()), most.shape)
    a, b = int(most[at]), int(longest[at])
    truth = _(
        "A weight is only one factor; the other is the value v that it multiplies. In layer "
        "{layer}, head {head}, “{word}” looks most at “{most}”: {weight}, which brings a vector of "
        "length {size}. But “{other}”, with {other_weight}, brings one of length {longest}. "
        "Attention shows where a head looks; by itself it does not explain the result."
    )
    if a == b:
        truth = _(
            "A weight is only one factor; the other is the value v that it multiplies. In this "
            "layer, the largest weight of each row happens to bring the longest vector; with "
            "other values v, the same weights would bring others. Attention shows where a head "
            "looks; by itself it does not explain the result."
        )
    words = {"word": head.words[at[1]], "most": head.words[a], "other": head.words[b]}
    shares = {"weight": percent(weights[at][a]), "other_weight": percent(weights[at][b])}
    sizes = {"size": number(lengths[at][a]), "longest": number(lengths[at][b])}
    place = {"layer": head.layer + 1, "head": int(at[0]) + 1}
    return Myth(
        _("The largest weight shows which token the result is made of."),
        truth.format(**words, **shares, **sizes, **place),
    )


def task(head: Head) -> QuizTask:
    """Ask for the largest weight of a column."""
    weights = np.asarray(head.walk.array(f"{head.scope}.weights")[head.head])  # (T, T)
    column, tokens = weights[:, head.query], head.walk.capture.src

    def option(i: int) -> str:
        return _("{n}: {word}").format(n=i + 1, word=tokens[i].text)

    return QuizTask.largest(
        N_(
            "So far you read rows: where a token looks. Now read a column of the weights: in "
            "layer {layer}, head {head}, which token gives “{word}” the largest weight?"
        ),
        column,
        option,
        N_("Yes: {word} gives “{looked_at}” a weight of {weight}, the most in that column."),
        N_(
            "{word} gives “{looked_at}” a weight of {weight}, but another row of that column "
            "has more. The column is under “All tokens at once: Z”."
        ),
        lambda i: {"word": option(i), "weight": share(column[i], 3)},
        layer=head.layer + 1,
        head=head.head + 1,
        word=tokens[head.query].text,
        looked_at=tokens[head.query].text,
    )


PAGE = look_page(
    "self_attention",
    "encoder",
    looks_away,
    intro=N_(
        "On its own, a token says little: what *it* means depends on the tokens around it. An "
        "attention mechanism decides which parts of the input matter most right now, and averages "
        "them by their weights."
    ),
    sections=(*screens.screens, *steps.screens),
    scopes=lambda head: ("src", "simple", head.walk.inputs(f"{head.scope}.q")[0], head.scope),
    task=task,
    myth=myth,
)

if __name__ == "__main__":
    draw_page(PAGE)
