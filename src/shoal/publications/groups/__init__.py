"""Groups of rows: their labels, their counts, and what is set aside before."""
