"""An encoder-decoder Transformer after "Attention Is All You Need", and all that trains it."""

__version__ = "1.0.0"
