"""A book that translates in the visitor's browser: the app's own code, in Pyodide."""
