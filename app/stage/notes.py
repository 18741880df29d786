"""What a teacher may ask the class at each stop: only the second window shows it."""

from collections.abc import Mapping
from typing import Final

from app.i18n import N_

NOTES: Final[Mapping[str, str]] = {
    "sentence": N_(
        "Ask for a sentence of theirs and type it. Which of its words will be hard to translate, "
        "and which other words help?"
    ),
    "tokens": N_(
        "Ask: why pieces and not words? A rare word would not be in the list; its pieces are. Type "
        "an invented word to see it cut."
    ),
    "vectors": N_(
        "Ask: do two equal words get equal vectors? Yes, here still. What could not be learned if "
        "that stayed so?"
    ),
    "position": N_(
        "Ask: what if nothing were added? “Dog bites man” and “man bites dog” would be the same "
        "set of vectors."
    ),
    "who": N_("Let them guess first: which word does this one need most? Then show the lines."),
    "qkv": N_(
        "A library helps: the query is what you ask for, the key is the label on the back of a "
        "book, the value is what stands in it."
    ),
    "score": N_(
        "Open one cell and let them add up two products by hand. Large where both numbers are "
        "large and have the same sign."
    ),
    "softmax": N_(
        "Drag the temperature: what happens near 0, and what when it is high? Ask why nothing ever "
        "gets exactly 0."
    ),
    "sum": N_(
        "Ask: what would the sum be if one share were 100 %? That word's value, and nothing of the "
        "others."
    ),
    "rows": N_(
        "Ask which axis asks and which is asked. Each row adds up to 100 %; a column need not."
    ),
    "heads": N_(
        "Let groups choose one head each and say in a sentence what it does. Not every head has an "
        "answer, and that is a true one."
    ),
    "join": N_(
        "Ask: why add and not replace? What was known is kept, and gradients find a short way back."
    ),
    "feed-forward": N_(
        "Two thirds of a layer's weights are here. Ask: can a word learn anything about another "
        "one at this point? No."
    ),
    "layers": N_(
        "Ask: what can a second layer do that the first cannot? Its words already know something "
        "of each other."
    ),
    "mask": N_(
        "Open the mask and ask: would it translate better now? In training it would only copy what "
        "it should have guessed."
    ),
    "memory": N_(
        "Ask: the row has read one word and writes the next; at which word of the source should it "
        "look? At the one that comes next."
    ),
    "words": N_(
        "Ask how sure the model is, and what else it thought of. Here another decoding would "
        "choose another word."
    ),
    "loop": N_(
        "Count together: how often did the decoder run, and how often the encoder? Once for each "
        "token, and once in all."
    ),
    "answer": N_(
        "Put in a wrong word and watch its bar. Ask: why does the decoder read the right words and "
        "not its own? All rows can learn at once."
    ),
    "loss": N_(
        "Ask: what is the loss if the right word gets 100 %? And 50 %? 0 and 0.69: write −log p "
        "on the board."
    ),
    "training": N_(
        "Ask who drew this map. Nobody: it appeared because it lowers the loss. Look at what it "
        "wrote at the beginning."
    ),
    "journey": N_(
        "Let them tell the way in their own words, a station each. Then change one thing together "
        "on What if."
    ),
}
