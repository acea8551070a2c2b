"""Classes that grow record by record, each the nearest (greedy clustering)."""
