"""How Spark is started: what Java is told, and what it says when there is too little of it."""

from __future__ import annotations

import logging
import os

import pytest

pytest.importorskip("pyspark")
from py4j.protocol import Py4JNetworkError

from shoal.engines.spark.failing import _ours, telling
from shoal.engines.spark.session import LEAST_MEMORY, _for_java, _without_words_of_py4j
from shoal.errors import OutputError

MEMORY, PLACE = "SPARK_DRIVER_MEMORY", "SPARK_LOCAL_IP"


def test_java_is_told_how_much_memory_there_is_for_one_process(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.delenv(MEMORY, raising=False)
    monkeypatch.setattr("shoal.engines.spark.session.available", lambda: 12.0 * 2**30)
    with _for_java("local[2]"):
        assert os.environ[MEMORY] == "3072m"
    assert MEMORY not in os.environ
    monkeypatch.setattr("shoal.engines.spark.session.available", lambda: None)
    with _for_java("local"):
        assert os.environ[MEMORY] == f"{LEAST_MEMORY // 2**20}m"


def test_what_somebody_said_already_stays(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(MEMORY, "5g")
    monkeypatch.setenv(PLACE, "127.0.0.9")
    for master in ("local[2]", "local-cluster[2,1,1024]"):
        with _for_java(master):
            assert (os.environ[MEMORY], os.environ[PLACE]) == ("5g", "127.0.0.9")
        assert (os.environ[MEMORY], os.environ[PLACE]) == ("5g", "127.0.0.9")


def test_a_cluster_is_told_nothing_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv(MEMORY, raising=False)
    monkeypatch.delenv(PLACE, raising=False)
    with _for_java("local-cluster[2,1,1024]"):
        assert os.environ[PLACE] == "127.0.0.1"
        assert MEMORY not in os.environ
    with _for_java("yarn"):
        assert MEMORY not in os.environ
        assert PLACE not in os.environ


def test_too_little_memory_is_named_with_the_way_out() -> None:
    said = _ours("… java.lang.OutOfMemoryError: Java heap space at cell 'flu'", "Py4JJavaError")
    assert "ran out of memory" in said.problem
    assert "SPARK_DRIVER_MEMORY" in said.hint
    assert "flu" not in str(said)


def test_a_java_that_is_gone_is_named() -> None:
    with pytest.raises(OutputError, match="Java ended"), telling():
        raise ConnectionRefusedError(111, "Connection refused")


def test_what_the_bridge_to_java_logs_is_not_shown(monkeypatch: pytest.MonkeyPatch) -> None:
    said: list[str] = []
    heard = logging.Handler()
    monkeypatch.setattr(heard, "emit", lambda record: said.append(record.getMessage()))
    monkeypatch.setattr(logging.getLogger(), "handlers", [heard])
    monkeypatch.setattr(logging.getLogger("py4j"), "propagate", True)  # a Spark may be running
    with _without_words_of_py4j():
        logging.getLogger("py4j.clientserver").error("a trace")
        logging.getLogger("of.others").error("a word")
    assert said == ["a word"]
    logging.getLogger("py4j.clientserver").error("as before")
    assert said == ["a word", "as before"]


def _stopped() -> None:
    try:
        raise KeyboardInterrupt
    finally:
        raise Py4JNetworkError("Answer from Java side is empty")


def test_a_stop_stays_a_stop_whatever_cleaning_up_meets() -> None:
    with pytest.raises(KeyboardInterrupt), telling():
        _stopped()
