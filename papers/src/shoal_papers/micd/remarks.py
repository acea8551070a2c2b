"""What a reader must know to judge the numbers about MICD, and what our additions cost."""

from __future__ import annotations

from collections.abc import Collection

import polars as pl

from shoal_papers.claims import course
from shoal_papers.micd.grid import (
    COUNT,
    DECOMPOSITION,
    HIGHEST,
    MICD,
    PRINTED,
    columns,
)
from shoal_papers.micd.series import SHUFFLED
from shoal_papers.results import Results

__all__ = ["remarks"]

WHERE = f"(Means, primary = {HIGHEST}, |S| = {COUNT}.)"


def remarks(rows: int, methods: Collection[str], results: Results) -> list[str]:
    """List what depends on the numbers."""
    return [
        *_last_groups(methods, results),
        *_rare_noise(methods, results),
        *_left_over(rows, methods, results),
        *_costs(methods, results),
    ]


def _line(results: Results, column: str, method: str, primary: str = HIGHEST) -> dict[float, float]:
    return results.line(column, "l", method=method, primary=primary, secrets=COUNT)


def _last_groups(methods: Collection[str], results: Results) -> list[str]:
    """Say where groups that are open to an attack come from, and what ties do to them."""
    if not {DECOMPOSITION, SHUFFLED[DECOMPOSITION]} <= set(methods):
        return []
    opened, last = (
        _line(results, name, DECOMPOSITION) for name in ("vulnerability", "vulnerability_last")
    )
    shares = {x: 100 * last[x] / opened[x] for x in opened if opened[x]}
    fixed, shuffled = (
        _open_groups(results, name) for name in (DECOMPOSITION, SHUFFLED[DECOMPOSITION])
    )
    return [
        "The few groups that are open to an attack are mostly among the last that are opened, when "
        "frequent values have come down to the number of rare ones. Of Decomposition's, the last "
        f"tenth of all groups has, in per cent, {course(shares, 'l = {}')}. {WHERE} How many there "
        f"are depends on which of equally large buckets goes first: {fixed} groups in our order, "
        f"{shuffled} with rows in random order. (Least to largest repetition.)"
    ]


def _open_groups(results: Results, method: str) -> str:
    """Count the groups that are open to an attack, where there are few."""
    runs = results.runs.filter(method=method, primary=HIGHEST, secrets=COUNT)
    count = (pl.col("vulnerability") * pl.col("groups")).round().cast(pl.Int64)
    found = runs.group_by("l").agg(low=count.min(), high=count.max()).sort("l")
    few = [row for row in found.iter_rows() if row[0] in (3, 4, 5)]
    return ", ".join(f"{low:,} to {high:,} at l = {least}" for least, low, high in few)


def _rare_noise(methods: Collection[str], results: Results) -> list[str]:
    """Say which values MICD adds."""
    known = (MICD, "micd-one-by-one", DECOMPOSITION)
    if not set(known) <= set(methods):
        return []
    printed, ours, drawn = (
        course(_line(results, "noise_sensitive", name), "l = {}") for name in known
    )
    return [
        "What MICD adds: the values farthest from the centre of a group, which are the rarest. "
        f"The share of highly sensitive ones among added values is {printed}; one by one {ours}; "
        f"with Decomposition, which draws them, {drawn}. {WHERE} Whoever knows the method can "
        "doubt the rare values that a group shows; and groups may come to show mostly such values."
    ]


def _left_over(rows: int, methods: Collection[str], results: Results) -> list[str]:
    """Say how many records open no group."""
    texts = []
    for primary in (HIGHEST, PRINTED) if DECOMPOSITION in methods else ():
        opened = _line(results, "groups", DECOMPOSITION, primary)
        left = {x: rows - x * groups for x, groups in opened.items()}
        texts.append(f"with {primary} as primary attribute, {course(left, 'l = {}')}")
    if not texts:
        return []
    return [
        f"Records that open no group: {'; '.join(texts)}. They go to groups that exist, which get "
        "more values of all attributes, and so need less noise; Decomposition places them one by "
        "one, which takes most of its time where they are many."
    ]


def _costs(methods: Collection[str], results: Results) -> list[str]:
    """Say what our variants of MICD cost."""
    texts = []
    if {MICD, "micd-paper"} <= set(methods):
        spread, paper = (
            course(_line(results, "largest_group", name, PRINTED), "l = {}")
            for name in (MICD, "micd-paper")
        )
        texts.append(
            "What placing left-over records as printed costs where they are many: with education "
            f"as primary attribute, MICD's largest group has {paper} rows; with our rule {spread}."
        )
    if {MICD, "micd-never"} <= set(methods):
        ratios = {
            column: course(_ratio(results, column, "micd-never", MICD), "l = {}")
            for column in ("groups", "largest_group", "count_query_error")
        }
        held = columns()["marital-status"]
        texts.append(
            f"What it costs to add no noise, without ÷ with: groups {ratios['groups']}; rows "
            f"of the largest group {ratios['largest_group']}; count query error "
            f"{ratios['count_query_error']}. {_suppressed(results)} {WHERE} "
            f"From l = {held.size} on a group needs all values of marital-status, the rarest "
            f"of which {held.counts.min()} of all rows hold: there cannot be more groups."
        )
    return texts


def _ratio(results: Results, column: str, ours: str, theirs: str) -> dict[float, float]:
    """Divide the means of two series, by l."""
    first, second = (_line(results, column, name) for name in (ours, theirs))
    return {x: first[x] / second[x] for x in first if second.get(x)}


def _suppressed(results: Results) -> str:
    """Say how many rows MICD suppressed at most, where it may add no noise."""
    most = max(results.only("method", ("micd-never",)).runs["suppressed"].to_list())
    return f"At most {most:.2%} of rows were suppressed." if most else "No row was suppressed."
