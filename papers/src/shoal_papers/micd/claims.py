"""What Zhang et al. (2014) say in sections 4 and 5, claim by claim."""

from __future__ import annotations

from shoal_papers.claims import Claim
from shoal_papers.micd import attacks, data, noise, times
from shoal_papers.micd.grid import Grid

__all__ = ["claims"]


def claims(grid: Grid) -> list[Claim]:
    """List the claims in the order of the text."""
    return [claim for part in (data, attacks, noise, times) for claim in part.claims(grid)]
