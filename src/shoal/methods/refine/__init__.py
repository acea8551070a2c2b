"""Refinement: groups are taken apart and put together again as long as that loses less."""
