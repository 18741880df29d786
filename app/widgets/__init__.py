"""Small reusable pieces of a page."""
