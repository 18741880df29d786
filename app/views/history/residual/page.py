"""2015: residual learning and batch normalisation."""

from typing import Final

import numpy as np

from app.data.images import resnet50
from app.format import number, short
from app.i18n import N_, _
from app.page.kit import HistoryPage, Myth, Proof, QuizTask, Recomputed, draw_page, one_by_one
from app.views.history.residual import norm, skip
from app.views.history.residual.data import SEED, ResidualChoice, choice, gradients, recomputed

TASK_NEGATIVE: Final = N_("A negative number cannot come out: ReLU turns it into 0.")


def proof(choice: ResidualChoice) -> Proof:
    """Recompute the block, both networks' gradients, the batch and ResNet-50's parameters."""
    block, batch = choice.block, choice.batch
    f, out = recomputed.block_again(block)
    stages = [
        Recomputed(N_("F(x) of the block"), block.f, f, 1e-4),
        Recomputed(N_("what comes out of the block"), block.out, out, 1e-4),
    ]
    slopes, (row, column, _x, _f) = skip.slopes_of(choice), skip.brightest(choice)
    slope = recomputed.slope_again(block, choice.picture, choice.channel, row, column)
    ours, again = np.array([slopes[row, column]]), np.array([slope])
    stages.append(Recomputed(N_("slope of F(x)"), ours, again, 1e-4))
    for name, array in recomputed.normed_again(batch, choice.gamma, choice.beta).items():
        stages.append(Recomputed(N_("batch normalisation"), getattr(batch, name), array, 1e-4))
    for shortcut, ours in zip((False, True), choice.gradients, strict=True):
        again = recomputed.gradients_again(*choice.networks, shortcut)
        ours, again = recomputed.logarithms(ours, again)
        stages.append(Recomputed(N_("gradients (logarithms)"), ours, again, 1e-6))
    parameters = np.array([layer.parameters for layer in resnet50() if layer.parameters])
    counted = recomputed.resnet50_parameters_again()
    stages.append(Recomputed(N_("ResNet-50's parameters"), parameters, counted, 0.5))
    return Proof(stages, N_("with NumPy in float64, convolutions by Fourier transforms"))


def task(choice: ResidualChoice) -> QuizTask:
    """Ask for the block's output where its input is largest, with its shortcut as it is set."""
    row, column, x, f = skip.brightest(choice)
    alone, total = choice.block.sum is None, x + f
    out = max(f if alone else total, 0.0)
    options = list(dict.fromkeys(number(y, 3) for y in sorted({out, out + 1, total, f, x - f})))
    numbers = {"x": x, "f": f, "sum": total, "out": out}
    written = {name: number(value, 3) for name, value in numbers.items()}
    reasons = {
        number(f, 3): N_("That is F(x) alone: with the shortcut, x is added to it.")
        if f >= 0
        else TASK_NEGATIVE,
        number(total, 3): N_(
            "That is x + F(x): but the shortcut is switched off, and x does not count."
        )
        if total >= 0
        else TASK_NEGATIVE,
        number(x - f, 3): N_(
            "That is x − F(x): the two are added, or with no shortcut x does not count."
        )
        if x >= f
        else TASK_NEGATIVE,
        number(out + 1, 3): N_("One too many: {out} comes out."),
    }
    place = {"row": row + 1, "column": column + 1}
    return QuizTask(
        (
            _(
                "In the chosen channel of the block, x is largest at row {row}, column "
                "{column}: {x}. F(x) is {f} there. The shortcut is switched off: what comes "
                "out of the block at that place?"
            )
            if alone
            else _(
                "In the chosen channel of the block, x is largest at row {row}, column "
                "{column}: {x}. F(x) is {f} there. What comes out of the block at that place, "
                "with its shortcut and its ReLU?"
            )
        ).format(**place, **written),
        options,
        frozenset({options.index(written["out"])}),
        (
            _("Yes: without the shortcut x is lost, and after ReLU {f} becomes {out}.")
            if alone
            else _("Yes: {x} + ({f}) = {sum}, and after ReLU it is {out}.")
        ).format(**written),
        "",
        [_(reasons[option]).format(**written) if option in reasons else "" for option in options],
    )


def myth(choice: ResidualChoice) -> Myth:
    """Refute that vanishing gradients are the whole problem: in the race, they do not vanish."""
    plain, _residual = gradients(choice.depth, SEED.get(), "he", True)
    last = choice.training.reports[-1]
    values = {"plain": short(plain[0], 3), "times": short(plain[0] / plain[-1], 3)}
    *_shallow, wrong, residual = (number(100 * lap.learned_wrong, 1) for lap in last.laps)
    shares = {"wrong": wrong, "residual_wrong": residual}
    about = {"depth": choice.depth, "update": last.update}
    truth = _(
        "Not in the race: there every layer is normalised. In the first of {depth} plain layers "
        "the gradient is {plain} long, {times} times the last one's: it does not vanish. After "
        "{update} updates the network still reads {wrong} % of its training digits wrongly, with "
        "shortcuts {residual_wrong} %. The authors of 2015 saw no vanishing gradients either."
    ).format(**about, **values, **shares)
    return Myth(_("Deep plain networks learn worse because their gradients vanish."), truth)


PAGE = HistoryPage(
    "residual",
    N_(
        "More layers should make a network better: at worst, the new ones could learn to do "
        "nothing. But around 2015 deeper networks learned **worse**, even on their own training "
        "examples."
    ),
    (*skip.screens, *norm.screens),
    task,
    pick=one_by_one(
        skip.pick_race, skip.pick_block, skip.pick_networks, norm.pick_use, norm.pick_factors
    ),
    task_pick=skip.pick_block,
    myth=myth,
    select=choice,
    proof=proof,
)

if __name__ == "__main__":
    draw_page(PAGE)
