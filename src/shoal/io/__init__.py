"""Tables in and out: CSV and Parquet files, and whole folders.

Everything is read as it stands, checked, and told apart from what it could be mistaken
for; everything is written plainly, with the same bytes each time, whole or not at all.
"""

from shoal.io.atomic import Target, check_free, recover, replace_folders, target
from shoal.io.dialect import Dialect, detect
from shoal.io.disk import cannot_write
from shoal.io.formulas import FORMULAS, escape, unescape
from shoal.io.memory import require_memory
from shoal.io.names import file_names
from shoal.io.read import Read, read
from shoal.io.sql import SQL, read_sql
from shoal.io.write import write_csv, write_parquet

__all__ = [
    "FORMULAS",
    "SQL",
    "Dialect",
    "Read",
    "Target",
    "cannot_write",
    "check_free",
    "detect",
    "escape",
    "file_names",
    "read",
    "read_sql",
    "recover",
    "replace_folders",
    "require_memory",
    "target",
    "unescape",
    "write_csv",
    "write_parquet",
]
