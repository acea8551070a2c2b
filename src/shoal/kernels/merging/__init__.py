"""Loops of the methods that merge classes."""
