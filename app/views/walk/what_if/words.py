"""What the model translates without a word, and which words mattered."""

from itertools import combinations
from typing import Any, Final

import numpy as np
import streamlit as st

from app import state
from app.data.changed import change_types, run_with
from app.data.importance import METHODS, Importance, hidden
from app.data.walk import Cell
from app.format import number, percent, signed
from app.i18n import N_, _
from app.inspector import changes
from app.inspector.arrays import array_grid, draw_board
from app.inspector.both import draw_translations
from app.inspector.probe import Probe, answers_about, correlation_grid, marked, names, pick_written
from app.page.changed_run import draw_open
from app.page.kit import Code, QuizTask, Screens, guess, say
from app.page.quiz import largest
from app.ui.table import numbered
from app.views.walk.what_if.heads import BESIDE

# What the map says in place of a board's own words.
COLUMNS: Final = {
    "hint": N_("Point at a cell, or move with the arrow keys. A click or Enter opens its run."),
    "matrix": N_(
        "{title}, {rows} × {cols}; arrow keys move, Enter opens the run without that token"
    ),
    "strip": N_("{title}, {cols} tokens; arrow keys move, Enter opens the run without that token"),
    "asked": N_("Hidden: {cell}"),
}
INTEGRATED: Final = "integrated_gradients"
HIDDEN: Final = state.Param[int]("hidden", -1, state.whole(-1, 10_000))
SUM, MAP = "hidden-sum", "hidden-map"  # no arrays of the model: a click opens a run
HIGH: Final = 176  # pixels of the map, so that no row is below the window


def task(probe: Probe) -> QuizTask:
    """Ask which source token the whole translation misses most."""
    drops = hidden(probe.walk).sum(0)  # (S,)
    return QuizTask.largest(
        N_("Hide one source token. Which one does the whole translation miss most?"),
        drops,
        probe.source,
        N_("Yes: without “{key}”, log p of the translation changes by {change}."),
        N_(
            "Without “{key}”, log p of the translation changes by {change}: another token is "
            "missed more."
        ),
        lambda i: {"key": probe.source(i), "change": signed(-drops[i])},
    )


screens = Screens[Probe]()


@screens("words", N_("All source tokens, one after the other"), pick=False)
def draw_words(probe: Probe) -> None:
    """Draw what each token loses by each that is hidden, and the run without the chosen one."""
    text = _(
        "Hide the {n} source tokens one at a time from all attention: a column is one such "
        "run, a row is a token of the translation. Red: less probable than before. Click a "
        "column to see its run."
    )
    say(text, n=len(probe.walk.capture.src))
    more = -hidden(probe.walk)  # (T, S)
    at = HIDDEN.get()
    if at not in range(more.shape[1]):
        at = int(more.sum(0).argmin())
    left, right = st.columns(BESIDE, gap="medium")
    with left:
        _draw_map(probe, more, at)
    with right:
        hide = change_types.HideWords("src", (at,))
        draw_translations(run_with(probe.walk, hide))
        most = int(np.abs(more[:, at]).argmax())
        text = _(
            "**{change}**: log p of the translation changes by {worth}, and most at “{word}”, "
            "by {part}."
        ).format(
            change=changes.sentence(hide, probe.walk),
            worth=signed(more[:, at].sum(), 3),
            word=marked(probe.written[most]),
            part=signed(more[most, at], 3),
        )
        st.markdown(text)
        draw_open(hide, key="open-hidden")


def _draw_map(probe: Probe, more: np.ndarray, at: int) -> None:
    """Draw the sum of each column, and below it all of it; a click chooses the column."""
    look: dict[str, Any] = {"role": "output", "col_labels": probe.sources}
    total, rows = more.sum(0, keepdims=True), [_("all tokens")]  # (1, S)
    title = _("Δ log p of the translation without one token")
    all_ = array_grid(total, title, name=SUM, row_labels=rows, **look)
    title = _("Δ log p of each token without one token")
    each = array_grid(more, title, name=MAP, row_labels=probe.written, height=HIGH, **look)
    draw_board(
        [all_, each],
        "what-words",
        asked=Cell(SUM, (0, at)),
        on_ask=lambda cell: HIDDEN.set(cell.index[-1]),
        text={name: _(words) for name, words in COLUMNS.items()},
    )


