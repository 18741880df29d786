"""What the page on words as vectors says; translated where it is shown."""

from collections.abc import Mapping
from typing import Final, Literal

from app.i18n import N_

INTRO: Final = N_(
    "A network multiplies and adds numbers. A picture is numbers from the start; a word is not. "
    "This is how words became numbers that say something: first a number for each letter, then "
    "one place for each word, and in 2013 a vector that is learned from the company a word keeps."
)

PICTURE_TITLE: Final = N_("A picture is numbers already")
PICTURE: Final = N_(
    "{height} × {width} greys, from 0 (black) to 255 (white). Make it a little brighter, and all "
    "numbers change a little: pictures that look alike are numbers that are alike."
)
BYTES: Final = N_(
    "A computer stores a word as bytes, one or more for each letter. They spell the word, and say "
    "nothing of what it means: “king” and “ring” differ in one byte, “king” and “queen” have none "
    "in the same place."
)
WORD_HELP: Final = N_("Any word. If our small text uses it, you also see its vectors below.")
NO_WORD: Final = N_("Type a word to see its bytes.")
OTHER_HELP: Final = N_("The word that yours is compared with.")

ONE_HOT_TITLE: Final = N_("One place for each word")
ONE_HOT: Final = N_(
    "Write down all words in a list, here the {n} words of a small text. A word is then a vector "
    "with {n} numbers: 1 in its own place, 0 everywhere else. That is a one-hot vector."
)
ONE_HOT_PAIR: Final = N_(
    "Counted from 0, “{word}” has its 1 in place {i}, “{other}” in place {j}. Their dot product is "
    "{dot}, their distance {distance}."
)
ONE_HOT_ALL: Final = N_(
    "It is the same for all {pairs} pairs of words: the largest dot product is {dot}, the "
    "smallest distance {least} and the largest {most}. All words are equally far from each "
    "other, so “king” is no nearer to “queen” than to “bread”. And a word that is not in the "
    "list has no place at all."
)
SAME_WORD: Final = N_("Choose two different words to compare them.")
UNKNOWN: Final = N_(
    "Our small text never uses “{word}”, so it has no place in the list and no vector. Try "
    "“king”, “paris” or “puppy”."
)

