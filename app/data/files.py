"""The door to files that people name: each is written beside its place, and takes it when whole."""

from model.files import replace_text

__all__ = ["replace_text"]
