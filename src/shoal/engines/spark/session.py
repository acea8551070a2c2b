"""A Spark session of our own: nothing listens to the network, nothing is left behind."""

from __future__ import annotations

import logging
import os
import shutil
import signal
import sys
import threading
import warnings
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import TYPE_CHECKING

from shoal.errors import InstallationError, ParameterError, require_extra
from shoal.io.memory import available
from shoal.io.scratch import scratch_folder

if TYPE_CHECKING:
    from pyspark.sql import SparkSession

ROWS_PER_BATCH = 100_000
"""So many rows at a time go to Python."""

LEAST_MEMORY, MOST_MEMORY = 2**30, 2**33
"""Java gets a quarter of the bytes that are free, within these; Python's workers need the rest."""

OURS = "shoal-spark-"
"""How the names of our folders begin; the number of the process follows."""


def require_spark() -> None:
    """Refuse work without PySpark (raises `InstallationError`)."""
    require_extra("spark", "pyspark", "pandas", "pyarrow")


@contextmanager
def start(master: str = "local[*]") -> Iterator[SparkSession]:
    """Start Spark, and stop it again.

    It listens on this machine alone, and keeps what it must keep on disk in a folder that nobody
    else can read and that is removed at the end.

    Parameters
    ----------
    master
        Where Spark runs, such as ``local[2]``, ``yarn`` or ``spark://host:7077``.

    Raises
    ------
    InstallationError
        If PySpark or Java is missing.
    ParameterError
        If Spark does not start there.
    """
    require_spark()
    if shutil.which("java") is None and not os.environ.get("JAVA_HOME"):
        raise InstallationError(
            "Spark needs Java, which is not installed on this machine.",
            "Install Java 17 or later, such as the package openjdk-17-jre-headless.",
        )
    from pyspark.sql import SparkSession

    if SparkSession.getActiveSession() is not None:
        raise ParameterError(
            "A Spark session already runs in this process.",
            "Give its table to shoal.spark.anonymize.",
        )
    os.environ.setdefault("PYSPARK_PYTHON", sys.executable)
    with scratch_folder(OURS) as own:
        built = (
            SparkSession.builder.master(master)
            .appName("shoal")
            .config("spark.ui.enabled", "false")
            .config("spark.ui.showConsoleProgress", "false")
            .config("spark.log.level", "ERROR")
            .config("spark.local.dir", str(own))
            .config("spark.sql.warehouse.dir", str(own / "warehouse"))
            .config("spark.sql.execution.arrow.maxRecordsPerBatch", ROWS_PER_BATCH)
        )
        if master.startswith("local"):
            built = (
                built.config("spark.driver.bindAddress", "127.0.0.1")
                .config("spark.driver.host", "127.0.0.1")
                .config("spark.sql.shuffle.partitions", 2 * (os.cpu_count() or 1))
            )
        with _without_words_of_py4j():
            # Java inherits what errors are written to, and would talk on the terminal.
            with _stderr_to(own / "spark.log"), _for_java(master), _own_interrupt():
                session = _started(built, master)
            try:
                yield session
            finally:
                _stop(session)


def _started(built: SparkSession.Builder, master: str) -> SparkSession:
    """Start Spark, or say where it does not start; its own words may name more than that."""
    from py4j.protocol import Py4JError
    from pyspark.errors import PySparkException

    try:
        made = built.getOrCreate()
    except (PySparkException, Py4JError) as error:
        raise ParameterError(
            f"Spark cannot start at the master '{master}' ({type(error).__name__}).",
            "Check the address and that it is up, and that Java is 17 or later.",
        ) from None
    counting = getattr(made.sparkContext, "_accumulatorServer", None)
    if counting is not None:  # it would show a trace when Java dies
        counting.handle_error = lambda request, address: None
    return made


def _stop(session: SparkSession) -> None:
    """Stop Spark; of a Java that died, there is nothing to stop."""
    from py4j.protocol import Py4JError

    with suppress(Py4JError, OSError), warnings.catch_warnings():
        warnings.simplefilter("ignore")  # that it ended otherwise than by being stopped
        session.stop()


@contextmanager
def _without_words_of_py4j() -> Iterator[None]:
    """Keep what Py4J logs from the terminal: a trace for each Ctrl-C, and for a Java that died."""

    def of_others(record: logging.LogRecord) -> bool:
        return "py4j" not in Path(record.pathname).parts

    root, own = logging.getLogger(), logging.getLogger("py4j")
    before = own.propagate
    own.propagate = False
    root.addFilter(of_others)  # some of its words go to the root straight away
    try:
        yield
    finally:
        root.removeFilter(of_others)
        own.propagate = before


@contextmanager
def _own_interrupt() -> Iterator[None]:
    """Let Ctrl-C mean what it did before: PySpark's own answer speaks to Java in mid-sentence."""
    before = signal.getsignal(signal.SIGINT)
    try:
        yield
    finally:
        if threading.current_thread() is threading.main_thread():
            signal.signal(signal.SIGINT, before)


@contextmanager
def _for_java(master: str) -> Iterator[None]:
    """Say to Java, which is started now, what nobody else said: Spark's own settings come first."""
    settings = {}
    if master.startswith("local-cluster"):
        settings["SPARK_LOCAL_IP"] = "127.0.0.1"  # its processes listen here alone
    elif master.startswith("local"):
        settings["SPARK_DRIVER_MEMORY"] = f"{memory_of(available()) // 2**20}m"
    settings = {name: value for name, value in settings.items() if name not in os.environ}
    os.environ.update(settings)
    try:
        yield
    finally:
        for name in settings:
            del os.environ[name]


def memory_of(free: float | None) -> int:
    """Say how much of the memory that is free Java may take where all of Spark is one process.

    Spark itself would take 1 GiB, whatever there is: too little for 20 million rows.

    Examples
    --------
    >>> [memory_of(free * 2**30) / 2**30 for free in (2, 16, 200)]
    [1.0, 4.0, 8.0]
    """
    return LEAST_MEMORY if free is None else round(min(max(free / 4, LEAST_MEMORY), MOST_MEMORY))


@contextmanager
def _stderr_to(path: Path) -> Iterator[None]:
    """Let processes that are started now write their errors into a file."""
    sys.stderr.flush()
    before = os.dup(2)
    opened = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND, 0o600)
    try:
        os.dup2(opened, 2)
        yield
    finally:
        os.dup2(before, 2)
        os.close(before)
        os.close(opened)
