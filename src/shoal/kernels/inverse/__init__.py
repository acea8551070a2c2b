"""Loops of the methods that make sensitive groups."""
