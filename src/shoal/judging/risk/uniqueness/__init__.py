"""How many people are unique in the population: all estimates of a table."""
