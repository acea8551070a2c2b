"""What must hold, one picture per requirement."""
