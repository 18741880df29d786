"""The phrase book: a small grammar of Spanish, French and English over one lexicon."""
