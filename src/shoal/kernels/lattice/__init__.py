"""Loops of the full-domain search."""
