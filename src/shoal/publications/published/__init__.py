"""The one reader of published tables, ours or anyone's; it judges nothing.

Verification, risk, queries, measures and the command line start from what is read here. It
shares no code with what makes a publication, so that verification can trust it.
"""

from shoal.publications.published.files import PublishedFiles
from shoal.publications.published.folder import FACTS, PLAN, private_folder, read_facts
from shoal.publications.published.interval_ends import is_numeric, with_interval_ends
from shoal.publications.published.rows import original_rows
from shoal.publications.published.tables import (
    Counterfeits,
    Published,
    Released,
    ValueTable,
    find_class_column,
)

__all__ = [
    "FACTS",
    "PLAN",
    "Counterfeits",
    "Published",
    "PublishedFiles",
    "Released",
    "ValueTable",
    "find_class_column",
    "is_numeric",
    "original_rows",
    "private_folder",
    "read_facts",
    "with_interval_ends",
]
