"""Translators fetched by their name from a hub, such as Hugging Face's."""
