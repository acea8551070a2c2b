"""Any frame in, the same kind of frame out; between them, columns as their different values."""

from shoal.io.frames.coded import Coded
from shoal.io.frames.convert import FrameT, from_arrow, like, require_frame, to_coded, to_polars
from shoal.io.frames.dictionary import Dictionary, count_pairs, number_rows, smallest
from shoal.io.frames.names import check_names, free_name
from shoal.io.frames.plain import plain

__all__ = [
    "Coded",
    "Dictionary",
    "FrameT",
    "check_names",
    "count_pairs",
    "free_name",
    "from_arrow",
    "like",
    "number_rows",
    "plain",
    "require_frame",
    "smallest",
    "to_coded",
    "to_polars",
]
