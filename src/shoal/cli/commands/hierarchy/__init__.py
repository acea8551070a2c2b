"""Build, check and show hierarchies."""
