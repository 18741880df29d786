"""Word vectors that a network learns, and how they answer analogies."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.charts.curves import Curve, curves
from app.charts.similarity import similarity_bars
from app.charts.word_map import word_map
from app.components.board import Grid, Op, array_grid
from app.format import escape, grouped, number, percent, quoted
from app.i18n import N_, _
from app.inspector.arrays import draw_board
from app.page.declare import Code, Screens
from app.page.live_training import draw_live
from app.state import Param, one_of
from app.ui.chart import show_chart
from app.ui.kept import table_menu
from app.ui.pickers import pick_from_list, pick_seed
from app.ui.section import say
from app.ui.table import Columns
from app.views.history.words_as_vectors import data
from app.views.history.words_as_vectors.data import (
    CONFIGS,
    SENTENCES,
    TOPICS,
    Quiz,
    Report,
    cosine,
    pretrained_names,
    quiz,
    quiz_translator,
    words,
)
from app.views.history.words_as_vectors.one_hot import (
    AGAIN,
    FOUND,
    SEED,
    STORY,
    SUM,
    TOPIC,
    VECTORS,
    Choice,
    draw_learned,
    pick_pair,
    pick_way,
)

TOPIC_NAMES: Final = {
    "people": N_("People"),
    "lands": N_("Countries and capitals"),
    "animals": N_("Animals and their young"),
    "verbs": N_("Verbs, today and yesterday"),
}
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
MODEL = Param[str]("wamodel", "es-en", lambda raw: one_of(*pretrained_names())(raw))
HIGH: Final = 120  # pixels


def pick_watched(choice: Choice) -> None:
    """Draw the choice of the training and of the words on the map."""
    with st.container(horizontal=True, gap="medium", vertical_alignment="bottom"):
        pick_way(choice)
        tip = _("Another number begins with other random vectors, and draws other words.")
        pick_seed(SEED, tip, width=170)
        pick_map(choice)


def pick_sum(_choice: Choice) -> None:
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
    for column, param, label, tip in zip(st.columns(3), SUM, labels, tips, strict=True):
        column.selectbox(label, words(), key=param.widget(), help=tip)


screens = Screens[Choice]()


@screens(
    "train",
    N_("Watch the vectors form"),
    pick=pick_watched,
    code=(Code(N_("The training"), r"P(w) \propto \mathrm{count}(w)^{3/4}", f"{VECTORS}:train"),),
)
def draw_learning(choice: Choice) -> None:
    """Draw the training with its map and its loss."""
    start, less, plus = choice.sum
    text = _(
        "All vectors begin at random. The right word's moves towards the given ones, the drawn "
        "ones' move away. Diamonds on the map: {start} − {less} + {plus}, and the nearest to it."
    )
    say(text.format(start=start, less=less, plus=plus))
    draw_live(choice.training, data.steps(choice.kind), partial(_draw_watched, choice))


def pick_map(_choice: Choice) -> None:
    """Draw the choice of the words on the map."""
    topics = {name: _(title) for name, title in TOPIC_NAMES.items()}
    tip = _("Which words are drawn on the map.")
    pick_from_list(TOPIC, _("Words on the map"), topics, help=tip, width=220)
    titles = {"": _("none"), **{word: word for word in words()}}
    tip = _("It is drawn on the map as a diamond, whatever its topic; type to search.")
    pick_from_list(FOUND, _("Find a word"), titles, help=tip, width=160)


def _draw_watched(choice: Choice, so_far: Sequence[Report]) -> None:
    left, right = st.columns([0.62, 0.38], gap="medium")
    with left:
        _draw_map(choice, so_far[-1])
    with right:
        _draw_loss(choice, so_far)
        share = _explained(choice, so_far[-1])
        st.caption(
            _(
                "The plane in which the marked words differ most ({share} of their differences); "
                "the others are projected onto it. Each picture has a plane of its own."
            ).format(share=share)
        )


def on_map(choice: Choice, report: Report) -> tuple[list[str], list[str], list[str]]:
    """Return the words of the sum, all words on the map, and those that define its axes."""
    answer = words()[data.sums(report.vectors, *choice.sum, n=1)[0].token_id]
    four = list(dict.fromkeys((*choice.sum, answer)))
    others = (word for word in TOPICS[TOPIC.get()] if word not in (*four, FOUND.get()))
    found = [FOUND.get()] if FOUND.get() and FOUND.get() not in four else []
    shown = [*four, *found, *others]
    return four, shown, four if len(four) > 2 else shown  # two words make a line, not a plane


def _draw_map(choice: Choice, report: Report) -> None:
    (start, less, plus), (four, shown, axes_of) = choice.sum, on_map(choice, report)
    flat = data.flat_map(report.vectors, axes_of, shown)
    points = flat.points
    count = len(four) + (shown[len(four)] == FOUND.get())  # with the word that was searched for
    arrows = [
        (four.index(one), four.index(other))
        for one, other in ((less, start), (plus, four[-1]))
        if one != other
    ]
    first, second = map(percent, flat.explained.tolist())
    figure = word_map(
        points[count:],
        shown[count:],
        points[:count],
        shown[:count],
        x_title=_("first axis ({share} of the spread)").format(share=first),
        y_title=_("second axis ({share})").format(share=second),
        arrows=arrows,
        height=262,
    )
    alt = _("The words on a flat map, as their vectors are now")
    axes = {_("first axis"): points[:, 0].tolist(), _("second axis"): points[:, 1].tolist()}
    show_chart(figure, "words-map", alt, lambda: {_("word"): shown} | axes)


def _explained(choice: Choice, report: Report) -> str:
    _four, shown, axes_of = on_map(choice, report)
    return percent(float(data.flat_map(report.vectors, axes_of, shown).explained.sum()))


def _draw_loss(choice: Choice, so_far: Sequence[Report]) -> None:
    at = np.array([report.sentences for report in so_far])
    loss = Curve(_("loss"), at, np.array([report.loss for report in so_far]), "residual")
    steps = SENTENCES * CONFIGS[choice.kind].passes
    figure = curves([loss], _("sentences"), _("loss"), height=150, steps=steps)
    show_chart(figure, "words-loss", _("The mean loss of an update as training goes on"))


@screens(
    "near",
    N_("Who is near?"),
    pick=pick_pair,
    code=(
        Code(
            N_("The map's axes"),
            r"\max_{\lVert a \rVert = 1} \sum_i \big((v_i - \bar{v}) \cdot a\big)^2",
            "model.interpret.calculation.projection:principal_components",
        ),
    ),
    was=("learned",),
)
def draw_nearest(choice: Choice) -> None:
    """Draw the words nearest to the chosen one; beside them, both words' vectors."""
    if choice.word is None:
        say()
    else:
        text = _(
            "Whose vectors point most nearly the same way as that of “{word}”? Train on, and see."
        )
        say(text.format(word=choice.word))
    left, right = st.columns(2, gap="medium")
    with left:
        draw_near(choice)
    with right:
        if choice.word is not None and choice.word != choice.other:
            vectors, about = choice.report.vectors, {"word": choice.word, "other": choice.other}
            learned = number(cosine(vectors, *about.values()), 3)
            sizes = {"size": vectors.shape[1], "n": len(words())}
            text = _(
                "The vectors of “{word}” and “{other}” as they are now: {size} numbers each "
                "instead of {n}. No number has a meaning of its own; the angle between the "
                "vectors counts. Its cosine is {learned}; of the one-hot vectors it was {one_hot}."
            )
            say(text.format(one_hot="0", learned=learned, **about, **sizes))
        draw_learned(choice)


