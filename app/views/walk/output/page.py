"""Chapter 10: from the decoder's last vector to a word."""

import math

from app.data.walk import Cell
from app.format import number, probability
from app.i18n import N_, _
from app.page.declare import Code, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task
from app.views.walk.output import texts, vector
from app.views.walk.output.data import distribution
from app.views.walk.output.lens import draw_lens
from app.views.walk.output.piece import Piece, piece_of
from app.views.walk.output.softmax import draw_softmax, softmax_text


def task(piece: Piece) -> Task:
    """Ask what a difference of logits is as a ratio of probabilities."""
    all_ = distribution(piece.logits)
    first, second = (int(i) for i in all_.order[:2])
    difference = float(piece.logits[first]) - float(piece.logits[second])
    ratio = _times(math.exp(difference))
    wrong = {_times(x) for x in (difference, 2 * difference, difference**2)}
    times = sorted({ratio, *wrong}, key=float)
    p, q = (probability(all_.probabilities[i]) for i in (first, second))
    return Task.of(
        texts.TASK,
        [_(texts.TIMES).format(x=x) for x in times],
        [times.index(ratio)],
        texts.RIGHT,
        texts.WRONG,
        first=piece.walk.token(first).text,
        second=piece.walk.token(second).text,
        difference=number(difference),
        ratio=ratio,
        p=p,
        q=q,
    )


def _times(x: float) -> str:
    return f"{x:.2f}" if x < 100 else f"{x:.0f}"


SECTIONS = (
    Section("vector", texts.VECTOR_TITLE, vector.draw_vector, vector.vector_text),
    Section("linear", texts.LINEAR_TITLE, vector.draw_linear, vector.linear_text),
    Section("softmax", texts.SOFTMAX_TITLE, draw_softmax, softmax_text),
    Section("lens", texts.LENS_TITLE, draw_lens, texts.LENS),
)

CODE = (
    Code(
        N_("The final linear layer"),
        r"\mathrm{logits} = x \, W_{\mathrm{vocab}} + b",
        "model.nn.transformer:Transformer.logits",
    ),
    Code(
        N_("Softmax with temperature, top-k and top-p"),
        r"p_i = \frac{e^{z_i / T}}{\sum_{j} e^{z_j / T}}",
        "model.decoding.sampling:sampling_probs",
    ),
    Code(
        N_("Every stage over the whole vocabulary"),
        r"e^{z_i / T - \max_j z_j / T} \;\to\; \div \Sigma",
        "model.interpret.calculation.distribution:distribution",
    ),
    Code(
        N_("What each layer would have said"),
        r"\mathrm{softmax}(\mathrm{norm}(x^{(l)}) \, W_{\mathrm{vocab}} + b)",
        "model.interpret.calculation.stream:logit_lens",
    ),
)

PAGE = WalkPage(
    slug="output",
    intro=texts.INTRO,
    select=piece_of,
    pick=vector.pick_step,
    sections=SECTIONS,
    scopes=lambda piece: (piece.walk.inputs("logits")[0], "logits"),
    start=lambda piece: Cell("logits", (piece.at, piece.id)),
    task=task,
    code=CODE,
)

if __name__ == "__main__":
    draw_page(PAGE)
