"""The door to the model for what two pages or more show; a page's own door is its `data.py`."""
