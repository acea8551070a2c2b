"""File names made from column names: plain letters, and no two alike."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable

_LONGEST = 60
# Names that Windows keeps for its devices.
_RESERVED = re.compile(r"(con|prn|aux|nul|com\d|lpt\d)(\..*)?\Z", re.IGNORECASE)


def file_names(columns: Iterable[str], suffix: str = ".csv") -> dict[str, str]:
    """Give each column a file name of letters, digits, ``.``, ``_`` and ``-``.

    >>> file_names(["sex", "Größe (cm)", "SEX", "年龄", "../a"])
    {'sex': 'sex.csv', 'Größe (cm)': 'Groe_cm.csv', 'SEX': 'SEX-2.csv', '年龄': 'column.csv',
     '../a': 'a.csv'}
    """
    made: dict[str, str] = {}
    taken: set[str] = set()
    for column in columns:
        plain = unicodedata.normalize("NFKD", column).encode("ascii", "ignore").decode()
        stem = re.sub(r"[^A-Za-z0-9._-]+", "_", plain)[:_LONGEST].strip("._-") or "column"
        if _RESERVED.match(stem):
            stem = f"column-{stem}"
        name, number = stem, 1
        while name.lower() in taken:  # some disks take SEX and sex for the same
            number += 1
            name = f"{stem}-{number}"
        taken.add(name.lower())
        made[column] = f"{name}{suffix}"
    return made
