"""Tables in and out: CSV and Parquet files, and whole folders.

Everything is read as it stands, checked, and told apart from what it could be mistaken
for; everything is written plainly, with the same bytes each time, whole or not at all.
"""

from shoal.io.atomic import check_free, replace_folder, replace_folders
from shoal.io.dialect import Dialect, detect
from shoal.io.formulas import FORMULAS, escape, unescape
from shoal.io.names import file_names
from shoal.io.read import Read, read
from shoal.io.write import write_csv, write_parquet

__all__ = [
    "FORMULAS",
    "Dialect",
    "Read",
    "check_free",
    "detect",
    "escape",
    "file_names",
    "read",
    "replace_folder",
    "replace_folders",
    "unescape",
    "write_csv",
    "write_parquet",
]
