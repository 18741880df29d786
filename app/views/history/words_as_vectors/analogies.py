"""Arithmetic with words, the analogy test, and one update of the vectors, number by number."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.format import escape, grouped, number, quoted
from app.i18n import N_, _
from app.inspector.arrays import Grid, Op, array_grid, draw_board
from app.page.kit import Code, Screens, say
from app.page.live_training import draw_live
from app.state import Param, one_of
from app.ui.kept import table_menu
from app.ui.table import Columns, few_rows
from app.views.history.words_as_vectors import data
from app.views.history.words_as_vectors.learning import draw_bars

CATEGORIES: Final = {
    "gender": N_("man, woman"),
    "age": N_("grown-up, child"),
    "cubs": N_("animal, its young"),
    "capitals": N_("country, capital"),
    "tense": N_("today, yesterday"),
}
# The answer of each sum, and the words that make it.
SUMS: Final = (
    ("people", "king", "man", "woman"),
    ("lands", "paris", "france", "italy"),
    ("animals", "puppy", "dog", "cat"),
    ("verbs", "sang", "sings", "walks"),
)
MODEL = Param[str]("wamodel", "es-en", lambda raw: one_of(*data.pretrained_names())(raw))
HIGH: Final = 120  # of the grids of an update, in pixels
screens = Screens[data.WordVectorsChoice]()


def pick_sum(_choice: data.WordVectorsChoice) -> None:
    """Draw the choice of the words that are added and subtracted."""
    with st.container(horizontal=True, gap="small", vertical_alignment="bottom"):
        tip = _("Calculate with these words, and draw their topic.")
        for i, preset in enumerate(SUMS):
            label = "{1} − {2} + {3}".format(*preset)
            st.button(label, key=f"words-sum-{i}", on_click=_take, args=preset, help=tip)
    labels = (_("Start from"), _("− take away"), _("+ add"))
    tips = (
        _("The word to begin with."),
        _("The word whose vector is taken away."),
        _("The word whose vector is added."),
    )
    for column, param, label, tip in zip(st.columns(3), data.SUM, labels, tips, strict=True):
        column.selectbox(label, data.words(), key=param.widget(), help=tip)


@screens(
    "sum",
    N_("Arithmetic with words"),
    Code(
        N_("The analogy test"),
        r"\arg\max_{d \notin \{a, b, c\}} \cos(d,\ b - a + c)",
        "model.history.analogies:answers",
    ),
    pick=pick_sum,
)
def draw_sum(choice: data.WordVectorsChoice) -> None:
    """Draw the training with what is nearest to the sum of words."""
    text = _(
        "Start from one vector, subtract a second, add a third: which other word is nearest to "
        "the result?"
    )
    say(text)
    steps = data.steps(choice.kind)
    draw_live(choice.training, steps, partial(_draw_sum, choice), again=True)


@screens.drawer("test", N_("The analogy test"))
def draw_quiz(choice: data.WordVectorsChoice) -> None:
    """Draw the analogy test of the vectors in training."""
    text = _(
        "Is it luck that one sum comes out right? Any two pairs of the same kind make a "
        "question: “man” is to “king” as “woman” is to which word? These are all {asked} "
        "questions that the words of the small text make, asked of the vectors as they are "
        "now; only the exact word is right."
    )
    test = data.quiz(choice.report.vectors)
    say(text.format(asked=test.total.asked))
    _draw_counts(test, "trained")
    says = _(
        "Trained to the end with the seeds 0 to 4, “queen” is nearest to king − man + woman "
        "five times out of five, with skip-gram and with CBOW: our tests train all ten. How "
        "many of the other analogies are right depends on the seed."
    )
    st.caption(says)


@screens.drawer("translator", N_("And a translator's vectors?"))
def draw_translator(choice: data.WordVectorsChoice) -> None:
    """Draw the choice of a translator, if there is one, and the test of its vectors."""
    text = _(
        "A translator that comes with this app learned its vectors by translating, never for "
        "analogies. It is asked the questions whose four words are one token each, and may "
        "answer with any of its whole words."
    )
    say(text)
    if not (names := data.pretrained_names()):
        return
    key, tip = MODEL.widget(), _("Whose word vectors are asked, those of the language it writes.")
    st.selectbox(_("Translator"), names, key=key, help=tip, width=320)
    name = MODEL.get()
    test = data.quiz_translator(name)
    left, right = st.columns([0.6, 0.4], gap="medium", vertical_alignment="center")
    if not test.total.asked:
        text = _("{name} has no question whose four words are one token each.")
        left.info(escape(text.format(name=name)))
    else:
        text = _(
            "{name} has a token for all four words of {asked} of the {questions} "
            "questions, and answers {right} of them correctly."
        )
        right.markdown(escape(text.format(name=name, **vars(test.total))))
        with left:
            _draw_counts(test, "translator")
    if (score := test.published) is not None:
        written = {key: grouped(count) for key, count in vars(score).items()}
        percent = f"{100 * score.right / score.asked:.0f}"
        text = _(
            "Of the {questions} questions published with word2vec in 2013, {name} can be "
            "asked {asked}, and answers {right} correctly: {percent} %. Most of these are "
            "forms of words (“walk, walked”), which a translator needs."
        )
        right.markdown(escape(text.format(name=name, percent=percent, **written)))


def _take(topic: str, *chosen: str) -> None:
    data.TOPIC.set(topic)
    for param, word in zip(data.SUM, chosen, strict=True):
        param.set(word)


def _draw_sum(choice: data.WordVectorsChoice, so_far: Sequence[data.WordVectorsReport]) -> None:
    report, (start, less, plus) = so_far[-1], choice.sum
    nearest = data.sums(report.vectors, start, less, plus)
    best, test = nearest[0], data.quiz(report.vectors).total
    found = {"found": data.words()[best.token_id], "value": number(best.similarity, 3)}
    counts = {"asked": test.asked, "right": test.right}
    text = _(
        "Nearest to {start} − {less} + {plus}: **{found}**, with a cosine of {value}. Of all "
        "{asked} analogies of our list, {right} are right."
    ).format(start=start, less=less, plus=plus, **found, **counts)
    if len(so_far) < data.steps(choice.kind):
        untrained = _(
            "The vectors have read only {sentences} of {whole} sentences. Train on, and watch "
            "the answer change."
        )
        read, whole = choice.report.sentences, data.SENTENCES * data.CONFIGS[choice.kind].passes
        text += " " + untrained.format(sentences=grouped(read), whole=grouped(whole))
    left, right = st.columns([0.6, 0.4], gap="medium", vertical_alignment="center")
    with left:
        draw_bars(nearest, data.chance(so_far[-1].vectors), "sum")
    with right:
        st.markdown(text)


def _draw_counts(test: data.Quiz, name: str) -> None:
    """Draw the counts of each category, and all questions with their answers in a fold."""
    asked = {_(CATEGORIES[key]): score for key, score in test.scores.items() if score.asked}
    columns: Columns = {
        _("category"): list(asked),
        _("right"): [score.right for score in asked.values()],
        _("asked"): [score.asked for score in asked.values()],
    }
    few_rows(columns, f"words-quiz-{name}")
    table_menu(f"words-quiz-{name}", partial(_answers, test), f"analogies-{name}")


def _answers(test: data.Quiz) -> Columns:
    rows = [
        (_(CATEGORIES[category]), answer)
        for category, answers in test.answers.items()
        for answer in answers
    ]
    return {
        _("category"): [category for category, _answer in rows],
        _("question"): ["{} : {} = {} : ?".format(*answer.question[:3]) for _c, answer in rows],
        _("expected"): [answer.question[3] for _c, answer in rows],
        _("answer"): [answer.word for _c, answer in rows],
        _("right"): ["✓" if answer.right else "" for _c, answer in rows],
    }


def names(ids: Sequence[int]) -> list[str]:
    """Return the words of some ids."""
    return [data.words()[i] for i in ids]


@screens(
    "update",
    N_("One update: scores, errors, and what changes"),
    Code(
        N_("One update with negative sampling"),
        r"\ell = -\log \sigma(h \cdot u_0) - \sum_{k=1}^{K} \log \sigma(-h \cdot u_k)",
        "model.history.word_vectors:WordVectors.update",
    ),
    pick=False,
    was=("errors", "changes"),
)
def draw_update(choice: data.WordVectorsChoice) -> None:
    """Draw h, the output vectors, their products and errors, and the changes to each vector."""
    report, update = choice.report, choice.report.last
    updates = grouped(report.updates)
    given, outputs = names(update.inputs), names(update.outputs)
    if len(given) == 1:
        text = _("The last of the {updates} updates: “{given}” is given, h is its vector.").format(
            updates=updates, given=given[0]
        )
    else:
        text = _(
            "The last of the {updates} updates: {given} are given, h is the mean of their vectors."
        ).format(updates=updates, given=", ".join(map(quoted, given)))
    target, *drawn = outputs
    guessed = _(
        "“{target}” is to be guessed; {drawn} were drawn at random. Each of these has a second "
        "vector u, for when it is guessed: the dot product h·u is its score s."
    ).format(target=target, drawn=", ".join(map(quoted, drawn)))
    scores = _(
        "The sigmoid σ(s) = 1 / (1 + e⁻ˢ) turns each score into a probability. The error is what "
        "should have come, 1 or 0, minus σ(s). The loss of this update was {loss}."
    ).format(loss=number(update.loss, 4))
    changes = _(
        "Every u moves by rate × error × h, every given vector by rate × Σ error × u, divided "
        "by the number of given words: shown below without the rate, which is now {rate}."
    ).format(rate=number(update.rate, 4))
    say(f"{text} {guessed}\n\n{scores} {changes}")
    read = ", ".join(given)
    wanted = np.eye(len(outputs))[:, :1]
    items: list[Grid | Op] = [
        array_grid(update.hidden, f"h · {read}", "input"),
        Op("×"),
        array_grid(update.rows, "u", "output", row_labels=outputs, height=HIGH),
        Op("="),
        array_grid(update.scores[:, None], "s", height=HIGH),
        Op("→"),
        array_grid(update.sigmoids[:, None], "σ(s)", scale="weights", height=HIGH),
        array_grid(wanted, _("should be"), scale="weights", height=HIGH),
        array_grid(update.errors[:, None], _("error"), height=HIGH),
    ]
    draw_board(items, "words-scores")
    change, output_changes = update.input_change / update.rate, update.output_changes / update.rate
    items = [
        array_grid(output_changes, "Δu", "output", row_labels=outputs, height=HIGH),
        array_grid(change, f"Δ · {read}", "input"),
    ]
    draw_board(items, "words-changes")
