"""Builders of hierarchies, one file each."""
