"""How values become less exact, one picture per builder."""
