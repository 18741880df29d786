"""Components that run in the browser: each folder has a Python side, a script and a style sheet."""
