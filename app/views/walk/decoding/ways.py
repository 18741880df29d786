"""Greedy decoding against a beam: what each writes, how likely it is, what the beam weighed."""

from functools import partial

import numpy as np

from app.components.beam_tree import payload
from app.components.board import array_grid
from app.components.shared.kept import Figure
from app.data.decoding import longest
from app.data.translation import Translation
from app.format import escape, grouped, number, power, share
from app.i18n import _
from app.inspector import beam, decoding_ways
from app.inspector.arrays import arrays
from app.inspector.decoding_ways import WIDTH, both, harder, log_probs, parting, sums, written
from app.page.declare import Myth
from app.page.quiz import Task
from app.ui.kept import table_menu
from app.views.walk.decoding import texts
from app.views.walk.decoding.moment import Moment


def sums_text(moment: Moment) -> str:
    """Say what the logarithms add up to, and what p that is."""
    logs = log_probs(moment.walk.translation)
    p = np.exp(logs.sum())
    return _(texts.SUMS).format(
        n=len(logs), total=number(logs.sum(), 3), p=share(p, 3) if p >= 0.001 else power(p)
    )


def draw_sums(moment: Moment) -> None:
    """Draw p of every token, log p, and the sum so far."""
    way = moment.walk.translation
    labels = {
        "row_labels": ["p", "log p", "Σ log p"],
        "col_labels": [token.text for token in written(way)],
    }
    reach = max(1.0, float(-log_probs(way).sum()))  # p goes up to 1
    title = _("your translation")
    arrays(moment.walk, [array_grid(sums(way), title, "output", reach=reach, **labels)], "sums")


def ways_text(moment: Moment) -> str:
    """Say what the two ways of decoding are, and what both come to per token."""
    ways = _(texts.WAYS).format(width=WIDTH)
    return f"{ways} {decoding_ways.totals_text(moment.walk)}"


def guess_ways(moment: Moment) -> Task:
    """Ask whether the two write the same."""
    step = parting(*both(moment.walk))
    says = texts.WAYS_SAYS_SAME if step is None else texts.WAYS_SAYS_APART
    options = [_(texts.WAYS_SAME), _(texts.WAYS_APART)]
    values = {"width": WIDTH, "n": (step or 0) + 1}
    return Task.of(texts.WAYS_ASK, options, [int(step is not None)], says, says, **values)


def draw_ways(moment: Moment) -> None:
    """Draw what both write, where they part, and log p added up."""
    decoding_ways.draw_cards(moment.walk)
    decoding_ways.draw_totals(moment.walk)


def tree_text(moment: Moment) -> str:
    """Say what a hypothesis is, which ones go on, and when the search stops."""
    walk = moment.walk
    most = longest(walk.config, walk.capture.src_ids)
    return _(texts.TREE).format(width=WIDTH, limit=most)


def draw_tree(moment: Moment) -> None:
    """Draw all that the beam weighed, and offer what it kept to the end as a table."""
    _greedy, way = both(moment.walk)
    beam.draw_tree(way)
    tree = Figure("beam_tree", payload(way.tree))
    columns = partial(beam.hypotheses_columns, way)
    table_menu("hypotheses", columns, "hypotheses", lambda: [tree])


def myth(moment: Moment) -> Myth:
    """Show a sentence for which the beam finds a likelier translation: this one, or a hard one."""
    for text in (moment.walk.translation.text, *harder(moment.walk)):
        greedy, other = both(moment.walk, text)
        ours, theirs = _total(greedy), _total(other)
        if theirs > ours and parting(greedy, other) is not None:
            times = float(np.exp(theirs - ours))
            truth = _(texts.MYTH_TRUTH).format(
                text=escape(text),
                greedy=escape(greedy.output),
                beam=escape(other.output),
                greedy_total=number(ours, 3),
                beam_total=number(theirs, 3),
                times=number(times, 1) if times < 1000 else grouped(round(times)),
            )
            return Myth(_(texts.MYTH), truth)
    total = number(_total(both(moment.walk)[0]), 3)
    return Myth(_(texts.MYTH), _(texts.MYTH_SAME).format(greedy_total=total))


def _total(way: Translation) -> float:
    return float(log_probs(way).sum())
