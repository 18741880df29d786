"""What the page on residual learning says; translated where it is shown."""

from collections.abc import Mapping
from typing import Final, Literal

from app.i18n import N_

INTRO: Final = N_(
    "More layers should make a network better: at worst, the new ones could learn to do nothing. "
    "But in 2015 deeper networks learned **worse**, even on the examples they were trained on. "
    "Kaiming He and others had a simple cure: let a block of layers only *add* to what comes in, "
    "x + F(x). Then doing nothing is easy, F(x) = 0, and there is a way past all layers for the "
    "signal and for the gradient. The Transformer does the same around each of its sub-layers."
)

RACE_TITLE: Final = N_("Deep and plain against deep with shortcuts")
RACE: Final = N_(
    "Four networks learn to read handwritten digits, on the same batches: {shallow} layers and "
    "{depth} layers, without shortcuts (plain) and with them (residual). Each layer has {width} "
    "numbers, batch normalisation (explained below) and the same kind of random weights to begin "
    "with; a shortcut goes past two layers. There are {updates} updates."
)
DEPTH_HELP: Final = N_("How many layers the two deep networks have.")
SEED_HELP: Final = N_("Another number gives other random weights and other batches.")
NAMES: Final[Mapping[bool, str]] = {
    False: N_("plain, {depth} layers"),
    True: N_("residual, {depth} layers"),
}
WRONG_TITLE: Final = N_("Share of the digits learned from that are read wrongly")
RESULT: Final = N_(
    "After {update} updates, of the digits they learn from, the plain network of {shallow} layers "
    "reads {shallow_wrong} % wrongly and the plain one of {depth} layers {plain_wrong} %. With "
    "shortcuts, {depth} layers read {residual_wrong} % wrongly."
)
DEGRADED: Final = N_(
    "That is what the paper of 2015 showed: the deep plain network does worse on its own training "
    "examples. It does not lack examples, it is harder to train; the shortcuts mend that."
)

BLOCK_TITLE: Final = N_("Inside a block: F(x) + x")
BLOCK: Final = N_(
    "The Bottleneck block is three convolutions: 1 × 1 to fewer channels, 3 × 3 to look around, "
    "1 × 1 back to as many channels as before. Here a digit went through one convolution, and "
    "what came out, {channels} channels of {height} × {width} numbers, is the block's x. Its "
    "weights are random: nothing is learned yet."
)
CHEAP: Final = N_(
    "Why three? With {wide} channels, the three convolutions have {three} weights; two of 3 × 3 "
    "would have {two}."
)
DIGIT_HELP: Final = N_("Which digit went in.")
CHANNEL_HELP: Final = N_("Which of the channels is shown.")
GAMMA_HELP: Final = N_(
    "The last normalisation multiplies by γ: it says how loud F(x) is. Training often begins with "
    "0 here, so that every block begins by doing nothing."
)
SHORTCUT_HELP: Final = N_("Switch it off, and only F(x) is left.")
PLACE: Final = N_("At row {row}, column {column}, where F(x) is farthest from 0: {calculation}")
QUIET: Final = N_(
    "F(x) is 0 everywhere: with the shortcut, the block hands on exactly what came in."
)
SILENT: Final = N_("F(x) is 0 everywhere: without the shortcut, nothing gets through at all.")
DERIVATIVE: Final = N_(
    "On the way back, the derivative of x + F(x) is 1 + F′(x): even where F′(x) is next to "
    "nothing, the 1 lets the gradient pass."
)

