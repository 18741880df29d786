"""The networks that led to the Transformer, small enough to be trained while one looks on."""
