"""The page of an experiment: each claim beside what was measured, figures, numbers."""

from __future__ import annotations

import csv
import io as text
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TypeAlias

from shoal.io.disk import replace_file
from shoal_papers.base import Experiment
from shoal_papers.claims import Claim
from shoal_papers.figures import Figure, Panel, draw
from shoal_papers.markdown import bullets, rows
from shoal_papers.readings import Read, best, judge_readings, turned
from shoal_papers.runner import COMPARISONS, FIGURES, PAGE, RUNS, SUMMARY, Measured
from shoal_papers.samples import CONFIDENCE, Comparison
from shoal_papers.tables import PageTable
from shoal_papers.verdicts import (
    HOLDS,
    HOLDS_EXCEPT,
    NOT_MEASURED,
    TOO_FEW,
    WITHIN_NOISE,
    WORST_FIRST,
    Finding,
    number,
)

__all__ = ["Judged", "Written", "texts", "write"]

Judged: TypeAlias = list[tuple[Claim, Finding]]
"""Claims, each with what was measured."""

VERDICTS = f"""\
A claim has parts, and a part compares means, once per setting. A claim has the verdict of its worst
part, which

- **does not hold** if fewer than three of four comparisons hold, and one or more fail;
- is **within noise** if fewer than three of four hold, and none fails;
- **holds except** in the named places if at least three of four hold, but not all;
- **holds** if all of them do.

Repetitions are compared seed by seed. A comparison holds, or fails, if all of the {CONFIDENCE:.0%}
interval (Student's) of the mean difference says so; otherwise it is within noise, and the interval
of its margin is given. [{COMPARISONS}]({COMPARISONS}) has every interval. Intervals are about the
chance in these repetitions, not about other tables."""

READINGS = """\
Where the text leaves something open, these are the readings we considered, the words that speak
for each, and the claims whose verdict changes if this point alone is read so. The text decides
which is the default, not the result; where it leaves two open, both are measured. By default:
{}."""

OTHERWISE = """\
Verdicts are those of the default readings, followed by those of other supported readings
([how we read it](#how-we-read-it))."""


@dataclass(frozen=True, eq=False)
class Written:
    """The judged claims and questions, and the texts of the files beside the figures."""

    claims: Judged
    questions: Judged
    readings: list[Read]
    figures: Sequence[Figure]
    files: dict[str, str]


def write(experiment: Experiment, measured: Measured, folder: str | Path) -> Written:
    """Write figures, numbers and the page into a folder."""
    made = texts(experiment, measured)
    shown = {f"{figure.name}.svg" for figure in made.figures}
    for old in Path(folder).glob(FIGURES):
        if old.name not in shown:
            old.unlink()
    for figure in made.figures:
        _put(Path(folder) / f"{figure.name}.svg", draw(figure))
    for name, content in made.files.items():
        _put(Path(folder) / name, content)
    return made


def texts(experiment: Experiment, measured: Measured) -> Written:
    """Judge the claims, and write everything but the figures as text, the page last."""
    figures = experiment.figures(measured.results)
    claims, questions = (
        [(claim, claim.judge(measured.results)) for claim in listed]
        for listed in (experiment.claims(), experiment.questions())
    )
    read = judge_readings(experiment.readings(), experiment.claims(), measured.results)
    files = {
        SUMMARY: _summary(measured),
        COMPARISONS: _comparisons(claims, questions),
        PAGE: _page(experiment, measured, figures, claims, questions, read),
    }
    return Written(claims, questions, read, figures, files)


def _put(path: Path, content: str) -> None:
    with replace_file(path) as file:
        file.write(content.encode())


def _summary(measured: Measured) -> str:
    out = text.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(measured.results.summary.columns)
    lines.writerows(measured.results.summary.rows())
    return out.getvalue()


def _comparisons(claims: Judged, questions: Judged) -> str:
    """List every comparison with its interval."""
    out = text.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(("claim", "part", "place", "finding", "margin", "low", "high"))
    words = {True: "holds", False: "fails", None: WITHIN_NOISE}
    for kind, judged in (("claim", claims), ("question", questions)):
        for at, (_, finding) in enumerate(judged, start=1):
            for part in finding.parts:
                for case in part.cases:
                    place = ", ".join(f"{name} = {each}" for name, each in case.place.items())
                    ends = ["", "", ""]
                    if isinstance(case.found, Comparison):
                        each = case.found
                        ends = [f"{end:.6g}" for end in (each.margin, each.low, each.high)]
                    found = TOO_FEW if case.few else words[case.holds]
                    lines.writerow((f"{kind} {at}", part.name, place, found, *ends))
    return out.getvalue()


