"""The networks that led to the Transformer, small enough to train while the visitor watches."""
