"""Texts that two pages or more show; a page's own texts are its `texts.py`."""
