"""What the page on words as vectors says; translated where it is shown."""

from collections.abc import Mapping
from typing import Final, Literal

from app.i18n import N_

INTRO: Final = N_(
    "A network multiplies and adds numbers. First a word was a number for each letter, then one "
    "place in a list. In 2003 Yoshua Bengio and others let a network learn a vector for each word; "
    "in 2013 word2vec made that so fast that everybody could do it."
)

WORD_HELP: Final = N_(
    "Any word. If our small text uses it, you also see its vectors in the next steps."
)
NO_WORD: Final = N_("Type a word to see its vectors.")
OTHER_HELP: Final = N_("The word that yours is compared with.")

ONE_HOT_TITLE: Final = N_("One-hot: all words equally far apart")
ONE_HOT: Final = N_(
    "Write down all words in a list, here the {n} words of a small text. A word is then a vector "
    "with {n} numbers: 1 in its own place, 0 everywhere else. That is a one-hot vector."
)
ONE_HOT_PAIR: Final = N_(
    "“{word}” has its 1 in place {i}, “{other}” in place {j}. Their dot product is {dot}, their "
    "distance {distance}."
)
APART: Final = N_(
    "It is the same for all {pairs} pairs of words: the largest dot product is {dot}, the "
    "distances lie between {least} and {most}. So “king” is no nearer to “queen” than to “bread”. "
    "And a word that is not in the list has no place at all."
)
APART_NAME: Final = N_("distance")
APART_ASK: Final = N_("As one-hot vectors, which word is nearest to “king”?")
APART_EQUAL: Final = N_("all equally far")
APART_RIGHT: Final = N_("Yes: every distance is {distance}.")
APART_WRONG: Final = N_("None is: every distance is {distance}.")
SAME_WORD: Final = N_("Choose two different words to compare them.")
UNKNOWN: Final = N_(
    "Our small text never uses “{word}”, so it has no place in the list and no vector. Try "
    "“king”, “paris” or “puppy”."
)

STORY_TITLE: Final = N_("A story becomes vectors")
STORY: Final = N_(
    "Look up each word of a story in the table of vectors, and it is a matrix: {n} words, {size} "
    "numbers each. “{word}” stands {times} times in it, with the same vector each time: what a "
    "word means next to its neighbours is left to the layers that follow."
)
STORY_NAME: Final = N_("the story")
TEXT_TITLE: Final = N_("Learn a word by the company it keeps")
TEXT: Final = N_(
    "We wrote {sentences} short sentences from templates of our own, such as these. None says what "
    "a word means. But kings and queens sit on thrones, he and she lose his and her hat. Whatever "
    "structure the vectors find lies in how words are used, because we put it there."
)

GIVEN_BOX: Final = N_("given")
GUESSED_BOX: Final = N_("guessed")
SKIPGRAM: Final = N_(
    "**Skip-gram** is given the word in the middle and guesses each neighbour, up to {window} "
    "places away: {pairs} examples here."
)
CBOW: Final = N_(
    "**CBOW** (continuous bag of words) is given the mean of the neighbours, up to {window} places "
    "away, and guesses the word in the middle: {pairs} example here."
)
NEGATIVES: Final = N_(
    "To guess among all words would cost too much. So the network only tells the right word from "
    "{negatives} others, drawn at random: **negative sampling**."
)
TRAIN_TITLE: Final = N_("Watch the vectors form")
TRAIN: Final = N_(
    "All vectors begin at random. The right word's moves towards the given ones, the drawn ones' "
    "move away. Diamonds on the map: {start} − {less} + {plus}, and the nearest to it."
)
NEAR_TITLE: Final = N_("Who is near?")
NEAR: Final = N_(
    "Whose vectors point most nearly the same way as that of “{word}”? Train on, and see."
)
SUM_TITLE: Final = N_("Arithmetic with words")
SUM: Final = N_(
    "Start from one vector, subtract a second, add a third: which other word is nearest to the "
    "result?"
)
KINDS: Final[Mapping[Literal["skipgram", "cbow"], str]] = {
    "skipgram": N_("Skip-gram"),
    "cbow": N_("CBOW"),
}
KIND_HELP: Final = N_("Which word is guessed from which.")
SEED_HELP: Final = N_("Another number begins with other random vectors, and draws other words.")
TOPICS: Final = {
    "people": N_("People"),
    "lands": N_("Countries and capitals"),
    "animals": N_("Animals and their young"),
    "verbs": N_("Verbs, today and yesterday"),
}
FIND_HELP: Final = N_("It is drawn on the map as a diamond, whatever its topic; type to search.")
TOPIC_HELP: Final = N_("Which words are drawn on the map.")
START_HELP: Final = N_("The word to begin with.")
LESS_HELP: Final = N_("The word whose vector is taken away.")
PLUS_HELP: Final = N_("The word whose vector is added.")
RESULT: Final = N_(
    "Nearest to {start} − {less} + {plus}: **{found}**, with a cosine of {value}. Of all {asked} "
    "analogies of our list, {right} are right."
)
UNTRAINED: Final = N_(
    "The vectors have read {sentences} of {whole} sentences only. Train on, and watch the answer "
    "change."
)
TRIED: Final = N_(
    "Trained to the end with the seeds 0 to 4, “queen” is nearest to king − man + woman five times "
    "out of five, with skip-gram and with CBOW: our tests train all ten. How many of the other "
    "analogies are right depends on the seed."
)
MAP: Final = N_(
    "The plane in which the marked words differ most ({share} of their differences); the others "
    "are projected onto it. Each picture has a plane of its own."
)
CHANCE: Final = N_(
    "Dashed line, at {chance}: of {words} random directions, not one would reach it in 19 of 20 "
    "cases."
)

