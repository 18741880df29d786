"""The translators that came before the Transformer, with its interface."""
