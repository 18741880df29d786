"""Looking into a network: captures, gradients, one training step, and every number's formula."""
