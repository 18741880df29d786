"""The paper that changed everything: all of its parts in half an hour."""

from typing import Final

from app.i18n import N_
from app.lesson import Lesson, Stop

STUDENT: Final = {"model": "fr-en", "text": "Je suis étudiant."}

PAPER: Final = Lesson(
    N_("Attention is all you need"),
    (
        Stop(
            "big_picture",
            "box",
            STUDENT,
            N_("A sentence goes in, a sentence comes out"),
            N_(
                "Ask who has used a translator today. From now on we only open the box. In 2017 "
                "eight people at Google showed that attention alone is enough: no recurrence, no "
                "convolution."
            ),
        ),
        Stop(
            "big_picture",
            "encoder",
            STUDENT,
            N_("Half of it reads"),
            N_(
                "Let them guess how many vectors come out before you show it: one for each token, "
                "not one for the sentence."
            ),
        ),
        Stop(
            "big_picture",
            "encoder",
            STUDENT,
            N_("Half of it writes"),
            N_(
                "One token at a time, and each one is read again before the next. Write the steps "
                "on the board: je, suis, étudiant on the left, the English tokens on the right."
            ),
        ),
        Stop(
            "self_attention",
            "qkv",
            STUDENT,
            N_("Self-attention begins with three roles"),
            N_(
                "Query: what am I looking for? Key: what can I be found by? Value: what do I give? "
                "All three come from the same sentence. Click one number of q to show its sum."
            ),
        ),
        Stop(
            "self_attention",
            "z",
            STUDENT,
            N_("Scaled dot-product attention, for all tokens at once"),
            N_("Each row adds up to 1: have somebody check one on a calculator."),
        ),
        Stop(
            "heads",
            "split",
            STUDENT,
            N_("One attention or many heads?"),
            N_("The same width, shared out: eight small attentions cost as much as one large one."),
        ),
        Stop(
            "heads",
            "recap",
            STUDENT,
            N_("All of it, in five steps"),
            N_(
                "The summary that everybody photographs. Go through it slowly: sentence, "
                "embeddings, heads, attention, W_O. Only the first layer needs embeddings; the "
                "others start from the output of the layer below."
            ),
        ),
        Stop(
            "positions",
            "sum",
            STUDENT,
            N_("A recurrent network knows the order. This one does not"),
            N_(
                "A recurrent network reads one word after the other, so the order is built in. Here"
                " all tokens come at once: without this sum the sentence would be a bag of words."
            ),
        ),
        Stop(
            "add_norm",
            "around",
            STUDENT,
            N_("Add and normalise"),
            N_(
                "The shortcut is the one of residual networks, from 2015: a sub-layer only has to "
                "learn what to change."
            ),
        ),
        Stop(
            "cross_attention",
            "bridge",
            STUDENT,
            N_("The bridge between the halves"),
            N_(
                "Queries from one sentence, keys and values from another. Cut it, and watch the "
                "translation lose its source."
            ),
        ),
        Stop(
            "masked_attention",
            "mask",
            STUDENT,
            N_("Nobody may look into the future"),
            N_(
                "While it trains, the right answer lies in front of it: the mask covers what comes "
                "next."
            ),
        ),
        Stop(
            "masked_attention",
            "ways",
            STUDENT,
            N_("And how is it masked?"),
            N_(
                "−∞ before the softmax, because e to the power of −∞ is 0 and the rest still adds "
                "up to 1. Ask what would go wrong with a 0 after the softmax."
            ),
        ),
        Stop(
            "output",
            "softmax",
            STUDENT,
            N_("The last layer chooses a word"),
            N_("Thousands of scores, one softmax. Let the class guess the runner-up."),
        ),
    ),
)
