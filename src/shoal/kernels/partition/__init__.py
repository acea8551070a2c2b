"""Loops of the methods that split classes."""
