"""The history pages' numbers, recomputed independently of the code that they check."""
