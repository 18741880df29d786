"""A book that is drawn for its reader: the app on a sentence of their own, without a server."""
