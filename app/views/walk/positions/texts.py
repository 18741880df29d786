"""What the chapter on positional encoding says; translated where it is shown."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "Attention compares every word with every other one, all at the same time. Nothing in it "
    "knows which word came first. So before the first layer, the model adds to the vector of "
    "each word a second vector that says only one thing: the place where the word stands."
)

SUM_TITLE: Final = N_("A word and its place, added")
SUM: Final = N_(
    "Take “{word}”, at position {place} (the first word stands at 0). Its vector x is the row "
    "of the embedding table times √d_model = {root}; its position vector p has the same {d} "
    "numbers. They are added, number by number. The length of x is {x}, that of p is {p}. "
    "Every p is equally long: no place counts for more than another, it only points elsewhere."
)
ALL: Final = N_(
    "The same for the whole sentence. X changes with the words, P does not: the row for "
    "position {place} is the same in every sentence that you could type."
)
NONE: Final = N_(
    "This model was trained without positions: every p is 0. The waves below are what it could "
    "have used."
)

WAVES_TITLE: Final = N_("A clock with many hands")
WAVES: Final = N_(
    "Where do these numbers come from? Not from training: they are a formula. The {d} numbers "
    "are {half} pairs, and each pair is the hand of a clock: the sine and the cosine of one "
    "angle. The first pair turns once every {fast} words, the last one every {slow}. Fast hands "
    "tell neighbours apart, slow ones the beginning from the end of a long text."
)
WAVES_READ: Final = N_(
    "The curves are the formula, the dots are the numbers that the model added. Follow the "
    "dotted line downwards: where it meets the curves stands the p of “{word}”. Pair {pair}: "
    "sine {sine}, cosine {cosine}."
)
PAIR_HELP: Final = N_("Which sine and cosine are marked, from the fastest (0) to the slowest.")
LAYOUTS_TITLE: Final = N_("Two ways to lay out the same pairs")
LAYOUTS: Final = N_(
    "There are two habits of laying the pairs out in the vector. Interleaved, as in the paper: "
    "sine, cosine, sine, cosine … Half and half, as in the first published code: all the sines, "
    "then all the cosines (and its slowest hand is exactly 10000 times as slow as its fastest). "
    "It is the same clock with its hands sorted in another way. The triangles show where the "
    "sine and the cosine of pair {pair} lie; the frame is the row of “{word}”."
)
LAYOUT_NAMES: Final = {"interleaved": N_("Interleaved"), "half": N_("Half and half")}
THIS_MODEL: Final = N_("{layout}, this model's")

DOTS_TITLE: Final = N_("How near are two positions?")
DOTS: Final = N_(
    "Attention compares vectors by their dot product. So what does it find between two "
    "position vectors? The most with itself ({self}, which is d_model ÷ 2), less with a "
    "neighbour ({near}), and less again further on, in waves. Look along the diagonals: the "
    "colour stays the same. The product depends on the distance alone, so “two words back” "
    "looks alike at the beginning and at the end of a sentence."
)
DOTS_READ: Final = N_(
    "The grey curve is the formula, the dots are the products of the captured vectors; they "
    "differ by {difference} at most."
)

LOST_TITLE: Final = N_("What is lost without positions")
LOST: Final = N_(
    "Now take the positions away. The model below is the one you have used all along, run four "
    "times: your words in their order and in another one, first with their positions, then "
    "with zeros in the place of every p."
)
ORDER_HELP: Final = N_("In which order the model reads your words the second time.")
SEED_HELP: Final = N_("Another number shuffles the words in another way.")
LOST_READ: Final = N_(
    "Without positions, each word's output is the same in both orders: they differ by {without} "
    "at most, which is rounding. The encoder gave the same set of vectors; they only stand in "
    "another order. With positions, each word's two outputs differ by {with_least} to "
    "{with_most}: now the order counts."
)
LOST_NONE: Final = N_(
    "This model has no positions, so there is nothing to take away: both ways each word's "
    "output is the same in both orders, up to {without}."
)
LOST_SAME: Final = N_(
    "These words read the same in the other order. Choose another order, or another sentence, "
    "to see the difference in what the model is told."
)
LOST_WORD: Final = N_(
    "The encoder's output for “{word}”, {d} numbers, in the four runs. Compare the grey strips "
    "with each other, then the green ones."
)
LOST_MEANING: Final = N_(
    "And this is what the decoder writes, greedily, over each of the four outputs. It has never "
    "seen a sentence without positions, so it may go astray; but without them it has no way to "
    "tell the two orders apart."
)

TASK: Final = N_(
    "The dot product of positions {a} and {b} is {value}. Which other two positions have "
    "exactly the same?"
)
TASK_RIGHT: Final = N_(
    "Yes: {pairs} gives {value} as well. They are just as far apart: {distance} places."
)
TASK_WRONG: Final = N_(
    "Their product is {other}, not {value}. Look along a diagonal of the heatmap: what do the "
    "two positions there have in common?"
)
