"""Many heads: what each looks at and adds, who is meant, and the recap in five steps."""

import numpy as np

from app.format import share
from app.i18n import N_, _
from app.inspector.head import Head, divides_heads
from app.inspector.naming import head_names
from app.page.kit import Myth, QuizTask, draw_page, look_page
from app.views.walk.heads.screens import rows_of, screens


def scopes(head: Head) -> tuple[str, ...]:
    """Return what the page shows: the chosen layer's attention, and the weights of all others."""
    layers = range(head.walk.config.n_encoder_layers)
    weights = (f"encoder.{layer}.self_attn.weights" for layer in layers)
    return head.walk.inputs(f"{head.scope}.q")[0], head.scope, *weights


def task(head: Head) -> QuizTask:
    """Ask in which head the word looks most at another one; with one head, at which word."""
    rows = rows_of(head)
    return _which_head(head, rows) if len(rows) > 1 else _which_word(head, rows[0])


def _which_head(head: Head, rows: np.ndarray) -> QuizTask:
    second, first = np.sort(rows, axis=0)[-2:]  # (S,) each
    lead = first - second
    if len(lead) > 1:
        lead[head.query] = -1
    key = int(lead.argmax())
    names, tokens = head_names(len(rows)), head.walk.capture.src
    return QuizTask.largest(
        N_("Layer {layer}: in which head does “{word}” look most at “{looked_at}”?"),
        rows[:, key],
        names.__getitem__,
        N_("Yes: there its weight is {weight}; the next head gives it {second}."),
        N_(
            "There, “{looked_at}” gets {weight}; another head gives it more. Go down its column "
            "in “What does “{word}” look at?”."
        ),
        lambda h: {"weight": share(rows[h, key], 3)},
        yes={"weight": share(first[key]), "second": share(second[key])},
        word=tokens[head.query].text,
        looked_at=tokens[key].text,
        layer=head.layer + 1,
    )


def _which_word(head: Head, row: np.ndarray) -> QuizTask:
    tokens = head.walk.capture.src
    return QuizTask.largest(
        N_("Layer {layer}: at which token does “{word}” look most?"),
        row,
        lambda i: _("{n}: {word}").format(n=i + 1, word=tokens[i].text),
        N_("Yes: its weight is {weight}."),
        N_("Not that one: find the largest number in “What does “{word}” look at?”."),
        lambda i: {"weight": share(row[i])},
        layer=head.layer + 1,
        word=tokens[head.query].text,
    )


def myth(head: Head) -> Myth:
    """Count at how many distances each head of the layer looks most."""
    weights = np.asarray(head.walk.array(f"{head.scope}.weights"))  # (H, T, T)
    away = weights.argmax(-1) - np.arange(weights.shape[1])  # (H, T)
    distances = [len(set(row)) for row in away.tolist()]
    values = {"strict": distances.count(1), "distances": max(distances), "n": weights.shape[1]}
    place = {"layer": head.layer + 1, "head": int(np.argmax(distances)) + 1}
    truth = _(
        "Then a head's largest weights would follow one rule. But of the {heads} heads of layer "
        "{layer}, {strict} keep one distance for all {n} tokens of your sentence; head {head} "
        "looks most at {distances} different distances. Some heads follow a pattern; few have a "
        "role, and it changes with the sentence."
    ).format(heads=len(distances), **place, **values)
    return Myth(
        _("Each head has one job: one finds the next word, another the subject, and so on."), truth
    )


PAGE = look_page(
    "heads",
    "encoder",
    divides_heads,
    intro=N_(
        "One head can look for one thing at a time. So each layer has several, side by side, each "
        "free to look elsewhere."
    ),
    sections=screens,
    scopes=scopes,
    task=task,
    myth=myth,
)

if __name__ == "__main__":
    draw_page(PAGE)
