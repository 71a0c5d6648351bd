"""Examples: python -m resilin.examples NAME."""
