"""Errors of Spark in the words of Shoal: never a trace, never a cell."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import contextmanager

from shoal import errors
from shoal.errors import OutOfMemoryError, OutputError, ShoalError

_NO_MEMORY = ("java.lang.OutOfMemoryError", "UNABLE_TO_ACQUIRE_MEMORY")
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
    except (PySparkException, Py4JError, ConnectionError) as error:
        if _came_of_a_stop(error):
            raise KeyboardInterrupt from None
        if isinstance(error, ConnectionError):  # to Java: nothing else here has one
            raise OutputError(
                "Spark's Java ended before the release was finished.",
                "Nothing was written. If the machine was short of memory, stop other programs.",
            ) from None
        raise _ours(str(error), type(error).__name__) from None


def _came_of_a_stop(error: BaseException | None) -> bool:
    """Say whether somebody pressed Ctrl-C, and this is what came of cleaning up afterwards."""
    while error is not None and not isinstance(error, KeyboardInterrupt):
        error = error.__context__
    return error is not None


def _ours(text: str, kind: str) -> ShoalError:
    """Find the error of a worker in what Spark says."""
    found = _OURS.search(text)
    named = getattr(errors, found[1], None) if found else None
    if found and isinstance(named, type) and issubclass(named, ShoalError):
        return named(found[2].strip())
    if any(word in text for word in _NO_MEMORY):
        return OutOfMemoryError(
            "Spark ran out of memory before the release was finished.",
            "Nothing was written. Give Java more memory (SPARK_DRIVER_MEMORY=8g on one "
            "machine, spark.executor.memory on a cluster), or use more blocks.",
        )
    return OutputError(
        f"Spark stopped before the release was finished ({kind}).",
        "Nothing was written. Run it in your own session to see the log: see "
        "shoal.spark.anonymize.",
    )
