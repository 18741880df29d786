"""What the chapter on many heads says."""

from typing import Final, NamedTuple

from app.i18n import N_

INTRO: Final = N_(
    "One head can look for one thing at a time. So each layer has several, side by side, each free "
    "to look elsewhere."
)

SPLIT_TITLE: Final = N_("One token, many queries")
SPLIT: Final = N_(
    "“{word}” has a vector of {d_model} numbers. $W_Q$ turns it into {d_model} others, which are "
    "cut into {heads} queries of d_k = {d_k}, one for each head. Keys and values are cut the same "
    "way."
)

LOOK_NAME: Final = N_("What one token looks at")
LOOK_TITLE: Final = N_("What does “{word}” look at?")
LOOK: Final = N_(
    "One row for each head of layer {layer}. Head {sharp} is the sharpest: {sharp_weight} on "
    "“{sharp_word}”. Head {broad} spreads its attention most: at most {broad_weight} on one token."
)
LOOK_AGREE: Final = N_("Their favourites are {n} different tokens: training chose.")
LOOK_ONE: Final = N_(
    "This model has one head: it gives {sharp_weight} of its attention to “{sharp_word}”."
)
ALL_TITLE: Final = N_("All heads at once")
ALL: Final = N_(
    "Every head of every layer, for the whole sentence: a row looks, a column is looked at. Choose "
    "a head to go there."
)


class Pronoun(NamedTuple):
    """Two sentences that differ in who is meant, and the words that decide."""

    animal: str  # the sentence about the animal
    street: str  # the one about the street
    heads: tuple[str, str]  # the word that stands for the one or the other
    things: tuple[str, str]  # the animal and the street


# Spanish leaves the pronoun out: the verb stands for it.
PRONOUNS: Final = {
    "es": Pronoun(
        "El animal no cruzó la calle porque estaba muy cansado",
        "El animal no cruzó la calle porque era muy ancha",
        ("estaba", "era"),
        ("animal", "calle"),
    ),
    "fr": Pronoun(
        "L'animal n'a pas traversé la rue parce qu'il était trop fatigué",
        "L'animal n'a pas traversé la rue parce qu'elle était trop large",
        ("il", "elle"),
        ("animal", "rue"),
    ),
}
PRONOUN_TITLE: Final = N_("Who was tired? And if the street is meant?")
PRONOUN: Final = N_(
    "“{sentence}”: to understand “{verb}”, one must know who is meant. Each cell is what “{verb}” "
    "gives to one word in one head. Layer {layer}, head {head} gives “{animal}” the most: {weight}."
)
TWIN: Final = N_("Now “{sentence}”: what “{verb}” stands for is the street.")
TWIN_SAYS: Final = N_(
    "“{animal}” gets {first}, “{street}” {second}, added up over all heads. The picture shows "
    "where heads look, not what the model understood."
)
IT_TITLE: Final = N_("Where does “it” come from?")
IT: Final = N_(
    "“{output}” To write “{it}”, {n} of the {heads} heads of decoder layer {layer} looked most at "
    "“{verb}”."
)
IT_VERB: Final = N_("Spanish leaves the pronoun out, and the verb carries it.")
TO: Final = N_("from “{verb}” to “{word}”")
LOST: Final = N_("This model cuts the example into other tokens, so its words cannot be found.")

JOIN: Final = N_(
    "Each head made a z of d_k = {d_k} numbers for “{word}”. Put in one row, Z₁ to Z{last} have "
    "{heads} × {d_k} = {d_model} numbers, as many as x. (Lectures that count from 0 call our Z₁ "
    "Z₀.)"
)
OUT_TITLE: Final = N_("The heads side by side, mixed by W_O")
JOIN_OUT: Final = N_(
    "Side by side, the heads are still separate. The matrix W_O mixes them: every number of the "
    "output takes something from every head."
)

PARTS_TITLE: Final = N_("What each head adds")
PARTS: Final = N_(
    "The product can be taken apart: each head's z meets only its own {d_k} rows of W_O. So the "
    "output is a sum of {heads} vectors, one for each head, and the bias b_O."
)
PARTS_SIZE: Final = N_(
    "Head {most} adds the longest vector to “{word}”: {most_size}; head {least} the shortest: "
    "{least_size}. Vectors partly cancel, so lengths do not add up. What each adds *in the "
    "direction of the output* does: with the bias, that makes {total}, the output's length."
)
PARTS_ONE: Final = N_(
    "The only head adds a vector of length {most_size} to “{word}”. In the direction of the "
    "output, it and the bias make {total}, the output's length."
)
LENGTH: Final = N_("length of what it adds")
ALONG: Final = N_("part in the direction of the output")

RECAP_TITLE: Final = N_("All of it, in five steps")
RECAP: Final = N_(
    "**1** The sentence as tokens. **2** A vector each: X. **3** Each of the {heads} heads "
    "multiplies X by its own W_Q, W_K and W_V. **4** It attends: softmax(Q Kᵀ ÷ √d_k) V = Z. **5** "
    "Z₁ to Z{last} side by side, times W_O, are the output, as wide as X."
)
RECAP_FIRST: Final = N_("In layer 1, X is made of embeddings and positions.")
RECAP_LATER: Final = N_(
    "From layer 2 on no embedding is needed: X comes from the layer before (the lectures call it "
    "R)."
)
RECAP_NEXT: Final = N_("The dotted frame is head {head}.")

MYTH: Final = N_("Each head has one job: one finds the next word, another the subject, and so on.")
MYTH_TRUTH: Final = N_(
    "Then a head's largest weights would follow one rule. But of the {heads} heads of layer "
    "{layer}, {strict} keep one distance for all {n} tokens of your sentence; head {head} looks "
    "most at {distances} different distances. Some heads follow a pattern; few have a role, and it "
    "changes with the sentence."
)

ASK: Final = N_("Layer {layer}: in which head does “{word}” look most at “{looked_at}”?")
ASK_ONE: Final = N_("Layer {layer}: at which token does “{word}” look most?")
RIGHT: Final = N_("Yes: there its weight is {weight}; the next head gives it {second}.")
RIGHT_ONE: Final = N_("Yes: its weight is {weight}.")
WRONG: Final = N_(
    "Not there. Open “What does “{word}” look at?” and go down the column of “{looked_at}” to its "
    "largest number."
)
REASON: Final = N_(
    "There, “{looked_at}” gets {weight}; another head gives it more. Go down its column in “What "
    "does “{word}” look at?”."
)
WRONG_ONE: Final = N_("Not that one: find the largest number in “What does “{word}” look at?”.")

CODE_SPLIT: Final = N_("Cutting a vector into heads")
CODE_JOIN: Final = N_("Attending in all heads at once, and joining them")
CODE_PART: Final = N_("What each head adds")
