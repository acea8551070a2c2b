"""Sensitive groups whose values are as unlike as possible (inverse clustering)."""
