"""Attacks on a publication, one file each."""
