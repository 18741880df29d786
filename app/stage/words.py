"""What the stage says: a title, at most forty words and the ways deeper, for each of its stops."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final

from app.i18n import N_, _
from app.registry import Address, address_of

DEEPER: Final = N_("Deeper")
LAST_DOORS: Final = tuple(
    (label, Address(page))
    for label, page in (
        (N_("What if?"), "what_if"),
        (N_("Translate"), "translate"),
        (N_("Train your own"), "training"),
    )
)


@dataclass(frozen=True)
class Stop:
    """A stop's words, with the values of the word that is followed in braces.

    `otherwise` is said of a model whose activation is no ReLU, or which adds no positions.
    """

    slug: str
    title: str
    text: str
    deeper: str  # a page and its screen
    otherwise: str = ""

    @property
    def doors(self) -> tuple[tuple[str, Address], ...]:
        """Return the ways out, each with its label."""
        return ((DEEPER, address_of(self.deeper)),) if self.deeper else LAST_DOORS

    def text_for(self, config: Mapping[str, Any]) -> str:
        """Return the words that are true of a model."""
        relu, ordered = config["activation"] == "relu", config["positions"] != "none"
        plain = {"feed-forward": relu, "position": ordered}.get(self.slug, True)
        return self.text if plain else self.otherwise


STOPS: Final = (
    Stop(
        "sentence",
        N_("One sentence goes through the whole model"),
        N_(
            "A Transformer has just translated this sentence. Follow “{word}” from here to "
            "“{next}”, the word it becomes. Every number on the way is the model's own."
        ),
        "big_picture/box",
    ),
    Stop(
        "tokens",
        N_("Cut into tokens"),
        N_(
            "One row for each piece of the sentence, from here to the end. A piece is a number in "
            "a list of {vocabulary}; a last token marks the end. “{word}” keeps this colour."
        ),
        "vectors/tokens",
    ),
    Stop(
        "vectors",
        N_("Each token becomes a vector"),
        N_(
            "The number picks a row of a table: {d_model} numbers that training found. Green is "
            "positive, grey negative, pale near zero. The same token always gets the same row."
        ),
        "vectors/row",
    ),
    Stop(
        "position",
        N_("Add where it stands"),
        N_(
            "A pattern of waves, another one in each row, is added number by number. Now the same "
            "word in two places is two different vectors. This sum is x."
        ),
        "positions/sum",
        N_("This model adds no positions: x is the embedding, and the order of words is lost."),
    ),
    Stop(
        "who",
        N_("“{word}” looks around"),
        N_(
            "A word alone says little. In head {head}, “{word}” looks at all words at once: the "
            "wider the line, the more. “{best}” gets {share}. How does it decide that?"
        ),
        "self_attention/idea",
    ),
    Stop(
        "qkv",
        N_("Query, key, value"),
        N_(
            "Three matrices make three short vectors of each word. The query asks: what do I look "
            "for? The key answers: this is what I am. The value is what a word hands over."
        ),
        "self_attention/qkv",
    ),
    Stop(
        "score",
        N_("“{word}” asks every word"),
        N_(
            "Its query slides over every key. Multiply number by number, add up: one score for "
            "each word. A high score means: this is what I am looking for."
        ),
        "self_attention/score",
    ),
    Stop(
        "softmax",
        N_("Scores become shares"),
        N_(
            "Divided by √{d_k}, scores stay moderate. Softmax then turns them into shares: none "
            "is negative, and together they are 100 %. “{word}” gives most to “{best}”."
        ),
        "self_attention/softmax",
    ),
    Stop(
        "sum",
        N_("Mix the values by share"),
        N_(
            "Each value fades to its share, and all fall into one sum: z. That is what “{word}” "
            "learns from the others; “{best}” gives the most."
        ),
        "self_attention/sum",
    ),
    Stop(
        "rows",
        N_("All rows at once: a heatmap"),
        N_(
            "The shares of “{word}” lie down and become one row. Every other word asks in the same "
            "moment: the whole map is one line of mathematics."
        ),
        "self_attention/z",
    ),
    Stop(
        "heads",
        N_("{heads} heads look in {heads} ways"),
        N_(
            "Each head does the same with matrices of its own, hence with its own map. Follow the "
            "row of “{word}”: every head finds something else in the same sentence."
        ),
        "heads/split",
    ),
    Stop(
        "join",
        N_("Join the heads, add to x"),
        N_(
            "The {heads} results stand side by side, and W_O mixes them. Their sum is added to x, "
            "which came along the grey lane: nothing is replaced, something is added."
        ),
        "heads/out",
    ),
    Stop(
        "feed-forward",
        N_("Each word thinks alone"),
        N_(
            "Its vector is widened to {d_ff} numbers. The negative ones are put out ({zero} of "
            "these cells), the rest shrinks back and is added again. No word sees another here."
        ),
        "add_norm/ffn",
        N_(
            "Its vector is widened to {d_ff} numbers, bent by {activation}, shrunk back and added "
            "again. No word sees another here."
        ),
    ),
    Stop(
        "layers",
        N_("The same again: {layers} layers"),
        N_(
            "All this was layer 1, now folded into one block. The others repeat it with weights of "
            "their own; one clear map of each is open. Out comes the memory."
        ),
        "big_picture/stacks",
    ),
    Stop(
        "mask",
        N_("The decoder reads what it wrote"),
        N_(
            "The decoder writes in {target}, token by token. Each row looks at itself and back, "
            "never ahead: what comes later is not written yet. Half of the map is shut."
        ),
        "masked_attention/mask",
    ),
    Stop(
        "memory",
        N_("Before it writes “{next}”"),
        N_(
            "The row that has just read “{read}” sends its query to the memory. {writes} of its "
            "attention goes to “{word}”; so it is mostly the value of “{word}” that crosses over."
        ),
        "cross_attention/map",
    ),
    Stop(
        "words",
        N_("A score for each of {target_vocabulary} tokens"),
        N_(
            "The row's last vector is compared with every token there is. Softmax, once more, "
            "makes shares of the scores; here are the ten highest. “{next}” is written."
        ),
        "output/softmax",
    ),
    Stop(
        "loop",
        N_("… and round again"),
        N_(
            "The new token becomes the next row. The memory stays; only the new row is computed. "
            "So it goes on, one token at a time, until the end token wins."
        ),
        "decoding/loop",
    ),
    Stop(
        "answer",
        N_("How it learned: the right answer"),
        N_(
            "In training the right translation is known. The decoder reads it and has to name the "
            "token that follows: the same row, shifted by one. A bar shows what it gave."
        ),
        "learning/teacher",
    ),
    Stop(
        "loss",
        N_("How wrong? One number"),
        N_(
            "The less probability the right token got, the larger its loss, −log p. The mean of "
            "all is the loss. Training turns every weight a little, so that it falls."
        ),
        "learning/loss",
    ),
    Stop(
        "training",
        N_("From fog to a map"),
        N_(
            "The same sentence at moments of the training. First the map is fog and the words are "
            "noise. While the loss falls, the map takes shape, though nobody drew it."
        ),
        "learning/maps",
    ),
    Stop(
        "journey",
        N_("From “{word}” to “{next}”"),
        N_(
            "That was the whole Transformer: one vector, changed at each station by the words "
            "around it. Now change something yourself, and see what happens."
        ),
        "",
    ),
)


def texts() -> dict[str, Any]:
    """Return the labels of the picture and of its controls, in the visitor's language."""
    return {
        "name": _("The stage: the whole model on one sentence"),
        "whole": _("The whole Transformer on one sentence"),
        "facts": _(
            "{encoder} + {decoder} layers · {heads} heads · {d_model} numbers for each token"
        ),
        "acts": {
            "in": _("words → vectors"),
            "head": _("one head"),
            "heads": _("all heads"),
            "join": _("join and add"),
            "ffn": _("feed-forward"),
            "layers": _("layers"),
            "decoder": _("decoder"),
            "next": _("next word"),
            "learned": _("learning"),
            "end": _("the way"),
        },
        "map": _("Parts of the model"),
        "rows": _("Words of the sentence"),
        "row_says": _("{word}: {share} of the attention of “{hero}”. Follow this word."),
        "start": _("start"),
        "end": _("end"),
        "ids": _("id"),
        "ids_sub": _("row of the table"),
        "emb": _("embedding"),
        "table": _("the table"),
        "table_sub": _("{n} rows"),
        "numbers": _("{n} numbers"),
        "pos": _("position"),
        "pos_sub": _("sine and cosine"),
        "looked": _("looks at"),
        "norm": _("norm"),
        "norm_sub": _("mean 0, spread 1"),
        "query": _("query · {k} numbers"),
        "key": _("key · {k}"),
        "value": _("value · {k}"),
        "score": _("score"),
        "scaled": _("scaled"),
        "shares": _("shares"),
        "all_100": _("together 100 %"),
        "got": _("what “{word}” got"),
        "each_row": _("one row each"),
        "read_so_far": _("read so far"),
        "activations": {"relu": "ReLU", "gelu": "GELU", "swish": "Swish"},
        "cat": _("side by side"),
        "cat_sub": _("{heads} × {k} = {n}"),
        "add1": _("x + heads"),
        "lane": _("the lane comes up"),
        "hidden": _("{ff} numbers"),
        "sum": _("sum"),
        "memory": _("memory"),
        "memory_sub": _("{rows} × {n}"),
        "over": _("attention to the memory"),
        "read": _("read → written"),
        "from_memory": _("from the memory"),
        "vector": _("vector"),
        "after_layers": _("after {layers} layers"),
        "next": _("next token"),
        "of_vocabulary": _("of {vocabulary}"),
        "query_axis": _("query (looks) ↓"),
        "key_axis": _("key (is looked at) →"),
        "scale": _("colour: share to the power of 0.62"),
        "layer_n": _("layer {n}"),
        "head_n": _("head {n}"),
        "number_n": _("number {n}"),
        "shut": _("shut: not written yet"),
        "peeks": _("without the mask it peeks"),
        "reads": _("reads"),
        "should": _("should name"),
        "gave": _("gave it"),
        "mean_loss": _("loss: {loss} on average, as if p were {p}"),
        "loss_is": _("loss {loss}"),
        "untrained": _("untrained"),
        "trained": _("trained"),
        "after_steps": _("after {n} steps"),
        "vectors": _("vectors"),
        "encoder": _("encoder"),
        "decoder": _("decoder"),
        "back": _("Back"),
        "next_stop": _("Next"),
        "tables": _("Numbers as tables"),
        "close": _("Close"),
        "products": _("Every product"),
        "addends": _("Every addend"),
        "temperature": _("Temperature"),
        "open_mask": _("Open the mask"),
        "has_read": _("A head that looks at the word just read"),
        "late": _(
            "This head looks one step late: the row that has just read “{read}” looks at the word "
            "which that token translates. Other heads look ahead, at the word to be written next."
        ),
        "wrong_word": _("Put a wrong word there"),
        "result": _("sum {result}, in the model {ours}"),
        "checked": _("computed again"),
        "differs": _("not confirmed"),
        "save": _("Save"),
        "film_whole": _("Film of the whole way: 10 s"),
        "film_stop": _("Film of this stop"),
        "file_kind": _("File"),
        "picture": _("Picture"),
        "copy_link": _("Copy link"),
        "copied": _("The link is copied: it opens this sentence, model, stop and word."),
        "recording": _("Recording: {done} %"),
        "saved": _("Saved."),
        "not_saved": _("This browser could not make the film: try the other kind of file."),
        "skip": _("Skip"),
        "again": _("Watch the film"),
        "menu": _("Menu"),
        "menu_keys": _("Show the menu and the sidebar, or nothing but the picture (Esc)"),
        "present": _("Present"),
        "present_keys": _(
            "Full screen (P): Esc ends it, B darkens the screen, I inverts it, N opens the "
            "teacher's notes in a second window."
        ),
        "notes": _("Speaker’s notes"),
        "place": _("{n} of {all}"),
        "then": _("Next: {title}"),
    }
