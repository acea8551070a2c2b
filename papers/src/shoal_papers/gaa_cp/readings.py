"""How section 4 of Jiang, Zeng and Ma (2017) is read, and what other readings make of it."""

from __future__ import annotations

import polars as pl

from shoal_papers.readings import OpenPoint, Quote, Reading, replacing
from shoal_papers.results import Results

__all__ = ["readings"]


def readings() -> list[OpenPoint]:
    """List the open points."""
    return [
        OpenPoint(
            "What does EBKC's threshold δ = 0.5 bound?",
            (
                Reading(
                    "δ bounds the sum of the attributes' distances",
                    (
                        Quote(
                            "section 4.2",
                            "阈值(δ=0.5)比较有利于较小等价类的形成",
                            "the threshold favours the forming of smaller classes",
                        ),
                        Quote("section 4.2", "EBKC 算法运行时间最大", "EBKC takes the longest"),
                    ),
                ),
                Reading(
                    "δ bounds the mean of the attributes' distances",
                    (
                        Quote(
                            "section 1",
                            "按准标识属性值上的平均距离最小原则",
                            "by least average distance on the values of the quasi-identifiers",
                        ),
                        Quote(
                            "definition 5",
                            "取值差异程度的平均值称为元组间的距离",
                            "the mean of the differences is called the distance of two tuples",
                        ),
                    ),
                    view=replacing("method", {"ebkc": "ebkc-mean"}),
                ),
            ),
            "EBKC is not printed, only described. A mean of 0.5 is half of the largest distance "
            "there is: hardly a record is farther, so that a few giant clusters form, and nothing "
            "is slow about them. Both of what the text says about δ and about time is so only if δ "
            "bounds the sum. The average that section 1 speaks of is then that over the members "
            "of a cluster.",
        ),
        OpenPoint(
            "In which order does EBKC take the records?",
            (
                Reading(
                    "EBKC goes row by row",
                    (
                        Quote(
                            "section 1",
                            "将表数据按…原则划分为一些大小不一的记录子集",
                            "divides the table into subsets of different sizes; no chance is named",
                        ),
                    ),
                ),
                Reading(
                    "EBKC takes records in random order",
                    (
                        Quote(
                            "section 4",
                            "各算法在构造新等价类时, 随机选取起始元组",
                            "each algorithm picks the start tuple of a new class at random",
                        ),
                    ),
                    view=replacing("method", {"ebkc": "ebkc-random"}),
                ),
            ),
            "The sentence of section 4 is about all three methods at once. EBKC's description "
            "knows no random step, so that it has none by default.",
        ),
        OpenPoint(
            "Which distance leads GAA-CP: definition 6, or the loss that a record adds?",
            (
                Reading(
                    "GAA-CP by definition 6",
                    (
                        Quote(
                            "definition 6",
                            "定义 t_p 到 C_q 的距离为 dist(t_p, t_cq)",
                            "the distance to a class is that to its common tuple",
                        ),
                        Quote(
                            "algorithm 1, step 3.1",
                            "找出与 C 距离最小的元组(集)加入",
                            "find the tuple (set) of least distance to C",
                        ),
                    ),
                ),
                Reading(
                    "GAA-CP by least added loss",
                    (
                        Quote(
                            "section 4.1",
                            "每一次元组添加都是按照信息损失最小原则来选取",
                            "each added tuple is chosen by least information loss",
                        ),
                        Quote(
                            "proposition 2",
                            "与该元组和等价类最小合并概化的信息损失量成正比",
                            "the distance is in proportion to the loss of the merger",
                        ),
                    ),
                    view=replacing("method", {"gaa-cp": "gaa-cp-loss"}),
                ),
            ),
            "The algorithm says distance, and definition 6 defines it. Proposition 2, whose proof "
            "is left out, would make both the same; it is not exact: in the paper's Table 1 with "
            "numeric zip codes, {1, 2} + 4 against {1, 3} + 2 is a counter-example.",
        ),
        OpenPoint(
            "What does a published age lose in KACA, which climbs a tree for it?",
            (
                Reading(
                    "KACA's ages lose the width of their node",
                    (
                        Quote(
                            "section 4",
                            "Age 为数值型, 其余 7 个均为分类型",
                            "Age is numeric, the other seven are categorical",
                        ),
                    ),
                ),
                Reading(
                    "KACA's ages lose their steps up the tree",
                    (
                        Quote(
                            "section 4.1",
                            "KACA 对全部准标识属性概化都需要依据预定义的概化树",
                            "KACA generalizes all quasi-identifiers by predefined trees",
                        ),
                    ),
                    view=_steps_for_kaca,
                ),
            ),
            "One measure for all three methods is the fairer comparison, and section 2.2.1 "
            "measures numbers by their width.",
        ),
    ]


def _steps_for_kaca(results: Results) -> Results:
    """Count KACA's ages like a category's nodes; the others publish no nodes for them."""
    mine = pl.col("method") == "kaca"
    loss = pl.when(mine).then("iloss_age_steps").otherwise("iloss")
    return Results(results.runs.with_columns(iloss=loss), results.numbers)
