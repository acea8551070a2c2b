"""Run every check on everything there is; this also fills the compiled kernels' cache."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from shoal.checks import ContractError, cases
from shoal.checks.warm_up import warm_up


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
        warm_up()
    print(f"{len(found) - failures} checks hold, {failures} fail")
    return failures


if __name__ == "__main__":
    sys.exit(min(main(sys.argv[1:]), 1))
