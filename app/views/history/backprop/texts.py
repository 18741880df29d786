"""What the page on backpropagation says; translated where it is shown."""

from collections.abc import Mapping
from typing import Final, Literal

from app.i18n import N_

Squash = Literal["tanh", "sigmoid", "none"]

INTRO: Final = N_(
    "How much does a result change when one of the numbers behind it changes a little? That is a "
    "derivative. In 1970 Seppo Linnainmaa found how to get all of them at once: walk through the "
    "computation once forwards, and once backwards."
)

TYPE: Final = N_(
    "Type an expression of your own, or take an example. You can use + − * / **, parentheses, your "
    "own names, and {functions}."
)
EXPRESSION_HELP: Final = N_(
    "Names stand for numbers, which you set. Write 2*x, not 2x, and x**2 for a square."
)
VALUE_HELP: Final = N_("The number that stands for this name.")
EXAMPLES: Final = (
    (N_("a neuron"), "sigmoid(w1*x1 + w2*x2 + b)"),
    (N_("a name used twice"), "x*x + x"),
    (N_("an error"), "(tanh(w*x + b) - y)**2"),
    (N_("a softmax"), "exp(a) / (exp(a) + exp(c))"),
)
EXAMPLE_HELP: Final = N_("Takes this expression over: {text}")
# The numbers to begin with, by name; any other name begins at 1.
START = {"w1": 0.5, "x1": 2.0, "w2": -1.0, "x2": 1.5, "b": 0.25, "w": 0.5, "x": 3.0, "a": 2.0}

ERRORS: Final = {
    "empty": N_("There is no expression yet: type one, such as x*x + x."),
    "long": N_("This expression has {at} characters; please use {longest} at most."),
    "unreadable": N_(
        "This cannot be read at “{at}”. Look for a missing sign or parenthesis there: 2*x, not 2x."
    ),
    "unfinished": N_("“{at}” stops too early: something is missing at its end."),
    "unknown": N_("There is no function “{at}” here. There are {functions}."),
    "alone": N_("“{at}” is a function: write what it is applied to in parentheses, {at}(x)."),
    "inputs": N_("“{at}” takes exactly one number in its parentheses."),
    "operator": N_("“{at}” cannot be computed here: use + − * / ** and the functions only."),
    "number": N_("“{at}” is not a number that can be used here; write it as 2 or 0.5."),
    "names": N_("These are {at} different names; please use {names} at most."),
    "nothing": N_(
        "There is no name in it, so nothing to take a derivative by: write a letter, such as x."
    ),
    "zero": N_("This divides by zero: {at}. Change a number or the expression."),
    "log": N_("{at}: a logarithm is there for numbers above 0 only. Change the number."),
    "sqrt": N_("{at}: a square root is there for numbers from 0 on only. Change the number."),
    "power": N_(
        "{at}: a negative number has no such power. Use a whole exponent, or another number."
    ),
    "overflow": N_(
        "{at} is larger than any number of 64 bits (float64), which end near 1.8·10³⁰⁸. Use "
        "smaller numbers."
    ),
    "slope": N_(
        "{at} has a value here, but its derivative is missing or infinite. Change a number a "
        "little."
    ),
}

GRAPH: Final = N_(
    "Each box is one number: first the values, from left to right, then the derivatives (∂, in "
    "pink) from right to left."
)
FIRST_STEP: Final = N_("The numbers to begin with: your names (green) and the constants.")
FORWARD: Final = N_("**Forwards.** “{name}” is computed from what leads to it:")
SEED: Final = N_(
    "**Backwards.** Here the way back begins, at the result. When it grows by something, it grows "
    "by just that: its derivative by itself is 1."
)
BACKWARD: Final = N_(
    "**Backwards.** All that “{name}” leads to has been seen, so its derivative is complete: "
    "{derivative}."
)
HANDS: Final = N_(
    "It hands to each of its inputs this derivative times its own local one. An input that is "
    "used more than once adds up what it gets:"
)
LEAF: Final = N_(
    "“{name}” is computed from nothing: the way back ends here. When it grows by a little, the "
    "result grows by {derivative} times as much."
)

RESULT_TITLE: Final = N_("All derivatives at once")
RESULT: Final = N_(
    "One walk backwards gives all derivatives, the same as torch.autograd finds, the engine that "
    "trains the Transformer here. They foretell how the result changes when a number grows by "
    "{step}."
)
RESULT_ASK: Final = N_(
    "Each number grows by {step}, one at a time. Which of them changes the result most?"
)
RESULT_RIGHT: Final = N_("Yes: {name} has the largest derivative, {slope}.")
RESULT_WRONG: Final = N_("It is {name}: its derivative is the largest, {slope}.")

ROUNDING_TITLE: Final = N_("Where it came from: rounding errors")
ROUNDING: Final = N_(
    "Linnainmaa did not think of learning. A computer rounds every result, here to a few decimals. "
    "Each small error δ reaches the end times the derivative there; added up, they foretell the "
    "error of the result. Today this way to get derivatives is called automatic differentiation."
)
DECIMALS_HELP: Final = N_("How many decimals each result keeps.")

WINTER_TITLE: Final = N_("The years without funding")
WINTER: Final = N_(
    "After 1969 money for neural networks became scarce, until well into the 1980s: an “AI "
    "winter”. It is often said that nobody could train more than one layer in those years. Some "
    "could, but few people noticed."
)
MEANWHILE: Final = (
    (
        "1965",
        "Alexey Ivakhnenko, Valentin Lapa",
        N_("networks of many layers, trained one layer after the other"),
    ),
    ("1967", "Shun-ichi Amari", N_("hidden units that learn by gradient descent")),
    ("1970", "Seppo Linnainmaa", N_("all derivatives in one walk backwards; not for networks")),
    ("1982", "Paul Werbos", N_("the same way back, for networks; after his thesis of 1974")),
    (
        "1986",
        "David Rumelhart, Geoffrey Hinton, Ronald Williams",
        N_("hidden units that find useful features; now everybody noticed"),
    ),
)

