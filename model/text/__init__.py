"""From text to batches: the tokenizer, sentence pairs, padding."""
