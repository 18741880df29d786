"""An encoder-decoder Transformer after "Attention Is All You Need", and the code to train it."""

__version__ = "1.0.0"
