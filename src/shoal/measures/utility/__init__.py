"""What a release costs those who use it."""
