"""The pages, one row each: the navigation and the tests both read this table."""

from dataclasses import dataclass
from typing import Final, Literal

from app.i18n import N_

# What the sidebar holds: the model and its decoding, the decoding, a training's form, or nothing.
Side = Literal["model", "decoding", "training", "nothing"]


@dataclass(frozen=True)
class View:
    """One page: its folder in app/views, what the navigation shows of it, and its sidebar."""

    slug: str
    title: str
    icon: str
    section: str
    side: Side = "model"

    @property
    def path(self) -> str:
        """The page's script, as Streamlit wants it: beside app/main.py."""
        return f"views/{FOLDERS.get(self.section, '')}{self.slug}/page.py"


USE: Final = N_("Use the model")
TRAIN: Final = N_("Train")
WALK: Final = N_("Step by step")
HISTORY: Final = N_("How we got here")
FOLDERS: Final = {WALK: "walk/", HISTORY: "history/"}

VIEWS: Final = (
    View("translate", N_("Translate"), ":material/translate:", USE),
    View("training", N_("Train your own"), ":material/model_training:", TRAIN, "training"),
    View("big_picture", N_("The big picture"), ":material/account_tree:", WALK),
    View("vectors", N_("From words to vectors"), ":material/data_array:", WALK),
    View("positions", N_("Positional encoding"), ":material/waves:", WALK),
    View("self_attention", N_("Self-attention, step by step"), ":material/hub:", WALK),
    View("heads", N_("Many heads"), ":material/grid_view:", WALK),
    View("add_norm", N_("Add & normalise, feed-forward"), ":material/add_circle:", WALK),
    View("masked_attention", N_("Masked self-attention"), ":material/visibility_off:", WALK),
    View("cross_attention", N_("Encoder-decoder attention"), ":material/compare_arrows:", WALK),
    View("decoding", N_("Decoding, word by word"), ":material/play_circle:", WALK),
    View("output", N_("Final linear and softmax"), ":material/bar_chart:", WALK),
    View("learning", N_("How it learned"), ":material/school:", WALK),
    View("neuron", N_("The artificial neuron"), ":material/toggle_on:", HISTORY, "nothing"),
    View("perceptron", N_("The perceptron"), ":material/scatter_plot:", HISTORY, "nothing"),
    View("backprop", N_("Backpropagation"), ":material/undo:", HISTORY, "nothing"),
    View("filters", N_("Filters and convolution"), ":material/grid_on:", HISTORY, "nothing"),
    View("residual", N_("Residual learning"), ":material/redo:", HISTORY, "nothing"),
    View("words_as_vectors", N_("Words as vectors"), ":material/explore:", HISTORY, "nothing"),
    View("seq2seq", N_("From one RNN to another"), ":material/linear_scale:", HISTORY, "decoding"),
    View("rnnsearch", N_("RNNsearch: attention"), ":material/search:", HISTORY, "decoding"),
    View("evolution", N_("The evolution of attention"), ":material/timeline:", HISTORY, "decoding"),
)


def view_of(slug: str) -> View:
    """Return the row of a page."""
    return next(view for view in VIEWS if view.slug == slug)
