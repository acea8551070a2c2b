"""What each column of a table is: its role, its kind, its hierarchy, its weight."""

from shoal.table.schema.columns import (
    Column as Column,
    ColumnLike as ColumnLike,
    Kind as Kind,
    Role as Role,
    column_of as column_of,
    identifier as identifier,
    other as other,
    quasi as quasi,
    read_tokens as read_tokens,
    sensitive as sensitive,
)
from shoal.table.schema.schema import (
    NO_ENTITY as NO_ENTITY,
    Linkage as Linkage,
    Schema as Schema,
    SchemaLike as SchemaLike,
    as_schema as as_schema,
    is_missing as is_missing,
    known_texts as known_texts,
)
