"""Writing a translation step by step: greedily, by beam search or by sampling."""