GRADIENT_TITLE: Final = N_("What arrives at the first layer")
GRADIENT: Final = N_(
    "A layer learns from the gradient of the loss in its weights. The gradient comes from the end, "
    "through all layers after it. Below: how long it is in each layer of a network that has not "
    "learned anything yet, for one batch of digits. The axis is logarithmic: each line is ten "
    "times, or more, the one below."
)
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
NORM_HELP: Final = N_("Normalise after each layer, as the networks above do.")
FIRST_LAYER: Final = N_(
    "At the first of {depth} layers the gradient's length is **{plain}** without shortcuts and "
    "**{residual}** with them. From the last layer to the first it is multiplied by "
    "{plain_times} without, by {residual_times} with them."
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
NOT_ONLY: Final = N_(
    "Vanishing gradients are not the whole story: the authors of 2015 used batch normalisation, "
    "found no vanishing gradients in their plain networks, and still saw them learn worse."
)

NORM_TITLE: Final = N_("Batch normalisation, in four formulas")
NORM: Final = N_(
    "In 2015 Sergey Ioffe and Christian Szegedy kept the numbers inside a network at one scale: "
    "each number is compared with the same number in all other examples of the batch. Below, one "
    "linear layer gave {features} numbers (channels) for each of {count} digits. The first digit "
    "stays; choose its company."
)
COMPANY_HELP: Final = N_("Which other digits are in the batch with the first one.")
FEATURE_HELP: Final = N_("Which of the layer's numbers is normalised below.")
NORM_GAMMA_HELP: Final = N_("What the normalised numbers are multiplied by; it is learned.")
NORM_BETA_HELP: Final = N_("What is added to them then; it is learned too.")
SEEN_HELP: Final = N_("How many batches the running averages were made from.")
MEAN: Final = N_("1. The mean of the batch")
VARIANCE: Final = N_("2. The variance: the mean of the squared distances from the mean")
NORMALISE: Final = N_("3. Normalise: subtract the mean, divide by the deviation (ε keeps from 0)")
SCALE: Final = N_("4. Scale and shift with γ and β, which are learned")
USE_TITLE: Final = N_("In training and in use")
USE: Final = N_(
    "In training, what comes out for a digit depends on its company. In use that must not be: "
    "there mean and variance are running averages of what the batches in training had. After "
    "{seen} batches the averages are {mean} and {variance}; this batch has {own_mean} and "
    "{own_variance}. Change the company: the first number of the second strip stays."
)
FIRST_DIGIT: Final = N_("The first digit comes out as {trained} in training and as {used} in use.")

RESNET_TITLE: Final = N_("ResNet-50")
RESNET: Final = N_(
    "A network of {blocks} Bottleneck blocks in four stages; with the first convolution and the "
    "last linear layer, 50 layers with weights. Built by our own code it has **{total}** "
    "parameters, {less} % the size of AlexNet, in 50 layers instead of 8. Only {share} % belong "
    "to its linear layer."
)
RESNET_NAMES: Final[Mapping[str, str]] = {
    "conv1": N_("convolution 7 × 7, step 2"),
    "pool1": N_("largest of 3 × 3, step 2"),
    "stage2": N_("3 blocks"),
    "stage3": N_("4 blocks, the first with step 2"),
    "stage4": N_("6 blocks, the first with step 2"),
    "stage5": N_("3 blocks, the first with step 2"),
    "average": N_("mean over all places"),
    "linear": N_("linear, one number a kind of thing"),
}

TASK: Final = N_(
    "In the channel of the block that is shown, x is largest at row {row}, column {column}: {x}. "
    "F(x) is {f} there. What comes out of the block at that place, with its shortcut and its ReLU?"
)
TASK_RIGHT: Final = N_("Yes: {x} + ({f}) = {sum}, and ReLU makes {out} of it.")
TASK_WRONG: Final = N_("Not quite: add x and F(x) first, then let ReLU turn what is negative to 0.")
TASK_ALONE: Final = N_(
    "In the channel of the block that is shown, x is largest at row {row}, column {column}: {x}. "
    "F(x) is {f} there. The shortcut is switched off: what comes out of the block at that place?"
)
TASK_ALONE_RIGHT: Final = N_("Yes: without the shortcut x is lost, and ReLU makes {out} of {f}.")
TASK_ALONE_WRONG: Final = N_(
    "Not quite: nothing is added now, so x does not count. Let ReLU turn F(x) to 0 if it is "
    "negative."
)
