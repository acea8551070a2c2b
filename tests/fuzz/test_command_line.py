"""Random command lines over random and damaged files: no defect, no traceback."""

from __future__ import annotations

from collections import Counter
from pathlib import Path

import pytest

from fuzz.command_line import try_command

CHUNKS, SEEDS = 6, 90


@pytest.mark.parametrize("chunk", range(CHUNKS))
def test_commands_end_as_they_should(chunk: int, tmp_path: Path) -> None:
    codes: Counter[int] = Counter()
    for seed in range(chunk, SEEDS, CHUNKS):
        codes.update(call.code for call in try_command(seed, tmp_path / str(seed)))
    assert codes[0] >= 4
    assert codes[2] >= 4
