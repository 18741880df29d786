"""Chapter 13: what the page says about attention through all layers."""

from collections.abc import Mapping
from typing import Final

from app.i18n import N_
from app.views.walk.rollout.data import Way

INTRO: Final = N_(
    "A map of attention shows one layer. But what a layer looks at are no words any more: each "
    "vector is already a mixture of what the layers before looked at. Here we follow the words "
    "through all of them."
)

PICK_WAY: Final = N_("Way of asking")
WAYS: Final[Mapping[Way, str]] = {
    "weights": N_("weights of this layer"),
    "rollout": N_("rollout"),
    "norms": N_("rollout by norms"),
    "flow": N_("flow"),
}
SAYS: Final[Mapping[Way, str]] = {
    "weights": N_(
        "Only this layer, the mean of its heads: as if its vectors still were the words whose "
        "places they have."
    ),
    "rollout": N_(
        "Each attention hands on one half of what came in, and one half of what it looked at; "
        "multiply all layers up to this one (Abnar & Zuidema 2020)."
    ),
    "norms": N_(
        "How long is the part of the output that each vector brought, residual and normalisation "
        "included? Multiply all layers up to this one (Kobayashi 2021, Ferrando 2022)."
    ),
    "flow": N_(
        "Weights as the widths of pipes: how much water can get from a word to this vector? Each "
        "number is a part of its row's sum (Abnar & Zuidema 2020)."
    ),
}

ENCODER_TITLE: Final = N_("Words become mixtures")
ENCODER: Final = N_(
    "A row: a vector after encoder layer {layer}. A column: the source word it came from. Each row "
    "adds up to 1. {says}\n\n"
    "On average a vector has {own} of its own word; “{word}” keeps the least, {least}."
)
ENCODER_MAP: Final = N_("encoder, after layer {n}")
ENCODER_ASK: Final = N_(
    "After all encoder layers, by norms: how much of an average vector is still the word whose "
    "place it has?"
)
ENCODER_OPTIONS: Final = (N_("Less than a third"), N_("A third to two thirds"), N_("More"))
ENCODER_SAYS: Final = N_("It is {share}, on average over your sentence.")

HALF_TITLE: Final = N_("Is one half right?")
HALF: Final = N_(
    "Rollout does not look at the residual connection: it assumes one half. By norms it is "
    "measured: what each attention hands on of the vector that came in, own weight included, is "
    "{measured} on average, where rollout assumes {assumed}. The more a vector keeps of itself, "
    "the less the weights alone can tell."
)
HALF_ASK: Final = N_(
    "Rollout assumes that a vector keeps about {assumed} of itself in each attention. And when it "
    "is measured?"
)
HALF_OPTIONS: Final = (N_("It keeps less"), N_("It keeps more"))
HALF_SAYS: Final = N_("Measured, it keeps {measured} on average.")
HALF_MAP: Final = N_("kept of itself, {way}")
KINDS: Final = {
    "encoder": N_("encoder self-attention"),
    "decoder": N_("decoder self-attention"),
    "cross": N_("encoder-decoder attention"),
}

WRITTEN_TITLE: Final = N_("Which words reach a written word")
WRITTEN: Final = N_(
    "A row: the vector that writes a word, after decoder layer {layer}. What it took from the "
    "source and from what was already written adds up to 1. {says}\n\n"
    "“{word}”: {source} came from the source, most of it from “{key}” ({most}); {target} from the "
    "translation so far."
)
WRITTEN_WEIGHTS: Final = N_(
    "A row: the vector that writes a word, in decoder layer {layer}; its weights over the source, "
    "and over what was already written: two attentions, each adds up to 1. "
    "{says}\n\n“{word}” is written while looking most at “{key}” ({most})."
)
FROM_SOURCE: Final = N_("from the source")
FROM_TARGET: Final = N_("from the translation so far")

COMPARE_TITLE: Final = N_("Four answers for one word")
COMPARE: Final = N_(
    "Where does “{word}” come from? Four ways of asking, after the last decoder layer; each row is "
    "scaled to add up to 1 over the source. First place: {firsts}."
)
COMPARE_MAP: Final = N_("share of the source")
FLOW_SAME: Final = N_(
    "Look at the flow for other words too: it does not change. The narrowest place lies inside "
    "the encoder, on the way out of each source word, and all written words draw from the same "
    "memory. In a deep model flow says what *can* get through, and not what did."
)
FLOW_DIFFERS: Final = N_(
    "From one source word, the flow to the written words differs by at most {spread}: it asks what "
    "*can* get through, and not what did."
)

MYTH: Final = N_(
    "If the last encoder-decoder attention looks at the place of “{word}”, the model uses the word "
    "“{word}”."
)
MYTH_TRUTH: Final = N_(
    "It uses the vector at that place, and the encoder has mixed it: by norms, {own} of it is "
    "“{word}”, and {rest} are other words, “{other}” first with {share}. A weight belongs to a "
    "place; what stands there is for the layers below to say."
)

ASK: Final = N_(
    "By norms, through all layers: which source token reaches the vector that writes “{word}” most?"
)
RIGHT: Final = N_("Yes: “{key}”, with {share}.")
WRONG: Final = N_("It is “{key}”, with {share}. Open “Which words reach a written word”.")

CODE_HALF: Final = N_("Rollout: one half and one half")
CODE_NORMS: Final = N_("By norms: what each vector adds")
CODE_REACH: Final = N_("All layers, multiplied")
CODE_FLOW: Final = N_("The largest flow")
