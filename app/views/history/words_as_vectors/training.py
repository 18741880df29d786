"""Word vectors in training: the map as it forms, arithmetic with words, and neighbours."""

from collections.abc import Sequence

import numpy as np
import streamlit as st

from app.charts.curves import Curve, curves
from app.charts.similarity import similarity_bars
from app.charts.toolbar import plot_config
from app.charts.word_map import word_map
from app.format import grouped, percent
from app.i18n import _
from app.page.live_training import live, reports
from app.state import Param, one_of, whole
from app.ui.chart import theme_mode
from app.ui.table import table, table_fold
from app.views.history.words_as_vectors import texts
from app.views.history.words_as_vectors.data import (
    CONFIGS,
    SENTENCES,
    TOPICS,
    Kind,
    Neighbour,
    Report,
    chance,
    flat_map,
    near,
    quiz,
    steps,
    sums,
    text,
    training,
    words,
)
from app.views.history.words_as_vectors.ways import known, word_of

KEY = "words"
KIND = Param[Kind]("wakind", "skipgram", one_of("skipgram", "cbow"))
SEED = Param[int]("waseed", 0, whole(0, 999))
TOPIC = Param[str]("watopic", "people", one_of(*TOPICS))
START, LESS, PLUS = (
    Param[str](name, word, known)
    for name, word in (("wastart", "king"), ("waless", "man"), ("waplus", "woman"))
)
# Where the sum leads to, and the words that make it.
SUMS = (
    ("people", "king", "man", "woman"),
    ("lands", "paris", "france", "italy"),
    ("animals", "puppy", "dog", "cat"),
    ("verbs", "sang", "sings", "walks"),
)
EXAMPLES = ("throne", "hat", "speak")  # of each, the first sentence with it is shown


def draw_training() -> None:
    """Draw the choices, and the training with all that can be watched while it goes on."""
    st.header(_(texts.TRAIN_TITLE), anchor=False)
    kind, seed = KIND.get(), SEED.get()
    one, two, three = (
        " ".join(next(sentence for sentence in text() if word in sentence)) for word in EXAMPLES
    )
    st.markdown(_(texts.TRAIN).format(sentences=grouped(SENTENCES), one=one, two=two, three=three))
    with st.container(horizontal=True, vertical_alignment="bottom"):
        st.segmented_control(
            _("Way of learning"), list(texts.KINDS), required=True, key=KIND.widget(),
            format_func=lambda name: _(texts.KINDS[name]), help=_(texts.KIND_HELP),
        )  # fmt: skip
        st.number_input(
            _("Random numbers (seed)"), 0, 999, step=1, key=SEED.widget(), width=200,
            help=_(texts.SEED_HELP),
        )  # fmt: skip
    way = texts.SKIPGRAM if kind == "skipgram" else texts.CBOW
    st.markdown(
        f"{_(way).format(window=CONFIGS[kind].window)} "
        f"{_(texts.NEGATIVES).format(negatives=CONFIGS[kind].negatives)}"
    )
    _choices()
    live(KEY, (kind, seed), lambda: training(kind, seed), steps(kind), _draw)
    st.caption(_(texts.TRIED))


def trained() -> Report:
    """Return the training as it stands."""
    last: Report = reports(KEY)[-1]
    return last


def asked() -> tuple[str, str, str]:
    """Return the words of the sum: start, the one taken away, the one added."""
    return START.get(), LESS.get(), PLUS.get()


def _choices() -> None:
    """Draw what the map shows, and the words to calculate with."""
    with st.container(horizontal=True, gap="small"):
        for i, preset in enumerate(SUMS):
            st.button(
                "{1} − {2} + {3}".format(*preset), key=f"words-sum-{i}", on_click=_take,
                args=preset, help=_("Calculate with these words, and draw their topic."),
            )  # fmt: skip
    labels = (_("Start from"), _("− take away"), _("+ add"))
    helps = (_(texts.START_HELP), _(texts.LESS_HELP), _(texts.PLUS_HELP))
    columns = st.columns([1, 1, 1, 1.6], vertical_alignment="bottom")
    for column, param, name, said in zip(columns, (START, LESS, PLUS), labels, helps, strict=False):
        column.selectbox(name, words(), key=param.widget(), help=said)
    topics = {name: _(told) for name, told in texts.TOPICS.items()}
    columns[-1].selectbox(
        _("Words on the map"), list(TOPICS), key=TOPIC.widget(), help=_(texts.TOPIC_HELP),
        format_func=topics.__getitem__,
    )  # fmt: skip