@screens.drawer("story", N_("A story becomes vectors"))
def draw_story(choice: Choice) -> None:
    """Draw the story's words as the rows of a matrix."""
    size, times = choice.report.vectors.shape[1], STORY.count(AGAIN)
    text = _(
        "Look up each word of a story in the table of vectors, and it is a matrix: {n} words, "
        "{size} numbers each. “{word}” stands {times} times in it, with the same vector each "
        "time: what a word means next to its neighbours is left to the layers that follow."
    )
    say(text.format(n=len(STORY), size=size, word=AGAIN, times=times))
    rows = np.stack([choice.report.vectors[words().index(word)] for word in STORY])
    title, look = _("the story"), {"row_labels": STORY, "height": 200}
    grid = array_grid(rows, title, "input", **look)
    draw_board([grid], "words-story")


def draw_near(choice: Choice) -> None:
    """Draw the training with the nearest words to the visitor's."""
    if choice.word is None:  # the field says so
        return
    steps, draw = data.steps(choice.kind), partial(_draw_near, choice, choice.word)
    draw_live(choice.training, steps, draw, again=True)


def _draw_near(choice: Choice, word: str, so_far: Sequence[Report]) -> None:
    _draw_bars(data.near(so_far[-1].vectors, word), choice, "near")
    limit = data.chance(choice.kind)
    st.caption(
        _(
            "Dashed line, at {chance}: of {words} random directions, not one would reach it in 19 "
            "of 20 cases."
        ).format(chance=number(limit), words=len(words()))
    )


