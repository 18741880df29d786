"""Looking into a network: captures, gradients, experiments, and every number's formula."""
