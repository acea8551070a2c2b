"""Run every check on everything there is; this also fills the compiled kernels' cache."""

from __future__ import annotations

import sys
from collections.abc import Sequence

import numpy as np
import polars as pl

from shoal.checks import ContractError, cases
from shoal.methods import GAACP
from shoal.models import KAnonymity
from shoal.schema import Schema, quasi
from shoal.table import Table


def main(names: Sequence[str] = ()) -> int:
    """Check all members, or those of some names; print what fails, and return how many."""
    failures = 0
    asked = {name.lower() for name in names}
    found = [case for case in cases() if not asked or case.member.lower() in asked]
    for case in found:
        try:
            case.run()
        except ContractError as error:
            failures += 1
            print(f"{case.name}: {error}")
    if not asked:
        _many_values()
    print(f"{len(found) - failures} checks hold, {failures} fail")
    return failures


def _many_values() -> None:
    """Group numbers with more values than 16 bits tell apart: their kernels are others."""
    n = 2**16 + 1
    table = Table.encode(pl.DataFrame({"x": np.arange(n)}), Schema({"x": quasi()}))
    found = GAACP().group(table, [KAnonymity(2)], rng=np.random.default_rng(0))
    assert found.n_groups == n // 2


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
