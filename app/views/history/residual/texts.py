"""What the page on residual learning says; translated where it is shown."""

from collections.abc import Mapping
from typing import Final, Literal

from app.i18n import N_

INTRO: Final = N_(
    "More layers should make a network better: at worst, the new ones could learn to do nothing. "
    "But around 2015 deeper networks learned **worse**, even on their own training examples."
)

IDEA: Final = N_(
    "Kaiming He and others found a simple cure: let a block of layers only *add* to what comes in, "
    "x + F(x). Then doing nothing is easy: set γ to 0, and x comes out as it came in. The "
    "Transformer does the same around each of its sub-layers."
)

RACE_TITLE: Final = N_("Deep and plain against deep with shortcuts")
RACE: Final = N_(
    "Four networks learn to read handwritten digits, on the same batches: {shallow} layers and "
    "{depth}, plain and with a **shortcut** past every two layers (residual). Each layer has "
    "{width} numbers and batch normalisation."
)
DEPTH_HELP: Final = N_("How many layers the two deep networks have.")
SEED_HELP: Final = N_("Another number gives other random weights and other batches.")
NAMES: Final[Mapping[bool, str]] = {
    False: N_("plain, {depth} layers"),
    True: N_("residual, {depth} layers"),
}
WRONG_TITLE: Final = N_("Share of the training digits that are read wrongly")
RESULT: Final = N_(
    "Wrong on the training digits after {update} of {updates} updates:\n"
    "- plain, {shallow} layers: {shallow_wrong} %\n"
    "- plain, {depth} layers: {plain_wrong} %\n"
    "- residual, {depth} layers: {residual_wrong} %"
)
DEGRADED: Final = N_(
    "As in 2015, the deep plain network is worse even on its training examples: it is harder to "
    "train."
)

BLOCK_TITLE: Final = N_("Inside a block: F(x) + x")
BLOCK: Final = N_(
    "This block, a bottleneck, is three convolutions: 1 × 1 to fewer channels, 3 × 3 to look "
    "around, 1 × 1 back. Its x is a digit after one convolution: {channels} channels of {height} × "
    "{width} numbers, one of them drawn. After the sum, ReLU makes 0 of what is negative."
)
SLOPE_TITLE: Final = N_("On the way back: 1 + F′(x)")
SLOPE: Final = N_(
    "Raise one number of x a little: how much does the result change there? Through F alone by "
    "F′(x), as little as {least}; with the shortcut by 1 + F′(x). The 1 lets the gradient through."
)
SLOPE_ALONE: Final = N_(
    "Raise one number of x a little: how much does the result change there? Without the shortcut "
    "only by F′(x), as little as {least}: so little of the gradient gets through."
)
CHEAP: Final = N_(
    "The narrow middle saves weights. With {wide} channels, the three convolutions of a "
    "**bottleneck** have {three} weights; two of 3 × 3, as in the shallower networks of 2015, "
    "would have {two}: {times} times as many."
)
WEIGHTS: Final = {
    "reduce": N_("1 × 1, {wide} to {narrow} channels"),
    "look": N_("3 × 3, {narrow} to {narrow}"),
    "expand": N_("1 × 1, {narrow} to {wide}"),
    "wide": N_("two of 3 × 3, {wide} to {wide}"),
}
DIGIT_HELP: Final = N_("Which digit went in.")
CHANNEL_HELP: Final = N_("Which of the channels is shown.")
GAMMA_HELP: Final = N_(
    "The last normalisation multiplies by γ: it says how large F(x) is. Training often begins "
    "with 0 here, so that every block begins by doing nothing."
)
SHORTCUT_HELP: Final = N_("Switch it off, and only F(x) is left.")
PLACE: Final = N_("At row {row}, column {column}, where F(x) is farthest from 0: {calculation}")
QUIET: Final = N_(
    "F(x) is 0 everywhere: with the shortcut, the block hands on exactly what came in."
)
SILENT: Final = N_("F(x) is 0 everywhere: without the shortcut, nothing gets through at all.")
GRADIENT_TITLE: Final = N_("What arrives at the first layer")
GRADIENT: Final = N_(
    "A layer learns from the gradient of the loss, which comes from the end, through all layers "
    "after it. This is how long it is in each layer of two networks that have not learned anything "
    "yet. The axis is logarithmic: one line up is ten times as long, or more."
)
GRADIENT_ASK: Final = N_(
    "How long is the gradient in the first of {depth} plain layers, compared with the last one?"
)
LENGTHS: Final = (
    N_("at least a tenth as long"),
    N_("from a tenth to a millionth"),
    N_("less than a millionth"),
)
GRADIENT_RIGHT: Final = N_("Yes: {times} times as long.")
GRADIENT_WRONG: Final = N_("It is {times} times as long.")
GRADIENT_DEPTH_HELP: Final = N_("How many layers both networks have.")
STARTS: Final[Mapping[Literal["default", "he"], str]] = {
    "default": N_("PyTorch's own"),
    "he": N_("He's (2015)"),
}
GRADIENT_SEED_HELP: Final = N_("Another number gives both networks other random weights.")
START_HELP: Final = N_(
    "How large the random weights are at first. PyTorch's own make the signal smaller from one "
    "ReLU layer to the next; He's are larger, so that it stays about the same."
)
NORM_HELP: Final = N_("Normalise after each layer, as the four networks that race do.")
FIRST_LAYER: Final = N_(
    "In the first of {depth} layers it is **{plain}** long without shortcuts, {plain_times} times "
    "the last one's, and **{residual}** with them, {residual_times} times."
)
VANISHES: Final = N_("Without shortcuts it **vanishes**: the first layers learn next to nothing.")
EXPLODES: Final = N_(
    "Without shortcuts it **explodes**: a step that suits the last layers is "
    "far too large for the first ones."
)
RESIDUAL_EXPLODES: Final = N_(
    "With shortcuts, everything is added up and nothing keeps it small: it grows from block to "
    "block. Switch batch normalisation on."
)
MYTH: Final = N_("Deep plain networks learn worse because their gradients vanish.")
MYTH_TRUTH: Final = N_(
    "Not in the race: there every layer is normalised. In the first of {depth} plain layers the "
    "gradient is {plain} long, {times} times the last one's: it does not vanish. After {update} "
    "updates the network still reads {wrong} % of its training digits wrongly, with shortcuts "
    "{residual_wrong} %. The authors of 2015 saw no vanishing gradients either."
)

