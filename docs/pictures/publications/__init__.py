"""How groups are released, one picture per form."""
