"""Kernels that find who is alone with some cells."""
