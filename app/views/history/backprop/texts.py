"""What the page on backpropagation says; translated where it is shown."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "How much does the result change when one of the numbers behind it changes a little? That is "
    "a derivative. In 1970 Seppo Linnainmaa found, in his master's thesis, how to get the "
    "derivatives by all numbers at once: walk through the computation once forwards, and once "
    "backwards. In 1986 David Rumelhart, Geoffrey Hinton and Ronald Williams used it to let "
    "hidden layers learn. Everything called deep learning trains like this, the Transformer too."
)

TYPE: Final = N_(
    "Type an expression of your own, or take an example. You can use + − * / **, parentheses, your "
    "own names, and {functions}."
)
EXPRESSION_HELP: Final = N_(
    "Names stand for numbers, which you give below. Write 2*x, not 2x, and x**2 for a square."
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
    "zero": N_("This divides by zero: {at}. Change a number below, or the expression."),
    "log": N_("{at}: a logarithm is there for numbers above 0 only. Change the number."),
    "sqrt": N_("{at}: a square root is there for numbers from 0 on only. Change the number."),
    "power": N_(
        "{at}: a negative number has no such power. Use a whole exponent, or another number."
    ),
    "overflow": N_("{at} is larger than any number that a computer can hold. Use smaller ones."),
    "slope": N_(
        "{at} has a value here, but its derivative is missing or infinite. Change a number a "
        "little."
    ),
}

GRAPH: Final = N_(
    "Each box is one number: its name on top, its value below. Step through: first the values, "
    "from left to right, then the derivatives (∂, in pink) from right to left. Play, or use the "
    "arrow keys; click a box to jump to it."
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

RESULT: Final = N_(
    "And these are all derivatives, beside what torch.autograd, the engine that trains the "
    "Transformer here, finds for the same expression. To the right, what they are good for: "
    "foretelling how the result changes when the number grows by {step}."
)

XOR_TITLE: Final = N_("1986: a hidden layer learns")
XOR: Final = N_(
    "Now the network that nobody could train in 1969. It has two inputs, {hidden} hidden units and "
    "one output: {n} weights, drawn at random. At each step, the engine above computes the error "
    "on all four rows of XOR, goes backwards through all of it, and moves every weight a little "
    "against its derivative."
)
XOR_RULE: Final = N_("The error E is half the sum of the squared differences; η is the step size.")
HIDDEN_HELP: Final = N_("How many hidden units the network has.")
SQUASH_HELP: Final = N_(
    "What a hidden unit makes of its sum: from −1 to 1 (tanh), or from 0 to 1 (sigmoid)."
)
RATE_HELP: Final = N_("How far each step goes against the derivative.")
SEED_HELP: Final = N_("Draws the weights to begin with: another number, another start.")
SURFACE: Final = N_(
    "What the network says for every point of the plane. It must be high at the filled corners and "
    "low at the open ones."
)
LEARNED: Final = N_("All 4 rows are right, and the error is {loss}: it has learned XOR.")
LEARNING: Final = N_("{right} of the 4 rows are right; the error is {loss}.")
STUCK: Final = N_(
    "{right} of the 4 rows are right after {n} updates; the error stays at {loss}. This start got "
    "stuck: try another seed."
)
WEIGHTS: Final = N_("The weights at this step, and the derivative of the error by each:")

STARTS_TITLE: Final = N_("Not every start gets there")
STARTS: Final = N_(
    "The way down leads to the nearest valley, not to the deepest one. We trained the same "
    "network from the first {starts} seeds, {updates} updates at most. This is the error each of "
    "them ends with; the row gives the tens of the seed, the column its ones."
)
STARTS_READ: Final = N_(
    "{learned} of {starts} starts got all four rows right. Those that did not: seeds {stuck}."
)
STARTS_ALL: Final = N_("All {starts} starts got all four rows right.")

ASK: Final = N_(
    "To make the result smaller, “{name}” takes one step against its derivative, with step size "
    "0.1: {name} ← {name} − 0.1 · derivative. It was {value}. What will it be?"
)
RIGHT: Final = N_("Yes: {value} − 0.1 · {derivative} = {after}.")
WRONG: Final = N_(
    "Not so. Its derivative is {derivative}: take a tenth of that away from {value}. Mind the sign."
)

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
