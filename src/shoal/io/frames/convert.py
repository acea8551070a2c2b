"""Any frame in, the same kind of frame out."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Collection, Mapping
from decimal import Decimal, InvalidOperation
from typing import TYPE_CHECKING, Any

import polars as pl
from typing_extensions import TypeVar

from shoal.errors import InputError, require_extra
from shoal.io.frames.coded import Coded
from shoal.io.frames.names import check_names
from shoal.io.frames.plain import plain
from shoal.io.frames.source import Source, is_source

if TYPE_CHECKING:  # imported for frames of other libraries, never for those of polars
    import narwhals as nw
    import pyarrow as pa
    from narwhals.typing import IntoFrame

FrameT = TypeVar("FrameT", bound="IntoFrame", default=pl.DataFrame)
"""The type of a frame that comes back; polars where a path is given."""

_SUPPORTED = (
    "Give a pandas, polars or modin DataFrame, a polars LazyFrame, a pyarrow Table, "
    "a DuckDB relation, or another frame that narwhals supports."
)
# Object columns of pandas whose cells are all of one usable kind.
_ONE_KIND = (
    *("string", "empty", "boolean", "integer", "floating", "decimal"),
    *("date", "datetime", "time"),
)
_POLARS = (pl.exceptions.PolarsError, pl.exceptions.PanicException)  # a panic is no Exception


def to_polars(
    data: Any, *, decimal_texts: Mapping[str, Callable[[pl.Series], pl.Series]] | None = None
) -> pl.DataFrame:
    """Copy any frame into a polars frame of plain columns.

    The caller's object is not changed. The index and ``attrs`` of pandas are left behind,
    dictionaries become plain values. NaN, which is how pandas writes missing numbers, becomes
    missing there and only there.

    ``data``: a frame of pandas, polars, pyarrow, DuckDB, modin or any library narwhals supports.
    ``decimal_texts``: columns whose objects of pandas, if they are Decimals, become texts, and what
        becomes of these. They have no type that says how many decimals there are: a column of
        Decimals would give each cell as many as the longest one has.

    >>> import pyarrow as pa
    >>> to_polars(pa.table({"a": pa.array(["x", "y"]).dictionary_encode()})).dtypes
    [String]
    """
    if isinstance(data, Source):
        data = data.read()
    if isinstance(data, Coded):
        return data.frame
    if isinstance(data, pl.LazyFrame):
        data = _collect(data)
    if isinstance(data, pl.DataFrame):
        check_names(data.columns, "the table")
        return plain(data)
    import narwhals as nw

    frame = _narwhals(data)
    if isinstance(frame, nw.LazyFrame):
        frame = _collect(frame, "pyarrow")
    if frame.implementation.is_pandas_like():
        return _from_pandas(frame.to_pandas(), decimal_texts or {})
    return from_arrow(frame.to_arrow())


def to_coded(data: Any, *, exact: Collection[str] = ()) -> Coded:
    """Make plain columns of any frame, which become dictionaries when they are asked for.

    ``exact`` names columns of a `Source` whose decimal numbers keep the zeros at their end.

    >>> to_coded(pl.DataFrame({"a": ["x", "y", "x"]}))["a"].codes.tolist()
    [0, 1, 0]
    """
    if isinstance(data, Source):
        return data.read(exact)
    return data if isinstance(data, Coded) else Coded(to_polars(data))


def require_frame(data: object) -> None:
    """Refuse what is neither a frame nor the path of a file (raises `InputError`).

    >>> require_frame(pl.DataFrame({"a": [1]}))
    >>> require_frame(None)
    Traceback (most recent call last):
    shoal.errors.InputError: A table cannot be made of an object of type NoneType. Give ...
    """
    if not isinstance(data, pl.DataFrame | pl.LazyFrame) and not is_source(data):
        _narwhals(data)


def like(frame: pl.DataFrame, original: Any, *, untouched: Collection[str] = ()) -> Any:
    """Give a polars frame the type of another frame.

    A new pandas frame has a plain row index and no ``attrs``; a pyarrow Table has no
    metadata; a DuckDB relation lives on the default connection. Frames of libraries that
    only compute elsewhere (Dask, Ibis, PySpark) come back as polars frames.

    ``original``: a frame of the wanted type; ``None`` or a path for polars.
    ``untouched``: columns whose cells are those of the original: Decimals that became texts (see
        `to_polars`) are Decimals again.

    >>> import pyarrow as pa
    >>> type(like(pl.DataFrame({"a": [1]}), pa.table({"b": [2]}))).__name__
    'Table'
    """
    if original is None or isinstance(original, pl.DataFrame) or is_source(original):
        return frame
    if isinstance(original, pl.LazyFrame):
        return frame.lazy()
    import narwhals as nw

    shape = _narwhals(original)
    kind = shape.implementation
    if kind.is_pandas():
        return _to_pandas(frame, original, untouched)
    if kind.is_pyarrow():
        return _with_types(_to_arrow(frame), frame, original)
    if kind.is_duckdb():
        return importlib.import_module("duckdb").from_arrow(_to_arrow(frame))
    if isinstance(shape, nw.DataFrame):
        return nw.DataFrame.from_arrow(_to_arrow(frame), backend=kind).to_native()
    return frame


def from_arrow(table: pa.Table, *, source: str = "the table") -> pl.DataFrame:
    """Copy an Arrow table into a polars frame of plain columns.

    >>> import pyarrow as pa
    >>> from_arrow(pa.table({"a": [1, None]})).rows()
    [(1,), (None,)]
    """
    check_names(table.column_names, source)
    columns = [
        arrow_column(column, name, source)
        for name, column in zip(table.column_names, table.columns, strict=True)
    ]
    return plain(pl.DataFrame(columns), source=source)


def arrow_column(column: pa.ChunkedArray | pa.Array, name: str, source: str) -> pl.Series:
    """Copy an Arrow column; a dictionary is written out (raises `InputError`)."""
    import pyarrow as pa

    if pa.types.is_dictionary(column.type):
        column = column.cast(column.type.value_type)
    return _series(lambda: pl.from_arrow(column), name, source)


def is_text(kind: pa.DataType) -> bool:
    """Say whether cells of an Arrow type are texts, plain or in a dictionary."""
    import pyarrow as pa

    if pa.types.is_dictionary(kind):
        kind = kind.value_type
    return bool(pa.types.is_string(kind) or pa.types.is_large_string(kind))


def _narwhals(data: Any) -> nw.DataFrame[Any] | nw.LazyFrame[Any]:
    import narwhals as nw

    # Narwhals refuses names used twice without saying which.
    library = type(data).__module__.split(".")[0]
    if library in ("pandas", "modin", "duckdb"):
        check_names([str(name) for name in getattr(data, "columns", ["?"])], "the table")
    if library == "pyarrow":
        check_names(getattr(data, "column_names", []), "the table")
    problem = f"A table cannot be made of an object of type {type(data).__name__}."
    try:
        frame = nw.from_native(data)
    except nw.exceptions.DuplicateError:
        problem = "The table has more than one column of the same name."
        raise InputError(problem, "Rename the columns.") from None
    except TypeError:
        frame = None
    if not isinstance(frame, nw.DataFrame | nw.LazyFrame):
        raise InputError(problem, _SUPPORTED) from None
    require_extra("arrow", "pyarrow")  # the bridge from every library but polars
    return frame


def _collect(frame: Any, *backend: str) -> Any:
    try:
        return frame.collect(*backend)
    except Exception as error:  # any engine, any error: its text may quote cells
        raise InputError(
            f"The lazy table could not be computed ({type(error).__name__}).",
            "Compute it first to see the reason, and pass the result.",
        ) from None


def _from_pandas(
    frame: Any, decimal_texts: Mapping[str, Callable[[pl.Series], pl.Series]]
) -> pl.DataFrame:
    pandas = importlib.import_module("pandas")
    if frame.columns.nlevels > 1:
        raise InputError(
            "The columns of the table have names of several levels.", "Give each column one name."
        )
    names = [str(name) for name in frame.columns]
    check_names(names, "the table")
    columns = []
    for place, name in enumerate(names):
        column = frame.iloc[:, place]
        kind = _kind_of_objects(pandas, column)
        if kind not in ("", *_ONE_KIND):
            problem = f"Column '{name}' holds objects that are not all text or all numbers."
            raise InputError(problem, "Turn them all into text, or drop the column.")
        if kind == "decimal" and name in decimal_texts:
            columns.append(decimal_texts[name](_decimal_texts(pandas, column, name)))
        else:
            columns.append(_pandas_column(pandas, column, name))
    return plain(pl.DataFrame(columns))


def _kind_of_objects(pandas: Any, column: Any) -> str:
    """Name what the objects of a column are; empty if its type says more than that."""
    objects = column.dtype == object
    return str(pandas.api.types.infer_dtype(column.dropna())) if objects else ""


def _decimal_texts(pandas: Any, column: Any, name: str) -> pl.Series:
    """Write each Decimal with its own digits."""
    known = [None if gone else cell for cell, gone in zip(column, pandas.isna(column), strict=True)]
    if not all(cell is None or cell.is_finite() for cell in known):
        raise _unusable(name, "the table")
    cells = [None if cell is None else format(cell, "f") for cell in known]
    return pl.Series(name, cells, dtype=pl.String)


def _pandas_column(pandas: Any, column: Any, name: str) -> pl.Series:
    if isinstance(column.dtype, pandas.CategoricalDtype):
        values = _pandas_column(pandas, pandas.Series(column.cat.categories), name)
        codes = pl.Series(column.cat.codes.to_numpy().astype("int64"))
        return values.gather(codes.set(codes < 0, None)).alias(name)
    if isinstance(column.dtype, pandas.PeriodDtype):
        raise _unusable(name, "the table")  # polars before 2.0 counts months from 1970
    plain_rows = column.reset_index(drop=True)
    return _series(lambda: pl.from_pandas(plain_rows, nan_to_null=True), name, "the table")


def _series(copy: Callable[[], Any], name: str, source: str) -> pl.Series:
    """Copy a column; refuse one of which nothing can be made."""
    made = None
    try:
        made = copy()
    except MemoryError:
        raise
    except (Exception, *_POLARS):  # Arrow and polars each have their own, and quote cells
        pass
    if not isinstance(made, pl.Series):
        raise _unusable(name, source)
    return made.alias(name)


def _extension(pandas: Any, none: Any) -> pl.DataType | None:
    """Give what a column of an extension type is here, unless it is a dictionary."""
    if not pandas.api.types.is_extension_array_dtype(none.dtype) or isinstance(
        none.dtype, pandas.CategoricalDtype | pandas.DatetimeTZDtype
    ):
        return None
    made = _pandas_column(pandas, none, "")
    return None if made.dtype in (pl.Categorical, pl.Enum) else made.dtype


def _unusable(name: str, source: str) -> InputError:
    return InputError(
        f"Column '{name}' of {source} has a type that cannot be used.",
        "Turn it into text, numbers or dates, or drop it.",
    )


def _to_arrow(frame: pl.DataFrame) -> pa.Table:
    return plain(frame).to_arrow().replace_schema_metadata(None)


def _with_types(table: pa.Table, frame: pl.DataFrame, original: pa.Table) -> pa.Table:
    """Give columns that are what they were the very types they had, such as short strings."""
    import pyarrow as pa

    types = dict(zip(original.schema.names, original.schema.types, strict=True))
    for at, (name, dtype) in enumerate(frame.schema.items()):
        kind = types.get(name)
        if kind is None or kind == table.schema.field(at).type or pa.types.is_dictionary(kind):
            continue
        try:
            same = pl.from_arrow(pa.array([], type=kind)).dtype == dtype  # type: ignore[union-attr]
            column = table.column(at).cast(kind) if same else None
        except (pa.ArrowException, *_POLARS, TypeError, ValueError):
            continue
        if column is not None:
            table = table.set_column(at, name, column)
    return table


def _to_pandas(frame: pl.DataFrame, original: Any, untouched: Collection[str]) -> Any:
    pandas = importlib.import_module("pandas")
    result = plain(frame).to_pandas()
    places = {str(name): at for at, name in enumerate(original.columns)}
    for name, dtype in frame.schema.items():
        column = original.iloc[:, places[name]] if name in places else None
        none = None if column is None else column.iloc[:0]  # its type alone: no cell decides
        if column is not None and column.dtype == object:
            cells = frame[name].to_list()
            if dtype == pl.String:
                if name not in untouched or _kind_of_objects(pandas, column) != "decimal":
                    continue
                try:
                    cells = [None if cell is None else Decimal(cell) for cell in cells]
                except InvalidOperation:  # the plan makes ranges of them
                    continue
            result[name] = pandas.Series(cells, dtype=object, index=result.index)
            continue
        if none is not None and _extension(pandas, none) == dtype:
            arrow = pandas.arrays.ArrowExtensionArray(_to_arrow(frame.select(name))[0])
            result[name] = pandas.Series(arrow, index=result.index).astype(none.dtype)
            continue
        if isinstance(dtype, pl.Datetime) and none is not None and none.dtype.kind == "M":
            if _pandas_column(pandas, none, "").dtype == dtype:
                result[name] = result[name].astype(none.dtype)  # polars has no whole seconds
            continue
        # NumPy has no missing integer or truth value; floats would round large codes.
        if frame[name].null_count() and (dtype.is_integer() or dtype == pl.Boolean):
            nullable = "boolean" if dtype == pl.Boolean else str(dtype)
            result[name] = pandas.array(frame[name].to_list(), dtype=nullable)
    return result