@screens(
    "mattered",
    N_("Which source token mattered?"),
    Code(
        N_("Leave-one-out"),
        r"\text{drop}_{t,s} = \log p_t - \log p_t^{(\text{without } s)}",
        "model.interpret.experiments.plan:leave_one_out",
    ),
    Code(
        N_("Attention rollout"),
        r"R \leftarrow M R,\qquad M = \tfrac12 (I + A)",
        "model.interpret.rollout:reach",
    ),
    Code(
        N_("Rank correlation"),
        r"\rho = \operatorname{corr}(\operatorname{rank} a, \operatorname{rank} b)",
        "model.interpret.experiments.importance:spearman",
    ),
    Code(
        N_("Integrated gradients"),
        r"a_s = x_s \cdot \int_0^1 \nabla_{x_s} \log p(\alpha x)\, d\alpha,\qquad "
        r"\sum_s a_s = \log p(x) - \log p(0)",
        "model.interpret.experiments.importance:integrated_gradients",
    ),
    pick=pick_written,
)
def draw_mattered(probe: Probe) -> None:
    """Draw a row a method, each scaled by its own largest number; the menu has the numbers."""
    text = _(
        "Why “{word}”? Leave-one-out is the experiment: hide one token of your sentence from all "
        "attention, and see how far log p drops. The other methods save themselves the second run."
    )
    say(text, word=marked(probe.word))
    shown, answers = largest(hidden(probe.walk)[probe.at])
    best = shown[min(answers)]
    drop = signed(-hidden(probe.walk)[probe.at, best])
    asks = N_("Which token, hidden, costs “{word}” most?")
    says, options = N_("Hiding “{key}” changes log p by {change}."), [*map(probe.source, shown)]
    values = {"word": probe.word, "key": probe.source(best), "change": drop}
    guess(QuizTask.of(asks, options, answers, says, **values))
    found, tokens = answers_about(probe), probe.sources
    labels = {"row_labels": names(found), "col_labels": tokens}
    most = np.abs(found.rows).max(-1, keepdims=True)  # (R, 1)
    scaled = np.divide(found.rows, most, out=np.zeros_like(found.rows), where=most > 0)
    title = _("Each row ÷ its own largest magnitude")
    compared = array_grid(scaled, title, "output", reach=1.0, **labels)
    exact = [
        array_grid(row, name, "output", col_labels=tokens)
        for name, row in zip(names(found), found.rows, strict=True)
    ]
    draw_board([compared], "what-mattered", [compared, *exact])


@screens.drawer("agree", N_("Where the methods agree"))
def draw_agree(probe: Probe) -> None:
    """Draw the rank correlation of every two methods."""
    found = answers_about(probe)
    pairs = [
        (float(found.correlations[i, j]), i, j)
        for i, j in combinations(range(len(found.methods)), 2)
        if np.isfinite(found.correlations[i, j])
    ]
    if not pairs:
        say(_("Your sentence gives the methods nothing to rank: no two of its tokens differ."))
    else:
        titles = names(found)
        (high, a, b), (low, c, d) = max(pairs), min(pairs)
        text = _(
            "Rank the tokens by each method and compare two rankings: +1 is the same order, −1 "
            "the reverse. Most alike are “{a}” and “{b}” ({high}), least “{c}” and “{d}” ({low})."
        )
        most = {"a": titles[a], "b": titles[b], "high": signed(high)}
        say(text, c=titles[c], d=titles[d], low=signed(low), **most)
    cols = [str(i + 1) for i in range(len(found.methods))]
    labels = {"row_labels": numbered(names(found)), "col_labels": cols}
    grid = correlation_grid(found.correlations, _("rank correlation"), **labels)
    draw_board([grid], "what-agree", text={"hatched": _("one method gives all tokens the same")})
    st.markdown(_named(probe, found))


@screens.drawer("complete", N_("Integrated gradients add up"))
def draw_complete(probe: Probe) -> None:
    """Draw the integrated gradients of each source token."""
    found = answers_about(probe)
    row = found.rows[found.methods.index(INTEGRATED)]
    total = float(row.sum())
    after = float(probe.log_p[probe.at])
    rise = total + found.gap
    text = _(
        "Start from a sentence whose token vectors are all 0, where log p of “{word}” is "
        "{before}, and walk to yours, where it is {after}. The rise of {rise} is shared among the "
        "tokens, by their gradients on the way. The shares add up to {sum}; {gap} is missing "
        "({part} of the rise), as {points} points stand for the whole way."
    )
    say(
        text,
        word=marked(probe.word),
        before=number(after - rise, 3),
        after=number(after, 3),
        rise=signed(rise, 3),
        sum=signed(total, 3),
        gap=signed(found.gap, 3),
        part=percent(abs(found.gap / rise)) if rise else "∞",
        points=found.points,
    )
    title = _(METHODS[INTEGRATED].title)
    draw_board([array_grid(row[None], title, "output", col_labels=probe.sources)], "what-complete")


def _named(probe: Probe, found: Importance) -> str:
    """Say how many methods name the same token as the experiment."""
    best = found.rows.argmax(-1)  # (R,)
    others = [i for i in range(1, len(best)) if best[i] != best[0]]
    values = {"key": marked(probe.source(int(best[0]))), "n": len(best)}
    if not others:
        return _("All {n} methods name the same token first: “{key}”.").format(**values)
    titles = names(found)
    told = ", ".join(f"{titles[i]}: “{marked(probe.source(int(best[i])))}”" for i in others)
    return _(
        "{same} of {n} methods name “{key}” first, as the experiment does. The others: {others}."
    ).format(**values, same=len(best) - len(others), others=told)
