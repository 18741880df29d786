"""Chapter 8: encoder-decoder attention, queries from one sentence, keys and values from another."""

from dataclasses import replace

from app.format import number, percent
from app.i18n import N_, _
from app.inspector.head import Head, surest
from app.inspector.naming import follows, token_markdown
from app.page.kit import Myth, QuizTask, draw_page, look_page
from app.views.walk.cross_attention.screens import screens


def task(head: Head) -> QuizTask:
    """Ask for the source token that gets the most attention in all."""
    totals = head.walk.array(f"{head.scope}.weights")[head.head].sum(0)  # (S,)
    words = [token.text for token in head.walk.capture.src]
    return QuizTask.largest(
        N_(
            "Layer {layer}, head {head}, over the whole translation: which source token gets the "
            "most attention in all?"
        ),
        totals,
        lambda i: f"{i + 1} · {words[i]}",
        N_("Yes: the column of “{word}” adds up to {total}, of {rows} rows of 1 each."),
        N_(
            "The column of “{word}” adds up to {total}; another one has more. Open “Who looked at "
            "what” and compare the columns."
        ),
        lambda i: {"word": words[i], "total": number(totals[i])},
        layer=head.layer + 1,
        head=head.head + 1,
        rows=len(head.walk.capture.tgt),
    )


def myth(head: Head) -> Myth:
    """Tell the row that reads a token from the one that wrote it."""
    tokens = head.walk.capture.tgt
    head = head if head.query else replace(head, query=min(1, len(tokens) - 1))
    earlier = replace(head, query=max(head.query - 1, 0))
    truth = _(
        "A row belongs to the token that was just read; it is used to write the *next* one. "
        "The row of “{read}” looks most at “{source}”, {weight}, in order to write “{next}”. "
        "“{read}” itself was written from the row before, which looks most at “{before}”, "
        "{weight_before}."
    )
    if not head.query:
        truth = _(
            "A row belongs to the token that was just read; it is used to write the *next* one. "
            "The row of “{read}” looks most at “{source}”, {weight}, in order to write “{next}”."
        )
    said = truth.format(
        read=head.word,
        next=token_markdown(follows(head.walk)[head.query]),
        source=head.words[head.most],
        weight=percent(head.weights[head.most]),
        before=earlier.words[earlier.most],
        weight_before=percent(earlier.weights[earlier.most]),
    )
    return Myth(_("The row of a token shows where the model looked to write that token."), said)


PAGE = look_page(
    "cross_attention",
    "cross",
    surest,
    intro=N_(
        "Each decoder layer has a second attention, which looks outside: at the source sentence. "
        "It works like self-attention, with one difference: queries come from one sentence, keys "
        "and values from the other."
    ),
    sections=screens,
    scopes=lambda head: ("memory", head.scope),
    task=task,
    myth=myth,
)

if __name__ == "__main__":
    draw_page(PAGE)
