"""The report of a release: one HTML page for everyone, made from its public facts alone."""

from shoal.release.report.page import page

__all__ = ["page"]
