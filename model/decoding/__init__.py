"""Writing a translation: greedily, by beam search or by sampling, step by step."""
