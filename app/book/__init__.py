"""The app as pages that need no server: each screen is run, and what it drew is kept."""
