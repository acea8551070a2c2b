"""What is lost and what is protected, one picture per measure."""
