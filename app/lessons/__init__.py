"""What the pages teach, as data."""
