"""Run all cases, or the named ones, and write RESULTS.md; or compare two versions (`versus`)."""

from __future__ import annotations

import json
import platform
import resource
import subprocess
import sys
from pathlib import Path

RESULTS = Path(__file__).parent / "RESULTS.md"


def main(arguments: list[str]) -> None:
    if arguments[:1] == ["versus"]:
        from benchmarks.versus import main as versus

        versus(arguments[1:])
        return
    from benchmarks.cases import CASES

    if arguments[:1] == ["--one"]:
        figures = CASES[arguments[1]]()
        most = max(
            resource.getrusage(who).ru_maxrss
            for who in (resource.RUSAGE_SELF, resource.RUSAGE_CHILDREN)
        )
        print(json.dumps({**figures, "peak memory of a Python process (MB)": most / 1024}))
        return
    parts = [
        "# Results\n",
        "Made by `make bench`; one run each, on two cores that were not idle, so read ratios "
        f"rather than seconds. Python {platform.python_version()}.\n",
    ]
    for name in arguments or CASES:
        command = [sys.executable, "-m", "benchmarks", "--one", name]
        answer = subprocess.run(command, check=True, capture_output=True, text=True).stdout
        figures = json.loads(answer.strip().splitlines()[-1])
        parts.append(f"## {name}\n\n{CASES[name].__doc__}\n")
        parts.append("| figure | value |\n| --- | ---: |")
        parts += [f"| {label} | {_text(value)} |" for label, value in figures.items()]
        parts.append("")
        print("\n".join(parts[-len(figures) - 3 :]), flush=True)
    if not arguments:
        RESULTS.write_text("\n".join(parts), encoding="utf-8")


def _text(value: float | int | str) -> str:
    return value if isinstance(value, str) else f"{value:,.3g}" if value < 100 else f"{value:,.0f}"


if __name__ == "__main__":
    main(sys.argv[1:])
