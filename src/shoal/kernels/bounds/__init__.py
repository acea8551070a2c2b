"""Loops of lower bounds."""
