"""What chapter 9 says: the decoder at work, one token at a time."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "You have met every part; now watch them work. The encoder reads your sentence once. The "
    "decoder writes one token at a time: before each one, it reads all that it has written so far. "
    "A model that reads its own output is called *autoregressive*. Press Play, or move the slider."
)

ENCODER: Final = N_("{n} × encoder layer")
DECODER: Final = N_("{n} × decoder layer")
WORKS_ONCE: Final = N_("works now, for the only time")
WORKED: Final = N_("has done its work")
WAITS: Final = N_("waits for the memory")
WORKS: Final = N_("step {n}")
MEMORY: Final = N_("memory")
KEYS_VALUES: Final = N_("K, V")
NOT_YET: Final = N_("nothing yet")

ENCODE_TITLE: Final = N_("Time 0: the encoder reads the sentence")
ENCODE: Final = N_(
    "The encoder reads all {n} tokens at once and leaves one vector of {d_model} numbers for each: "
    "the memory. From it, every decoder layer makes its keys K and values V."
)
ENCODE_HEAD: Final = N_("Shown: K and V of decoder layer 1, head {head}.")
ENCODE_ASK: Final = N_(
    "The decoder takes {n} steps to write your translation. How often does the encoder run?"
)
ENCODE_ONCE: Final = N_("Once")
ENCODE_EACH: Final = N_("Once for each step of the decoder")
ENCODE_LAYER: Final = N_("Once for each decoder layer")
ENCODE_SAYS: Final = N_(
    "It runs once. Whatever the decoder writes later, the memory and its keys and values stay as "
    "they are."
)

STEP_TITLE: Final = N_("What goes in, and what comes out")
FIRST: Final = N_(
    "At step 1 nothing is written yet. The decoder reads only {word}, the token that begins every "
    "translation. Its vector x is its embedding plus its position."
)
NEXT: Final = N_(
    "At step {n} the decoder reads what it has written. New is {word}, which came out of step "
    "{before}: its vector x is its embedding plus its position. The keys and values of earlier "
    "tokens are kept, so only this one vector goes through the layers."
)

BACK: Final = N_("Where it looks: back at what it wrote, over at the source")
BACK_TEXT: Final = N_(
    "**Masked self-attention**: in every layer, {word} looks back at the tokens written so far, "
    "itself included. Each strip is one layer of the chosen head, and adds up to 1. Largest "
    "weights: {list}."
)
OVER_TEXT: Final = N_(
    "**Encoder-decoder attention**: then {word} looks over at the source, through the keys and "
    "values of the memory. This is where the translation learns what to say next. Largest weights: "
    "{list}."
)
MEAN_CELLS: Final = N_(
    "The mean over the heads is our summary; the model has no such number. Choose one head to ask "
    "where a cell comes from."
)

LIKELIEST: Final = N_("The likeliest token is {word}, with {p}, and it is taken.")
NOT_LIKELIEST: Final = N_(
    "{word} is taken, with {p}, although {top} is likelier here, with {q}: by way of {word}, the "
    "beam found a better sentence as a whole."
)
NEVER: Final = N_(
    "{word} is taken, with {p}. {top} is more likely, with {q}, but is never written: it only "
    "marks the beginning of a sentence or pads a batch."
)
FORCED: Final = N_(
    "{word} is taken, with {p}, although {top} is likelier, with {q}: this model ends each "
    "sentence that reaches the longest allowed length."
)
DRAWN: Final = N_("{word} is taken, with {p}: it was drawn by chance. The likeliest is {top}, {q}.")
TAIL: Final = N_("The other {n} tokens of the vocabulary have no bar here; together they have {p}.")
ENDED: Final = N_("The end sign came out: the sentence is complete, and the decoder stops.")
CUT_OFF: Final = N_(
    "The model did not end the sentence by itself: here the longest allowed length was reached."
)

LOOP_TITLE: Final = N_("Greedy decoding, as a loop")
LOOP: Final = N_(
    "Here is all of greedy decoding: read what is written so far, take the likeliest token, append "
    "it, and stop at `<eos>`. We ran these lines on your sentence: the loop ran **{n}** times."
)
LOOP_LIMIT: Final = N_(
    "Here is all of greedy decoding: read what is written so far, take the likeliest token, append "
    "it, and stop at `<eos>`. We ran these lines on your sentence. `<eos>` never came, so they "
    "stopped after **{n}** rounds, the longest allowed length."
)
LOOP_WROTE: Final = N_("What the loop wrote")

SUMS_TITLE: Final = N_("How likely is a whole sentence?")
SUMS: Final = N_(
    "A translation is as likely as the product of its tokens' probabilities. Such products soon "
    "get tiny, so we add up logarithms: the log of a product is the sum of the logs. Your {n} "
    "tokens come to {total}, so the whole translation has p = e^({total}) = {p}."
)

WAYS: Final = N_(
    "The model gives probabilities; something has to choose. Greedy decoding takes the likeliest "
    "token at every step and never looks back. Beam search keeps the {width} best beginnings, "
    "continues all of them, and decides at the end."
)
WAYS_ASK: Final = N_(
    "Greedy decoding and a beam of {width} both translate your sentence. Do they write the same?"
)
WAYS_SAME: Final = N_("Yes, the same")
WAYS_APART: Final = N_("No, they differ")
WAYS_SAYS_SAME: Final = N_("Here they write the same.")
WAYS_SAYS_APART: Final = N_("They differ here, from step {n} on.")

TREE_TITLE: Final = N_("The beam's tree of hypotheses")
TREE: Final = N_(
    "Every beginning that the beam keeps is a *hypothesis*. Its score is the sum of its log p, "
    "divided by its length. At each step, those of the {width} best that end with `<eos>` are set "
    "aside as finished, and the {width} best others go on. The search stops when none of these "
    "could overtake any more, even if all further tokens, up to {limit} in all, cost nothing; the "
    "finished hypothesis with the best score wins. Greedy decoding follows a single branch."
)

BRANCH_TITLE: Final = N_("A word that was not taken")
BRANCH: Final = N_(
    "A beam of {width} forgets all but {width} beginnings a step. Choose one that it gave up, and "
    "the same search goes on from there. Any other word shows what else could have followed."
)
BRANCH_ASK: Final = N_(
    "At step {n} the beam gave up “{word}”. It now goes on from there. Will it find a translation "
    "that scores higher than “{best}”?"
)
BRANCH_YES: Final = N_("Yes, a better one")
BRANCH_NO: Final = N_("No, none better")
BRANCH_SAYS: Final = N_("It comes to “{text}”, with a score of {score} against {own}.")

BEGIN_TITLE: Final = N_("Begin the translation yourself")
BEGIN: Final = N_(
    "Type how it has to begin: until your letters are written, all other tokens are struck out. "
    "The last word may be half a word, which the model ends; after a blank, a new word begins."
)
BEGIN_FIELD: Final = N_("The translation begins with")
BEGIN_FORCED: Final = N_("Forced")
BEGIN_NOTHING: Final = N_("Type one letter at least, and not more than the model can write.")
BEGIN_BY_YOU: Final = N_("As you begin it")
BEGIN_OWN: Final = N_("The beam's own")
BEGIN_SCORE: Final = N_("log p {total}, score {score}")
BEGIN_TREE: Final = N_("The search from your beginning, as a tree")

WANTED_TITLE: Final = N_("Where did the beam lose it?")
WANTED: Final = N_(
    "Type a translation that you had hoped for. It goes on in the beam as long as its sum of log p "
    "is among the {width} best of the step."
)
WANTED_FIELD: Final = N_("The translation you had hoped for")
WANTED_NOTHING: Final = N_("Type a translation, not longer than the model can write.")
WANTED_LOST: Final = N_(
    "The beam lost it at **step {n}**: “{word}” made it **number {rank}**, and only {width} go on."
)
WANTED_WON: Final = N_("It is what the beam of {width} writes.")
WANTED_KEPT: Final = N_("The beam of {width} wrote it to its end, but another one scored higher.")
WANTED_STOPPED: Final = N_(
    "The beam of {width} never dropped it: it stopped at step {n}, before this one was complete, "
    "since none that was still open could win."
)
WANTED_WIDTH: Final = N_("The smallest beam that writes it to its end has a width of **{w}**.")
WANTED_NO_WIDTH: Final = N_("We tried every width up to {widest}: none writes it to its end.")
WANTED_MODEL: Final = N_(
    "Its score is {score}, the winner's {own}: the model itself prefers the winner, which is no "
    "fault of the search."
)
WANTED_SEARCH: Final = N_(
    "Its score is {score}, the winner's {own}: to the model it is the better one, and it was the "
    "search that missed it."
)
WANTED_TRY: Final = N_("Search with a width of {w}")
WANTED_SUM: Final = N_("sum of log p")
WANTED_LINE: Final = N_("the wanted one, with its rank")
WANTED_LAST: Final = N_("the last that goes on")
WANTED_CHART: Final = N_("The wanted translation, with its ranks, and the last that goes on")
RANK: Final = N_("rank")

LOOKS_TITLE: Final = N_("Every hypothesis looks for itself")
LOOKS: Final = N_(
    "A hypothesis reads its own words, not the winner's. So it has a past of its own to look back "
    "at, and its own looks over at the source. Choose one: every cell is of its own run."
)

MYTH: Final = N_(
    "Greedy decoding takes the likeliest token at every step, so it finds the likeliest sentence."
)
MYTH_TRUTH: Final = N_(
    "For “{text}”, greedy decoding writes “{greedy}”, with log p = {greedy_total} in all. The beam "
    "writes “{beam}”, with {beam_total}: {times} times as likely, for the same model. A token that "
    "is likeliest now can lead to a sentence that is not."
)
MYTH_SAME: Final = N_(
    "Greedy decoding never goes back: a token that is likeliest now can lead to a sentence that is "
    "not. Your sentence gives no example, since the beam found nothing likelier than greedy "
    "decoding's log p = {greedy_total}. Try a longer or rarer one."
)

TASK: Final = N_(
    "At which of these steps was the model least sure of the token that it wrote? Go through “What "
    "goes in, and what comes out” and compare the marked bars."
)
OPTION: Final = N_("step {n}: “{word}”")
RIGHT: Final = N_("Yes: at step {n}, “{word}” had a probability of only {p}.")
WRONG: Final = N_("Another token had a lower probability when it was taken.")
REASON: Final = N_("At step {n}, “{word}” had {p}. Another of these tokens had less.")
