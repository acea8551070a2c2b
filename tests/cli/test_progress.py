"""What a bar does beside drawing: it hands on a Ctrl-C that Python had to ignore."""

from __future__ import annotations

import ctypes

import pytest

from shoal.cli.progress import bar


def interrupted() -> None:
    """Be interrupted where C calls Python back: there nothing can be raised."""

    def callback() -> None:
        raise KeyboardInterrupt

    ctypes.CFUNCTYPE(None)(callback)()


def test_an_interrupt_that_was_lost_stops_the_run_at_the_next_report() -> None:
    with bar() as report:
        report("group", 0, 9)
        interrupted()
        with pytest.raises(KeyboardInterrupt):
            report("group", 1, 9)
        report("group", 2, 9)  # once


def test_other_errors_that_python_ignores_are_told_as_before(monkeypatch) -> None:
    told = []
    monkeypatch.setattr("sys.unraisablehook", told.append)

    def callback() -> None:
        raise ValueError

    with bar() as report:
        ctypes.CFUNCTYPE(None)(callback)()
        report("group", 0, 9)
    assert [each.exc_type for each in told] == [ValueError]
