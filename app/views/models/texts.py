"""The texts of the page “Models”."""

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
FETCH: Final = N_("Fetch a translator")
FETCH_INTRO: Final = N_(
    "Hundreds of translators between two languages are on Hugging Face, most of them by the "
    "project OPUS-MT. Choose one, or type the name of any other Marian model: it is asked for only "
    "when you say so, and nothing else on these pages needs a network."
)
FETCH_ALLOWED: Final = N_("Here you can fetch: {patterns}.")
FETCH_NAME: Final = N_("Name on Hugging Face")
FETCH_HELP: Final = N_(
    "The maker and the model, as in its address: `Helsinki-NLP/opus-mt-de-en` translates German "
    "into English."
)
LOOK_UP: Final = N_("Look it up")
LOOK_UP_HELP: Final = N_("Asks the hub for its size, licence and languages; nothing is fetched.")
COMMIT_HELP: Final = N_("The version that is fetched, and kept with the model: commit {commit}.")
FETCH_IT: Final = N_("Fetch {size} MB")
FETCH_IT_HELP: Final = N_("In the background; it can be stopped, and goes on from where it was.")
FETCH_WAITS: Final = N_("{name} waits until another model is here.")
FETCH_STARTS: Final = N_("{name}: {there} of {size} MB")
FETCH_RUNS: Final = N_("{name}: {there} of {size} MB, {rate} MB/s, {left} s left")
FETCH_IMPORTS: Final = N_("{name} is here, and is being checked and imported.")
FETCH_STOPPED: Final = N_("{name} was stopped at {there} of {size} MB, which are kept.")
FETCH_INTERRUPTED: Final = N_(
    "Fetching {name} was interrupted at {there} of {size} MB, which are kept."
)
FETCH_STOP_HELP: Final = N_("What has come is kept, and you can go on later.")
DISCARD_HELP: Final = N_("Deletes what has come of it.")
FETCHED: Final = N_("“{name}” is here, and every page can use it.")
