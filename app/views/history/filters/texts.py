"""What the page on filters says; translated where it is shown."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "A picture is a grid of numbers, one for the brightness of each pixel. To find out what is on "
    "it, a network first looks for small things such as edges, everywhere, with the same few "
    "weights."
)

IMAGENET: Final = N_(
    "ImageNet (2009) is millions of photographs with the names of what is on them: container ship, "
    "mushroom, cherry. Its yearly contest gave {training} million to train on, in {kinds} "
    "categories, and {test} to be tested on. In 2012 AlexNet won, with kernels that it had "
    "learned: its error fell from {before} % to {after} %."
)
RATES_NOTE: Final = N_(
    "Each year's winner, trained on the contest's pictures alone: category not among its five best "
    "guesses (AlexNet with more pictures: 15.3 %). Published figures (arXiv:1409.0575, "
    "1512.03385), not ours."
)
RATES_TITLE: Final = N_("wrong, %")

COLOUR_TITLE: Final = N_("Colour is three grids")
COLOUR: Final = N_(
    "In a colour picture each pixel has three numbers: how much red, green and blue. So it is "
    "three grids on top of each other, its three **channels**. {red} of red, {green} of green and "
    "{blue} of blue add up to the grey picture that the kernel steps over."
)
COLOURED: Final = N_("A house in colour")
CHANNELS: Final = (N_("red"), N_("green"), N_("blue"))
CHANNELS_ALT: Final = N_("The three channels of the house, and the grey they add up to")
MIXED: Final = N_("grey")

STEP_TITLE: Final = N_("A kernel steps over a picture")
STEP: Final = N_(
    "Lay a small grid of weights, a **kernel**, onto the picture, multiply what lies on top of "
    "each other, and add up: one number of the output. Then move on by {stride}. That is a "
    "**convolution**. The golden frames mark the window and its number; click any number of the "
    "output to go there."
)
STRIDES: Final = {1: N_("one pixel"), 2: N_("two pixels"), 3: N_("three pixels")}
PICTURES: Final = {
    "house": N_("A house"),
    "letter": N_("A letter"),
    "own": N_("Your own"),
}
PICTURE_HELP: Final = N_("What the kernel steps over: drawn by our code, or a file of yours.")
UPLOAD: Final = N_("Your picture (PNG or JPEG, at most {size} MB)")
UPLOAD_HELP: Final = N_(
    "The middle of it is cut out, turned to greys and shrunk to {side} × {side} pixels. It is "
    "kept for this visit only."
)
UPLOAD_FIRST: Final = N_("Until you choose a file, you see the house.")
NO_PICTURE: Final = N_("This file cannot be read as a PNG or JPEG picture: choose another one.")
HEAVY: Final = N_("This file has more than {size} MB: choose a smaller one.")
LARGE: Final = N_(
    "This picture has {width} × {height} pixels, more than {most} million: choose a smaller one."
)

KERNELS: Final = {
    "horizontal": N_("Sobel, horizontal edges"),
    "vertical": N_("Sobel, vertical edges"),
    "rising": N_("Sobel, rising edges"),
    "falling": N_("Sobel, falling edges"),
    "identity": N_("Identity"),
    "blur": N_("Blur"),
    "own": N_("Your own"),
}
KERNEL_HELP: Final = N_("Nine weights. Sobel kernels are large where the brightness changes.")
OWN_KERNEL: Final = N_("Row {row}, column {column}")
OWN_KERNEL_HELP: Final = N_("This weight of your kernel, from −9 to 9.")
STRIDE_HELP: Final = N_("How many pixels the kernel goes on at each step.")
PADDING_HELP: Final = N_("How many lines of zeros are put around the picture.")
WAYS: Final = {
    "plain": N_("as it is (networks)"),
    "turned": N_("turned by 180° (mathematics)"),
}

WINDOW: Final = N_(
    "Row {row}, column {column} of the output: the nine greys in the window, times the nine "
    "weights of the kernel, added up, are **{sum}**."
)

SOBEL_TITLE: Final = N_("Four Sobel kernels")
SOBEL: Final = N_(
    "Turn the ring of eight weights by 45°, and the kernel for horizontal edges answers to "
    "diagonal ones; by 90°, to vertical ones. Blue: brighter on the side of the positive weights; "
    "red: darker."
)
SOBEL_NAMES: Final = {
    "horizontal": N_("horizontal"),
    "rising": N_("rising"),
    "vertical": N_("vertical"),
    "falling": N_("falling"),
}
SOBEL_ALT: Final = N_("What the four Sobel kernels make of the house")
SOBEL_ASK: Final = N_(
    "The left edge of the roof rises from bottom left to top right. Which kernel answers to it "
    "with the number farthest from 0?"
)
SOBEL_RIGHT: Final = N_("Yes: {numbers}.")
SOBEL_WRONG: Final = N_("At row {row}, column {column} of the outputs: {numbers}.")

TURNED_TITLE: Final = N_("The same kernel, turned by 180°")
TURNED: Final = N_(
    "In mathematics, the kernel is turned by 180° before it is laid down: only that is called a "
    "convolution. Without the turn, it is a **cross-correlation**. Networks, and PyTorch's "
    "`Conv2d`, do not turn: they learn the kernel anyway. At row {row}, column {column} it gives "
    "**{plain}**, turned **{turned}**."
)
TURNED_OPPOSITE: Final = N_(
    "Turned, this kernel is its own opposite: every number of the output only changes its sign, "
    "and an edge from dark to bright is taken for one from bright to dark."
)
TURNED_SAME: Final = N_("Turned, this kernel is still the same: the two are equal.")
SIZE_TITLE: Final = N_("How large is the output?")
SIZE: Final = N_(
    "Zeros around the picture (padding) make the output larger, longer steps (stride) make it "
    "smaller: n pixels with p zeros on both sides, a kernel of k, a step of s."
)

TRAIN_TITLE: Final = N_("A network that learns its kernels")
TRAIN: Final = N_(
    "This network reads handwritten digits of 8 × 8 pixels: {first} kernels of 3 × 3, then "
    "{second}, then max pooling and one linear layer. All kernels begin at random. It learns from "
    "{learn} digits and is tested on {held_out} others that it never saw."
)
SEED_HELP: Final = N_("Another number gives other random weights to begin with.")
RIGHT: Final = N_("After {updates} updates it reads {percent} % of the {n} held-out digits.")
FILTERS: Final = N_(
    "On the right, its first {n} kernels as they are now, and Sobel's two for horizontal and "
    "vertical edges (h, v). Nobody told it to look for edges."
)
ALIKE: Final = N_("Most alike: learned kernel {k} and Sobel's for {name} edges, cosine {cosine}.")
HOVER: Final = N_("{name}, row {row}, column {column}: {value}")
EDGES: Final = {"horizontal": N_("horizontal"), "vertical": N_("vertical")}

READ_TITLE: Final = N_("What the two layers see")
READ: Final = N_(
    "Each kernel of the first layer steps over the digit, and what is negative becomes 0 (ReLU): "
    "{first} **feature maps**. A map is high where its kernel finds its pattern. The network is "
    "as it stands after {updates} updates."
)
DEEPER: Final = N_(
    "The kernels of the second layer step over all {first} maps together: each has {first} × 3 × 3 "
    "= {weights} weights and makes one map. So its {second} maps find patterns of patterns, such "
    "as a corner where two edges meet."
)
POOL_TITLE: Final = N_("Max pooling")
POOL: Final = N_(
    "Of each square of 2 × 2 numbers, only the largest is kept: {before} numbers become {after}, "
    "and it matters less where exactly a pattern lies. Here: max({numbers}) = **{largest}**. Click "
    "a number to see its square."
)
MAP_HELP: Final = N_("Which feature map of the second layer is pooled.")
SAID_TITLE: Final = N_("What the network says")
SAID: Final = N_(
    "The {pooled} numbers that are left go into one linear layer, and a softmax makes ten "
    "probabilities of its ten numbers."
)
DIGIT_HELP: Final = N_("One of the digits held out: the network has never learned from it.")
VERDICT_RIGHT: Final = N_("It is a {label}, and the network says {said}, with probability {p}.")
VERDICT_WRONG: Final = N_(
    "It is a {label}, but the network says {said}, with probability {p}. To the {label} it gives "
    "{q}."
)

DRAWN: Final = N_(
    "Draw a digit, large and in the middle. As in the pictures that the network learned from, each "
    "grey is the share of white pixels in a block of 4 × 4."
)
DRAWN_SAID: Final = N_("The network reads a **{said}**, with probability {p}.")
ALEXNET_TITLE: Final = N_("ImageNet, and AlexNet (2012)")
ALEXNET: Final = N_(
    "The same idea, large: five convolutions and three linear layers, for photographs of {side} × "
    "{side} pixels in three colours and {classes} categories. Built by our own code, it has "
    "**{total}** parameters."
)
ALEXNET_NOTE: Final = N_(
    "The network of 2012 was cut in two halves for two graphics cards. This is the version in one "
    "piece that its author published in 2014 and that is widely used."
)
SHAPES_TITLE: Final = N_("AlexNet, layer by layer")
SHAPES: Final = N_(
    "The grids shrink, from {side} × {side} pixels to {last} × {last}, and their number grows, "
    "from 3 colours to {most} channels: less and less where, more and more what."
)
ALEXNET_CODE: Final = N_(
    "**Adaptive average pooling** makes 6 × 6 places of any photograph. In training, **dropout** "
    "sets half of what goes into the first two linear layers to 0, against overfitting."
)
LAYERS: Final = {
    "conv1": N_("convolution 11 × 11, step 4"),
    "conv2": N_("convolution 5 × 5"),
    "conv3": N_("convolution 3 × 3"),
    "conv4": N_("convolution 3 × 3"),
    "conv5": N_("convolution 3 × 3"),
    "pool1": N_("largest of 3 × 3, step 2"),
    "pool2": N_("largest of 3 × 3, step 2"),
    "pool5": N_("largest of 3 × 3, step 2"),
    "average": N_("average pooling to 6 × 6"),
    "linear6": N_("linear"),
    "linear7": N_("linear"),
    "linear8": N_("linear, one number for each category"),
}

MYTH: Final = N_("Most parameters of a convolutional network are in its convolutions.")
TRUTH: Final = N_(
    "Of AlexNet's {total} parameters, {share} % are in its three linear layers, where each number "
    "has a weight of its own for each number before it. A convolution uses its few weights again "
    "at every place: with {rest} % of the parameters, the five convolutions do {work} % of the "
    "multiplications."
)

TASK: Final = N_(
    "Take a picture {n} pixels wide, with {padding} lines of zeros around it, and let a kernel of "
    "3 × 3 go {stride} pixels at a time. How many numbers wide is the output?"
)
TASK_RIGHT: Final = N_(
    "Yes: ({n} + 2 · {padding} − 3) ÷ {stride}, rounded down, plus 1, is {answer}."
)
TASK_STRIDE: Final = N_("That is the width with steps of one pixel: here they are of {stride}.")
TASK_PADDING: Final = N_("That is the width without the zeros: {padding} lines on each side count.")
TASK_MORE: Final = N_(
    "One too many: at the place after the last one, the kernel would stick out of the picture."
)
TASK_LESS: Final = N_(
    "That is {n} ÷ {stride}, less 1. The kernel needs 3 pixels to lie on; count how many steps of "
    "{stride} are left after that, and do not forget the first place."
)
