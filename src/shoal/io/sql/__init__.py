"""Tables in databases: read by a query, written in one transaction, through ADBC."""

from shoal.io.sql.address import Address as Address
from shoal.io.sql.connecting import connect as connect
from shoal.io.sql.reading import read_sql as read_sql
from shoal.io.sql.source import SQL as SQL
from shoal.io.sql.writing import (
    RELEASES as RELEASES,
    Delivery as Delivery,
    deliver as deliver,
    require_free as require_free,
)

__all__ = [
    "RELEASES",
    "SQL",
    "Address",
    "Delivery",
    "connect",
    "deliver",
    "read_sql",
    "require_free",
]
