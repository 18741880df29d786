"""The pages, one row each: the navigation and the tests both read this table."""

from dataclasses import dataclass
from typing import Final

from app.i18n import N_


@dataclass(frozen=True)
class View:
    """One page: its file in app/views, and what the navigation shows of it."""

    file: str
    title: str
    icon: str
    section: str

    @property
    def path(self) -> str:
        """The file, as Streamlit wants it: beside app/main.py."""
        return f"views/{self.file}.py"


USE: Final = N_("Use the model")
TRAIN: Final = N_("Train")
WALK: Final = N_("Step by step")

VIEWS: Final = (
    View("translate", N_("Translate"), ":material/translate:", USE),
    View("training", N_("Train your own"), ":material/model_training:", TRAIN),
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
)
