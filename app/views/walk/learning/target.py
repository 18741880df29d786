"""The reference, and the target that the model is to come close to."""

from dataclasses import dataclass
from functools import partial
from typing import Final

import numpy as np
import streamlit as st

from app import state
from app.data.translation import Token
from app.data.walk import Walk
from app.format import escape, grouped, localized, number, short
from app.i18n import N_, _
from app.inspector.arrays import Grid, Op, arrays, grid, weights_grid
from app.inspector.attention import pick_kind
from app.inspector.picks import pick_head, pick_layer, pick_word, word_of
from app.page.kit import Screens, beside, say
from app.state import LONGEST_SENTENCE, Param, decimal, up_to
from app.ui.table import Columns, fold, table
from app.views.walk.learning import data
from app.views.walk.learning.data import Losses, Taught, surprise

REFERENCE: Final = Param[str]("reference", "", up_to(LONGEST_SENTENCE))
MOST_SMOOTHING: Final = 0.3
SMOOTHING: Final = Param[float | None]("epsilon", None, decimal(0.0, MOST_SMOOTHING))


@dataclass(frozen=True, eq=False)
class TargetPosition:
    """The chosen position in a translation that is called right, and the ε in use."""

    walk: Taught
    at: int
    smoothing: float

    @property
    def tokens(self) -> tuple[Token, ...]:
        """The tokens that the model should write."""
        return self.walk.tokens()

    @property
    def word(self) -> str:
        """The token at the chosen position, for Markdown."""
        return escape(self.tokens[self.at].text)

    @property
    def size(self) -> int:
        """The number of tokens that the model can write."""
        return self.walk.config.n_tgt_vocab

    @property
    def target(self) -> np.ndarray:
        """What should be said at the chosen position, (V,)."""
        return self.walk.target(self.at, self.smoothing)

    @property
    def losses(self) -> Losses:
        return self.walk.losses(self.smoothing)


ALONE: Final = Param[bool]("alone", False, lambda raw: raw == "1")
WORDS: Final = ("a", "am", "I", "thanks", "student", "<eos>")
SENTENCE: Final = ("I", "am", "a", "student", "<eos>")
# Made up, each row with the sum 1: what an untrained model says is chance, what a trained one says
# is nearly the target.
UNTRAINED: Final = (
    (0.14, 0.21, 0.12, 0.24, 0.17, 0.12),
    (0.23, 0.13, 0.19, 0.11, 0.20, 0.14),
    (0.11, 0.22, 0.18, 0.15, 0.13, 0.21),
    (0.19, 0.12, 0.22, 0.18, 0.14, 0.15),
    (0.16, 0.20, 0.13, 0.22, 0.18, 0.11),
)
TRAINED: Final = (
    (0.01, 0.02, 0.93, 0.01, 0.02, 0.01),
    (0.01, 0.91, 0.04, 0.01, 0.02, 0.01),
    (0.95, 0.01, 0.01, 0.01, 0.01, 0.01),
    (0.02, 0.01, 0.01, 0.02, 0.92, 0.02),
    (0.01, 0.01, 0.01, 0.01, 0.02, 0.94),
)
BESIDE: Final = 4  # neighbours of the right token that are drawn on either side of it


def lesson_of(walk: Walk) -> TargetPosition:
    """Return what is chosen: at first the most surprising position and the model's own ε."""
    assert isinstance(walk, Taught)  # it came through the lens
    at = word_of(walk.tokens(), int(walk.losses(0).surprises.argmax()))
    smoothing = SMOOTHING.get()
    if smoothing is None:
        own = data.smoothing_of(walk.translation.model)
        smoothing = min(data.USUAL_SMOOTHING if own is None else own, MOST_SMOOTHING)
    return TargetPosition(walk, at, smoothing)


def pick_position(lesson: TargetPosition) -> None:
    """Draw the right translation, to choose a position in it."""
    pick_word(lesson.tokens, _("The right translation: choose a position"), lesson.at)


def _draw_epsilon(lesson: TargetPosition) -> None:
    about = _("How much of the target is taken from the right token and given to all.")
    key = SMOOTHING.widget(lesson.smoothing)
    st.slider(_("Smoothing ε"), 0.0, MOST_SMOOTHING, step=0.01, key=key, help=about)


