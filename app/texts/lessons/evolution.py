"""How we got here: from the neuron of 1943 to many heads, with networks that really run."""

from typing import Final

from app.i18n import N_
from app.lesson import Lesson, Stop

LAMB: Final = {"model": "es-en", "text": "Como un cordero al matadero"}
FIRE: Final = {"model": "es-en", "text": "Donde hay humo, hay fuego."}

EVOLUTION: Final = Lesson(
    N_("The evolution of the Transformer"),
    (
        Stop(
            "neuron",
            "gate",
            {},
            N_("1943: the artificial neuron"),
            N_(
                "McCulloch and Pitts: a neuron that fires or does not. Build AND together, then let"
                " them try OR."
            ),
        ),
        Stop(
            "perceptron",
            "points",
            {},
            N_("1957: the perceptron"),
            N_(
                "Rosenblatt's machine learns its weights from examples. Press play, and let "
                "somebody move a point to the wrong side."
            ),
        ),
        Stop(
            "perceptron",
            "xor",
            {},
            N_("1969: what no line can separate"),
            N_("Minsky and Papert's book, and the years in which money went elsewhere."),
        ),
        Stop(
            "backprop",
            "expression",
            {},
            N_("1970: derivatives, backwards"),
            N_(
                "Linnainmaa wanted to know how rounding errors add up. Follow one derivative from "
                "the right to the left."
            ),
        ),
        Stop(
            "backprop",
            "xor",
            {},
            N_("1986: a hidden layer learns"),
            N_(
                "Rumelhart, Hinton and Williams: the same four corners, now learned. If it gets "
                "stuck, take another seed: that happened then, too."
            ),
        ),
        Stop(
            "filters",
            "step",
            {},
            N_("Computer vision: filters"),
            N_(
                "A kernel for horizontal edges, one for vertical ones. Which one will find the "
                "roof?"
            ),
        ),
        Stop(
            "filters",
            "alexnet",
            {},
            N_("2012: AlexNet"),
            N_("A thousand categories, 1.2 million pictures, and kernels that nobody wrote."),
        ),
        Stop(
            "residual",
            "race",
            {},
            N_("2015: residual learning"),
            N_("Thirty plain layers learn worse than a few: ask why before you show the shortcut."),
        ),
        Stop(
            "residual",
            "norm",
            {},
            N_("Batch normalisation"),
            N_(
                "Four lines: mean, variance, normalise, scale and shift. Compare them with layer "
                "normalisation later."
            ),
        ),
        Stop(
            "vectors",
            "picture",
            LAMB,
            N_("A picture is numbers already. A word is not"),
            N_(
                "So how does “slaughter” become numbers? Its letters have codes, but codes measure "
                "nothing."
            ),
        ),
        Stop(
            "vectors",
            "by-hand",
            LAMB,
            N_("King − man + woman"),
            N_("By hand first: the printed vectors come out exactly."),
        ),
        Stop(
            "vectors",
            "batch",
            LAMB,
            N_("Sentences of different lengths: padding"),
            N_(
                "Four proverbs, one block. The vector of <pad> is learned like any other, and "
                "nobody looks at it."
            ),
        ),
        Stop(
            "seq2seq",
            "unrolled",
            FIRE,
            N_("From one recurrent network to another"),
            N_("The encoder reads token by token; all that it knows goes through one vector."),
        ),
        Stop(
            "seq2seq",
            "bridge",
            FIRE,
            N_("The bridge: one vector, however long the sentence"),
            N_("Ask how much of a sentence fits into it. The next screens measure it."),
        ),
        Stop(
            "rnnsearch",
            "score",
            FIRE,
            N_("RNNsearch: attention"),
            N_("Instead of one vector, the decoder looks back at all of them, and learns where."),
        ),
        Stop(
            "rnnsearch",
            "map",
            FIRE,
            N_("The whole alignment"),
            N_("Nobody told it which words belong together."),
        ),
        Stop(
            "evolution",
            "beside",
            FIRE,
            N_("The same sentence, three networks"),
            N_("Recurrent, recurrent with attention, Transformer."),
        ),
        Stop(
            "evolution",
            "six",
            FIRE,
            N_("The evolution of attention"),
            N_(
                "Keys and queries were there in 2014, made from hidden states. In 2017 linear "
                "layers make queries, keys and values directly, and a product compares them."
            ),
        ),
        Stop(
            "evolution",
            "row",
            FIRE,
            N_("Waiting for one another"),
            N_("A recurrent network cannot read the second word before the first."),
        ),
        Stop(
            "heads",
            "all",
            FIRE,
            N_("Multi-head attention"),
            N_("Several attentions side by side: the last step to the model of today."),
        ),
    ),
)
