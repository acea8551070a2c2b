"""Errors of Spark in the words of Shoal: never a trace, never a cell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from shoal import errors
from shoal.errors import OutputError, ShoalError

__all__ = ["telling"]

_OURS = re.compile(r"shoal\.errors\.(\w+): (.+)")


@contextmanager
def telling() -> Iterator[None]:
    """Say what went wrong in Spark: our own words where a worker of ours refused.

    Spark's words may hold cells, so they are not repeated.
    """
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        yield
    except (PySparkException, Py4JError) as error:
        raise _ours(str(error), type(error).__name__) from None


def _ours(text: str, kind: str) -> ShoalError:
    """Find the error of a worker in what Spark says.

    Examples
    --------
    >>> _ours("… shoal.errors.InfeasibleError: Too few rows. Lower k.", "PythonException")
    InfeasibleError('Too few rows. Lower k.')
    """
    found = _OURS.search(text)
    named = getattr(errors, found[1], None) if found else None
    if found and isinstance(named, type) and issubclass(named, ShoalError):
        return named(found[2].strip())
    return OutputError(
        f"Spark stopped before the release was finished ({kind}).",
        "Nothing was written. A session of your own shows its log: see shoal.spark.anonymize.",
    )
