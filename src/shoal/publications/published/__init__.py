"""The one reader of published tables, ours or anyone's; it judges nothing.

Verification, risk, queries, measures and the command line start from what is read here. It
shares no code with what makes a publication, so that verification can trust it.
"""

from shoal.publications.published.files import PublishedFiles as PublishedFiles
from shoal.publications.published.folder import (
    FACTS as FACTS,
    PLAN as PLAN,
    private_folder as private_folder,
    read_facts as read_facts,
)
from shoal.publications.published.interval_ends import (
    is_numeric as is_numeric,
    with_interval_ends as with_interval_ends,
)
from shoal.publications.published.rows import original_rows as original_rows
from shoal.publications.published.tables import (
    Counterfeits as Counterfeits,
    Published as Published,
    Released as Released,
    ValueTable as ValueTable,
    find_class_column as find_class_column,
)
