"""Pure functions: NumPy arrays in, Plotly figures as plain dicts out."""