def pick_all(lesson: TargetPosition) -> None:
    """Draw all that can be chosen."""
    if not ALONE.get():  # else it comes with the head
        pick_position(lesson)
    pick_scores(lesson)
    _draw_epsilon(lesson)


pick_smoothing = beside([0.7, 0.3], pick_position, _draw_epsilon, gap="medium", align="top")
screens = Screens[TargetPosition]()


@screens("teacher", N_("The right answer"), pick=False)
def draw_reference(lesson: TargetPosition) -> None:
    """Draw the box for the right translation, and say what it is compared with."""
    text = _(
        "In training the decoder does not read its own tokens. It reads the **right** translation, "
        "shifted by one position, and has to predict the next token at each: *teacher forcing*."
    )
    say(text)
    walk = lesson.walk
    st.text_input(
        _("The right translation"),
        key=REFERENCE.widget(),
        placeholder=walk.translation.output or _("Type here"),
        autocomplete="off",
        help=_(
            "The model reads it as in training. If left empty, the model's own translation is used."
        ),
    )
    said = _(
        "Nothing is typed, so the model is compared with its own translation, which flatters it. "
        "Type a translation of your own, right or wrong, and see what surprises it."
    )
    if walk.reference:
        output = escape(walk.translation.output) or "∅"
        said = _("The model itself wrote “{output}”.").format(output=output)
    st.caption(said)
    if walk.truncated:
        st.info(_("That is too long for this model: only its beginning is compared."))


@screens("whole", N_("Six words, before training and after it"), pick=False, was=("six", "merci"))
def draw_whole(lesson: TargetPosition) -> None:
    """Draw the target, the untrained and the trained answers to a whole sentence."""
    before, after = (cross_entropy(np.array(all_)) for all_ in (UNTRAINED, TRAINED))
    losses = {"before": number(before), "after": number(after)}
    sizes = {"size": len(WORDS), "last": len(WORDS) - 1}
    names = {"source": "je suis étudiant", "sentence": "I am a student"}
    word = {"word": "am", "id": WORDS.index("am")}
    told = _(
        "Suppose a model could write only {size} words, with the ids 0 to {last}. “{source}” "
        "should become “{sentence}”, then `<eos>`. One row for each position; a target is "
        "*one-hot*: for “{word}” a 1 at id {id}, 0 everywhere else. The parameters of an untrained "
        "model are random, and so are its answers; training moves them towards the target. The "
        "loss adds up −log p of the right tokens: {before} before training, {after} after it."
    )
    by_hand = _("Example by hand.")
    say(f"**{by_hand}** {told}", **sizes, **names, **word, **losses)
    target = np.eye(len(WORDS))[[WORDS.index(word) for word in SENTENCE]]
    ids = [f"{i} · {word}" for i, word in enumerate(WORDS)]
    items: list[Grid | Op] = [
        weights_grid(target, _("the target"), SENTENCE, ids, thumb=True),
        weights_grid(np.array(UNTRAINED), _("untrained"), (), WORDS, thumb=True),
        weights_grid(np.array(TRAINED), _("trained"), (), WORDS, thumb=True),
    ]
    arrays(lesson.walk, items, key="six-whole")


def cross_entropy(answers: np.ndarray) -> float:
    """Return −log p of the right words, added up over the rows of answers (T, 6)."""
    ids = [WORDS.index(word) for word in SENTENCE]
    return float(surprise(answers[np.arange(len(ids)), ids]).sum())


