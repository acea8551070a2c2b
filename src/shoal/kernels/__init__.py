"""Compiled loops: arrays in, arrays out; no objects, no checks, no files.

Each kernel has a slow, obvious twin in ``tests/reference`` that it must equal.
"""
