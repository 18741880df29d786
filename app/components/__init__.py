"""What runs in the browser: each folder has its Python side, its script and its style sheet."""
