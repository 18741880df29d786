"""The Transformer in pictures, in the order of the Illustrated Transformer."""

from typing import Final

from app.i18n import N_
from app.lesson import Lesson, Stop

STUDENT: Final = {"model": "fr-en", "text": "Je suis étudiant."}
TIRED: Final = {"model": "es-en", "text": "El animal no cruzó la calle porque estaba muy cansado."}

ILLUSTRATED: Final = Lesson(
    N_("The Transformer in pictures"),
    (
        Stop(
            "big_picture",
            "box",
            STUDENT,
            N_("A high-level look"),
            N_(
                "Start with the black box and open it once: an encoder, a decoder, and a connection"
                " between them."
            ),
        ),
        Stop(
            "big_picture",
            "stacks",
            STUDENT,
            N_("A stack of layers of the same shape"),
            N_(
                "The paper has six on each side; ours has fewer. Same shape does not mean same "
                "weights."
            ),
        ),
        Stop(
            "big_picture",
            "layer",
            STUDENT,
            N_("Two sub-layers in the encoder, three in the decoder"),
            N_("Self-attention looks at the other tokens; feed-forward works on each token alone."),
        ),
        Stop(
            "vectors",
            "row",
            STUDENT,
            N_("Bringing the tensors into the picture"),
            N_(
                "Every token becomes a vector: here for the first time there are numbers. Only the "
                "lowest layer sees embeddings."
            ),
        ),
        Stop(
            "heads",
            "pronoun",
            TIRED,
            N_("Self-attention at a high level: who was tired?"),
            N_(
                "The sentence has no visible “it”: Spanish leaves it out. Let the class say who was"
                " tired, then ask how a model could know."
            ),
        ),
        Stop(
            "self_attention",
            "two",
            STUDENT,
            N_("Two tokens by hand: 112 and 96"),
            N_(
                "Do this one on the board. The numbers are invented so that they come out even; the"
                " next screens have the model's."
            ),
        ),
        Stop(
            "self_attention",
            "two",
            STUDENT,
            N_("Divide by 8, then softmax: 0.88 and 0.12"),
            N_(
                "8 is the square root of 64, the length of a key in the paper. 14 − 12 = 2, and 1 /"
                " (1 + e^−2) = 0.88."
            ),
        ),
        Stop(
            "self_attention",
            "two",
            STUDENT,
            N_("The weighted sum is the output for one token"),
            N_("Now the same with your sentence: press → and keep the order of the steps."),
        ),
        Stop(
            "self_attention",
            "softmax",
            STUDENT,
            N_("The same four steps with real numbers"),
            N_("Change the head and watch the weights move."),
        ),
        Stop(
            "self_attention",
            "matrix",
            STUDENT,
            N_("All tokens at once, as matrices"),
            N_("One multiplication instead of a loop: this is why the model trains fast."),
        ),
        Stop(
            "heads",
            "all",
            STUDENT,
            N_("The beast with many heads"),
            N_(
                "Nobody told the heads what to look at. Ask for a head that looks at the token "
                "before."
            ),
        ),
        Stop(
            "heads",
            "out",
            STUDENT,
            N_("Side by side, then mixed by W_O"),
            N_("The feed-forward part expects one vector for each token, not eight."),
        ),
        Stop(
            "positions",
            "waves",
            STUDENT,
            N_("The order of the sequence"),
            N_(
                "Fast waves tell neighbours apart, slow ones tell the beginning from the end: like "
                "the hands of a clock."
            ),
        ),
        Stop(
            "add_norm",
            "add",
            STUDENT,
            N_("The skip connections"),
            N_("What goes around is added to what comes out; then the sum is normalised."),
        ),
        Stop(
            "decoding",
            "back",
            STUDENT,
            N_("The decoder side"),
            N_("The top encoder layer's output becomes keys and values for every decoder layer."),
        ),
        Stop(
            "output",
            "linear",
            STUDENT,
            N_("The final linear layer and softmax"),
            N_(
                "One score for each token of the vocabulary: logits. Softmax turns them into "
                "probabilities."
            ),
        ),
        Stop(
            "learning",
            "target",
            STUDENT,
            N_("Recap of training: the target"),
            N_("A one-hot vector: 1 at the right token and 0 elsewhere."),
        ),
        Stop(
            "learning",
            "loss",
            STUDENT,
            N_("The loss function"),
            N_(
                "It compares two distributions. Ask: when is it 0? Can it ever be, with a smoothed "
                "target?"
            ),
        ),
        Stop(
            "learning",
            "moments",
            STUDENT,
            N_("Untrained, early, trained"),
            N_(
                "The same sentence in three models: the numbers come closer to the target, and the "
                "translation appears."
            ),
        ),
    ),
)
