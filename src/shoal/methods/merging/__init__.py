"""Classes that are too small are merged, and those that are too large are cut."""