def _draw_bars(neighbours: Sequence[data.Neighbour], choice: Choice, name: str) -> None:
    limit = data.chance(choice.kind)
    labels = [words()[neighbour.token_id] for neighbour in neighbours]
    cosines = np.array([neighbour.similarity for neighbour in neighbours])
    titles = {"chance_title": _("chance"), "value_title": _("cosine")}
    figure = similarity_bars(cosines, labels, chance=limit, **titles)
    columns = {_("word"): labels, _("cosine"): cosines.tolist()}
    show_chart(figure, f"words-{name}", _("Cosines with the nearest words"), lambda: columns)


@screens(
    "sum",
    N_("Arithmetic with words"),
    pick=pick_sum,
    code=(
        Code(
            N_("The analogy test"),
            r"\arg\max_{d \notin \{a, b, c\}} \cos(d,\ b - a + c)",
            "model.history.analogies:answers",
        ),
    ),
)
def draw_sum(choice: Choice) -> None:
    """Draw the training with what is nearest to the sum of words."""
    text = _(
        "Start from one vector, subtract a second, add a third: which other word is nearest to "
        "the result?"
    )
    say(text)
    steps = data.steps(choice.kind)
    draw_live(choice.training, steps, partial(_draw_sum, choice), again=True)


@screens.drawer("test", N_("The analogy test"))
def draw_quiz(choice: Choice) -> None:
    """Draw the analogy test of the vectors in training."""
    text = _(
        "Is it luck that one sum comes out right? Every two pairs of a kind make a question: "
        "“man” is to “king” as “woman” is to which word? These are all {asked} questions that the "
        "words of the small text make, asked of the vectors as they are now; only the exact word "
        "is right."
    )
    say(text.format(asked=quiz(choice.report.vectors).total.asked))
    _draw_counts(quiz(choice.report.vectors), "trained")
    st.caption(
        _(
            "Trained to the end with the seeds 0 to 4, “queen” is nearest to king − man + woman "
            "five times out of five, with skip-gram and with CBOW: our tests train all ten. How "
            "many of the other analogies are right depends on the seed."
        )
    )


@screens.drawer("translator", N_("And a translator's vectors?"))
def draw_translator(choice: Choice) -> None:
    """Draw the choice of a translator, if there is one, and the test of its vectors."""
    text = _(
        "A translator that comes with this app learned its vectors by translating, never for "
        "analogies. It is asked the questions whose four words are one token each, and answers "
        "with any of its whole words."
    )
    say(text)
    if not (names := pretrained_names()):
        return
    key, tip = MODEL.widget(), _("Whose word vectors are asked, those of the language it writes.")
    st.selectbox(_("Translator"), names, key=key, help=tip, width=320)
    name = MODEL.get()
    test = quiz_translator(name)
    left, right = st.columns([0.6, 0.4], gap="medium", vertical_alignment="center")
    if not test.total.asked:
        left.info(
            escape(
                _("{name} has no question whose four words are one token each.").format(name=name)
            )
        )
    else:
        right.markdown(
            escape(
                _(
                    "{name} has a token for all four words of {asked} of the {questions} "
                    "questions, and answers {right} of them correctly."
                ).format(name=name, **vars(test.total))
            )
        )
        with left:
            _draw_counts(test, "translator")
    if (score := test.published) is not None:
        written = {key: grouped(count) for key, count in vars(score).items()}
        percent = f"{100 * score.right / score.asked:.0f}"
        right.markdown(
            escape(
                _(
                    "Of the {questions} questions published with word2vec in 2013, {name} can be "
                    "asked {asked}, and answers {right} correctly: {percent} %. Most of these are "
                    "forms of words (“walk, walked”), which a translator needs."
                ).format(name=name, percent=percent, **written)
            )
        )


