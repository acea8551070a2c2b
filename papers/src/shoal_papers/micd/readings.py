"""Where Zhang et al. (2014) can be read in more than one way, and the words for each."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import polars as pl

from shoal_papers.micd.claims import claims
from shoal_papers.micd.grid import HIGHEST, PRINTED, Grid
from shoal_papers.micd.series import SHUFFLED
from shoal_papers.readings import OpenPoint, Quote, Reading, counting, replacing
from shoal_papers.results import Results

__all__ = ["open_points"]


def open_points(grid: Grid) -> Sequence[OpenPoint]:
    """List the open points, each with its default first."""
    return [_primary(grid), _range(grid), _leftovers(), _rare(), _ties()]


def _primary(grid: Grid) -> OpenPoint:
    return OpenPoint(
        question="Which attribute is primary?",
        readings=(
            Reading(
                f"{HIGHEST}, of the highest entropy",
                (
                    Quote(
                        "definition 8",
                        "信息熵值最大的敏感属性",
                        "the sensitive attribute of the highest entropy is the primary one",
                    ),
                    Quote(
                        "algorithm 1, line 1.3",
                        "按信息熵值降序排列敏感属性,确定主敏感属性",
                        "order the attributes by falling entropy, determine the primary one",
                    ),
                ),
            ),
            Reading(
                f"{PRINTED}, as named",
                (
                    Quote(
                        "section 5.1",
                        "属性 Education 的信息熵值最大,被确定为主敏感属性",
                        "Education has the highest entropy, and is made the primary attribute",
                    ),
                ),
                claims=claims(replace(grid, primary=PRINTED)),
            ),
        ),
        why="A definition and a line of the algorithm give the rule, and section 5.1 gives it as "
        "its reason. On the rows that the paper names the rule gives occupation (claim 3), so "
        "that a program that follows algorithm 1 does not take education.",
    )


def _range(grid: Grid) -> OpenPoint:
    few, many = max(grid.ls), max(grid.every)
    return OpenPoint(
        question="How far does l go in figures 1, 3 and 5?",
        readings=(
            Reading(
                f"l up to {few}",
                (
                    Quote(
                        "section 5.2",
                        "逐渐接近每个敏感属性的属性值基数",
                        "l gradually approaches the number of values of each sensitive attribute",
                    ),
                ),
            ),
            Reading(
                f"l up to {many}",
                (
                    Quote(
                        "algorithm 1, line 1.1.2",
                        "重新设定",
                        "where an attribute has fewer than l values, its l is set anew",
                    ),
                    Quote(
                        "section 5.2",
                        "三种算法的被攻击概率都随 l 值的增大而降低",
                        "from l = 6 on, all three probabilities fall as l grows: more than one "
                        "step",
                    ),
                ),
                claims=claims(replace(grid, ls=grid.every)),
            ),
        ),
        why=f"The text has l start at 2 and grow by 1, and does not say where it ends. "
        f"Marital-status has {few} values: l approaches the number of values of each attribute up "
        f"to there, and passes it beyond, where the l of marital-status stays {few}.",
    )


def _leftovers() -> OpenPoint:
    return OpenPoint(
        question="Where do records go that open no group?",
        readings=(
            Reading(
                "to the farthest group without their primary value",
                (
                    Quote(
                        "section 4.1",
                        "使每个敏感组中的敏感值具有较大的敏感度差异",
                        "let the sensitive values in every group differ much in degree",
                    ),
                    Quote(
                        "definition 10",
                        "将主敏感属性的不同敏感值划分到不同桶中",
                        "different values of the primary attribute are kept apart, to be drawn "
                        "into a group once each",
                    ),
                ),
            ),
            Reading(
                "to the farthest group, as printed",
                (
                    Quote(
                        "algorithm 1, line 3.1",
                        "最大的敏感组",
                        "find the group of the largest P_all",
                    ),
                    Quote(
                        "section 4.4",
                        "分配到敏感度距离最远的初始敏感组中",
                        "assigned to the first group that is farthest in degree",
                    ),
                ),
                view=replacing("method", {"micd": "micd-paper"}),
            ),
        ),
        why="Line 3.1 is printed, and the default adds to it: among the farthest groups those that "
        "do not hold the record's primary value, the smallest of equals. As printed, one group "
        "takes in thousands of records, which the aim of section 4.1, about every group, speaks "
        "against; the rule itself is ours, and Shoal's default. "
        "With the default primary attribute and l it is a matter of six records at most.",
    )


def _rare() -> OpenPoint:
    return OpenPoint(
        question="Which values are highly sensitive?",
        readings=(
            Reading(
                "the 30 % rarest values",
                (
                    Quote(
                        "section 5.2",
                        "敏感度最高的前 30%",
                        "the first 30 % by sensitivity, which is rarity (definition 5)",
                    ),
                ),
            ),
            Reading(
                "the values of table 5",
                (
                    Quote(
                        "section 5.2",
                        "各属性的高敏感属性值集合如表 5 所示",
                        "the highly sensitive values of each attribute are shown in table 5",
                    ),
                ),
                view=counting({"vulnerability": "vulnerability_table_5"}),
            ),
        ),
        why="The rule gives table 5 in four of five attributes. In occupation, table 5 lacks one "
        "of the four rarest values (claim 4).",
    )


def _ties() -> OpenPoint:
    said = Quote(
        "algorithm 1, line 2.2",
        "计算桶容量的降序排列",
        "order the buckets by falling size: nothing is said about equals",
    )
    return OpenPoint(
        question="Which of equally large buckets goes first?",
        readings=(
            Reading("the one that the table shows first", (said,)),
            Reading("any: rows in random order", (said,), view=_shuffled),
        ),
        why="The text leaves it open. The first has no chance in it, and is Shoal's rule for all "
        "ties. Rare values are drawn last, when the buckets of frequent ones have come down to "
        "the size of theirs; from then on many buckets are equally large, and their order decides "
        "how many of the last groups show rare values only (see the remarks).",
    )


def _shuffled(results: Results) -> Results:
    """Show the runs on shuffled rows, where there are any: with the default primary attribute."""
    method, here = pl.col("method"), pl.col("primary") == HIGHEST
    runs = results.runs.filter(~(method.is_in(list(SHUFFLED)) & here))
    shown = method.replace({other: name for name, other in SHUFFLED.items()})
    return Results(runs.with_columns(shown), results.numbers)
