"""The README as a package index shows it: without links and pictures that work in a checkout alone.

Shoal has no public address yet, so there is nothing that a relative link could be turned into: its
words stay, and a sentence says where the pages are. Once there is one, turn them here.
"""

from __future__ import annotations

import re

__all__ = ["long_description"]

FENCE = re.compile(r"(^```.*?^```$)", re.MULTILINE | re.DOTALL)
PICTURE = re.compile(r"^!\[[^\]]*\]\([^)\s]+\)\n\n?", re.MULTILINE)
RELATIVE = re.compile(r"\[([^\]]+)\]\((?!\w+://)[^)\s]+\)")

WHERE = "Pages and pictures that are named here are in the source distribution, under `docs/`.\n"


def long_description(readme: str) -> str:
    """Take out pictures and relative links, except in blocks of code.

    Examples
    --------
    >>> print(long_description("See [files](docs/files.md) or [UCI](https://doi.org/10.24432/C5XW20)."))
    See files or [UCI](https://doi.org/10.24432/C5XW20).
    <BLANKLINE>
    Pages and pictures that are named here are in the source distribution, under `docs/`.
    <BLANKLINE>
    """
    parts = FENCE.split(readme)
    parts[::2] = [RELATIVE.sub(r"\1", PICTURE.sub("", part)) for part in parts[::2]]
    return f"{''.join(parts).rstrip()}\n\n{WHERE}"
