"""Classes from buckets of records with the same sensitive value."""
