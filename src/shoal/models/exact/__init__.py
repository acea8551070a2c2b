"""Exact arithmetic of requirements: no verdict hangs on a rounding."""
