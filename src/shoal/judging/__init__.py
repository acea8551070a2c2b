"""Judge what is published: verify it, attack it, measure its risk and its use."""
