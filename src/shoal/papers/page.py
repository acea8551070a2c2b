"""The page of an experiment: each claim beside what was measured, figures, numbers."""

from __future__ import annotations

import csv
import io as text
from collections.abc import Sequence
from pathlib import Path

from shoal.io.disk import replace_file
from shoal.papers.base import Experiment
from shoal.papers.claims import Claim, Finding, number
from shoal.papers.figures import Figure, Panel, draw
from shoal.papers.runner import PAGE, RUNS, SUMMARY, Measured
from shoal.papers.tables import PageTable

__all__ = ["write"]


def write(experiment: Experiment, measured: Measured, folder: str | Path) -> list[Finding]:
    """Write figures, numbers and the page into a folder; give the findings in order."""
    target = Path(folder)
    figures = experiment.figures(measured.results)
    findings = [claim.judge(measured.results) for claim in experiment.claims()]
    for figure in figures:
        _put(target / f"{figure.name}.svg", draw(figure))
    _put(target / SUMMARY, _summary(measured))
    _put(target / PAGE, _page(experiment, measured, figures, findings))
    return findings


def _put(path: Path, content: str) -> None:
    with replace_file(path) as file:
        file.write(content.encode())


def _summary(measured: Measured) -> str:
    out = text.StringIO()
    lines = csv.writer(out, lineterminator="\n")
    lines.writerow(measured.results.summary.columns)
    lines.writerows(measured.results.summary.rows())
    return out.getvalue()


def _page(
    experiment: Experiment,
    measured: Measured,
    figures: Sequence[Figure],
    findings: Sequence[Finding],
) -> str:
    machine = measured.machine
    where = f"{machine['processor']}, {machine['cores']} cores, Python {machine['python']}"
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
        _rows(("", ""), [*experiment.about(), ("Machine", where)]),
        "## The paper's claims",
        "A claim is split into comparisons of means, one per setting. It **holds** if all of "
        "them do, **holds except** in the named places if at least three of four do, and otherwise "
        "**does not hold**.",
        _claims("the paper says", experiment.claims(), findings),
        *_questions(experiment, measured),
        *(["## Remarks", *_bullets(experiment.remarks(measured.results))]),
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
        "A stopped run goes on where it stopped; `--fresh` starts anew.",
    ]
    return "\n\n".join(parts) + "\n"


def _claims(who: str, claims: Sequence[Claim], findings: Sequence[Finding]) -> str:
    rows = [
        (str(place), claim.where, claim.words, claim.rule, found.measured, f"**{_strong(found)}")
        for place, (claim, found) in enumerate(zip(claims, findings, strict=True), start=1)
    ]
    return _rows(("", "where", who, "judged by", "measured", "verdict"), rows)


def _questions(experiment: Experiment, measured: Measured) -> list[str]:
    asked = experiment.questions()
    if not asked:
        return []
    return [
        "## Our questions",
        "The paper says nothing about these. They are statements of ours, judged in the same way.",
        _claims("we ask whether", asked, [each.judge(measured.results) for each in asked]),
    ]


def _tables(tables: Sequence[PageTable]) -> list[str]:
    made = [
        f"### {table.title}\n\n{table.text}\n\n{_rows(table.head, table.rows, numbers=True)}"
        for table in tables
    ]
    return ["## Tables", *made] if made else []


def _strong(found: Finding) -> str:
    return found.sentence.replace(found.verdict, f"{found.verdict}**", 1)


def _figure(figure: Figure) -> str:
    panels = "; ".join(panel.title for panel in figure.panels)
    return f"![{figure.title}: {panels}]({figure.name}.svg)\n\n*{figure.title}.*"


def _numbers(figure: Figure) -> str:
    tables = [f"### {figure.title}"]
    for panel in figure.panels:
        head = (figure.x_title, *(f"{name}" for name in figure.series))
        xs = sorted({point.x for point in panel.points})
        rows = [(f"{x:,g}", *(_cell(panel, name, x) for name in figure.series)) for x in xs]
        tables.append(f"{panel.title}, {figure.y_title}:\n\n{_rows(head, rows, numbers=True)}")
    return "\n\n".join(tables)


def _cell(panel: Panel, series: str, x: float) -> str:
    for point in panel.points:
        if point.series == series and point.x == x:
            mean, low, high = (number(v) for v in (point.mean, point.low, point.high))
            return mean if low == high else f"{mean} ({low}–{high})"
    return ""


def _rows(head: Sequence[str], rows: Sequence[Sequence[str]], *, numbers: bool = False) -> str:
    rule = ["---", *("---:" if numbers else "---" for _ in head[1:])]
    lines = [head, rule, *([_escaped(cell) for cell in row] for row in rows)]
    lines[0] = [_escaped(cell) for cell in head]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _escaped(cell: str) -> str:
    return cell.replace("|", "\\|").replace("\n", " ")


def _bullets(lines: Sequence[str]) -> list[str]:
    return ["\n".join(f"- {line}" for line in lines)] if lines else []
