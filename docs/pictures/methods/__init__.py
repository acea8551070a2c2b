"""How groups are found, one picture per method."""
