"""Any frame in, the same kind of frame out."""

from shoal.frames.convert import FrameT, from_arrow, like, require_frame, to_polars
from shoal.frames.names import check_names, free_name
from shoal.frames.plain import plain

__all__ = [
    "FrameT",
    "check_names",
    "free_name",
    "from_arrow",
    "like",
    "plain",
    "require_frame",
    "to_polars",
]
