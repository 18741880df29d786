"""Chapter 8: encoder-decoder attention, queries from one sentence, keys and values from another."""

from dataclasses import replace

from app.format import number, percent
from app.i18n import N_, _
from app.inspector.head import Head
from app.inspector.look_picks import look_of, pick_look, surest
from app.inspector.naming import follows, token_markdown
from app.page.declare import Code, Myth, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task, largest
from app.views.walk.cross_attention import maps, texts
from app.views.walk.cross_attention.bridge import draw_bridge, guess_bridge


def scopes(head: Head) -> tuple[str, ...]:
    """Return what the page shows: the memory, and the chosen layer's attention to it."""
    return "memory", head.scope


def task(head: Head) -> Task:
    """Ask for the source token that gets the most attention in all."""
    totals = head.walk.array(f"{head.scope}.weights")[head.head].sum(0)  # (S,)
    shown, answers = largest(totals)
    words, rows = [token.text for token in head.walk.capture.src], len(head.walk.capture.tgt)
    options = [f"{i + 1} · {words[i]}" for i in shown]
    place = {"layer": head.layer + 1, "head": head.head + 1}
    most = {"word": words[int(totals.argmax())], "total": number(totals.max()), "rows": rows}
    asked = Task.of(texts.ASK, options, answers, texts.RIGHT, texts.WRONG, **place, **most)
    reason = _(texts.REASON)
    reasons = [reason.format(word=words[i], total=number(totals[i])) for i in shown]
    return replace(asked, reasons=reasons)


def myth(head: Head) -> Myth:
    """Tell the row that reads a token from the one that wrote it."""
    tokens = head.walk.capture.tgt
    head = head if head.query else replace(head, query=min(1, len(tokens) - 1))
    values = {
        "read": head.word,
        "next": token_markdown(follows(head.walk)[head.query]),
        "source": head.words[head.most],
        "weight": percent(head.weights[head.most]),
    }
    if not head.query:
        return Myth(_(texts.MYTH), _(texts.MYTH_FIRST).format(**values))
    earlier = replace(head, query=head.query - 1)
    wrote = {
        "before": earlier.words[earlier.most],
        "weight_before": percent(earlier.weights[earlier.most]),
    }
    return Myth(_(texts.MYTH), _(texts.MYTH_TRUTH).format(**values, **wrote))


SECTIONS = (
    Section(
        "made",
        texts.MADE_TITLE,
        maps.draw_made,
        maps.made_text,
        code=(
            Code(
                N_("Queries, from the decoder"),
                r"Q = X W_Q",
                "model.nn.attention:MultiHeadAttention.query",
            ),
            Code(
                N_("Keys and values, from the memory"),
                r"K_\text{encdec} = M W_K,\quad V_\text{encdec} = M W_V",
                "model.nn.attention:MultiHeadAttention.key_value",
            ),
            Code(
                N_("Once for the whole translation"),
                r"M \to (K_\text{encdec}, V_\text{encdec})",
                "model.nn.transformer:Transformer.start_cache",
            ),
        ),
        was=("keys", "values", "qkv"),
    ),
    Section(
        "score",
        texts.STEPS_TITLE,
        maps.draw_steps,
        maps.steps_text,
        was=("divide", "softmax", "weigh", "sum"),
    ),
    Section(
        "map",
        texts.MAP_TITLE,
        maps.draw_map,
        maps.map_text,
        code=(
            Code(
                N_("Attention"),
                r"Z = \text{softmax}\!\left(\frac{Q K_\text{encdec}^\top}{\sqrt{d_k}}\right)"
                r" V_\text{encdec}",
                "model.nn.attention:MultiHeadAttention.attend",
            ),
        ),
        beside=((maps.most_text, maps.draw_most),),
        was=("most",),
    ),
    Section(
        "bridge",
        texts.BRIDGE_TITLE,
        draw_bridge,
        guess=guess_bridge,
        pick=False,
    ),
)

PAGE = WalkPage(
    slug="cross_attention",
    intro=texts.INTRO,
    select=lambda walk: look_of(walk, "cross", surest),
    pick=pick_look,
    place=lambda head: head.place,
    sections=SECTIONS,
    scopes=scopes,
    task=task,
    myth=myth,
)

if __name__ == "__main__":
    draw_page(PAGE)
