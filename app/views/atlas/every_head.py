"""What the heads are together: how many have a role, and how well they align words."""

from collections import Counter
from collections.abc import Sequence
from typing import Final

from app.format import escape, number, share, signed
from app.i18n import N_, _
from app.page.quiz import QuizTask, guessed
from app.ui.section import section
from app.ui.table import fold, table
from app.views.atlas.choice import BY_NAMES, name_of, sample_name
from app.views.atlas.data import ROLES, THRESHOLD, Alignment, Atlas, Variant

USUAL: Final = ("weights", "writes", "target")
ROWS: Final = {"writes": N_("writes the word"), "reads": N_("has read the word")}
WAYS: Final = {
    "target": N_("from the target"),
    "source": N_("from the source"),
    "both": N_("both agree"),
}


def draw_every_head(atlas: Atlas) -> None:
    """Let the visitor guess how many heads have a role, then count them."""
    section(_("Does every head have one role?"), "")
    n, count = len(atlas.heads), sum(one.role is not None for one in atlas.heads)
    options = [
        _("None of them"),
        _("Less than half"),
        _("Half or more, but not all"),
        _("All of them"),
    ]
    right = 0 if not count else 3 if count == n else 2 if 2 * count >= n else 1
    question = N_("How many of the {n} heads of this model have a clear role?")
    answer = N_("It is {count} of {n}.")
    if guessed(QuizTask.of(question, options, [right], answer, answer, n=n, count=count)):
        section("", _answer(atlas))


def _answer(atlas: Atlas) -> str:
    """Say how many heads have which role, how steadily, and how much those without one matter."""
    with_role = [(one, one.role) for one in atlas.heads if one.role is not None]
    counts = Counter(role.role for _one, role in with_role)
    threshold = share(THRESHOLD)
    roles = "; ".join(f"{n} × {escape(_(ROLES[role]))}" for role, n in counts.most_common())
    count = len(with_role)
    text = _(
        "**“Every head has one role”** is what pictures of a few chosen heads suggest. Here "
        "{count} of {n} heads give at least {threshold} of their weight to one thing: {roles}."
    )
    parts = [text.format(count=count, n=len(atlas.heads), threshold=threshold, roles=roles or "–")]
    if with_role:
        unsteady = sum(
            one.measures[role.role].quantiles[0] < role.threshold for one, role in with_role
        )
        says = _(
            "Even a role is an average: of those heads, {count} fall below {threshold} in "
            "at least a tenth of the sentences."
        )
        parts.append(says.format(count=unsteady, threshold=threshold))
    if count < len(atlas.heads):
        without = [one for one in atlas.heads if one.role is None]
        most = max(without, key=lambda one: one.measures["log_p_lost"].mean)
        lost = signed(most.measures["log_p_lost"].mean, 3)
        text = _(
            "Of the heads without a role, {head} matters most: muted alone, it costs "
            "{lost} of log p a token."
        )
        parts.append(text.format(head=name_of(most.id), lost=lost))
    return "\n\n".join(parts)


def draw_alignment(atlas: Atlas) -> None:
    """Draw the lowest error rates on each set of true links, what they mean, and all rates."""
    best = [_best(one) for one in atlas.alignments]
    text = _("How often is attention an alignment?")
    says = _(
        "The alignment error rate compares the links that a head makes between words with "
        "the true ones: 0 is perfect, and at 50 about half of them are wrong or missing. A "
        "word's row is that of the step that writes it, or of the next step, which has "
        "just read it. Links go from each target word to the source word that it looks at "
        "most, from each source word to the target word that looks at it most, or count "
        "only where both agree. The best head and the best mean of some heads are chosen "
        "on half of the sentences and scored on the other half."
    )
    section(text, "\n\n".join([says, "\n".join(best)]))
    fold(_("All error rates"), "atlas-errors", "table", lambda: _draw_table(atlas))


def _draw_table(atlas: Atlas) -> None:
    rows = [_row(one, variant) for one in atlas.alignments for variant in one.variants]
    columns: dict[str, Sequence[str | float]] = {
        title: [row[title] for row in rows] for title in rows[0]
    }
    table(columns, "atlas-alignment")


def _best(alignment: Alignment) -> str:
    """Say the lowest error rates on a set of true links, and that of the picture shown first."""
    every = alignment.variants
    usual = next(one for one in every if (one.by, one.row, one.way) == USUAL)
    return _(
        "- **{sentences}**: at best {head} for one head, {layer} for the mean of a layer, "
        "{mean} for a chosen mean of heads. The usual picture, a layer's mean at the step "
        "that writes the word, each target word linked once: {usual}."
    ).format(
        sentences=_sentences(alignment),
        head=number(min(one.best_aer for one in every), 1),
        layer=number(min(min(one.layers) for one in every), 1),
        mean=number(min(one.combination_aer for one in every), 1),
        usual=number(min(usual.layers), 1),
    )


def _sentences(alignment: Alignment) -> str:
    words = f" (≤ {alignment.most_words})" if alignment.most_words else ""
    return f"{sample_name(alignment.gold)}: {alignment.pairs}{words}"


def _row(alignment: Alignment, variant: Variant) -> dict[str, str | float]:
    layer = min(range(len(variant.layers)), key=variant.layers.__getitem__)
    return {
        _("sentences (words)"): _sentences(alignment),
        _("by"): _(BY_NAMES[variant.by]),
        _("row"): _(ROWS[variant.row]),
        _("links"): _(WAYS[variant.way]),
        _("best head"): _place(variant.best),
        _("its error in percent"): variant.best_aer,
        _("best layer's mean"): _("layer {n}").format(n=layer + 1),
        _("the layer's error in percent"): variant.layers[layer],
        _("best mean of heads"): ", ".join(map(_place, variant.combination)),
        _("the mean's error in percent"): variant.combination_aer,
    }


def _place(head: tuple[int, int]) -> str:
    """Write layer and head, counted from 1."""
    return f"{head[0] + 1}.{head[1] + 1}"
