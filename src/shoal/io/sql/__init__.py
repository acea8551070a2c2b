"""Tables in databases: read by a query, written in one transaction, through ADBC."""

from shoal.io.sql.address import Address as Address
from shoal.io.sql.connecting import connect as connect
from shoal.io.sql.reading import declared_types as declared_types, read_sql as read_sql
from shoal.io.sql.saved import (
    connections_file as connections_file,
    remove_connection as remove_connection,
    safe_address as safe_address,
    save_connection as save_connection,
    saved_connections as saved_connections,
)
from shoal.io.sql.source import SQL as SQL
from shoal.io.sql.writing import (
    RELEASES as RELEASES,
    Delivery as Delivery,
    deliver as deliver,
    owners as owners,
    require_free as require_free,
)