LEARNED: Final = N_(
    "The vectors of “{word}” and “{other}” as they are now: {size} numbers each instead of {n}. No "
    "number has a meaning of its own; the angle between the vectors counts. Its cosine is "
    "{learned}; of the one-hot vectors it was {one_hot}."
)

UPDATE_TITLE: Final = N_("One update: scores, errors, and what changes")
GIVEN_ONE: Final = N_("The last of the {updates} updates: “{given}” is given, h is its vector.")
GIVEN_MANY: Final = N_(
    "The last of the {updates} updates: {given} are given, h is the mean of their vectors."
)
GUESSED: Final = N_(
    "“{target}” is to be guessed; {drawn} were drawn at random. Each of these has a second vector "
    "u, for when it is guessed: the dot product h·u is its score s."
)
SCORES: Final = N_(
    "The sigmoid σ(s) = 1 / (1 + e⁻ˢ) turns each score into a probability. The error is what "
    "should have come, 1 or 0, minus σ(s). The loss of this update was {loss}."
)
CHANGES: Final = N_(
    "Every u moves by rate × error × h, every given vector by rate × Σ error × u, divided by the "
    "number of given words: below, without the rate, {rate} now."
)

TEST_TITLE: Final = N_("The analogy test")
TEST: Final = N_(
    "Is it luck that one sum comes out right? Every two pairs of a kind make a question: “man” is "
    "to “king” as “woman” is to which word? These are all {asked} questions that the words of the "
    "small text make, asked of the vectors as they are now; only the exact word is right."
)
CATEGORIES: Final = {
    "gender": N_("man, woman"),
    "age": N_("grown-up, child"),
    "cubs": N_("animal, its young"),
    "capitals": N_("country, capital"),
    "tense": N_("today, yesterday"),
}
TRANSLATOR_TITLE: Final = N_("And a translator's vectors?")
TRANSLATOR: Final = N_(
    "A translator that comes with this app learned its vectors by translating, never for "
    "analogies. It is asked the questions whose four words are one token each, and answers with "
    "any of its whole words."
)
MODEL_HELP: Final = N_("Whose word vectors are asked, those of the language it writes.")
MODEL_TOTAL: Final = N_(
    "{name} has a token for all four words of {asked} of the {questions} questions, and answers "
    "{right} of them correctly."
)
MODEL_NONE: Final = N_("{name} has no question whose four words are one token each.")
PUBLISHED: Final = N_(
    "Of the {questions} questions published with word2vec in 2013, {name} can be asked {asked}, "
    "and answers {right} correctly: {percent} %. Most of these are forms of words (“walk, "
    "walked”), which a translator needs."
)

MYTH: Final = N_("Each number of a word's vector stands for something, such as royal or female.")
TRUTH: Final = N_(
    "The first number of “{word}” is {before}. Turn all {words} vectors by one and the same "
    "rotation, and it is {after}; yet the cosine of “{word}” and “{other}” is {cosine} before and "
    "{again} after, and every sum of words has the same answer. Only lengths and angles count."
)

ASK: Final = N_("Which of these words' u moved towards h in the last update?")
RIGHT: Final = N_(
    "Yes: “{target}” was the word to be guessed. Its error 1 − σ(s) = {error} is positive, so a "
    "part of h is added to its vector. The errors of the others, 0 − σ(s), are negative."
)
REASON: Final = N_(
    "“{word}” was drawn at random: its error 0 − σ(s) = {error} is negative, so its u moved away "
    "from h."
)

BY: Final = N_("the update with torch.autograd, cosines and map in NumPy, float64")
PROOF_SCORES: Final = N_("scores of the update")
PROOF_INPUT: Final = N_("change of the given vectors")
PROOF_OUTPUTS: Final = N_("changes of the guessed words' vectors")
PROOF_SUM: Final = N_("cosines with the sum of words")
PROOF_MAP: Final = N_("distances on the map")
