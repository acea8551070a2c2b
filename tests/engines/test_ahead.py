"""A second process compiles what refines; the first waits for it only where it would compile it."""

from __future__ import annotations

import subprocess
import sys

import pytest

from shoal.engines import ahead
from shoal.kernels import compiled

GROUPS, REFINES = "shoal.kernels.clustering.greedy", "shoal.kernels.refine.repair"


class Process:
    """Works for two looks, and notes whether it is ended."""

    def __init__(self, code: str) -> None:
        self.looks, self.ended = 2, False

    def poll(self) -> int | None:
        self.looks -= 1
        return 0 if self.looks < 0 else None

    def wait(self) -> None:
        assert self.ended

    def kill(self) -> None:
        self.ended = True


@pytest.fixture
def started(monkeypatch: pytest.MonkeyPatch) -> list[Process]:
    found: list[Process] = []

    def start(code: str) -> Process:
        found.append(Process(code))
        return found[-1]

    monkeypatch.setattr(ahead, "second_process", start)
    return found


def test_it_is_started_once_and_waited_for_while_it_works(started: list[Process]) -> None:
    with ahead.compiled_ahead(refines=True):
        assert not compiled._missed(GROUPS)
        assert not compiled._missed(GROUPS)
        (process,) = started
        assert [compiled._missed(REFINES) for _ in range(3)] == [True, True, False]
        assert not process.ended
    assert process.ended


def test_none_is_started_where_it_would_gain_nothing(started: list[Process]) -> None:
    with ahead.compiled_ahead(refines=False):
        compiled._missed(GROUPS)
    with ahead.alone(), ahead.compiled_ahead(refines=True):
        compiled._missed(GROUPS)
    with ahead.compiled_ahead(refines=True):  # all that groups was there
        assert not compiled._missed(REFINES)
    assert not started


@pytest.mark.parametrize("python", ["", "/no/such/python"])
def test_a_run_goes_on_where_no_process_can_be_started(
    monkeypatch: pytest.MonkeyPatch, python: str
) -> None:
    monkeypatch.setattr(sys, "executable", python)
    with ahead.compiled_ahead(refines=True):
        assert not compiled._missed(GROUPS)
        assert not compiled._missed(REFINES)


def test_a_packed_program_is_not_started_again(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(sys, "frozen", True, raising=False)
    assert ahead.second_process("pass") is None


CALLED = """
import sys, shoal
from shoal.engines.ahead import LATER, compile_refinement
from shoal.kernels.keeping import KernelCache
load, called = KernelCache.load_overload, []

def note(self, sig, context):
    if self.module.startswith(LATER):
        called.append(f"{self.name} {sig}")
    return load(self, sig, context)

KernelCache.load_overload = note
if sys.argv[1] == "ahead":
    compile_refinement()
else:
    frame = shoal.datasets.adult().head(3000).drop("age")
    shoal.anonymize(frame, shoal.Schema({name: "quasi" for name in frame.columns}), require=5)
print(*called, sep="\\n")
"""


def called(which: str) -> set[str]:
    command = [sys.executable, "-c", CALLED, which]
    done = subprocess.run(command, capture_output=True, text=True, check=True)
    return set(done.stdout.splitlines())


def test_it_compiles_all_that_refines_a_default_run() -> None:
    needed = called("run")
    assert {name.partition(" ")[0] for name in needed} >= {
        "repair.repair_pools",
        "exchange.exchange",
    }
    assert needed <= called("ahead")
