"""What is measured on many sentences: what each head does, and whether attention explains."""
