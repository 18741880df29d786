"""Chapter 7: masked self-attention, in which no token sees what comes after it."""

import numpy as np

from app.format import number, share
from app.i18n import N_, _
from app.inspector.head import Head
from app.inspector.look_picks import look_of, pick_look
from app.page.declare import Code, Myth, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task, largest
from app.views.walk.masked_attention import batch, peek, row, texts
from app.views.walk.masked_attention.data import of_next, unmasked


def middle(head: Head) -> int:
    """Return a token with tokens before it and after it."""
    return len(head.walk.capture.tgt) // 2


def task(head: Head) -> Task:
    """Ask which later token a token would look at most without the mask."""
    tokens = head.walk.capture.tgt
    word = min(head.query, len(tokens) - 2)
    if word < 0:
        return _count(head)
    later = tokens[word + 1 :]
    weights = unmasked(head.walk)[f"{head.scope}.weights"][head.head, word, word + 1 :]
    shown, answers = largest(weights)
    best, text = int(weights.argmax()), tokens[word].text
    weight = share(weights[best], 4)
    return Task(
        question=_(texts.ASK).format(layer=head.layer + 1, head=head.head + 1, word=text),
        options=[f"{word + 2 + i} · {later[i].text}" for i in shown],
        answers=answers,
        right=_(texts.RIGHT).format(word=later[best].text, weight=weight),
        wrong=_(texts.WRONG).format(word=text),
        reasons=[
            _(texts.REASON).format(later=later[i].text, weight=share(weights[i], 4), word=text)
            for i in shown
        ],
    )


def _count(head: Head) -> Task:
    """Ask about the one score of a lone <bos>."""
    hidden = int(np.isneginf(head.walk.array("decoder.0.self_attn.masked")[0]).sum())
    return Task.of(texts.COUNT, ["0", "1"], [hidden], texts.COUNT_RIGHT, texts.COUNT_WRONG)


def myth(head: Head) -> Myth:
    """Compare how sure the model is of its own tokens with the mask and without."""
    before, after = (float(of_next(head.walk, causal).mean()) for causal in (True, False))
    truth = _(texts.MYTH_TRUTH).format(before=number(before, 3), after=number(after, 3))
    return Myth(_(texts.MYTH), truth)


SECTIONS = (
    Section(
        "mask",
        texts.MASK_TITLE,
        row.draw_mask,
        row.mask_text,
        pick=False,
        beside=((lambda _head: "", row.draw_whole),),
        was=("whole",),
        code=(
            Code(
                N_("Masks: True where one may look"),
                r"\text{mask}_{ij} = (j \le i) \wedge (\text{token}_j \ne \text{<pad>})",
                "model.nn.masks:target_mask",
            ),
            Code(
                N_("The causal mask"),
                r"\text{causal}_{ij} = (j \le i)",
                "model.nn.masks:causal_mask",
            ),
        ),
    ),
    Section(
        "row",
        texts.ROW_TITLE,
        row.draw_row,
        row.row_text,
        code=(
            Code(
                N_("−∞ before the softmax"),
                r"\text{softmax}\!\left(\text{mask}\!\left(\frac{QK^\top}{\sqrt{d_k}}\right)\right)"
                r"V",
                "model.nn.attention:MultiHeadAttention.attend",
            ),
        ),
    ),
    Section(
        "ways",
        texts.WAYS_TITLE,
        row.draw_ways,
        row.ways_text,
        when=row.has_later,
        guess=row.guess_ways,
    ),
    Section(
        "batch",
        texts.BATCH_TITLE,
        batch.draw_batch,
        texts.BATCH,
        code=(
            Code(
                N_("The padding mask"),
                r"\text{padding}_{j} = (\text{token}_j \ne \text{<pad>})",
                "model.nn.masks:padding_mask",
            ),
        ),
        beside=((batch.encoder_text, batch.draw_encoder),),
        was=("both", "padding"),
    ),
    Section("peek", texts.PEEK_TITLE, peek.draw_peek, peek.peek_text),
    Section(
        "change",
        texts.CHANGE_TITLE,
        peek.draw_change,
        texts.CHANGE,
        when=peek.has_future,
        pick=False,
    ),
)

PAGE = WalkPage(
    slug="masked_attention",
    intro=texts.INTRO,
    select=lambda walk: look_of(walk, "decoder", middle),
    pick=pick_look,
    place=lambda head: head.place,
    sections=SECTIONS,
    scopes=lambda head: (head.scope,),
    task=task,
    myth=myth,
)

if __name__ == "__main__":
    draw_page(PAGE)
