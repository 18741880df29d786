"""Chapter 10: from the decoder's last vector to a token."""

import math

from app.format import number, probability
from app.i18n import N_, _
from app.page.declare import Code, Drawer, Section, WalkPage
from app.page.frame import draw_page
from app.page.quiz import Task
from app.views.walk.output import lens, picks, softmax, texts, vector
from app.views.walk.output.data import distribution
from app.views.walk.output.piece import Piece, piece_of


def task(piece: Piece) -> Task:
    """Ask what a difference of logits is as a ratio of probabilities."""
    all_ = distribution(piece.logits)
    first, second = (int(i) for i in all_.order[:2])
    difference = float(piece.logits[first]) - float(piece.logits[second])
    reasons = {
        _times(difference**2): texts.REASON_SQUARE,
        _times(2 * difference): texts.REASON_TWICE,
        _times(difference): texts.REASON,
    }
    products = [difference**2, 2 * difference, difference, math.exp(difference)]
    ratio = _times(products[-1])
    times = list(dict.fromkeys(map(_times, sorted(products))))
    values = {
        "first": piece.walk.token(first).text,
        "second": piece.walk.token(second).text,
        "difference": number(difference),
        "ratio": ratio,
        "p": probability(all_.probabilities[first]),
        "q": probability(all_.probabilities[second]),
    }
    return Task(
        _(texts.TASK).format(**values),
        [_(texts.TIMES).format(x=x) for x in times],
        frozenset([times.index(ratio)]),
        _(texts.RIGHT).format(**values),
        "",
        [_(reasons.get(x, texts.RIGHT)).format(x=x, **values) for x in times],
    )


def _times(x: float) -> str:
    return number(x) if x < 100 else f"{x:.0f}"


SECTIONS = (
    Section(
        "linear",
        texts.LINEAR_TITLE,
        vector.draw_linear,
        vector.linear_text,
        pick=picks.pick_column,
        drawers=(
            Drawer("tied", texts.TIED_TITLE, vector.draw_tied, vector.tied_text, vector.is_tied),
        ),
        code=(
            Code(
                N_("The final linear layer"),
                r"\mathrm{logits} = x \, W_{\mathrm{vocab}} + b",
                "model.nn.transformer:Transformer.logits",
            ),
        ),
        was=("vector",),
    ),
    Section(
        "highest",
        texts.LIKELIEST_TITLE,
        vector.draw_likeliest,
        vector.likeliest_text,
        pick=picks.pick_step,
        beside=((vector.all_text, vector.draw_all),),
        was=("all",),
    ),
    Section(
        "softmax",
        texts.SOFTMAX_TITLE,
        softmax.draw_softmax,
        softmax.softmax_text,
        pick=picks.pick_step,
        code=(
            Code(
                N_("Every stage over the whole vocabulary"),
                r"e^{z_i / T - \max_j z_j / T} \;\to\; \div \Sigma",
                "model.interpret.calculation.distribution:distribution",
            ),
        ),
    ),
    Section(
        "temperature",
        texts.TEMPERATURE_TITLE,
        softmax.draw_temperature,
        texts.TEMPERATURE,
        pick=picks.pick_temperature,
        guess=softmax.guess_temperature,
        drawers=(
            Drawer("numbers", texts.NUMBERS_TITLE, softmax.draw_numbers, softmax.numbers_text),
        ),
        code=(
            Code(
                N_("Softmax with temperature, top-k and top-p"),
                r"p_i = \frac{e^{z_i / T}}{\sum_{j} e^{z_j / T}}",
                "model.decoding.sampling:sampling_probs",
            ),
        ),
    ),
    Section(
        "choice",
        texts.CHOICE_TITLE,
        softmax.draw_choice,
        softmax.choice_text,
        pick=picks.pick_settings,
    ),
    Section(
        "lens",
        texts.LENS_TITLE,
        lens.draw_lens,
        texts.LENS,
        pick=picks.pick_step,
        guess=lens.guess_lens,
        code=(
            Code(
                N_("What each layer would have said"),
                r"\mathrm{softmax}(\mathrm{norm}(x^{(l)}) \, W_{\mathrm{vocab}} + b)",
                "model.interpret.calculation.stream:logit_lens",
            ),
        ),
    ),
)


PAGE = WalkPage(
    slug="output",
    intro=texts.INTRO,
    select=piece_of,
    pick=picks.pick_all,
    task_pick=picks.pick_step,
    sections=SECTIONS,
    scopes=lambda piece: (piece.walk.inputs("logits")[0], "logits"),
    task=task,
    myth=softmax.myth,
)

if __name__ == "__main__":
    draw_page(PAGE)