def _read(choice: Choice) -> dict[str, str]:
    """Return how many sentences were read, and how many there are."""
    whole = SENTENCES * CONFIGS[choice.kind].passes
    return {"sentences": grouped(choice.report.sentences), "whole": grouped(whole)}


def _take(topic: str, *chosen: str) -> None:
    TOPIC.set(topic)
    for param, word in zip(SUM, chosen, strict=True):
        param.set(word)


def _draw_sum(choice: Choice, so_far: Sequence[Report]) -> None:
    report, (start, less, plus) = so_far[-1], choice.sum
    nearest = data.sums(report.vectors, start, less, plus)
    best, test = nearest[0], data.quiz(report.vectors).total
    found = {"found": words()[best.token_id], "value": number(best.similarity, 3)}
    counts = {"asked": test.asked, "right": test.right}
    text = _(
        "Nearest to {start} − {less} + {plus}: **{found}**, with a cosine of {value}. Of all "
        "{asked} analogies of our list, {right} are right."
    ).format(start=start, less=less, plus=plus, **found, **counts)
    if len(so_far) < data.steps(choice.kind):
        untrained = _(
            "The vectors have read {sentences} of {whole} sentences only. Train on, and watch the "
            "answer change."
        )
        text = f"{text} {untrained.format(**_read(choice))}"
    left, right = st.columns([0.6, 0.4], gap="medium", vertical_alignment="center")
    with left:
        _draw_bars(nearest, choice, "sum")
    with right:
        st.markdown(text)


def _draw_counts(test: Quiz, name: str) -> None:
    """Draw the counts of each category, and all questions with their answers in a fold."""
    asked = {_(CATEGORIES[key]): score for key, score in test.scores.items() if score.asked}
    columns = {
        _("category"): list(asked),
        _("right"): [score.right for score in asked.values()],
        _("asked"): [score.asked for score in asked.values()],
    }
    st.dataframe(columns, hide_index=True, key=f"words-quiz-{name}")
    table_menu(f"words-quiz-{name}", partial(_answers, test), f"analogies-{name}")


def _answers(test: Quiz) -> Columns:
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
    return [words()[i] for i in ids]


@screens(
    "update",
    N_("One update: scores, errors, and what changes"),
    pick=False,
    code=(
        Code(
            N_("One update with negative sampling"),
            r"\ell = -\log \sigma(h \cdot u_0) - \sum_{k=1}^{K} \log \sigma(-h \cdot u_k)",
            f"{VECTORS}:WordVectors.update",
        ),
    ),
    was=("errors", "changes"),
)
def draw_update(choice: Choice) -> None:
    """Draw h, the output vectors, their products and errors, and the changes to each vector."""
    report = choice.report
    updates, given = grouped(report.updates), names(report.last.inputs)
    if len(given) == 1:
        text = _("The last of the {updates} updates: “{given}” is given, h is its vector.").format(
            updates=updates, given=given[0]
        )
    else:
        text = _(
            "The last of the {updates} updates: {given} are given, h is the mean of their vectors."
        ).format(updates=updates, given=_quoted(given))
    target, *drawn = names(report.last.outputs)
    guessed = _(
        "“{target}” is to be guessed; {drawn} were drawn at random. Each of these has a second "
        "vector u, for when it is guessed: the dot product h·u is its score s."
    ).format(target=target, drawn=_quoted(drawn))
    scores = _(
        "The sigmoid σ(s) = 1 / (1 + e⁻ˢ) turns each score into a probability. The error is what "
        "should have come, 1 or 0, minus σ(s). The loss of this update was {loss}."
    ).format(loss=number(report.last.loss, 4))
    changes = _(
        "Every u moves by rate × error × h, every given vector by rate × Σ error × u, divided by "
        "the number of given words: below, without the rate, {rate} now."
    ).format(rate=number(report.last.rate, 4))
    say(f"{text} {guessed}\n\n{scores} {changes}")
    update = choice.report.last
    read, outputs = ", ".join(names(update.inputs)), names(update.outputs)
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


def _quoted(some: Sequence[str]) -> str:
    return ", ".join(quoted(word) for word in some)
