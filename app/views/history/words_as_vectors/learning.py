"""Word vectors in training: the map as it forms, arithmetic with words, and neighbours."""

from collections.abc import Sequence
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app.charts.curves import Curve, curves
from app.charts.similarity import similarity_bars
from app.charts.word_map import word_map
from app.format import grouped, percent
from app.i18n import _
from app.page.live_training import draw_live
from app.ui.chart import show_chart
from app.ui.pickers import pick, pick_from_list, pick_seed
from app.ui.table import table, table_fold
from app.views.history.words_as_vectors import data, texts
from app.views.history.words_as_vectors.choice import KIND, SEED, SUM, TOPIC, Choice
from app.views.history.words_as_vectors.data import CONFIGS, SENTENCES, TOPICS, Report, words

# Where the sum leads to, and the words that make it.
SUMS: Final = (
    ("people", "king", "man", "woman"),
    ("lands", "paris", "france", "italy"),
    ("animals", "puppy", "dog", "cat"),
    ("verbs", "sang", "sings", "walks"),
)
EXAMPLES: Final = ("throne", "hat", "speak")  # of each, the first sentence with it is shown


def learning_text(_choice: Choice) -> str:
    """Quote a few sentences of the small text."""
    sentences = (next(each for each in data.text() if word in each) for word in EXAMPLES)
    one, two, three = map(" ".join, sentences)
    return _(texts.TRAIN).format(sentences=grouped(SENTENCES), one=one, two=two, three=three)


def draw_learning(choice: Choice) -> None:
    """Draw the choices, and the training with all that can be watched while it goes on."""
    with st.container(horizontal=True, vertical_alignment="bottom"):
        pick(KIND, _("Way of learning"), texts.KINDS, help=_(texts.KIND_HELP))
        pick_seed(SEED, _(texts.SEED_HELP))
    config = CONFIGS[choice.kind]
    way = texts.SKIPGRAM if choice.kind == "skipgram" else texts.CBOW
    negatives = _(texts.NEGATIVES).format(negatives=config.negatives)
    st.markdown(f"{_(way).format(window=config.window)} {negatives}")
    _pick_words()
    draw_live(choice.training, data.steps(choice.kind), partial(_draw, choice))
    st.caption(_(texts.TRIED))


def _pick_words() -> None:
    with st.container(horizontal=True, gap="small"):
        tip = _("Calculate with these words, and draw their topic.")
        for i, preset in enumerate(SUMS):
            label = "{1} − {2} + {3}".format(*preset)
            st.button(label, key=f"words-sum-{i}", on_click=_take, args=preset, help=tip)
    labels = (_("Start from"), _("− take away"), _("+ add"))
    tips = (_(texts.START_HELP), _(texts.LESS_HELP), _(texts.PLUS_HELP))
    columns = st.columns([1, 1, 1, 1.6], vertical_alignment="bottom")
    for column, param, label, tip in zip(columns, SUM, labels, tips, strict=False):
        column.selectbox(label, words(), key=param.widget(), help=tip)
    topics = {name: _(title) for name, title in texts.TOPICS.items()}
    with columns[-1]:
        pick_from_list(TOPIC, _("Words on the map"), topics, help=_(texts.TOPIC_HELP))


def _take(topic: str, *chosen: str) -> None:
    TOPIC.set(topic)
    for param, word in zip(SUM, chosen, strict=True):
        param.set(word)


def _draw(choice: Choice, so_far: Sequence[Report]) -> None:
    report, (start, less, plus) = so_far[-1], choice.sum
    counts = {"sentences": grouped(report.sentences), "updates": grouped(report.updates)}
    st.caption(_(texts.STEP).format(every=CONFIGS[choice.kind].report_every, **counts))
    nearest = data.sums(report.vectors, start, less, plus)
    best, test = nearest[0], data.quiz(report.vectors).total
    found = {"found": words()[best.token_id], "value": f"{best.similarity:.3f}"}
    st.markdown(_(texts.RESULT).format(start=start, less=less, plus=plus, **found, **vars(test)))
    left, right = st.columns([0.55, 0.45], gap="medium")
    limit = data.chance(choice.kind)
    with left:
        _draw_map(choice, report)
        _draw_loss(choice, so_far)
    with right:
        _draw_bars(nearest, limit, f"{start} − {less} + {plus}", "sum")
        if choice.word is not None:
            title = _("Nearest to {word}").format(word=choice.word)
            _draw_bars(data.near(report.vectors, choice.word), limit, title, "near")
        st.caption(_(texts.CHANCE).format(chance=f"{limit:.2f}", words=len(words())))


def on_map(choice: Choice, report: Report) -> tuple[list[str], list[str], list[str]]:
    """Return the words of the sum, all words on the map, and those that its axes are made for."""
    answer = words()[data.sums(report.vectors, *choice.sum, n=1)[0].token_id]
    four = list(dict.fromkeys((*choice.sum, answer)))
    shown = [*four, *(word for word in TOPICS[TOPIC.get()] if word not in four)]
    return four, shown, four if len(four) > 2 else shown  # two words make a line, no plane


def _draw_map(choice: Choice, report: Report) -> None:
    (start, less, plus), (four, shown, axes_of) = choice.sum, on_map(choice, report)
    flat = data.flat_map(report.vectors, axes_of, shown)
    points, count = flat.points, len(four)
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
        four,
        x_title=_("first axis ({share} of the spread)").format(share=first),
        y_title=_("second axis ({share})").format(share=second),
        arrows=arrows,
    )
    show_chart(figure, "words-map", _("The words on a flat map, as their vectors are now"))
    st.caption(_(texts.MAP).format(share=percent(float(flat.explained.sum()))))
    axes = {_("first axis"): points[:, 0].tolist(), _("second axis"): points[:, 1].tolist()}
    table_fold("words-map", lambda: table({_("word"): shown} | axes, "word-map"))


def _draw_loss(choice: Choice, so_far: Sequence[Report]) -> None:
    at = np.array([report.sentences for report in so_far])
    loss = Curve(_("loss"), at, np.array([report.loss for report in so_far]), "residual")
    steps = SENTENCES * CONFIGS[choice.kind].passes
    figure = curves([loss], _("sentences"), _("loss"), height=180, steps=steps)
    show_chart(figure, "words-loss", _("The mean loss of an update as training goes on"))


def _draw_bars(neighbours: Sequence[data.Neighbour], limit: float, title: str, name: str) -> None:
    labels = [words()[neighbour.token_id] for neighbour in neighbours]
    cosines = np.array([neighbour.similarity for neighbour in neighbours])
    st.markdown(f"**{title}**")
    titles = {"chance_title": _("chance"), "value_title": _("cosine")}
    figure = similarity_bars(cosines, labels, chance=limit, **titles)
    columns = {_("word"): labels, _("cosine"): cosines.tolist()}
    show_chart(figure, f"words-{name}", _("Cosines with the nearest words"), lambda: columns)
