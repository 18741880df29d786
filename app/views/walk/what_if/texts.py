"""What the chapter on experiments says; translated where it is shown."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "You have watched the model work. To learn what a part is for, change that part and run the "
    "model again. Every answer on this page is such a second run of your sentence, an "
    "intervention."
)
PICK_ABOUT: Final = N_("What counts")
WHOLE_SENTENCE: Final = N_("the whole translation")
ONE_TOKEN: Final = N_("one token")

# Both runs, and what they have in common.
NO_CHANGE: Final = N_("Every token of the translation is exactly as probable as before.")
CHANGE: Final = N_(
    "log p of the original translation: {before} before, {after} after. The token that changes "
    "most is “{word}”: p = {p} becomes {then}, a change of log p by {change}."
)
LONGER: Final = N_("The words stay the same here. A longer sentence has more to lose: “{sentence}”")
QUESTION: Final = N_("The question")
QUESTIONS_TITLE: Final = N_("Change one part: what was it for?")
CONTROL_TITLE: Final = N_("First, the control")
CONTROL: Final = N_(
    "First a control: the scores before every softmax are divided by a temperature of 1, which "
    "changes nothing. Of the {n} numbers of the run, {differ} differ. So whatever differs "
    "otherwise comes from the change, not from chance."
)

HEAD_TITLE: Final = N_("Which head carries this token?")
HEAD: Final = N_(
    "{n} heads of the encoder-decoder attention look at your sentence while the model writes "
    "“{word}”, with p = {p}. Mute them one at a time, so that a head hands over zeros: an "
    "ablation."
)
HEAD_ASK: Final = N_("Which of these heads does “{word}” miss most?")
HEAD_OPTION: Final = N_("layer {layer}, head {head}: looks at “{key}”, {weight}")
HEAD_SAYS: Final = N_("It is head {head} of layer {layer}.")
HEAD_FOUND: Final = N_(
    "Without head {head} of layer {layer}, log p of “{word}” changes by {change}. Muted one at a "
    "time, the {n} heads of that layer add up to {sum}; all of them muted at once make "
    "{together}."
)
STAND_IN: Final = N_("So they stand in for each other: what one loses, the others still bring.")
NO_STAND_IN: Final = N_("So here no head stands in for another one.")

END_TITLE: Final = N_("What if nobody looks at the end token?")
END: Final = N_(
    "Of all looks that the decoder takes at your sentence, {share} go to “{end}”: rank {rank} "
    "among the {n} tokens, although it means no word. Close it: no head, in the encoder or in "
    "the decoder, may look at it."
)
PAST_TITLE: Final = N_("Does the decoder need its own past?")
PAST: Final = N_(
    "In masked self-attention each token looks back at what was written before it. Let every "
    "token look only at itself. The decoder still reads your sentence, and still knows the place "
    "where it writes."
)
ORDER_TITLE: Final = N_("Does the order of the words matter?")
ORDER: Final = N_(
    "Read the sentence backwards: “{words}”. No token is lost; each one only gets the position "
    "vector of another place."
)
POSITIONS_TITLE: Final = N_("And with no order at all?")
POSITIONS: Final = N_(
    "Now put zeros in place of the position vectors of your sentence. The encoder reads the same "
    "tokens, but as a heap: it cannot know which came first."
)
POSITIONS_LESS: Final = N_(
    "Backwards, log p changed by {wrong}; this changes it by {none}. A wrong order misleads more "
    "than none."
)
POSITIONS_MORE: Final = N_(
    "Backwards, log p changed by {wrong}; this changes it by {none}. No order is no better than "
    "a wrong one here."
)
ONE_TITLE: Final = N_("Does one head suffice?")
ONE: Final = N_(
    "Mute all of the {n} heads in layer {layer} of the encoder-decoder attention but one; do it "
    "for each, and keep the one that serves the translation best."
)
ONE_FOUND: Final = N_(
    "Head {best} alone changes log p of the translation by {change}, head {worst} alone by "
    "{least}; with no head in this layer, the change is {none}."
)

SWEEP_TITLE: Final = N_("All heads, one after the other")
SWEEP: Final = N_(
    "Mute each of the {n} heads of the model alone and watch {about}. Red: less probable than "
    "before, so the head helped; blue: more probable. Click a head to see its run."
)
OF_SENTENCE: Final = N_("log p of the whole translation")
OF_WORD: Final = N_("log p of “{word}”")
SWEEP_FOUND: Final = N_(
    "**{change}**: {worth}. Of the {n} heads, {more} do more harm than good here: mute any one of "
    "them, and what counts becomes more probable. The head that is missed most costs {least}."
)
ROWS: Final = {
    "encoder": N_("encoder {n}"),
    "decoder": N_("masked {n}"),
    "cross": N_("enc.-dec. {n}"),
}
# What the wall says in place of a board's own words.
WALL: Final = {
    "hint": N_("Point at a head, or walk with the arrow keys. A click or Enter opens its run."),
    "matrix": N_("{title}, {rows} × {cols}; arrow keys walk, Enter opens the run without a head"),
    "strip": N_("{title}, {cols} heads; arrow keys walk, Enter opens the run without a head"),
    "asked": N_("Muted: {cell}"),
    "hatched": N_("not run yet"),
}

WORDS_TITLE: Final = N_("All source tokens, one after the other")
WORDS: Final = N_(
    "Hide each of the {n} source tokens alone from all attention: a column is such a run, a row "
    "a token of the translation. Red: less probable than before. Click a column to see its run."
)
WORDS_SUM: Final = N_("Δ log p of the translation without one token")
WORDS_MAP: Final = N_("Δ log p of each token without one token")
ALL_TOKENS: Final = N_("all tokens")
WORDS_FOUND: Final = N_(
    "**{change}**: log p of the translation changes by {worth}, and most at “{word}”, by {part}."
)
# What the map says in place of a board's own words.
COLUMNS: Final = {
    "hint": N_("Point at a cell, or walk with the arrow keys. A click or Enter opens its run."),
    "matrix": N_("{title}, {rows} × {cols}; arrow keys walk, Enter opens the run without a token"),
    "strip": N_("{title}, {cols} tokens; arrow keys walk, Enter opens the run without a token"),
    "asked": N_("Hidden: {cell}"),
}

MATTERED_TITLE: Final = N_("Which source token mattered?")
MATTERED: Final = N_(
    "Why “{word}”? Leave-one-out is the experiment: hide one token of your sentence from all "
    "attention, and see how far log p drops. The other methods save themselves the second run."
)
MATTERED_ASK: Final = N_("Which token, hidden, costs “{word}” most?")
MATTERED_SAYS: Final = N_("Hiding “{key}” changes log p by {change}.")
ALL_NAME: Final = N_("All {n} methods name the same token first: “{key}”.")
SOME_NAME: Final = N_(
    "{same} of {n} methods name “{key}” first, as the experiment does. The others: {others}."
)

AGREE_TITLE: Final = N_("Where the methods agree")
AGREE: Final = N_(
    "Rank the tokens by each method and compare two rankings: +1 is the same order, −1 the "
    "reverse. Most alike are “{a}” and “{b}” ({high}), least “{c}” and “{d}” ({low})."
)
NO_RANKS: Final = N_(
    "Your sentence gives the methods nothing to rank: no two of its tokens differ."
)
SAME_EVERYWHERE: Final = N_("one method gives all tokens the same")

COMPLETE_TITLE: Final = N_("Integrated gradients add up")
COMPLETE: Final = N_(
    "Start from a sentence whose token vectors are all 0, where log p of “{word}” is {before}, "
    "and walk to yours, where it is {after}. The rise of {rise} is shared among the tokens, by "
    "their gradients on the way. The shares add up to {sum}; {gap} is missing ({part} of "
    "the rise), as {points} points stand for the whole way."
)

MYTH: Final = N_("“The head with the sharpest attention is the one that matters.”")
MYTH_TRUTH: Final = N_(
    "While the model writes “{word}”, head {head} of layer {layer} has the sharpest attention, a "
    "weight of {weight} on one token; mute it, and log p changes by {change}. Head {its} of layer "
    "{other} gives no token more than {less}, and without it log p changes by {more}. The two are "
    "different heads for {apart} of the {n} tokens: a map of attention says where a head looked, "
    "only a second run says what that look was worth."
)
MYTH_AGREE: Final = N_(
    "For all {n} tokens of this translation it is the same head. That is chance, not a rule: try "
    "another sentence."
)

TASK: Final = N_("Hide one source token. Which one does the whole translation miss most?")
TASK_RIGHT: Final = N_("Yes: without “{key}”, log p of the translation changes by {change}.")
TASK_WRONG: Final = N_("No: “{key}” is missed most.")
TASK_REASON: Final = N_(
    "Without “{key}”, log p of the translation changes by {change}: another token is missed more."
)

CODE_MUTE: Final = N_("Change one number on its way: a hook")
CODE_EACH: Final = N_("Many changes in one batch")
CODE_LEFT: Final = N_("Leave-one-out")
CODE_INTEGRATED: Final = N_("Integrated gradients")
CODE_ROLLOUT: Final = N_("Attention rollout")
CODE_RANKS: Final = N_("Rank correlation")
