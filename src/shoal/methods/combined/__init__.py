"""Methods made of others: they start with one, refine its groups, and bound what is lost."""
