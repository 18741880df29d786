"""Chapter 7: what the page says about the two masks."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "The decoder writes word by word: when it is about to write the fourth word, the fifth does "
    "not exist yet. In training, however, the whole translation is there at once, so that all its "
    "words can be learned in one pass. The mask makes the two alike: each word may look at itself "
    "and at what came before it, and never ahead."
)

ROW_TITLE: Final = N_("One word and its future")
ROW: Final = N_(
    "“{word}” scores {score} against “{later}”, which comes after it. The mask puts −∞ in the "
    "place of that score. The softmax takes e to the power of each score, and e to the power of "
    "−∞ is 0: the weight is exactly 0, and the words that are left share the whole 1."
)
LAST: Final = N_(
    "“{word}” is the last word: nothing comes after it, so the mask takes nothing away from it. "
    "Choose an earlier word to see −∞."
)
WHY: Final = N_(
    "Why −∞, why before the softmax? Here are three ways to hide the future from “{word}”. Only "
    "the first works. A score of 0 forbids nothing, for e to the power of 0 is 1: {zero} of the "
    "attention would still go to later words. Erasing the weights afterwards leaves a row that "
    "adds up to {after} and no longer to 1."
)
WHOLE_TITLE: Final = N_("All words at once")
WHOLE: Final = N_(
    "The same for every word at once: {shut} of the {cells} scores become −∞, all of those above "
    "the diagonal. The first row is left with one word, itself, so its weight is 1; the last row "
    "sees everything."
)

BATCH_TITLE: Final = N_("The padding mask, and both together")
BATCH: Final = N_(
    "There is a second mask. Sentences go through the model many at a time, as one block of "
    "numbers, so all of them must be equally long: the shorter ones are filled up with `<pad>`. "
    "Here your sentence shares a batch with a longer one, and the model really ran on both."
)
NO_PADDING: Final = N_(
    "Your sentence is as long as this model can read: none is longer, so it gets no padding."
)
TOGETHER: Final = N_(
    "The decoder uses both masks. For your sentence they are these: a row is a word that looks, "
    "filled where it may look, crossed where it may not. A cell stays open only if both masks "
    "leave it open. Your own words are already kept away from the padding by the causal mask, as "
    "the padding comes after them."
)
ENCODER: Final = N_(
    "Wherever source words are looked at, there is no causal mask, and the padding mask does all "
    "the work. With it, your sentence gets the same probabilities beside another sentence as "
    "alone: the largest difference is {apart}. Without it, “{word}” gives {share} of its attention "
    "to `<pad>`, which means nothing, and the probabilities change by up to {open}."
)

PEEK_TITLE: Final = N_("Take the mask away")
PEEK: Final = N_(
    "Now the same model runs once more, on the same words, but without the causal mask. In the "
    "second picture, cells above the diagonal light up: “{word}” spends {share} of its attention "
    "on words that are not written yet."
)
CHANGE: Final = N_(
    "Looking ahead is cheating, and here is the proof. Put another word at one place: does the "
    "model now predict something else *before* that place?"
)
EFFECT: Final = N_(
    "With the mask, nothing before “{word}” can know of the change: the largest difference among "
    "all earlier probabilities is {masked}. Without it, earlier probabilities change by up to "
    "{open}: after “{reads}”, “{next}” had the probability {before}; once “{word}” is "
    "“{instead}”, it has {after}."
)
TRAINED: Final = N_(
    "The peeking does not make this model better: it was trained with the mask and never learned "
    "what to do with words from the future. A model trained without the mask would learn to copy "
    "the next word, and would then be helpless when it has to write, for there is no next word yet."
)
ALONE: Final = N_(
    "The decoder has only read `<bos>` here, so there is no future to hide. Type a longer sentence."
)

ASK: Final = N_(
    "Without the mask, in layer {layer}, head {head}: which later word would “{word}” look at most?"
)
RIGHT: Final = N_("Yes: “{word}” would get {weight}. With the mask it gets exactly 0.")
WRONG: Final = N_(
    "Not that one. Find the row of “{word}” in the picture without the mask, and there the "
    "strongest cell to the right of the diagonal."
)
COUNT: Final = N_("How many of the scores does the mask turn into −∞ here?")
COUNT_RIGHT: Final = N_("Yes: a word may always look at itself.")
COUNT_WRONG: Final = N_("Not so: a word may always look at itself.")

# Pairs to share a batch with, as in training: the first that is longer on both sides is taken.
LONGER: Final = (
    "My mother is learning how to swim in the sea.",
    "My mother says that it is easy to learn to swim in the sea.",
    "When we got to the station there was nobody left, so we walked back home in the rain with all "
    "the suitcases.",
    "When we finally got to the station there was nobody left, because the last train had already "
    "gone, so we left our suitcases with the man at the hotel and walked through the old town in "
    "the rain until we found a small place that was still open.",
)
SPANISH: Final = (
    "Mi madre aprende a nadar en el mar.",
    "Mi madre dice que es fácil aprender a nadar en el mar.",
    "Cuando llegamos a la estación ya no había nadie, así que volvimos a casa andando bajo la "
    "lluvia con todas las maletas.",
    "Cuando por fin llegamos a la estación ya no quedaba nadie, porque el último tren ya había "
    "salido, así que dejamos las maletas al hombre del hotel y anduvimos por el casco antiguo bajo "
    "la lluvia hasta que encontramos un sitio que seguía abierto.",
)
FRENCH: Final = (
    "Ma mère apprend à nager dans la mer.",
    "Ma mère dit qu'il est facile d'apprendre à nager dans la mer.",
    "Quand nous sommes arrivés à la gare, il n'y avait plus personne, alors nous sommes rentrés à "
    "pied sous la pluie avec toutes les valises.",
    "Quand nous sommes enfin arrivés à la gare, il n'y avait plus personne, parce que le dernier "
    "train était déjà parti, alors nous avons laissé nos valises à l'homme de l'hôtel et marché "
    "dans la vieille ville sous la pluie jusqu'à trouver un petit endroit encore ouvert.",
)
PAIRS: Final = {
    ("es", "en"): (
        ("Hoy hace mucho frío en casa.", "It is very cold at home today."),
        *zip(SPANISH, LONGER, strict=True),
    ),
    ("fr", "en"): (
        ("Il fait très froid aujourd'hui.", "It is very cold today."),
        *zip(FRENCH, LONGER, strict=True),
    ),
}
