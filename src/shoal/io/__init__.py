"""Tables in and out: files of many formats, and whole folders.

Everything is read as it stands, checked, and told apart from what it could be mistaken
for; everything is written plainly, with the same bytes each time, whole or not at all.
"""

from shoal.io.atomic import recover, replace_folders, target
from shoal.io.dialect import Dialect, detect
from shoal.io.disk import cannot_write
from shoal.io.formats import FORMATS, Format, require_no_table, table_suffixes, writer
from shoal.io.formulas import FORMULAS, escape, unescape
from shoal.io.memory import require_memory
from shoal.io.names import file_names
from shoal.io.read import format_of, read
from shoal.io.result import Read
from shoal.io.sql import SQL, read_sql
from shoal.io.standard_input import standard_input
from shoal.io.style import Style
from shoal.io.transaction import Target, check_free
from shoal.io.write import unencodable, write_csv, write_parquet

__all__ = [
    "FORMATS",
    "FORMULAS",
    "SQL",
    "Dialect",
    "Format",
    "Read",
    "Style",
    "Target",
    "cannot_write",
    "check_free",
    "detect",
    "escape",
    "file_names",
    "format_of",
    "read",
    "read_sql",
    "recover",
    "replace_folders",
    "require_memory",
    "require_no_table",
    "standard_input",
    "table_suffixes",
    "target",
    "unencodable",
    "unescape",
    "write_csv",
    "write_parquet",
    "writer",
]
