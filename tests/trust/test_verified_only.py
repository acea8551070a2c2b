"""Nobody is handed a table that does not verify: not by Python, not by the command line."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest
from typer.testing import CliRunner

import shoal
from shoal.checks.tables import SCHEMA, mixed
from shoal.cli import app
from shoal.engines import pipeline
from shoal.errors import VerificationError
from shoal.methods import METHODS
from shoal.publications.groups.grouping import Grouping

FRAME = mixed(40)


@dataclass(frozen=True)
class Lying(shoal.GAACP):
    """Says that its groups hold k, and puts the last rows into groups of one."""

    alone: int = 2
    name: ClassVar[str] = "lying"

    def group(self, table: Any, require: Any, **rest: Any) -> Grouping:
        labels = super().group(table, require, **rest).labels.copy()
        labels[-self.alone :] = labels.max() + 1 + range(self.alone)
        _, numbers = np.unique(labels, return_inverse=True)
        return Grouping(numbers.astype("int32"))


@pytest.fixture
def lying() -> Iterator[None]:
    """Let plans name the method."""
    METHODS._loaded["lying"] = Lying
    yield
    del METHODS._loaded["lying"]


@pytest.mark.parametrize("form", ["generalized", "two-table", "sensitive-groups"])
def test_python_is_handed_no_release_that_fails(form: str) -> None:
    with pytest.raises(VerificationError) as caught:
        shoal.anonymize(
            FRAME, SCHEMA, require=[shoal.KAnonymity(3)], method=Lying(seed=1), publication=form
        )
    said = caught.value.problem
    counted = re.search(r"3-anonymity .* does not hold in (\d+) of (\d+) classes", said)
    assert counted is not None
    assert 2 <= int(counted[1]) < int(counted[2])
    assert "Nothing was published" in caught.value.hint
    held = {str(cell) for name in SCHEMA for cell in FRAME[name] if not str(cell).isdigit()}
    assert not held & set(str(caught.value).replace("(", " ").replace(")", " ").split())


def test_cells_that_do_not_cover_are_not_handed_out(monkeypatch: pytest.MonkeyPatch) -> None:
    generalize = shoal.publications.recoding.generalize

    def shifted(table: Any, *rest: Any, **options: Any) -> Any:
        """Recode with the codes of other rows."""
        other = shoal.table.Table.encode(table.frame.reverse(), table.schema)
        return generalize(other, *rest, **options)

    monkeypatch.setattr("shoal.publications.base.generalize", shifted)
    with pytest.raises(VerificationError, match="cells cover their originals"):
        shoal.anonymize(FRAME, SCHEMA, require=[shoal.KAnonymity(3)], method=shoal.GAACP(seed=1))


@pytest.mark.usefixtures("lying")
def test_a_plan_that_fails_leaves_nothing(tmp_path: Path) -> None:
    FRAME.write_csv(tmp_path / "in.csv")
    roles = "\n".join(f'{name} = {{role = "{each.role}"}}' for name, each in SCHEMA.items())
    (tmp_path / "plan.toml").write_text(
        f'[input]\npath = "in.csv"\n[output]\npath = "out"\n[columns]\n{roles}\n'
        '[[require]]\nmodel = "k-anonymity"\nk = 3\n[method]\nname = "lying"\n'
    )
    with pytest.raises(VerificationError):
        pipeline.run(shoal.Plan.read(tmp_path / "plan.toml"))
    done = CliRunner().invoke(app, ["run", str(tmp_path / "plan.toml")])
    assert done.exit_code == 1
    assert "does not verify" in done.stderr
    assert {path.name for path in tmp_path.iterdir()} == {"in.csv", "plan.toml"}