def _page(
    experiment: Experiment,
    measured: Measured,
    figures: Sequence[Figure],
    claims: Judged,
    questions: Judged,
    read: Sequence[Read],
) -> str:
    machine = measured.machine
    load = f" (load {machine['load']} when it began)" if "load" in machine else ""
    where = f"{machine['processor']}, {machine['cores']} cores{load}, Python {machine['python']}"
    command = f"shoal paper {experiment.name}{' --quick' if experiment.quick else ''}"
    parts = [
        f"# {experiment.title}",
        experiment.reference,
        "This page is written by `shoal paper`; do not edit it.",
        *(
            [
                "**This is a quick run**, on a sample and with few repetitions: read the verdicts "
                "as a first look."
            ]
            if experiment.quick
            else []
        ),
        "## What was run",
        rows(
            ("", ""),
            [*experiment.about(), ("Measured", f"with Shoal {measured.version} on {where}")],
        ),
        "## The paper's claims",
        VERDICTS,
        *([OTHERWISE] if read else []),
        _claims("the paper says", claims, read),
        *_readings(read),
        *_questions(questions),
        *(["## Remarks", *bullets(experiment.remarks(measured.results))]),
        *_tables(experiment.tables(measured.results)),
        "## Figures",
        "Lines join means; bars reach from the least to the largest repetition.",
        *(_figure(figure) for figure in figures),
        "## Numbers",
        "Means, with the least and the largest repetition where they differ. "
        f"[{SUMMARY}]({SUMMARY}) has them all, [{RUNS}]({RUNS}) every single run with its seed.",
        *(_numbers(figure) for figure in figures),
        "## Repeat it",
        f"```sh\n{command}\n```",
        "A stopped run goes on where it stopped; `--fresh` starts anew. `--from FOLDER` judges "
        "what was measured in a folder again.",
    ]
    return "\n\n".join(parts) + "\n"


def _claims(who: str, judged: Judged, read: Sequence[Read] = ()) -> str:
    lines = [
        (
            str(place),
            claim.where,
            claim.words,
            claim.rule,
            "<br>".join(part.reported for part in found.parts),
            found.figures,
            "<br>".join([f"**{found.verdict}**", *_elsewhere(read, place - 1, claim, found)]),
        )
        for place, (claim, found) in enumerate(judged, start=1)
    ]
    return rows(("", "where", who, "judged by", "part by part", "measured", "verdict"), lines)


def _elsewhere(read: Sequence[Read], at: int, claim: Claim, found: Finding) -> list[str]:
    """Say under which readings a claim has another verdict, or why it holds under none."""
    others = [pair for each in read for pair in turned(each, at).items()]
    turns = [f"{verdict} with: {name}" for name, verdict in others]
    held = best([found.verdict, *(verdict for _, verdict in others)]) in (HOLDS, HOLDS_EXCEPT)
    return turns if held or not claim.why_not else [*turns, claim.why_not]


def _readings(read: Sequence[Read]) -> list[str]:
    """Lay out the open points: readings, the words for each, what each makes of the claims."""
    if not read:
        return []
    default = _verdicts(read[0].findings[0]).replace("<br>", ", ")
    parts = ["## How we read it", READINGS.format(default)]
    for place, each in enumerate(read, start=1):
        lines = [
            (
                f"**{reading.name}** (default)" if at == 0 else reading.name,
                "<br>".join(str(quote) for quote in reading.support),
                "" if at == 0 else _turns(each, at) or "none",
                _verdicts(found) if _turns(each, at) else "",
            )
            for at, (reading, found) in enumerate(
                zip(each.point.readings, each.findings, strict=True)
            )
        ]
        head = ("reading", "what speaks for it", "claims that change", "all claims")
        parts += [f"### {place}. {each.point.question}", rows(head, lines), each.point.why]
        parts += [each.point.remark] if each.point.remark else []
    return parts


def _verdicts(found: Sequence[Finding]) -> str:
    """Count claims by verdict, the best first."""
    counts = Counter(each.verdict for each in found)
    listed = [*reversed(WORST_FIRST), NOT_MEASURED]
    return "<br>".join(f"{verdict}: {counts[verdict]}" for verdict in listed if counts[verdict])


def _turns(read: Read, at: int) -> str:
    """List the claims whose verdict a reading changes, by the change."""
    if at == 0:
        return ""
    name = read.point.readings[at].name
    found: dict[str, list[str]] = {}
    for claim, ours in enumerate(read.findings[0]):
        if name in turned(read, claim):
            change = f"{ours.verdict} → {turned(read, claim)[name]}"
            found.setdefault(change, []).append(str(claim + 1))
    return "<br>".join(f"{', '.join(claims)}: {change}" for change, claims in found.items())


def _questions(judged: Judged) -> list[str]:
    if not judged:
        return []
    return [
        "## Our questions",
        "The paper says nothing about these. They are statements of ours, judged in the same way.",
        _claims("we ask whether", judged),
    ]


def _tables(tables: Sequence[PageTable]) -> list[str]:
    made = [
        f"### {table.title}\n\n{table.text}\n\n{rows(table.head, table.rows, numbers=True)}"
        for table in tables
    ]
    return ["## Tables", *made] if made else []


def _figure(figure: Figure) -> str:
    panels = "; ".join(panel.title for panel in figure.panels)
    return f"![{figure.title}: {panels}]({figure.name}.svg)\n\n*{figure.title}.*"


def _numbers(figure: Figure) -> str:
    tables = [f"### {figure.title}"]
    for panel in figure.panels:
        head = (figure.x_title, *(f"{name}" for name in figure.series))
        xs = sorted({point.x for point in panel.points})
        lines = [(f"{x:,g}", *(_cell(panel, name, x) for name in figure.series)) for x in xs]
        tables.append(f"{panel.title}, {figure.y_title}:\n\n{rows(head, lines, numbers=True)}")
    return "\n\n".join(tables)


def _cell(panel: Panel, series: str, x: float) -> str:
    for point in panel.points:
        if point.series == series and point.x == x:
            mean, low, high = (number(v) for v in (point.mean, point.low, point.high))
            return mean if low == high else f"{mean} ({low}–{high})"
    return ""
