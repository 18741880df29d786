"""What the chapter on positional encoding says; translated where it is shown."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "Attention compares all tokens at once and does not know which came first. So the model adds "
    "to each token's vector a second one that says only where the token stands."
)

SUM_TITLE: Final = N_("A token and its position, added")
SUM: Final = N_(
    "Take “{word}” at position {place} (counted from 0, like ids). Its vector x and its position "
    "vector p have {d} numbers each, and are added number by number. The norm of x is {x}, that of "
    "p is {p}: every p has the same norm, and only its direction differs."
)
ALL_TITLE: Final = N_("The same for the whole sentence")
ALL: Final = N_(
    "X changes with the tokens, P does not: the row of position {place} is the same in every "
    "sentence that you could type."
)
NONE: Final = N_(
    "This model was trained without positions: every p is 0. The waves on this page are what it "
    "could have used."
)

WAVES_TITLE: Final = N_("A clock with many hands")
WAVES: Final = N_(
    "These numbers are not trained, they are a formula: {half} pairs, each the sine and the cosine "
    "of one angle, like the hand of a clock. The first pair turns once every {fast} positions and "
    "tells neighbours apart; the last one, every {slow}, tells the ends of a long text apart."
)
WAVES_READ: Final = N_(
    "Curves: the formula; dots: what the model added. The dotted line is the p of “{word}”: pair "
    "{pair} has sine {sine}, cosine {cosine}."
)
PAIR_HELP: Final = N_(
    "Which sine and cosine are marked, from the fastest to the slowest; like the i of the formula, "
    "pairs count from 0."
)
LAYOUTS_TITLE: Final = N_("Two ways to lay out the same pairs")
LAYOUTS: Final = N_(
    "Interleaved, as in the paper: sine, cosine, sine, cosine … Half and half, as in the first "
    "published code: all the sines, then all the cosines (its slowest pair is exactly 10000 times "
    "as slow as its fastest). Triangles mark pair {pair}, the frame the row of “{word}”."
)
LAYOUT_NAMES: Final = {
    "interleaved": N_("Interleaved"),
    "half": N_("Half and half"),
    "marian": N_("Half and half, the paper's rates"),
}
THIS_MODEL: Final = N_("{layout}, this model's")

DOTS_TITLE: Final = N_("How near are two positions?")
DOTS: Final = N_(
    "The dot product tells how much two vectors point the same way. Between a position vector and "
    "itself it is {self}, which is d_model ÷ 2; between positions {a} and {b} it is {near}."
)
DOTS_GUESS: Final = N_("And between positions {c} and {d}, much further on?")
DOTS_RIGHT: Final = N_("Yes: {near} again.")
DOTS_WRONG: Final = N_("It is {near} again.")
SMALLER: Final = N_("smaller")
SAME: Final = N_("the same")
LARGER: Final = N_("larger")
DIAGONALS: Final = N_(
    "Look along the diagonals: the colour stays the same. The product depends on the distance "
    "alone, so “two tokens back” looks alike at the beginning and at the end of a sentence."
)
DOTS_ROW: Final = N_(
    "One row of that picture, the one of “{word}”: the product is largest with its own position, "
    "and falls off with the distance, in waves. The curve is the formula, the dots are the "
    "captured vectors; they differ by {difference} at most."
)

LOST_TITLE: Final = N_("What is lost without positions")
LOST: Final = N_(
    "Now take the positions away. The model you have used all along translates your tokens in "
    "their order and in another one, first with their positions, then with zeros in the place of "
    "every p."
)
LOST_GUESS: Final = N_("Without positions, will it write different translations for the two?")
YES: Final = N_("yes")
NO: Final = N_("no")
LOST_RIGHT: Final = N_("Right: compare the last column.")
LOST_WRONG: Final = N_("Compare the last column.")
ORDER_HELP: Final = N_("In which order the model reads your words the second time.")
SEED_HELP: Final = N_("Another number shuffles the words in another way.")
LOST_MEANING: Final = N_(
    "Without positions, the model cannot tell the two orders apart. It has never seen a sentence "
    "without them, so it may go astray."
)
OUTPUTS_TITLE: Final = N_("The same outputs in another order")
LOST_READ: Final = N_(
    "Without positions, the encoder's output for each token is the same in both orders: they "
    "differ by {without} at most, which is rounding. With positions, each token's two outputs "
    "differ by {with_least} to {with_most}: now the order counts."
)
LOST_NONE: Final = N_(
    "This model has no positions, so there is nothing to take away: both ways each token's "
    "output is the same in both orders, up to {without}."
)
LOST_SAME: Final = N_(
    "These words read the same in the other order. Choose another order, or another sentence, "
    "to see a difference."
)
MYTH: Final = N_("“Attention scores two tokens by the dot product of their positions.”")
TRUTH: Final = N_(
    "Between “{a}” and “{b}”, p · p is {dot}. The score that head 1 of the first layer gives them "
    "is {score}. It compares x + p, the token and its position together, and only after the "
    "matrices W_Q and W_K, which training has set."
)
TRUTH_PRE: Final = N_(
    "Between “{a}” and “{b}”, p · p is {dot}. The score that head 1 of the first layer gives them "
    "is {score}. It compares x + p, the token and its position together, and only after a "
    "normalisation and the matrices W_Q and W_K, which training has set."
)

TASK: Final = N_(
    "The dot product of positions {a} and {b} is {value}. Which other two positions have "
    "exactly the same?"
)
TASK_RIGHT: Final = N_(
    "Yes: {pairs} gives {value} as well. They are just as far apart: {distance} positions."
)
TASK_REASON: Final = N_(
    "{pair} are {apart} apart and have {other}, not {value}. The distance decides: look along a "
    "diagonal."
)
