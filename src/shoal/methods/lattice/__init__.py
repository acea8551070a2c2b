"""One level per attribute for the whole table (full-domain generalization)."""
