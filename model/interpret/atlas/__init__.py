"""What each head of a Transformer does, measured on many sentences."""
