"""The texts of chapter 1: the Transformer from outside to inside."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "You type a sentence, and a translation comes out. In between there is nothing but numbers, "
    "and on these pages you can open every one of them."
)

BOX_TITLE: Final = N_("The black box")
BOX: Final = N_(
    "Seen from outside, the model is a function: text in, text out. Inside are {count} "
    "**parameters**, numbers that training has set. They are the same for every sentence; only "
    "what you type changes."
)
BOX_NOW: Final = N_("{count} numbers")

ENCODER_TITLE: Final = N_("The encoder reads, the decoder writes")
ENCODER: Final = N_(
    "Open the box, and there are two machines inside. The first one, the **encoder**, reads your "
    "whole sentence at once: {n} tokens, each of them a vector of {d} numbers."
)
ENCODER_GUESS: Final = N_("How many vectors come out of the encoder?")
ENCODER_RIGHT: Final = N_("Yes: {n} vectors go in, and {n} come out, one for each token.")
ENCODER_WRONG: Final = N_("Count the rows: {n} go in, and {n} come out, one for each token.")
MEMORY: Final = N_(
    "Each row still belongs to its token, but now it also says something about the others. "
    "Together the {n} rows are the **memory**: all that the decoder will know of your sentence."
)

DECODER: Final = N_(
    "The **decoder** reads what it has written so far and looks into the memory. It ends with one "
    "vector for each token it has read, and the last of them predicts the next token: after {last} "
    "it gave {chosen} a probability of {p}."
)

MAP_TITLE: Final = N_("The whole model")
MAP: Final = N_(
    "Read it upwards, as the vectors travel: the encoder on the left, the decoder on the right, "
    "the memory between them. Each token that is written goes back in at the bottom. Every part "
    "opens its chapter."
)
MAP_WHOLE: Final = N_("The whole model, with its first layers open")

STACKS_TITLE: Final = N_("A stack of layers")
STACKS: Final = N_(
    "Encoder × {encoder}, decoder × {decoder}: the layers of a stack are built alike, but each has "
    "its own parameters. Follow “{word}” up its stack: what one layer returns, the next one reads."
)
STACKS_GUESS: Final = N_(
    "“{word}” goes in as {d} numbers. How many is it when it leaves the last layer?"
)
STACKS_RIGHT: Final = N_("Yes: {d} after every layer. That is why layers can be stacked.")
STACKS_WRONG: Final = N_("It is {d} after every layer. That is why layers can be stacked.")

LAYER_TITLE: Final = N_("Inside one layer")
LAYER: Final = N_(
    "An encoder layer has two **sub-layers**, a decoder layer three. Each adds its result to the "
    "**residual stream**, the grey line."
)
PRE: Final = N_("This model normalises before each sub-layer (pre-norm): x + f(norm(x)).")
POST: Final = N_(
    "This model normalises after each sub-layer (post-norm, as in the paper): norm(x + f(x))."
)

SUB_LAYER_NAME: Final = N_("One sub-layer")
SUB_LAYERS: Final = {
    ("encoder", "self_attn"): N_(
        "**Self-attention** lets “{word}” take something from the other tokens of the sentence. "
        "What it finds is *added* to the vector x, never put in its place."
    ),
    ("encoder", "ffn"): N_(
        "The **feed-forward** network looks at no other token. It works on “{word}” alone, with "
        "{d_ff} hidden units, and its result is added as well. The sum goes on to the next layer."
    ),
    ("decoder", "self_attn"): N_(
        "**Masked self-attention** lets “{word}” take something from the tokens written before "
        "it. What it finds is *added* to the vector x, never put in its place."
    ),
    ("decoder", "cross_attn"): N_(
        "**Encoder-decoder attention** lets “{word}” take something from the memory, and so from "
        "your sentence. That is added, too."
    ),
    ("decoder", "ffn"): N_(
        "The **feed-forward** network looks at no other token. It works on “{word}” alone, with "
        "{d_ff} hidden units, and its result is added as well. The sum goes on to the next layer."
    ),
}

COUNT_TITLE: Final = N_("Where the parameters are")
COUNT: Final = N_(
    "All that training can change, block by block. One attention has four matrices of {d} × {d} "
    "and four biases, {attention} parameters; one feed-forward network goes from {d} to {d_ff} "
    "and back, {ffn} parameters."
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

MYTH: Final = N_("“A longer sentence needs more of the model's parameters.”")
TRUTH: Final = N_(
    "No. A sentence of one token passes through the same {count} parameters as your {n} tokens "
    "do. What grows with a sentence is what the model computes from it: your memory has "
    "{n} × {d} = {numbers} numbers, and each further token adds {d}."
)

QUESTION: Final = N_("Which of these holds most of this model's parameters?")
RIGHT: Final = N_("Yes: {name}, {n} of {total}.")
REASON: Final = N_("Not that one: {name} has {n} of {total}, which is {share}.")
