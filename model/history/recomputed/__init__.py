"""Numbers of the history pages once more, by other means than the code that they check."""
