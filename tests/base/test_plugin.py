"""Another package adds members: plans name them, releases are made, verified, opened and asked."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

PLUGIN = Path(__file__).parents[1] / "plugin"

PLAN = """
version = 1
entity = "id"

[input]
path = "people.csv"

[columns.id]
role = "identifier"

[columns.age]
role = "quasi"
kind = "numeric"

[columns.region]
role = "quasi"
hierarchy = { builder = "first-letter" }

[columns.sex]
role = "quasi"

[columns.illness]
role = "sensitive"

[columns.note]
role = "other"

[[require]]
model = "k-anonymity"
k = 3

[[require]]
model = "many-values"
values = 2

[method]
name = "by-order"
seed = 7

[publication]
form = "crowds"
word = "herd"

[output]
path = "release"
"""

PROGRAM = """
import strangers, shoal
from shoal.checks import check_attack, check_builder, check_measure, check_requirement
from shoal.checks import check_publication, methods

for check in (methods.describes_itself, methods.output_verifies, methods.same_seed_same_result):
    check(shoal.methods.METHODS["by-order"]())
check_requirement(shoal.models.MODELS["many-values"].example())
check_measure(shoal.measures.MEASURES["class_count"])
check_attack(shoal.risk.ATTACKS["largest_class"])
check_builder(shoal.hierarchies.BUILDERS["first-letter"]())

plan = shoal.Plan.read("plan.toml")
release = shoal.run(plan)
again = shoal.Plan.read("release.private/plan.toml")
assert again.build_method().name == "by-order"
assert release.measures["class_count"] == release.verification.classes
assert "largest_class" in {attack.name for attack in shoal.risk.attacks(release)}

opened = shoal.open_release("release")
assert opened.verify().passed and opened.facts["publication"] == "crowds"
assert opened.tables["quasi"].columns == ["age", "region", "sex", "note", "herd"]
assert opened.private_plan.publication.build(release.method) == release.publication
assert opened.query({"age": (0, 200)}) == release.query({"age": (0, 200)}) > 0
assert "largest_class" in {each.name for each in opened.risk()}
assert opened.measures["class_count"] == release.measures["class_count"]
release.write("release")  # over the older one: its files are known
"""


def strangers(*command: str, folder: Path) -> str:
    """Run Python where the package of strangers is installed."""
    paths = [str(PLUGIN), *filter(None, [os.environ.get("PYTHONPATH")])]
    done = subprocess.run(
        [sys.executable, *command],
        cwd=folder,
        env=os.environ | {"PYTHONPATH": os.pathsep.join(paths)},
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stderr + done.stdout
    return done.stdout


def test_members_of_another_package(tmp_path: Path) -> None:
    from shoal.checks.tables import mixed

    mixed(60).write_csv(tmp_path / "people.csv")
    (tmp_path / "plan.toml").write_text(PLAN, encoding="utf-8")
    strangers("-c", PROGRAM, folder=tmp_path)
    command = ["-m", "shoal"]
    assert "holds" in strangers(*command, "verify", "release", folder=tmp_path).lower()
    assert "by-order" in strangers(*command, "methods", folder=tmp_path)
    matrix = strangers(*command, "methods", "--matrix", folder=tmp_path)
    for member in ("by-order", "many-values", "crowds"):
        assert member in matrix
    assert "many-values" in strangers(*command, "models", folder=tmp_path)
    assert "class_count" in strangers(*command, "measures", folder=tmp_path)
    page = (tmp_path / "release" / "report.html").read_text(encoding="utf-8")
    assert "Crowds are numbered in the column herd." in page
    assert "Count the lines of a file." in strangers(*command, "--help", folder=tmp_path)
    assert strangers(*command, "count-lines", "plan.toml", folder=tmp_path) == "45\n"
    asked = strangers(*command, "query", "release", "--where", "sex=f", folder=tmp_path)
    assert asked.strip()
