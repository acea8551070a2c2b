"""Loops of the methods that draw from buckets."""