BATCH_TITLE: Final = N_("Batch normalisation: who is compared")
BATCH: Final = N_(
    "In 2015 Sergey Ioffe and Christian Szegedy kept the numbers inside a network on one scale: "
    "each number is compared with the same number of all other examples in the batch, a row here. "
    "One linear layer gave {features} numbers (channels) for each of {count} digits. The first "
    "digit stays; choose the others."
)
NORM_TITLE: Final = N_("Batch normalisation: its four formulas")
NORM: Final = N_(
    "The numbers of channel {n} now have mean 0 and variance 1 (ε only avoids a division by 0). "
    "Then γ and β, which are learned, give them the scale and the place that suit the next layer."
)
COMPANY_HELP: Final = N_("Which other digits are in the batch with the first one.")
FEATURE_HELP: Final = N_("Which of the layer's numbers is normalised.")
NORM_GAMMA_HELP: Final = N_("What the normalised numbers are multiplied by; it is learned.")
NORM_BETA_HELP: Final = N_("What is added to them then; it is learned too.")
SEEN_HELP: Final = N_("How many batches the running averages were made from.")
MEAN: Final = N_("1. The mean of the batch")
VARIANCE: Final = N_("2. The variance of the batch")
NORMALISE: Final = N_("3. Normalise")
SCALE: Final = N_("4. Scale and shift")
USE_TITLE: Final = N_("In training and in use")
USE: Final = N_(
    "In training, what comes out for a digit depends on the others in its batch. In use it must "
    "not: there, mean and variance are running averages of the batches seen in training. After "
    "{seen} batches they are {mean} and {variance}; this batch has {own_mean} and {own_variance}."
)
USE_ASK: Final = N_(
    "Other digits come into the batch. What happens to what comes out for the first digit, in use?"
)
USE_STAYS: Final = N_("It stays the same")
USE_CHANGES: Final = N_("It changes")
USE_RIGHT: Final = N_("Yes: it is {used}, whatever the others are.")
USE_WRONG: Final = N_("It stays {used}, whatever the others are: try it.")
FIRST_DIGIT: Final = N_("The first digit comes out as {trained} in training and as {used} in use.")

RESNET_TITLE: Final = N_("ResNet-50")
RESNET: Final = N_(
    "{blocks} bottleneck blocks in four stages; with the first convolution and the last linear "
    "layer, 50 layers with weights. Built by our own code, it has **{total}** parameters: "
    "{less} % of AlexNet's, in 50 layers instead of 8. Only {share} % are in its linear layer."
)
SHAPES_TITLE: Final = N_("ResNet-50, stage by stage")
SHAPES: Final = N_(
    "Each stage after the first halves the side of the grids and doubles their number: {side} × "
    "{side} pixels end as {last} × {last} places with {most} channels. Then the mean over all "
    "places replaces two of AlexNet's large linear layers."
)
RESNET_NAMES: Final[Mapping[str, str]] = {
    "conv1": N_("convolution 7 × 7, step 2"),
    "pool1": N_("largest of 3 × 3, step 2"),
    "stage2": N_("3 blocks"),
    "stage3": N_("4 blocks, the first with step 2"),
    "stage4": N_("6 blocks, the first with step 2"),
    "stage5": N_("3 blocks, the first with step 2"),
    "average": N_("mean over all places"),
    "linear": N_("linear, one number for each category"),
}

TASK: Final = N_(
    "In the channel of the block that is chosen, x is largest at row {row}, column {column}: {x}. "
    "F(x) is {f} there. What comes out of the block at that place, with its shortcut and its ReLU?"
)
TASK_RIGHT: Final = N_("Yes: {x} + ({f}) = {sum}, and ReLU makes {out} of it.")
TASK_ALONE: Final = N_(
    "In the channel of the block that is chosen, x is largest at row {row}, column {column}: {x}. "
    "F(x) is {f} there. The shortcut is switched off: what comes out of the block at that place?"
)
TASK_ALONE_RIGHT: Final = N_("Yes: without the shortcut x is lost, and ReLU makes {out} of {f}.")
TASK_ONE_MORE: Final = N_("One too many: {out} comes out.")
TASK_NEGATIVE: Final = N_("A negative number cannot come out: ReLU makes 0 of it.")
TASK_F: Final = N_("That is F(x) alone: with the shortcut, x is added to it.")
TASK_SUM: Final = N_("That is x + F(x): but the shortcut is switched off, and x does not count.")
TASK_LESS: Final = N_("That is x − F(x): the two are added, or with no shortcut x does not count.")