def _take(topic: str, start: str, less: str, plus: str) -> None:
    TOPIC.set(topic)
    for param, word in ((START, start), (LESS, less), (PLUS, plus)):
        param.set(word)


def _draw(so_far: Sequence[Report]) -> None:
    now, (start, less, plus) = so_far[-1], asked()
    st.caption(
        _(texts.STEP).format(
            every=CONFIGS[KIND.get()].report_every, sentences=grouped(now.sentences),
            updates=grouped(now.updates),
        )
    )  # fmt: skip
    found, counted = sums(now.vectors, start, less, plus), quiz(now.vectors).total
    st.markdown(
        _(texts.RESULT).format(
            start=start, less=less, plus=plus, found=words()[found[0].token_id],
            value=f"{found[0].similarity:.3f}", right=counted.right, asked=counted.asked,
        )
    )  # fmt: skip
    left, right = st.columns([0.55, 0.45], gap="medium")
    with left:
        _map(now)
        _loss(so_far)
    with right:
        _bars(found, f"{start} − {less} + {plus}", "sum")
        word = word_of()
        if word is not None:
            _bars(near(now.vectors, word), _("Nearest to {word}").format(word=word), "near")
        st.caption(_(texts.CHANCE).format(chance=f"{chance(KIND.get()):.2f}", words=len(words())))


def on_map(now: Report) -> tuple[list[str], list[str], list[str]]:
    """Return the words of the sum, all words on the map, and those that its axes are made for."""
    found = words()[sums(now.vectors, *asked(), n=1)[0].token_id]
    four = list(dict.fromkeys((*asked(), found)))
    shown = [*four, *(word for word in TOPICS[TOPIC.get()] if word not in four)]
    return four, shown, four if len(four) > 2 else shown  # two words make a line, no plane


def _map(now: Report) -> None:
    (start, less, plus), (four, shown, axes_of) = asked(), on_map(now)
    made = flat_map(now.vectors, axes_of, shown)
    found, count = four[-1], len(four)
    arrows = [
        (four.index(one), four.index(other))
        for one, other in ((less, start), (plus, found))
        if one != other
    ]
    first, second = map(percent, made.explained.tolist())
    st.plotly_chart(
        word_map(
            made.points[count:], shown[count:], made.points[:count], four,
            x_title=_("first axis ({share} of the spread)").format(share=first),
            y_title=_("second axis ({share})").format(share=second),
            arrows=arrows, mode=theme_mode(),
        ),
        theme=None, config=plot_config("word-map"), key="words-map",
        alt=_("The words on a flat map, as their vectors are now"),
    )  # fmt: skip
    st.caption(_(texts.MAP).format(share=percent(float(made.explained.sum()))))
    columns = {
        _("word"): shown,
        _("first axis"): made.points[:, 0].tolist(),
        _("second axis"): made.points[:, 1].tolist(),
    }
    table_fold("words-map", lambda: table(columns, "word-map"))


def _loss(so_far: Sequence[Report]) -> None:
    at = np.array([report.sentences for report in so_far])
    loss = Curve(_("loss"), at, np.array([report.loss for report in so_far]), "residual")
    st.plotly_chart(
        curves(
            [loss], step_title=_("sentences"), value_title=_("loss"), height=180,
            steps=SENTENCES * CONFIGS[KIND.get()].passes, mode=theme_mode(),
        ),
        theme=None, config=plot_config("word-loss"), key="words-loss",
        alt=_("The mean loss of an update as training goes on"),
    )  # fmt: skip


def _bars(found: Sequence[Neighbour], title: str, name: str) -> None:
    labels = [words()[one.token_id] for one in found]
    cosines = np.array([one.similarity for one in found])
    st.markdown(f"**{title}**")
    st.plotly_chart(
        similarity_bars(
            cosines, labels, chance=chance(KIND.get()), chance_title=_("chance"),
            value_title=_("cosine"), mode=theme_mode(),
        ),
        theme=None, config=plot_config(f"word-{name}"), key=f"words-{name}",
        alt=_("Cosines with the nearest words"),
    )  # fmt: skip
    columns = {_("word"): labels, _("cosine"): cosines.tolist()}
    table_fold(f"words-{name}", lambda: table(columns, f"words-{name}"))
