"""Chapter 7: what the page says about the two masks."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "In training, the whole translation is there at once, so that all its tokens are learned in "
    "one pass. When the model translates, it writes token by token: what comes next does not exist "
    "yet."
)

MASK_TITLE: Final = N_("No token may look ahead")
MASK: Final = N_(
    "The causal mask makes the two cases alike: a token may look at itself and at what came "
    "before. Here that leaves {open} of {cells} pairs (filled); those crossed out are forbidden."
)
ROW_TITLE: Final = N_("One token and its future")
ROW: Final = N_(
    "“{word}” scores {score} against “{later}”, which comes after it. The mask puts −∞ in its "
    "place. e to the power of −∞ is 0, so the weight is exactly 0, and the tokens that are left "
    "share the whole 1."
)
LAST: Final = N_(
    "“{word}” is the last token: nothing comes after it, so the mask takes nothing away. Choose an "
    "earlier token to see −∞."
)
WAYS_TITLE: Final = N_("Why −∞, and why before the softmax?")
WAYS: Final = N_("Three ways to hide the future from “{word}”. Only one of them works.")
WAYS_ASK: Final = N_(
    "Suppose the mask wrote 0 instead of −∞ into the scores of later tokens. How much attention "
    "would they get?"
)
WAYS_NONE: Final = N_("None")
WAYS_SOME: Final = N_("Some")
WAYS_SAYS: Final = N_(
    "They would get {zero}: a score of 0 forbids nothing, as e to the power of 0 is 1. And erasing "
    "the weights afterwards leaves a row that adds up to {after}, not to 1."
)
WHOLE: Final = N_(
    "The same for every token: {shut} of the {cells} scores become −∞, all those above the "
    "diagonal. The first row is left with one token, itself; the last row sees everything."
)

BATCH_TITLE: Final = N_("A second mask, for padding")
BATCH: Final = N_(
    "Sentences go through the model many at a time, as one block, so the shorter ones are filled "
    "up with `<pad>`. Here your sentence really shares a batch with a longer one. The decoder "
    "needs both masks: a pair stays open only if both leave it open."
)
NO_PADDING: Final = N_(
    "Your sentence is as long as this model can read: none is longer, so it gets no padding."
)
ENCODER: Final = N_(
    "In the encoder there is no causal mask: the padding mask does all the work. Without it, "
    "“{word}” would give {share} of its attention to `<pad>`, and probabilities would change by up "
    "to {open}. With it, the largest difference to your sentence alone is {apart}."
)

PEEK_TITLE: Final = N_("Take the mask away")
PEEK: Final = N_(
    "The same model reads the same tokens once more, without the causal mask. Cells above the "
    "diagonal light up: “{word}” spends {share} of its attention on tokens that are not written "
    "yet."
)
CHANGE_TITLE: Final = N_("The proof that it looks ahead")
CHANGE: Final = N_(
    "Put another token at one place: does the model predict something else *before* that place?"
)
EFFECT: Final = N_(
    "With the mask, earlier probabilities change by {masked}. Without it, by up to {open}: after "
    "“{reads}”, “{next}” had {before}; once “{word}” is “{instead}”, it has {after}."
)
ALONE: Final = N_(
    "The decoder has only read `<bos>` here, so there is no future to hide. Type a longer sentence."
)

MYTH: Final = N_("Without the mask, the model would see more, and so translate better.")
MYTH_TRUTH: Final = N_(
    "This model gives its own next token a probability of {before} on average; without the mask it "
    "is {after}. It never learned to use tokens from the future. A model trained without the mask "
    "would learn to copy the next token, and would be helpless when it writes: there is no next "
    "token yet."
)

ASK: Final = N_(
    "Without the mask, in layer {layer}, head {head}: which later token would “{word}” look at "
    "most?"
)
RIGHT: Final = N_("Yes: “{word}” would get {weight}. With the mask it gets exactly 0.")
WRONG: Final = N_(
    "Not that one. Open “Take the mask away”, find the row of “{word}” without the mask, and there "
    "the strongest cell to the right of the diagonal."
)
REASON: Final = N_(
    "“{later}” would get {weight}; another later token gets more. Open “Take the mask away” and "
    "find the row of “{word}”."
)
COUNT: Final = N_("How many of the scores does the mask turn into −∞ here?")
COUNT_RIGHT: Final = N_("Yes: a token may always look at itself.")
COUNT_WRONG: Final = N_("No: a token may always look at itself.")

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
