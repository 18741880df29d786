"""The texts of the page “Open a trace”; translated where they are shown."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "A trace is a file with the attention of one run of any Transformer: an encoder-decoder model, "
    "a decoder alone or an encoder alone, with any number of layers and heads. Whatever is in it "
    "is shown here; nothing of it is kept on the server, and no model is run."
)
HOW: Final = N_(
    "It is a [safetensors]({address}) file with named arrays and the tokens. **Save as a trace**, "
    "on the page Translate, writes one; `docs/traces.md`, in the project's folder, has ten lines "
    "that write one from a model of Hugging Face."
)
FORMAT: Final = "https://huggingface.co/docs/safetensors"
UPLOAD: Final = N_("A trace: a safetensors file")
HELP: Final = N_("At most {most} MB. Its weights, names and tokens are checked before it is shown.")
EXAMPLE: Final = N_(
    "No file is open yet. As an example, here is the trace of “{text}” from our own model, {model}."
)
HOLDS: Final = N_("“{name}” holds {arrays}.")
KINDS: Final = {
    "encoder": N_("the attention of the encoder"),
    "decoder": N_("the masked attention of the decoder"),
    "cross": N_("the encoder-decoder attention"),
}
STAGES: Final = N_("the queries, keys and values behind the weights")
MISSING: Final = N_("Not in this trace: {parts}.")
NO_ATTENTION: Final = N_("No attention weights are in this trace: only its arrays can be shown.")
SOURCE: Final = N_("The source, as the encoder reads it")
TARGET: Final = N_("The target, as the decoder reads it")
ARRAYS: Final = N_("All arrays")
OF_FILE: Final = N_("The numbers are those of the file.")
PART: Final = N_("{rows} × {cols} of its numbers are drawn: the first of its other axes.")
TOO_MANY: Final = N_("There are too many heads to draw them all at once: choose one of them.")
