"""What the chapter on add & normalise and feed-forward says; translated where it is shown."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "Attention never replaces a token's vector: what it finds is added to it, and normalising "
    "keeps the sum in bounds. Then a small network works on each token alone."
)

PARTS: Final = {
    "self_attn": N_("Self-attention"),
    "cross_attn": N_("Encoder-decoder attention"),
    "ffn": N_("Feed-forward"),
    "last": N_("Last norm"),
}
SUB_HELP: Final = N_("Around each of them the layer adds and normalises once.")

AROUND_TITLE: Final = N_("Around every sub-layer")
STEPS: Final = {
    "post": N_("This model does it as the paper does: first add, then normalise (post-norm)."),
    "pre": N_(
        "This model normalises first and adds last (pre-norm), as most do today; the paper adds "
        "first and normalises the sum (post-norm)."
    ),
}
AROUND: Final = N_(
    "The grey line is the **skip connection**, the numbers are the lengths of the vector of "
    "“{word}”."
)
LAST_NORM: Final = N_(
    "After its last layer, the stack normalises once more, whatever layer you chose: nothing is "
    "added here, and what comes out leaves the stack."
)

OUT: Final = {"post": N_("sub-layer(x)"), "pre": N_("sub-layer(norm(x))")}
SUMMED: Final = {"post": N_("x + sub-layer(x)"), "pre": N_("x + sub-layer(norm(x))")}
ADD_TITLE: Final = N_("Add")
ADD: Final = N_(
    "x is what “{word}” has brought along; the sub-layer, here {part}, computes a vector of its "
    "own. The two are added number by number. The norm of x is {x}, that of what is added {out}, "
    "that of the sum {sum}."
)
ADD_GUESS: Final = N_("By how much is the vector of “{word}” turned?")
ADD_OPTIONS: Final = (
    N_("less than 10°"), N_("10° to 30°"), N_("30° to 60°"), N_("more than 60°")
)  # fmt: skip
ADD_RIGHT: Final = N_("Yes: by {angle}°.")
ADD_WRONG: Final = N_("By {angle}°.")
ADD_SEEN: Final = N_(
    "The cosine between x and the sum is {cosine}: “{word}” is turned by {angle}°. Whatever the "
    "sub-layer does not touch stays as it was."
)

NORM_TITLE: Final = N_("Normalise")
NORM: Final = N_(
    "**Layer normalisation** of “{word}”: its {d} numbers have the mean μ = {mean} and the "
    "standard deviation σ = {deviation}. Subtract μ, divide by σ; then each place gets its "
    "own factor γ and offset β, which training has set. Here γ lies between {low} and {high}."
)
ROWS_TITLE: Final = N_("What each step does to the numbers")
NORM_ROWS: Final = N_(
    "Each tick is one of the {d} numbers of “{word}”, the diamond their mean, the bar their "
    "standard deviation. After x − μ the mean is 0, after ÷ σ the deviation is 1, whatever came "
    "in."
)
NORM_ONE: Final = N_(
    "Of the {d} numbers of “{word}”, x[{place}] stands out most. Here is its way through all steps."
)
EACH_TITLE: Final = N_("Every token by itself")
EACH: Final = N_(
    "Each token is normalised with its own μ and σ, whatever stands beside it. Batch "
    "normalisation, which residual networks use, takes them over a whole batch instead."
)

FFN_TITLE: Final = N_("Feed-forward: two linear maps and a ReLU")
FFN: Final = N_(
    "W₁ turns the {d} numbers of “{word}” into {d_ff}, one for each **hidden unit**. The ReLU "
    "keeps what is above 0 and makes the rest 0. W₂ turns them back into {d} numbers. Every token "
    "goes through the same W₁ and W₂, each on its own."
)
FFN_SMOOTH_TITLE: Final = N_("Feed-forward: two linear maps and an activation")
FFN_SMOOTH: Final = N_(
    "W₁ turns the {d} numbers of “{word}” into {d_ff}, one for each **hidden unit**. This model's "
    "activation is {activation}, a smooth relative of the ReLU: it keeps what is well above 0, and "
    "leaves little of the rest. W₂ turns them back into {d} numbers. Every token goes through the "
    "same W₁ and W₂, each on its own."
)
FIRES_TITLE: Final = N_("Which units fire")
FIRES: Final = N_(
    "Without the ReLU, the two linear maps would be no more than one. A unit that is not above 0 "
    "becomes 0; the others **fire**."
)
FIRES_SMOOTH: Final = N_(
    "Without the activation, the two linear maps would be no more than one. Of a unit that is not "
    "above 0, little is left; the others **fire**."
)
FIRES_GUESS: Final = N_("How many of the {d_ff} units fire for “{word}”?")
FIRES_OPTIONS: Final = (
    N_("less than 10 %"), N_("10 % to 30 %"), N_("30 % to 60 %"), N_("more than 60 %")
)  # fmt: skip
FIRES_RIGHT: Final = N_("Yes: {fires}, which is {share}.")
FIRES_WRONG: Final = N_("It is {fires}, which is {share}.")
FIRES_ALL: Final = N_(
    "{fires} of {d_ff} units fire for “{word}” ({share}), {silent} are 0. Most fire for “{most}”, "
    "fewest for “{least}”."
)
FIRES_ALL_SMOOTH: Final = N_(
    "{fires} of {d_ff} units fire for “{word}” ({share}), {silent} lie between −0.28 and 0. Most "
    "fire for “{most}”, fewest for “{least}”."
)
UNIT_TITLE: Final = N_("One hidden unit")
UNIT: Final = N_(
    "Unit {unit} multiplies the {d} numbers of “{word}” with its own column of W₁, adds its bias, "
    "and gets {pre}."
)
UNIT_ON: Final = N_(
    "That is above 0: the unit fires, and {hidden} times its row of W₂ goes into the token's "
    "vector."
)
UNIT_OFF: Final = N_("That is not above 0: the unit stays silent, and its row of W₂ is not used.")
UNIT_OFF_SMOOTH: Final = N_(
    "That is not above 0: the activation leaves {hidden} of it, and so much of its row of W₂ is "
    "used."
)
WORDS_TITLE: Final = N_("The same unit and the other tokens")
UNIT_WORDS: Final = N_(
    "Does unit {unit} fire for other tokens? This is its value for each of them."
)

STREAM_TITLE: Final = N_("The residual stream")
STREAM: Final = N_(
    "Put the layers on top of each other, and one long path appears: the **residual stream**. "
    "“{word}” goes in with a norm of {first} and comes out with {last}. Most is added by "
    "{longest}; what turns the vector most is {turned}, with a cosine of {cosine} to the step "
    "before."
)
STREAM_STRIPS: Final = N_(
    "The vector of “{word}” after each step, each strip in its own colour scale. What stays alike "
    "from strip to strip was carried along; what changes was added."
)
STREAM_LAYERS: Final = N_(
    "The vector of “{word}” after each layer, each strip in its own colour scale. What stays alike "
    "from strip to strip was carried along; what changes was added."
)

ORDER: Final = N_(
    "With post-norm, the grey line runs through every normalisation, and so does the gradient on "
    "its way back: training needs a slow start (warm-up). With pre-norm, nothing lies on it but "
    "additions: training is steadier, the stream may grow, and one last normalisation follows."
)
ORDER_NAMES: Final = {
    "post": N_("Post-norm: norm(x + sub-layer(x))"),
    "pre": N_("Pre-norm: x + sub-layer(norm(x))"),
}
THIS_MODEL: Final = N_("{order} · this model")

TASK: Final = N_(
    "Which of these sub-layers turns “{word}” the most, so that its vector after it has the "
    "smallest cosine to the one before?"
)
TASK_RIGHT: Final = N_("Yes: {name}, with a cosine of {cosine}.")
TASK_REASON: Final = N_(
    "{name} has a cosine of {own}; another one has {cosine}. The smaller the cosine, the more was "
    "turned."
)

MYTH: Final = N_("“Normalising squeezes every number into −1 … 1.”")
TRUTH: Final = N_(
    "It makes the mean 0 and the standard deviation 1, and no more. Of the {d} numbers of "
    "“{word}”, {n} lie outside −1 … 1 after the division by σ: the largest is {largest}. After γ "
    "and β, the largest is {last}."
)
