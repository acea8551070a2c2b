"""A process that is killed, without a process: it does no more after some step."""

from __future__ import annotations

import os
from typing import Any

import pytest

__all__ = ["Killed", "kill_at"]


class Killed(BaseException):
    """Ends the work; from then on the process changes nothing on the disk."""


STEPS = ("open", "mkdir", "rename", "unlink", "rmdir", "chmod", "fsync")


def kill_at(step: int, monkeypatch: pytest.MonkeyPatch, kind: str | None = None) -> list[str]:
    """Let the process do so many steps (of a kind), and none after."""
    done: list[str] = []
    counts = (kind,) if kind else STEPS

    def counted(name: str) -> Any:
        real = getattr(os, name)

        def call(*args: Any, **named: Any) -> Any:
            if sum(each in counts for each in done) >= step:
                raise Killed
            done.append(name)
            return real(*args, **named)

        return call

    for name in STEPS:
        monkeypatch.setattr(os, name, counted(name))
    return done
