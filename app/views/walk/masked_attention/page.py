"""Chapter 7: masked self-attention, in which no token sees what comes after it."""

import numpy as np

from app.format import number, share
from app.i18n import N_, _
from app.inspector.head import Head
from app.page.kit import Myth, QuizTask, draw_page, look_page
from app.views.walk.masked_attention.data import of_next, unmasked
from app.views.walk.masked_attention.screens import screens


def task(head: Head) -> QuizTask:
    """Ask which later token a token would look at most without the mask."""
    tokens = head.walk.capture.tgt
    word = min(head.query, len(tokens) - 2)
    if word < 0:
        return _count(head)
    later = tokens[word + 1 :]
    weights = unmasked(head.walk)[f"{head.scope}.weights"][head.head, word, word + 1 :]
    return QuizTask.largest(
        N_(
            "Without the mask, in layer {layer}, head {head}: which later token would “{word}” "
            "look at most?"
        ),
        weights,
        lambda i: f"{word + 2 + i} · {later[i].text}",
        N_("Yes: “{word}” would get {weight}. With the mask it gets exactly 0."),
        N_(
            "“{later}” would get {weight}; another later token gets more. Open “Take the mask "
            "away” and find the row of “{word}”."
        ),
        lambda i: {"later": later[i].text, "weight": share(weights[i], 4)},
        yes={"word": later[int(weights.argmax())].text},
        layer=head.layer + 1,
        head=head.head + 1,
        word=tokens[word].text,
    )


def _count(head: Head) -> QuizTask:
    """Ask about the one score of a lone <bos>."""
    hidden = int(np.isneginf(head.walk.array("decoder.0.self_attn.masked")[0]).sum())
    return QuizTask.of(
        N_("How many of the scores does the mask turn into −∞ here?"),
        ["0", "1"],
        [hidden],
        N_("Yes: a token may always look at itself."),
        N_("No: a token may always look at itself."),
    )


def myth(head: Head) -> Myth:
    """Compare how sure the model is of its own tokens with the mask and without."""
    before, after = (float(of_next(head.walk, causal).mean()) for causal in (True, False))
    truth = _(
        "This model gives its own next token a probability of {before} on average; without the "
        "mask it is {after}. It never learned to use tokens from the future. A model trained "
        "without the mask would learn to copy the next token, and would be helpless when it "
        "writes: there is no next token yet."
    ).format(before=number(before, 3), after=number(after, 3))
    return Myth(_("Without the mask, the model would see more, and so translate better."), truth)


PAGE = look_page(
    "masked_attention",
    "decoder",
    lambda head: len(head.walk.capture.tgt) // 2,  # has tokens before it and after it
    intro=N_(
        "In training, the whole translation is there at once, so that all its tokens are learned "
        "in one pass. When the model translates, it writes token by token: what comes next does "
        "not exist yet."
    ),
    sections=screens,
    scopes=lambda head: (head.scope,),
    task=task,
    myth=myth,
)

if __name__ == "__main__":
    draw_page(PAGE)
