"""Every captured number computed again, in NumPy and float64, without the model's own code."""