XOR_TITLE: Final = N_("1986: a hidden layer learns")
XOR: Final = N_(
    "Rumelhart, Hinton and Williams let hidden layers learn. Here: {hidden} hidden units, {n} "
    "random weights, the four rows of XOR. The colour is the network's output at every point. It "
    "must be high at the filled corners and low at the open ones."
)
WEIGHTS_TITLE: Final = N_("Every weight against its derivative")
WEIGHTS: Final = N_(
    "At each update, one walk backwards finds the derivative of the error E by every weight. Then "
    "gradient descent moves all weights a little against their derivatives. Press “One step”."
)
XOR_RULE: Final = N_("The error E is half the sum of the squared differences; η is the step size.")
HIDDEN_HELP: Final = N_("How many hidden units the network has.")
SQUASH_HELP: Final = N_(
    "What a hidden unit makes of its sum: from −1 to 1 (tanh), from 0 to 1 (sigmoid), or just the "
    "sum (none)."
)
SQUASH_NAMES: Final[Mapping[Squash, str]] = {
    "tanh": "tanh",
    "sigmoid": "sigmoid",
    "none": N_("none"),
}
RATE_HELP: Final = N_("How far each step goes against the derivative.")
SEED_HELP: Final = N_("Draws the weights to begin with: another number, another start.")
LEARNED: Final = N_("All 4 rows are right, and the error is {loss}: it has learned XOR.")
LEARNING: Final = N_("Rows that are right: {right} of 4; the error is {loss}.")
STUCK: Final = N_(
    "Rows that are right after {n} updates: {right} of 4; the error stays at {loss}. This start "
    "got stuck: try another seed."
)

STARTS_TITLE: Final = N_("Not every start gets there")
STARTS: Final = N_(
    "Gradient descent leads to the nearest valley, not to the deepest one. The same network, "
    "trained from the first {starts} seeds, {updates} updates at most: each cell is the error that "
    "one seed ends with, its tens at the left, its ones on top."
)
STARTS_ASK: Final = N_("How many of the {starts} random starts get all four rows right?")
STARTS_RIGHT: Final = N_("Yes: {learned} of {starts}.")
STARTS_WRONG: Final = N_("It is {learned} of {starts}.")
LINEAR: Final = N_(
    "On the right without {squash}, so that each hidden unit passes on its sum: a network needs "
    "something nonlinear between its layers."
)
LINEAR_READ: Final = N_(
    "With {squash}, {learned} of {starts} starts get all four rows right; without it, {without}: "
    "the two layers are one neuron, and it draws one line, however long it learns. Its error never "
    "falls below {best}."
)

MYTH: Final = N_("Backpropagation is what changes the weights of a network.")
TRUTH: Final = N_(
    "It only finds derivatives: for the weight {name}, ∂E/∂w = {slope} at this update. Gradient "
    "descent then moves the weight, by {moved} with the step size η = {rate}, and by {other} with "
    "η = {other_rate}: the same derivative, another step."
)

ASK: Final = N_(
    "To make the result smaller, “{name}” takes one step against its derivative, with step size "
    "0.1: {name} ← {name} − 0.1 · derivative. It was {value}. What will it be?"
)
RIGHT: Final = N_("Yes: {value} − 0.1 · {derivative} = {after}.")
WRONG: Final = N_(
    "Not so. Its derivative is {derivative}: take a tenth of that away from {value}. Mind the sign."
)
UPWARDS: Final = N_(
    "That goes along with the derivative, {value} + 0.1 · {derivative}: the result would grow."
)
WHOLE: Final = N_("That takes the whole derivative, {derivative}, away, not a tenth of it.")
ONLY_SLOPE: Final = N_("That is the derivative itself, not the number after the step.")
ONLY_STEP: Final = N_("That is only the step; it has to be added to {value}.")

# What each operation computes, and its local derivative by each input, in LaTeX: a and b are its
# inputs, y its value.
FORMULAS: Final = {
    "+": (r"{a} + {b}", ("1", "1")),
    "-": (r"{a} - {b}", ("1", "-1")),
    "*": (r"{a} \cdot {b}", ("{b}", "{a}")),
    "/": (r"\frac{{{a}}}{{{b}}}", (r"\frac{{1}}{{{b}}}", r"-\frac{{{a}}}{{{b}^2}}")),
    "**": (r"{a}^{{{b}}}", (r"{b} \cdot {a}^{{{b} - 1}}", r"{a}^{{{b}}} \cdot \ln {a}")),
    "neg": (r"-{a}", ("-1",)),
    "exp": (r"e^{{{a}}}", (r"e^{{{a}}}",)),
    "log": (r"\ln {a}", (r"\frac{{1}}{{{a}}}",)),
    "sqrt": (r"\sqrt{{{a}}}", (r"\frac{{1}}{{2 \sqrt{{{a}}}}}",)),
    "tanh": (r"\tanh {a}", (r"1 - {y}^2",)),
    "sigmoid": (r"\frac{{1}}{{1 + e^{{-{a}}}}}", (r"{y} \cdot (1 - {y})",)),
    "relu": (r"\max({a}, 0)", (r"\left[{a} > 0\right]",)),
    "sin": (r"\sin {a}", (r"\cos {a}",)),
    "cos": (r"\cos {a}", (r"-\sin {a}",)),
}

BY: Final = N_("the graph by torch.autograd, the network by formulas in NumPy")
