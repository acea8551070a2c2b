"""How many people are unique in the population, estimated from a sample: a file per estimator."""
