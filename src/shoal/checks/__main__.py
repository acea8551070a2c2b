"""Run every check on everything there is; this also fills the compiled kernels' cache."""

from __future__ import annotations

import sys

from shoal.checks import ContractError, cases


def main() -> int:
    """Print what fails; return how many."""
    failures = 0
    found = list(cases())
    for case in found:
        try:
            case.run()
        except ContractError as error:
            failures += 1
            print(f"{case.name}: {error}")
    print(f"{len(found) - failures} checks hold, {failures} fail")
    return failures


if __name__ == "__main__":
    sys.exit(min(main(), 1))
