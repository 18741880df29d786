"""Translators downloaded by name from a hub, such as Hugging Face's."""
