"""Chapter 8: encoder-decoder attention, queries from one sentence, keys and values from another."""

from app.data.walk import Cell
from app.format import number
from app.i18n import N_
from app.inspect.head import Head
from app.inspect.look_picks import look_of, pick_look, surest
from app.inspect.six_steps import SIX_STEPS
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task, largest
from app.views.walk.cross_attention import texts
from app.views.walk.cross_attention.bridge import bridge_text, draw_bridge
from app.views.walk.cross_attention.maps import draw_map, draw_products, map_text

CODE = (
    Code(
        N_("Queries, from the decoder"), r"Q = X W_Q", "model.nn.attention:MultiHeadAttention.query"
    ),
    Code(
        N_("Keys and values, from the memory"),
        r"K_\text{encdec} = M W_K,\quad V_\text{encdec} = M W_V",
        "model.nn.attention:MultiHeadAttention.key_value",
    ),
    Code(
        N_("Attention"),
        r"Z = \text{softmax}\!\left(\frac{Q K_\text{encdec}^\top}{\sqrt{d_k}}\right)"
        r" V_\text{encdec}",
        "model.nn.attention:MultiHeadAttention.attend",
    ),
    Code(
        N_("Once for the whole translation"),
        r"M \to (K_\text{encdec}, V_\text{encdec})",
        "model.nn.transformer:Transformer.start_cache",
    ),
)


def scopes(head: Head) -> tuple[str, ...]:
    """Return what the page shows: the memory, and the chosen layer's attention to it."""
    return "memory", head.scope


def start(head: Head) -> Cell:
    """Open the score of the word that looks against the word it looks at most."""
    return Cell(f"{head.scope}.scores", (head.head, head.query, head.most))


def task(head: Head) -> Task:
    """Ask for the source word that gets the most attention in all."""
    totals = head.walk.array(f"{head.scope}.weights")[head.head].sum(0)  # (S,)
    shown, answers = largest(totals)
    words, rows = [token.text for token in head.walk.capture.src], len(head.walk.capture.tgt)
    options = [f"{i + 1} · {words[i]}" for i in shown]
    place = {"layer": head.layer + 1, "head": head.head + 1}
    most = {"word": words[int(totals.argmax())], "total": number(totals.max()), "rows": rows}
    return Task.of(texts.ASK, options, answers, texts.RIGHT, texts.WRONG, **place, **most)


SECTIONS = (
    Section("made", texts.MADE_TITLE, draw_products),
    *(Section(*step) for step in SIX_STEPS),
    Section("map", texts.MAP_TITLE, draw_map, map_text),
    Section("bridge", texts.BRIDGE_TITLE, draw_bridge, bridge_text),
)

draw_page(
    WalkPage(
        slug="cross_attention",
        intro=texts.INTRO,
        select=lambda walk: look_of(walk, "cross", surest),
        pick=pick_look,
        sections=SECTIONS,
        scopes=scopes,
        start=start,
        task=task,
        code=CODE,
    )
)
