"""What an adversary learns, one picture per page of an attack."""