TRAIN_TITLE: Final = N_("Learn a word by the company it keeps")
TRAIN: Final = N_(
    "We wrote {sentences} short sentences by templates of our own, such as “{one}”, “{two}” and "
    "“{three}”. No sentence says what a word means. But kings and queens sit on thrones, he and "
    "she lose his and her hat, and the templates repeat that. Whatever structure the vectors "
    "find lies in how the words are used, because we put it there."
)
SKIPGRAM: Final = N_(
    "**Skip-gram** is given the word in the middle and guesses a neighbour, up to {window} places "
    "away."
)
CBOW: Final = N_(
    "**CBOW** (continuous bag of words) is given the mean of the neighbours, up to {window} places "
    "away, and guesses the word in the middle."
)
NEGATIVES: Final = N_(
    "To guess among all words would cost too much. So the network only tells the right word from "
    "{negatives} others, drawn at random: **negative sampling**. Right pairs get vectors that "
    "point the same way, drawn ones are pushed apart."
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
TOPIC_HELP: Final = N_("Which words are drawn on the map.")
START_HELP: Final = N_("The word to begin with.")
LESS_HELP: Final = N_("The word whose vector is taken away.")
PLUS_HELP: Final = N_("The word whose vector is added.")
STEP: Final = N_(
    "One step reads {every} sentences; each of its updates is made for one word at a time. So far: "
    "{sentences} sentences, {updates} updates."
)
RESULT: Final = N_(
    "Nearest to {start} − {less} + {plus}: **{found}**, with a cosine of {value}. All analogies "
    "of our list: {right} of {asked} right."
)
TRIED: Final = N_(
    "Trained to the end with the seeds 0, 1, 2, 3 and 4, “queen” is the nearest to king − man + "
    "woman five times out of five, with skip-gram and with CBOW: our tests train all ten. How many "
    "of the other analogies are right depends on the seed."
)
MAP: Final = N_(
    "The plane in which the four marked words differ most: it holds {share} of their differences. "
    "The other words are dropped onto it. It is found anew for every picture."
)
CHANCE: Final = N_(
    "Dashed line, at {chance}: of {words} random directions, not one would reach it in 19 of 20 "
    "cases."
)

LEARNED_TITLE: Final = N_("The same two words, learned")
LEARNED: Final = N_(
    "The vectors of “{word}” and “{other}” as they are now, {size} numbers each instead of {n}. "
    "No number has a meaning of its own: the angle between the vectors counts. Its cosine is "
    "{learned}; of the one-hot vectors it was {one_hot}."
)

UPDATE_TITLE: Final = N_("One update, in numbers")
GIVEN_ONE: Final = N_("The last of the {updates} updates: “{given}” is given, h is its vector.")
GIVEN_MANY: Final = N_(
    "The last of the {updates} updates: {given} are given, h is the mean of their vectors."
)
GUESSED: Final = N_(
    "“{target}” is to be guessed. The others were drawn at random, they should be told from it: "
    "{drawn}."
)
SCORES: Final = N_(
    "Each of these words has a second vector u, for when it is to be guessed. The dot product h·u "
    "is its score s, the sigmoid σ(s) = 1 / (1 + e⁻ˢ) makes a probability of it. The error is what "
    "should have come, 1 or 0, minus σ(s)."
)
CHANGES: Final = N_(
    "The gradient of the loss −log σ(s₀) − Σ log σ(−sₖ) is simple: every u moves by rate × error × "
    "h, and every given vector by rate × Σ error × u, divided by the number of given words. The "
    "rate is {rate} now; it falls as training goes on. Divided by it, the update added:"
)
LOSS_NOW: Final = N_("The loss of this update was {loss}.")

TEST_TITLE: Final = N_("The analogy test")
TEST: Final = N_(
    "Is it luck that one sum comes out right? Every two pairs of a kind make a question: “man” is "
    "to “king” as “woman” is to which word? These are all {asked} questions that the small text's "
    "words make, answered by the vectors as they are now. Right is only the exact word."
)
CATEGORIES: Final = {
    "gender": N_("man, woman"),
    "age": N_("grown-up, child"),
    "cubs": N_("animal, its young"),
    "capitals": N_("country, capital"),
    "tense": N_("today, yesterday"),
}
TRANSLATOR: Final = N_(
    "And a translator that ships with this app? It was never asked for analogies: its vectors were "
    "learned by translating. It is asked the same questions, where it knows all four words as one "
    "piece each, and answers with any of its whole words."
)
MODEL_HELP: Final = N_("Whose word vectors are asked, those of the language it writes.")
MODEL_TOTAL: Final = N_(
    "{name} knows all four words of {asked} of the {questions} questions, and answers {right} of "
    "them rightly."
)
MODEL_NONE: Final = N_("{name} knows none of these questions' words as one piece each.")
PUBLISHED: Final = N_(
    "On the list of {questions} questions published with word2vec in 2013, {name} knows all four "
    "words of {asked} questions, and answers {right} of them rightly: {percent} %. Most of "
    "what it knows there are forms of words (“walk, walked”), which a translator needs."
)

ASK: Final = N_("Which of these words' u moved towards h in the update that is shown?")
RIGHT: Final = N_(
    "Yes: “{target}” was the word to be guessed. Its error 1 − σ(s) = {error} is positive, so a "
    "part of h is added to its vector. The errors of the others, 0 − σ(s), are negative."
)
WRONG: Final = N_("Not that one. A vector moves towards h where its error is positive.")

BY: Final = N_("the update with torch.autograd, cosines and map in NumPy, float64")
PROOF_SCORES: Final = N_("scores of the update")
PROOF_INPUT: Final = N_("change of the given vectors")
PROOF_OUTPUTS: Final = N_("changes of the guessed words' vectors")
PROOF_SUM: Final = N_("cosines with the sum of words")
PROOF_MAP: Final = N_("distances on the map")
