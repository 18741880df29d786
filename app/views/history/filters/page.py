"""2009 to 2015: kernels by hand, kernels that are learned, AlexNet, and residual learning."""

from functools import partial

from app.data.images import alexnet
from app.format import escape, grouped, number
from app.i18n import N_, _
from app.page.kit import HistoryPage, Myth, QuizTask, draw_page, one_by_one
from app.ui import player
from app.views.history.filters import kernels, networks, shortcuts
from app.views.history.filters.data import FiltersChoice, choice, convolution


def task(choice: FiltersChoice) -> QuizTask:
    """Ask for the output's size with another stride and padding than the page's."""
    stepping = choice.stepping
    n = len(stepping.picture)
    stride, padding = 2 if stepping.stride != 2 else 3, 2 if stepping.padding != 2 else 1
    size = partial(convolution.output_size, n, len(stepping.kernel))
    answer = size(stride, padding)
    values = {"n": n, "stride": stride, "padding": padding, "answer": answer}
    # Of several reasons for the same size, the last one counts.
    reasons = {
        size(1, padding): N_(
            "That is the width with steps of one pixel: here each step is {stride}."
        ),
        size(stride, 0): N_(
            "That is the width without the zeros: {padding} lines on each side count."
        ),
        answer + 1: N_(
            "One too many: at the place after the last one, the kernel would stick out of the "
            "picture."
        ),
        n // stride - 1: N_(
            "That is {n} ÷ {stride}, less 1. The kernel needs 3 pixels to lie on; count how many "
            "steps of {stride} are left after that, and do not forget the first place."
        ),
    }
    sizes = sorted({answer, *reasons})
    wrong = [_(reasons[size]).format(**values) if size in reasons else "" for size in sizes]
    return QuizTask(
        _(
            "Take a picture {n} pixels wide, with {padding} lines of zeros around it, and let "
            "a kernel of 3 × 3 move {stride} pixels at a time. How many numbers wide is the "
            "output?"
        ).format(**values),
        list(map(str, sizes)),
        frozenset({sizes.index(answer)}),
        _("Yes: ({n} + 2 · {padding} − 3) ÷ {stride}, rounded down, plus 1, is {answer}.").format(
            **values
        ),
        "",
        wrong,
    )


def myth(_choice: FiltersChoice) -> Myth:
    """Refute that the convolutions hold most of the parameters."""
    layers = [layer for layer in alexnet() if layer.parameters]
    total = sum(layer.parameters for layer in layers)
    linear = sum(layer.parameters for layer in layers if layer.is_linear) / total
    # One multiplication per weight at each place of the output; a bias is only added.
    work = {layer: multiplications(layer.shape, layer.parameters) for layer in layers}
    convolutions = sum(count for layer, count in work.items() if not layer.is_linear)
    shares = {
        "share": number(100 * linear, 1),
        "rest": number(100 - 100 * linear, 1),
        "work": f"{100 * convolutions / sum(work.values()):.0f}",
    }
    truth = _(
        "Of AlexNet's {total} parameters, {share} % are in its three linear layers, where each "
        "number has a weight of its own for each number before it. A convolution uses its few "
        "weights again at every place: with {rest} % of the parameters, the five convolutions do "
        "{work} % of the multiplications."
    ).format(total=grouped(total), **shares)
    return Myth(
        _("Most parameters of a convolutional network are in its convolutions."), escape(truth)
    )


def multiplications(shape: tuple[int, ...], parameters: int) -> int:
    """Return how many multiplications a layer takes: its weights times its output's places."""
    channels, *sides = shape
    places = sides[0] * sides[1] if sides else 1
    return (parameters - channels) * places


PAGE = HistoryPage(
    "filters",
    N_(
        "To find out what is in a picture, a network first looks for small things such as edges, "
        "everywhere, with the same few weights."
    ),
    (*kernels.screens, *networks.screens, *shortcuts.screens),
    task,
    pick=one_by_one(
        kernels.pick_stepping, networks.pick_reading, shortcuts.pick_race, shortcuts.pick_block
    ),
    task_pick=False,
    myth=myth,
    select=choice,
    run_every=player.run_every,
)

if __name__ == "__main__":
    draw_page(PAGE)
