"""Any frame in, the same kind of frame out; between them, columns as their different values."""

from shoal.io.frames.coded import Coded as Coded
from shoal.io.frames.convert import (
    FrameT as FrameT,
    from_arrow as from_arrow,
    like as like,
    require_frame as require_frame,
    to_coded as to_coded,
    to_polars as to_polars,
)
from shoal.io.frames.dictionary import (
    Dictionary as Dictionary,
    count_pairs as count_pairs,
    number_rows as number_rows,
    smallest as smallest,
)
from shoal.io.frames.names import check_names as check_names, free_name as free_name
from shoal.io.frames.plain import plain as plain
