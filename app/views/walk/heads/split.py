"""A layer's attention split into heads, and what each looks at."""

import numpy as np

from app.components.grid import Weights
from app.components.shared.kept import KeptFigure
from app.components.wall import HeadPick, payload, wall
from app.format import percent
from app.i18n import N_, _
from app.inspector.arrays import arrays, grid
from app.inspector.head import Head
from app.inspector.naming import head_names, layer_names
from app.inspector.picks import choose_head
from app.page.kit import Code, Screens, say
from app.ui.chart import picture
from app.ui.table import Columns, figure_menu, numbered, table
from app.views.walk.heads.charts import head_wall

screens = Screens[Head]()


@screens(
    "split",
    N_("One token, many queries"),
    Code(
        N_("Cutting a vector into heads"),
        r"x W_Q + b_Q \in \mathbb{R}^{d_{model}} \;\to\; q_1, \dots, q_H \in \mathbb{R}^{d_k}",
        "model.nn.attention:MultiHeadAttention.split_heads",
    ),
)
def draw_split(head: Head) -> None:
    """Draw the token's query in each head of the layer."""
    config = head.walk.config
    sizes = {"d_model": config.d_model, "heads": config.n_heads, "d_k": config.d_k}
    text = _(
        "“{word}” has a vector of {d_model} numbers. $W_Q$ turns it into {d_model} others, which "
        "are cut into {heads} queries of d_k = {d_k}, one for each head. Keys and values are cut "
        "the same way."
    )
    say(text.format(word=head.word, **sizes))
    names, at = head_names(head.walk.config.n_heads), (None, head.query, None)
    queries = grid(head.walk, f"{head.scope}.q", at, head.title("q"), row_labels=names)
    arrays(head.walk, [queries], key="heads-split")


@screens(
    "look",
    lambda head: _("What does “{word}” look at?").format(word=head.word),
    name=N_("What one token looks at"),
)
def draw_look(head: Head) -> None:
    """Draw the word's row of weights in each head of the layer."""
    rows = rows_of(head)
    best, looked_at = rows.max(-1), rows.argmax(-1)  # (H,)
    sharp, broad = int(best.argmax()), int(best.argmin())
    text = (
        _("This model has one head: it gives {sharp_weight} of its attention to “{sharp_word}”.")
        if len(rows) == 1
        else _(
            "One row for each head of layer {layer}. Head {sharp} is the sharpest: {sharp_weight} "
            "on “{sharp_word}”. Head {broad} spreads its attention most: at most {broad_weight} "
            "on one token."
        )
    ).format(
        layer=head.layer + 1,
        sharp=sharp + 1,
        sharp_weight=percent(best[sharp]),
        sharp_word=head.words[looked_at[sharp]],
        broad=broad + 1,
        broad_weight=percent(best[broad]),
    )
    different = len(set(looked_at.tolist()))
    look_agree = _("Their favourites are {n} different tokens: training chose.")
    say(text if different == 1 else f"{text} {look_agree.format(n=different)}")
    name, index = f"{head.scope}.weights", (None, head.query, None)
    names = head_names(head.walk.config.n_heads)
    drawn = grid(head.walk, name, index, head.title(_("weights")), row_labels=names)
    arrays(head.walk, [drawn], key="heads-look")


def rows_of(head: Head) -> np.ndarray:
    """Return the weights of the word that looks in each head of the layer, (H, S)."""
    return np.asarray(head.walk.array(f"{head.scope}.weights", (None, head.query)))


@screens("all", N_("All heads at once"))
def draw_wall(head: Head) -> None:
    """Draw the weights of all layers and heads; one that is clicked is gone to."""
    text = _(
        "Every head of every layer, for the whole sentence: a row looks, a column is looked at. "
        "Choose a head to go there."
    )
    say(text)
    capture = head.walk.capture
    labels = [token.text for token in capture.src]
    heads = capture.all_weights(head.kind)
    locked = HeadPick(head.layer, head.head)
    wall(Weights(heads, labels, labels), key="heads-wall", locked=locked, on_lock=choose_head)

    def draw_menu() -> None:
        table(_columns(heads, numbered(labels)), "heads")
        names = {"layer_names": layer_names(len(heads)), "head_names": head_names(heads.shape[1])}
        figure = head_wall(heads, **names, hover=_("weight"))
        drawn = KeptFigure("wall", payload(Weights(heads, labels, labels), {}), locked._asdict())
        picture(figure, "heads", _("All layers and heads"), [drawn])

    figure_menu("heads-wall", draw_menu)


def _columns(heads: np.ndarray, words: list[str]) -> Columns:
    places = list(np.ndindex(heads.shape[:-1]))
    columns = {
        _("Layer"): [str(layer + 1) for layer, _head, _query in places],
        _("Head"): [str(head + 1) for _layer, head, _query in places],
        _("query ↓ key →"): [words[query] for _layer, _head, query in places],
    }
    flat = heads.reshape(-1, len(words))
    return columns | {word: flat[:, i].tolist() for i, word in enumerate(words)}
