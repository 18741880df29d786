"""What the page Models says."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "Every model there is: those that ship with the project, those that were trained here, and "
    "those that were loaded. Each of them can be opened on every page."
)
KINDS: Final = {
    "shipped": N_("shipped"),
    "trained": N_("trained here"),
    "imported": N_("imported"),
}
NEEDS: Final = N_(
    "To open it here takes about {memory} MB of memory and {seconds} s, which is an estimate; on a "
    "busy machine it takes longer."
)
CARD: Final = N_("About this model")
NO_CARD: Final = N_("There is no description yet.")
CARD_HELP: Final = N_("What others should know of it; it goes into its zip.")
USE_HELP: Final = N_("Opens it on the page Translate; every other page can use it too.")
NAME_HELP: Final = N_("Letters, digits, spaces, hyphens and underscores: at most {most}.")
DELETE_HELP: Final = N_("With the run that it was trained in. You can undo it.")
DELETED: Final = N_("“{name}” is deleted.")
UNDO_HELP: Final = N_("Brings the model back as it was. The next one you delete ends this.")
RESTORED: Final = N_("“{name}” is back.")
ZIP_HELP: Final = N_(
    "Its folder as a zip: weights, tokenizer, configuration and scores. If it has at most {most} "
    "MB, it can be loaded here again."
)
LOAD_HELP: Final = N_(
    "A zip saved on this page, here or on another machine; or the files of a Marian model, such as "
    "those of OPUS-MT: `config.json`, `model.safetensors` or `pytorch_model.bin`, `source.spm`, "
    "`target.spm` and `vocab.json`. Nothing in it is ever run."
)
LOADED: Final = N_("“{name}” is loaded, and every page can use it.")
OTHER_SHAPE: Final = N_(
    "There is nothing to subtract: one of them has no attention, or they cut or translated the "
    "sentence differently."
)
DIFFERENCE: Final = N_(
    "Encoder-decoder attention in the last layer, mean over heads: second minus first. Blue cells "
    "get more weight from the second model, red ones less; each row adds up to 0."
)
