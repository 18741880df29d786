"""The texts of chapter 1: the Transformer from outside to inside."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "You type a sentence, a translation comes out. In between there is nothing but numbers, and "
    "on these pages you can open every one of them. Start with the whole: where your words go in, "
    "what they pass through, where the next word comes out. Every part of the drawing opens its "
    "chapter."
)

MAP_HINT: Final = N_(
    "Read it from below, like the vectors do: left the encoder, right the decoder. The first layer "
    "of each is drawn open; the others have the same parts with numbers of their own. Grey lines "
    "are the residual stream, the vectors that every part adds to."
)
PRE: Final = N_("This model normalises before each sub-layer (pre-norm): x + f(norm(x)).")
POST: Final = N_(
    "This model normalises after each sub-layer (post-norm, as in the paper): norm(x + f(x))."
)

BOX_TITLE: Final = N_("The black box")
BOX: Final = N_(
    "From outside, the model is a function: text in, text out. Inside are {count} numbers that "
    "training has set. They are the same for every sentence; only what you type changes."
)
BOX_NOW: Final = N_("{count} numbers")

HALVES_TITLE: Final = N_("Encoder and decoder")
ENCODER: Final = N_(
    "Open the box and there are two. The **encoder** reads your sentence once, all of its {n} "
    "tokens side by side. Each token goes in as a vector of {d} numbers and comes out as a vector "
    "of {d} numbers; what has changed is that each vector now also tells of the other words. These "
    "{n} rows are the **memory**, all that the decoder will know of your sentence."
)
DECODER: Final = N_(
    "The **decoder** writes. It reads what is written so far, looks into the memory, and ends with "
    "one vector for each token it has read. The vector of the last token decides the next word: "
    "behind {last} it gave {chosen} a probability of {p}."
)

STACKS_TITLE: Final = N_("The stacks")
STACKS: Final = N_(
    "Each half is a stack of layers, alike in shape, different in their numbers. Follow one token: "
    "its {d} numbers go through {n} layers, and no layer changes how many there are. That is why "
    "layers can be stacked at all."
)
STACKS_ONE: Final = N_(
    "Each half is a stack of layers; in this model the stack has one. Follow one token: its {d} "
    "numbers go in, and {d} numbers come out. That is why more layers could be stacked on it."
)

LAYER_TITLE: Final = N_("Inside one layer")
LAYER_ENCODER: Final = N_(
    "An encoder layer has two sub-layers. **Self-attention** lets the token take up something from "
    "the other tokens; the **feed-forward** network then works on each token alone. What a "
    "sub-layer finds is *added* to the vector, never put in its place."
)
LAYER_DECODER: Final = N_(
    "A decoder layer has three sub-layers. **Masked self-attention** looks at what is written so "
    "far, **encoder-decoder attention** looks at the memory, and the **feed-forward** network "
    "works on each token alone. What a sub-layer finds is *added* to the vector, never put in its "
    "place."
)

COUNT_TITLE: Final = N_("Where the parameters are")
COUNT: Final = N_(
    "All that training can change, block by block. One attention of this model has four matrices "
    "of {d} × {d} and four biases, {attention} numbers; one feed-forward network goes from {d} to "
    "{d_ff} and back, {ffn} numbers."
)
COUNT_TOTAL: Final = N_("Together: **{total}**. The model's own count: **{own}**.")
TIED: Final = N_(
    "Tied: {names} and the source's embedding table are the same {n} numbers, used in more than "
    "one place. They are counted once, with the embedding."
)
TIED_OUT: Final = N_(
    "Tied: {names} and the target's embedding table are the same {n} numbers, used in more than "
    "one place. They are counted once, with the embedding."
)
TIED_NAMES: Final = {
    "tgt_embed": N_("the target's embedding table"),
    "generator.W": N_("the final linear's matrix (transposed)"),
}

QUESTION: Final = N_("Which of these holds most of this model's parameters?")
RIGHT: Final = N_("Yes: {name}, {n} of {total}.")
WRONG: Final = N_("Not that one. Add up the bars of one pattern over all blocks, and compare.")
