"""Temporary."""

from shoal.io.frames import like, to_polars
