"""What each change of a run is called, and what it does; translated where it is shown."""

from collections.abc import Mapping
from typing import Final, Literal

from app.i18n import N_

# Which attention, which heads: the place that stands before what is done there.
ATTENTIONS: Final = {
    "encoder": N_("encoder self-attention"),
    "decoder": N_("masked self-attention"),
    "cross": N_("encoder-decoder attention"),
    None: N_("all attentions"),
}
HEAD_OF_LAYER: Final = N_("Head {heads} of layer {layer}, {attention}")
HEADS_OF_LAYER: Final = N_("Heads {heads} of layer {layer}, {attention}")
LAYER: Final = N_("Layer {layer}, {attention}, all heads")
HEAD: Final = N_("Head {heads} of every layer, {attention}")
HEADS: Final = N_("Heads {heads} of every layer, {attention}")
EVERY_HEAD: Final = N_("Every head, {attention}")

MUTE: Final = N_("{place}: mute")
MUTE_MEAN: Final = N_("{place}: always the same mean vector")
LOOK_AT: Final = N_("{place}: look only at {word}")
LOOKS: Final = {
    "uniform": N_("{place}: look at all words alike"),
    "itself": N_("{place}: each word looks only at itself"),
    "before": N_("{place}: each word looks only at the one before"),
}
EDIT: Final = N_("{place}: {word} looks at {cells}")
HIDE: Final = N_("Nobody looks at {words}")
HIDE_IN: Final = N_("{place}: nobody looks at {words}")
SWAP: Final = N_("Read {new} in place of {words}")
LEAVE_OUT: Final = N_("Leave out {words}")
ORDER: Final = N_("Read the words in another order: {words}")
NO_POSITIONS: Final = {
    "src": N_("The source without positions"),
    "tgt": N_("The translation without positions"),
    None: N_("Both sentences without positions"),
}
NO_MASK: Final = N_("Decoder: without the causal mask")
NO_MASK_IN: Final = N_("Decoder layer {layer}: without the causal mask")
NO_SCALING: Final = N_("{place}: without ÷ √d_k")
NO_RESIDUAL: Final = N_("{part}: without the residual connection")
NO_NORM: Final = N_("{part}: without the normalisation")
NO_LAST_NORM: Final = N_("{part}: without the last normalisation")
NO_FFN: Final = N_("{part}: without the feed-forward network")
TEMPERATURE: Final = N_("{place}: softmax at temperature {temperature}")
PATCH: Final = N_("{word}, {array}: the numbers of {other} in “{sentence}”")

# The menu: four groups, and what each offers.
GROUPS: Final = {
    "heads": N_("Heads"),
    "words": N_("Words"),
    "parts": N_("Parts"),
    "vectors": N_("Vectors"),
}
OF_HEADS: Final = {
    "zero": N_("Mute"),
    "mean": N_("Always the same mean vector"),
    "uniform": N_("Look at all words alike"),
    "itself": N_("Look only at oneself"),
    "before": N_("Look only at the word before"),
    "word": N_("Look only at one word"),
}
OF_WORDS: Final = {
    "hide": N_("Nobody looks at it"),
    "swap": N_("Read another word there"),
    "leaveout": N_("Leave it out"),
    "order": N_("Change places with the next word"),
    "nopos": N_("No positions"),
}
OF_PARTS: Final = {
    "nomask": N_("The causal mask"),
    "noscale": N_("The division by √d_k"),
    "noadd": N_("A residual connection"),
    "noffn": N_("A feed-forward network"),
    "nonorm": N_("A normalisation"),
    "temp": N_("The temperature of a softmax"),
}

# Why a change of the list does not fit the sentence and the model; by the code of the error.
OUT_OF_PLACE: Final = N_("Out of place: this sentence or this model has no such place.")
MISFITS: Final = {
    "not_for_arch": N_("Out of place: this model has no such part."),
    "no_such_stage": N_("Out of place: this model has no such numbers, or none to be changed."),
    "no_other_run": N_("Out of place: that sentence cannot be translated."),
    "other_shape": N_("Out of place: the other sentence has another number of words there."),
    "left_out": N_("Out of place: its word was left out by another change."),
    "nothing_left": N_("Out of place: nothing would be left to look at."),
    "not_an_order": N_("Out of place: this sentence has another number of words."),
}
RUNS: Final[Mapping[Literal["before", "after", "difference"], str]] = {
    "before": N_("Original"),
    "after": N_("Changed"),
    "difference": N_("Difference"),
}
