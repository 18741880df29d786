"""The head atlas: what one head is for, and what one may conclude from where it looks."""

from typing import Final

from app.i18n import N_
from app.lesson import Lesson, Stop

GATO: Final = {"model": "es-en", "text": "El gato negro duerme en la silla."}
BEFORE: Final = {"card": "encoder.2.8"}  # the head of es-en that looks at the token before

HEAD_ATLAS: Final = Lesson(
    N_("What is each head for?"),
    (
        Stop(
            "heads",
            "all",
            {**GATO, "layer": "2"},
            N_("Eight heads, eight maps: which one looks at the word before?"),
            N_(
                "Give them a minute to look. Let each write down a number before you go on: a "
                "guess that is written down cannot change its mind."
            ),
        ),
        Stop(
            "atlas",
            "",
            {**GATO, "measure": "before", "only": "encoder"},
            N_("Find it: one cell is darker than all others"),
            N_(
                "Each cell is a head, and its colour the weight it gives to the token before, "
                "averaged over a thousand sentences. Who had guessed it? Click it and read its "
                "card together."
            ),
        ),
        Stop(
            "atlas",
            "",
            {**GATO, **BEFORE, "measure": "before", "only": "encoder"},
            N_("Its role has a threshold, and sentences where it fails"),
            N_(
                "Ask where the rest of its weight goes: the first token has no token before. "
                "Compare the sentences where it is typical with those where it is not."
            ),
        ),
        Stop(
            "translate",
            "",
            {**GATO, "change": "mute-encoder-1-7"},
            N_("Mute it: does a word change?"),
            N_(
                "Let them bet before they look. Here not a word of the translation changes; the "
                "probabilities do. Try a sentence of theirs."
            ),
        ),
        Stop(
            "atlas",
            "",
            {**GATO, **BEFORE, "measure": "log_p_lost"},
            N_("What the sample says about muting it"),
            N_(
                "One sentence is an anecdote, a thousand are a measurement. The head that we "
                "understand best is not the one that costs most: find that one on the map."
            ),
        ),
        Stop(
            "atlas",
            "",
            {**GATO, "measure": "log_p_lost", "only": "cross", "card": "cross.1.1"},
            N_("The head that costs most looks one step late"),
            N_(
                "In its map on the sentence, each row points at the word that was written one "
                "step before. Then go down to the curve: half of all heads can go before much is "
                "lost."
            ),
        ),
        Stop(
            "atlas",
            "",
            {"model": "snapshots/es-en-late", "measure": "writes", "only": "cross"},
            N_("When does a head find its role?"),
            N_(
                "Four moments of a small model's training. Follow its lines: they rise, and stay "
                "below the threshold. Not every head of every model gets a role."
            ),
        ),
        Stop(
            "heads",
            "task",
            GATO,
            N_("Your turn: a head of your own sentence"),
            N_("Each types a sentence first: the answer is checked on what their screen shows."),
        ),
    ),
)

EXPLANATION: Final = Lesson(
    N_("Is attention an explanation?"),
    (
        Stop(
            "cross_attention",
            "map",
            GATO,
            N_("The map looks like a reason"),
            N_(
                "Ask for one word of the translation: why did the model write it? Most will read "
                "the answer from the map. Write down what they say."
            ),
        ),
        Stop(
            "explanation",
            "claims",
            GATO,
            N_("Three papers that disagree"),
            N_("Let each group defend one of them with the numbers of our own model."),
        ),
        Stop(
            "explanation",
            "agree",
            GATO,
            N_("The test: leave a word out and see what is missed"),
            N_(
                "Leaving a word out is an experiment; a weight is a reading. Ask which method "
                "comes nearest to the experiment before you show it."
            ),
        ),
        Stop(
            "explanation",
            "search",
            GATO,
            N_("Other weights, the same output"),
            N_(
                "The search pushes the weights as far away as it can while the next token stays. "
                "If two maps lead to the same word, which one is the reason?"
            ),
        ),
        Stop(
            "explanation",
            "uniform",
            GATO,
            N_("But not any weights: uniform ones cost"),
            N_("So attention matters. That it matters does not say that its picture explains."),
        ),
        Stop(
            "explanation",
            "conclude",
            GATO,
            N_("What one may conclude"),
            N_(
                "Go back to what they said of the first map: which of it may stay, and which "
                "experiment would they ask for?"
            ),
        ),
        Stop(
            "explanation",
            "task",
            GATO,
            N_("Your turn: on a sentence of your own"),
            N_("Each types a sentence first: the answer is checked on what their screen shows."),
        ),
    ),
)