@screens("target", N_("The target, and label smoothing"), pick=pick_smoothing, was=("smoothing",))
def draw_target(lesson: TargetPosition) -> None:
    """Draw the target around its 1, one-hot and smoothed; offer vocabulary and answers whole."""
    token = lesson.tokens[lesson.at]
    values = {"size": grouped(lesson.size), "word": lesson.word, "id": token.id}
    vocabulary = _(
        "Now your sentence. The model answers with one of the **{size}** tokens of its *output "
        "vocabulary*; “{word}” has the id {id}. So the target at this position is a list of "
        "{size} numbers: a 1 at id {id}, 0 everywhere else."
    )
    say(f"{vocabulary.format(**values)}\n\n{_smoothing_text(lesson)}")
    one_hot = _around(lesson, lesson.walk.target(lesson.at, 0), _("one-hot"))
    smoothed = _around(lesson, lesson.target, f"ε = {short(lesson.smoothing)}")
    arrays(lesson.walk, [one_hot, smoothed], key="target")
    title, name = _("All {count} tokens").format(count=grouped(lesson.size)), "vocabulary"
    fold(title, name, "dictionary", lambda: table(_vocabulary(lesson), name))
    title = _("Both answers, one cell for each token")
    fold(title, "strips", "apps", partial(_draw_strips, lesson))


def _smoothing_text(lesson: TargetPosition) -> str:
    own = data.smoothing_of(lesson.walk.translation.model)
    trained = _("This model does not say which ε it was trained with; 0.1 is the paper's.")
    if own is not None:
        trained = _("This model was trained with ε = {own}.").format(own=short(own))
    if lesson.smoothing == 0:
        not_smoothed = _(
            "With ε = 0 the target is one-hot: **1** for “{word}”, **0** for every other "
            "token. Raise ε to see what *label smoothing* does to it."
        )
        return f"{not_smoothed.format(word=lesson.word)} {trained}"
    share = lesson.smoothing / lesson.size
    other = localized(np.format_float_positional(share, precision=3, fractional=False))
    right = short(lesson.target[lesson.walk.targets[lesson.at]], 6)
    text = _(
        "A model that is asked for exactly 1 is never done: its logits can always grow a "
        "little more. *Label smoothing* takes ε away and shares it out among all tokens: "
        "**{right}** for “{word}”, **{other}** for each of the others."
    ).format(word=lesson.word, right=right, other=other)
    return f"{text} {trained}"


def _around(lesson: TargetPosition, target: np.ndarray, note: str) -> Grid:
    """Return a target at the right token and its neighbours by id."""
    right = lesson.walk.targets[lesson.at]
    ids = range(max(right - BESIDE, 0), min(right + BESIDE + 1, lesson.size))
    labels = [lesson.walk.token(i).text for i in ids]
    title = _("the target, ids {first} to {last}").format(first=ids[0], last=ids[-1])
    return weights_grid(target[list(ids)], title, cols=labels, note=note)


def _draw_strips(lesson: TargetPosition) -> None:
    text = _(
        "One cell for each token, by its id, and none left out. The target has its 1 (or "
        "nearly 1) in one cell; see how much of the other strip is not quite white."
    )
    st.caption(text)
    title, at = _("the model's probabilities"), (lesson.at, None)
    predicted = grid(lesson.walk, "probabilities", at, title, role="output")
    target = weights_grid(lesson.target, _("the target"), first=0)
    arrays(lesson.walk, [target, predicted], key="whole")


def _vocabulary(lesson: TargetPosition) -> Columns:
    tokenizer = lesson.walk.tokenizer
    tokens = tokenizer.tokens(range(tokenizer.vocab_size))
    return {
        _("id"): [str(token.id) for token in tokens],
        _("token"): [token.text for token in tokens],
        _("begins a word"): ["✓" if token.starts_word else "" for token in tokens],
    }


def pick_scores(lesson: TargetPosition) -> None:
    """Draw the head, and whose loss counts."""
    capture = lesson.walk.capture
    if ALONE.get():
        pick_position(lesson)
    with st.container(horizontal=True, vertical_alignment="bottom", gap="medium"):
        pick_kind(lesson.walk.translation.capture.config)
        pick_layer(capture.n_layers(state.KIND.get()))
        pick_head(capture.n_heads)
        label = _("Only the loss of “{word}”").format(word=lesson.word)
        about = _("Otherwise the loss of the whole sentence counts.")
        st.toggle(label, key=ALONE.widget(), help=about)


def position_of(lesson: TargetPosition) -> int | None:
    """Return the position whose loss alone counts; None for all."""
    return lesson.at if ALONE.get() else None
