"""What the page on filters says; translated where it is shown."""

from typing import Final

from app.i18n import N_

INTRO: Final = N_(
    "A picture is a grid of numbers, one for the brightness of each pixel. To find out what is on "
    "it, a network first looks for small things such as edges, everywhere, with the same few "
    "weights: it lays a small grid of weights, a **kernel**, onto the picture, multiplies what "
    "lies on top of each other, adds up, and goes one step on. That is a convolution. People once "
    "designed kernels by hand. In 2009 came ImageNet, millions of photographs with the names of "
    "what is on them; in 2012 AlexNet won its contest, with kernels that it had learned."
)

STEP_TITLE: Final = N_("A kernel steps over a picture")
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
    "identity": N_("Identity"),
    "blur": N_("Blur"),
    "own": N_("Your own"),
}
KERNEL_HELP: Final = N_("Nine weights. Sobel kernels are large where the brightness changes.")
OWN_KERNEL: Final = N_("Row {row}, column {column}")
OWN_KERNEL_HELP: Final = N_("This weight of your kernel, from −9 to 9.")
STRIDE_HELP: Final = N_("How many pixels the kernel goes on at each step.")
PADDING_HELP: Final = N_("How many lines of zeros are put around the picture.")
FLIPPED_HELP: Final = N_(
    "Mathematicians turn the kernel by 180° before they lay it down, and only call that a "
    "convolution. Networks leave it out: they learn the kernel anyway, turned or not."
)
WAYS: Final = {
    "plain": N_("as it is (networks)"),
    "turned": N_("turned by 180° (mathematics)"),
}

BOARD: Final = N_(
    "Golden: the window in the picture, and the number it gives. Click any number of the output, "
    "or use the buttons and the arrow keys, to step."
)
WINDOW: Final = N_("Row {row}, column {column} of the output: nine products, added up.")
TURNED: Final = N_(
    "At this window the kernel as it is gives **{plain}**, the turned one **{turned}**. The first "
    "is called cross-correlation, the second is the convolution of mathematics. PyTorch's `Conv2d` "
    "computes the first; the network below does too."
)
TURNED_OPPOSITE: Final = N_(
    "Turned, this kernel is its own opposite: every number of the output only changes its sign, "
    "and an edge from dark to bright is taken for one from bright to dark."
)
TURNED_SAME: Final = N_("Turned, this kernel is still the same: here the two are equal.")
SIZE: Final = N_(
    "How large is the output? n pixels with p zeros on both sides, a kernel of k, a step of s:"
)

TRAIN_TITLE: Final = N_("A network that learns its kernels")
TRAIN: Final = N_(
    "This network reads handwritten digits of 8 × 8 pixels. Its first layer has {first} kernels of "
    "3 × 3, its second {second}; then the largest of each 2 × 2 pixels is kept, and one linear "
    "layer says how likely each digit is. All kernels begin at random. It learns from {learn} "
    "digits and is judged on {held_out} others that it never saw."
)
SEED_HELP: Final = N_("Another number gives other random weights to begin with.")
RIGHT: Final = N_(
    "After {updates} updates, of the {n} held-out digits the part read rightly is {percent} %."
)
FILTERS: Final = N_(
    "The {n} kernels of the first layer as they are now, beside Sobel's two, made by hand (h: "
    "horizontal edges, v: vertical edges). All are drawn on one scale."
)
ALIKE: Final = N_(
    "Most alike: learned kernel {k} and Sobel's for {name} edges, cosine {cosine} (1: the same "
    "direction, −1: the opposite one, 0: nothing in common)."
)
HOVER: Final = N_("{name}, row {row}, column {column}: {value}")
EDGES: Final = {"horizontal": N_("horizontal"), "vertical": N_("vertical")}

READ_TITLE: Final = N_("What it sees in one digit")
READ: Final = N_(
    "Each kernel of the first layer steps over the digit, and what is negative becomes 0 (ReLU): "
    "{first} feature maps. The kernels of the second layer step over all of these together: "
    "{second} more. This is the network as it stands now, after {updates} updates."
)
DIGIT_HELP: Final = N_("One of the digits held out: the network has never learned from it.")
VERDICT_RIGHT: Final = N_("It is a {label}, and the network says {said}, with probability {p}.")
VERDICT_WRONG: Final = N_(
    "It is a {label}, but the network says {said}, with probability {p}. To the {label} it gives "
    "{q}."
)

ALEXNET_TITLE: Final = N_("AlexNet (2012)")
ALEXNET: Final = N_(
    "The same idea, large: five layers of convolutions and three linear ones for photographs of "
    "{side} × {side} pixels in three colours and {classes} kinds of things. Built by our own code, "
    "it has **{total}** parameters. {share} %, by far the most, are in the three linear layers at "
    "the end: there each number has a weight of its own for each number of the layer before, while "
    "a convolution uses its few weights again at every place of the picture."
)
ALEXNET_NOTE: Final = N_(
    "The network of 2012 was cut in two halves for two graphics cards. This is the version in one "
    "piece that its author published in 2014 and that is widely used."
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
    "linear6": N_("linear"),
    "linear7": N_("linear"),
    "linear8": N_("linear, one number a kind of thing"),
}

TASK: Final = N_(
    "Take the picture above, {n} pixels wide, with {padding} lines of zeros around it, and let the "
    "kernel of 3 × 3 go {stride} pixels at a time. How many numbers wide is the output?"
)
TASK_RIGHT: Final = N_(
    "Yes: ({n} + 2 · {padding} − 3) ÷ {stride}, rounded down, plus 1, is {answer}."
)
TASK_WRONG: Final = N_(
    "Not quite. The kernel needs 3 pixels to lie on; count how many steps of {stride} are left "
    "after that, and do not forget the first place."
)
