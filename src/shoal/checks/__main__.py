"""Run every check on everything there is; this also fills the compiled kernels' cache."""

from __future__ import annotations

import sys
from collections.abc import Sequence

from shoal.checks import ContractError, cases
from shoal.checks.warm_up import warm_up
from shoal.errors import ParameterError, did_you_mean


def main(names: Sequence[str] = ()) -> int:
    """Check all members, or those named; print what fails, and return how many checks did.

    A member is named as in plans or in Python; an unknown name is refused (`ParameterError`).
    """
    failures = 0
    found = [*cases()]
    known = {_plain(case.member): case.member for case in found}
    for name in names:
        if _plain(name) not in known:
            hint = did_you_mean(name, known.values())
            raise ParameterError(f"No member is called '{name}'.", hint)
    if names:
        wanted = {known[_plain(name)] for name in names}
        found = [case for case in found if case.member in wanted]
    for case in found:
        try:
            case.run()
        except ContractError as error:
            failures += 1
            print(f"{case.name}: {error}")
    if not names:
        warm_up()
    print(f"{len(found) - failures} checks hold, {failures} fail")
    return failures


def _plain(name: str) -> str:
    return name.replace("-", "").replace("_", "").lower()


if __name__ == "__main__":
    try:
        sys.exit(min(main(sys.argv[1:]), 1))
    except ParameterError as error:
        print(error, file=sys.stderr)
        sys.exit(2)
