"""What a release leaves to those who attack it."""
