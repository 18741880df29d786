"""Chapter 6: what happens to each word around and after attention."""

from app.data.walk import Cell
from app.i18n import N_
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task, largest
from app.views.walk.add_norm import texts
from app.views.walk.add_norm.ffn import draw_maps, draw_unit, maps_text, unit_text
from app.views.walk.add_norm.steps import add_text, draw_add, draw_norm, largest_place, norm_text
from app.views.walk.add_norm.stream import draw_order, draw_stream, stream, stream_text
from app.views.walk.add_norm.sublayer import Sub, pick_sub, sub_of

CODE = (
    Code(
        N_("Add and normalise, in either order"),
        r"\text{post: } \text{norm}(x + \text{sub}(x)) \qquad"
        r" \text{pre: } x + \text{sub}(\text{norm}(x))",
        "model.nn.layers:AddNorm.forward",
    ),
    Code(
        N_("Normalise, as this page checks it"),
        r"\text{norm}(x) = \gamma \odot \frac{x - \mu}{\sigma} + \beta, \quad"
        r" \mu = \tfrac{1}{d}\textstyle\sum_i x_i, \quad"
        r" \sigma = \sqrt{\tfrac{1}{d}\textstyle\sum_i (x_i - \mu)^2 + \varepsilon}",
        "model.interpret.calculation.numbers:deviation",
    ),
    Code(
        N_("Feed-forward"),
        r"\text{FFN}(x) = \max(0,\; x W_1 + b_1)\, W_2 + b_2",
        "model.nn.layers:FeedForward.forward",
    ),
)


def adds_last(sub: Sub) -> bool:
    """Whether the model adds after it has normalised; its last norm adds nothing."""
    return sub.order == "pre" and not sub.is_last_norm


def scopes(sub: Sub) -> tuple[str, ...]:
    """Name what the badge recomputes: the sub-layers' outputs, sums, norms and feed-forward."""
    first, *later = sub.walk.stream(sub.stack)
    norms = (name.rpartition(".")[0] for name in later)
    own = sub.norm if sub.is_last_norm else sub.out
    return first, f"{sub.scope}.ffn", *norms, own


def start(sub: Sub) -> Cell:
    """Open the normalised form of the number that stands out most."""
    return Cell(sub.norm, (sub.word, largest_place(sub)))


def task(sub: Sub) -> Task:
    """Ask which sub-layer turns the chosen word the most."""
    of = stream(sub)
    shown, answers = largest(-of.cosines)
    options = [of.steps[i + 1] for i in shown]
    values = {"word": sub.text, "name": of.turned, "cosine": f"{of.cosines.min():.3f}"}
    return Task.of(texts.TASK, options, answers, texts.TASK_RIGHT, texts.TASK_WRONG, **values)


SECTIONS = (
    Section("add", texts.ADD_TITLE, draw_add, add_text, when=lambda sub: sub.order == "post"),
    Section("norm", texts.NORM_TITLE, draw_norm, norm_text),
    Section("add", texts.ADD_TITLE, draw_add, add_text, when=adds_last),
    Section("ffn", texts.FFN_TITLE, draw_maps, maps_text),
    Section("unit", texts.UNIT_TITLE, draw_unit, unit_text),
    Section("stream", texts.STREAM_TITLE, draw_stream, stream_text),
    Section("order", texts.ORDER_TITLE, draw_order, texts.ORDER),
)

draw_page(
    WalkPage(
        slug="add_norm",
        intro=texts.INTRO,
        select=sub_of,
        pick=pick_sub,
        sections=SECTIONS,
        scopes=scopes,
        start=start,
        task=task,
        code=CODE,
    )
)
