"""`python -m shoal.checks` checks the members that are named, and refuses unknown names."""

from __future__ import annotations

import subprocess
import sys

import pytest

from shoal.checks.__main__ import main
from shoal.errors import ParameterError


@pytest.mark.parametrize("name", ["iloss_rate", "k-anonymity", "KAnonymity", "prefixes"])
def test_a_member_is_checked_by_its_name(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    assert main([name]) == 0
    assert int(capsys.readouterr().out.split()[0]) > 0


def test_an_unknown_name_is_refused_before_any_check(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(ParameterError, match=r"called 'kacca'\. Did you mean 'KACA'\?"):
        main(["iloss_rate", "kacca"])
    with pytest.raises(ParameterError, match="Known: AlphaK, Anatomy, "):
        main(["?"])
    assert not capsys.readouterr().out


def test_the_command_fails() -> None:
    command = [sys.executable, "-m", "shoal.checks", "TYPO"]
    done = subprocess.run(command, capture_output=True, text=True)
    assert done.returncode == 2
    assert done.stderr.startswith("No member is called 'TYPO'. Known: ")
    assert not done.stdout
