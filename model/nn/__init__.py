"""The networks: the Transformer, the recurrent translators before it, masks, hooks and loss."""
