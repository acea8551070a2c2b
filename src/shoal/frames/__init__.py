"""Any frame in, the same kind of frame out."""

from shoal.frames.convert import from_arrow, like, to_polars
from shoal.frames.names import check_names, free_name
from shoal.frames.plain import plain

__all__ = ["check_names", "free_name", "from_arrow", "like", "plain", "to_polars"]
