"""Tables in and out: files of many formats, and whole folders.

Everything is read as it stands, checked, and told apart from what it could be mistaken
for; everything is written plainly, with the same bytes each time, whole or not at all.
"""

from shoal.io.atomic import recover as recover, replace_folders as replace_folders, target as target
from shoal.io.dialect import Dialect as Dialect, detect as detect
from shoal.io.disk import cannot_write as cannot_write
from shoal.io.formats import (
    FORMATS as FORMATS,
    Format as Format,
    require_no_table as require_no_table,
    table_suffixes as table_suffixes,
    writer as writer,
)
from shoal.io.formulas import FORMULAS as FORMULAS, escape as escape, unescape as unescape
from shoal.io.memory import require_memory as require_memory
from shoal.io.names import file_names as file_names
from shoal.io.read import format_of as format_of, read as read
from shoal.io.result import Read as Read
from shoal.io.sql import SQL as SQL, read_sql as read_sql
from shoal.io.standard_input import standard_input as standard_input
from shoal.io.style import Style as Style
from shoal.io.transaction import Target as Target, check_free as check_free
from shoal.io.write import (
    unencodable as unencodable,
    write_csv as write_csv,
    write_parquet as write_parquet,
)
