"""How we read the paper on (αᵢ, k)-anonymity where the text leaves more than one way."""

from __future__ import annotations

from collections.abc import Mapping

import polars as pl

from shoal_papers.alpha_i_k.numbers import NUMBERS, SECONDS
from shoal_papers.readings import OpenPoint, Quote, Reading, View, counting, replacing
from shoal_papers.results import Results

__all__ = ["OFFERS", "POINTS"]


def standing_in(others: Mapping[str, str]) -> View:
    """Show other series in the place of some methods; times stay, for they are as long.

    Examples
    --------
    >>> runs = pl.DataFrame({"method": ["gca", "gca-stop"], "k": [4, 4], "seed": [1, 1],
    ...                      **{name: [1.0, 2.0] for name in NUMBERS}})
    >>> shown = standing_in({"gca": "gca-stop"})(Results(runs, NUMBERS)).runs
    >>> shown.select("method", "classes", "cpu_seconds").rows()
    [('gca', 2.0, 1.0), ('gca-stop', 2.0, 2.0)]
    """
    names = [name for name in NUMBERS if name not in SECONDS]

    def view(results: Results) -> Results:
        keys = [name for name in results.runs.columns if name not in NUMBERS]
        found = results.runs.filter(pl.col("method").is_in(list(others.values())))
        new = {other: method for method, other in others.items()}
        found = found.with_columns(pl.col("method").replace(new)).select(*keys, *names)
        runs = results.runs.join(
            found, on=keys, how="left", suffix=" read so", maintain_order="left"
        )
        read = [pl.coalesce(f"{name} read so", name).alias(name) for name in names]
        return Results(runs.with_columns(read).select(results.runs.columns), results.numbers)

    return view


LINE_4 = Quote("line 4", "非空分组数大于等于 k", "no fewer than k groups are not empty")

POINTS = (
    OpenPoint(
        "Which group of a level gives a record when a class needs several passes?",
        (
            Reading(
                "one record per value before any value twice",
                (
                    LINE_4,
                    Quote(
                        "line 7",
                        "依次从 G 中分别取一条记录",
                        "take one record from each of the groups G in turn",
                    ),
                ),
            ),
            Reading(
                "the largest group of a level gives again",
                (
                    Quote("line 7", "选 P 高的分组", "choose the group of higher priority P"),
                    Quote("line 9", "重复第 7 步", "repeat step 7"),
                ),
                standing_in({"leveled-gca": "leveled-gca-largest"}),
            ),
        ),
        "Line 4 asks for k groups that are not empty, which makes sense only if a class takes from "
        "k of them; and one record from each is what line 7 says. Both give the paper's table 8.",
    ),
    OpenPoint(
        "Which class does a left-over record prefer (line 18)?",
        (
            Reading(
                "left-over records join classes far from level 1",
                (
                    Quote(
                        "line 18",
                        "优先考虑不含相同级别的、与最高级别距离较大的",
                        "prefer classes without the same level, and at a larger distance from the "
                        "highest level",
                    ),
                ),
            ),
            Reading(
                "left-over records join classes far from their own level",
                (
                    Quote(
                        "line 18",
                        "不含相同级别的、与最高级别距离较大的",
                        "without the same level (as the record), its highest level at a larger "
                        "distance (from the record)",
                    ),
                ),
                standing_in({"leveled-gca": "leveled-gca-record"}),
            ),
        ),
        "Both clauses describe the class, and the highest level is level 1. The other parse piles "
        "the surplus of level 2 into the classes of level 1.",
    ),
    OpenPoint(
        "When is no further class begun?",
        (
            Reading(
                "classes are begun until none can be completed",
                (Quote("line 2", "可以构造等价类", "while a class can be built"),),
            ),
            Reading(
                "no class is begun with fewer than k values left",
                (LINE_4,),
                standing_in({"gca": "gca-stop", "leveled-gca": "leveled-gca-stop"}),
            ),
        ),
        "Line 2 says how long; with line 4 as printed the loop of line 3 would never end once "
        "fewer than k groups are left. Going on leaves fewer records over.",
    ),
    OpenPoint(
        "What are the finest values of Age that Top-Down publishes?",
        (
            Reading(
                "Age by the seven decades of table 9",
                (
                    Quote(
                        "table 9",
                        "<20,[20,29],… ,>70",
                        "the generalizations of Age, with height 7",
                    ),
                    Quote(
                        "section 5.1",
                        "Age 字段长度即为 20",
                        "of table 2's [20, 39]: the length of Age is 20, so years are counted",
                    ),
                ),
            ),
            Reading(
                "exact ages",
                (Quote("table 9", "Age 74 Numeric", "Age has 74 values, numeric"),),
                replacing("method", {"top-down": "top-down-exact"}),
            ),
        ),
        "Table 9 lists decades as the generalizations of Age, seven as its height says, and tables "
        "2 and 3 publish smallest unions of decades. A generalized record then costs 0.9 or more "
        "as soon as its decade has ten years, whatever its other cells show. So Age alone decides "
        "whether Top-Down loses more than GCA by this measure; figure F, COUNT queries, asks both "
        "forms the same.",
    ),
    OpenPoint(
        "Does α, or αᵢ, bound the share of a value or of a level?",
        (
            Reading(
                "α bounds the share of each value",
                (
                    Quote(
                        "definition 7, next paragraph",
                        "要求所有等价类中的敏感值都满足其所",
                        "sensitive values must hold the bound of the level they belong to",
                    ),
                ),
            ),
            Reading(
                "α bounds the share of each level (an extra reading)",
                (
                    Quote(
                        "definition 7",
                        "敏感级 Si 都是一般αi-无关联的",
                        "every sensitive level Si is αi-disassociated",
                    ),
                    Quote(
                        "section 5.1",
                        "此时会有较多的记录被隐匿",
                        "more records are suppressed then (at α = 0.2 and 0.3)",
                    ),
                ),
                replacing(
                    "method",
                    {
                        "top-down": "top-down-levels",
                        "gca": "gca-levels",
                        "leveled-gca": "leveled-gca-levels",
                    },
                ),
            ),
        ),
        "For the plain (α, k) model, definition 4 bounds every value, and table 5 breaks a bound "
        "on levels (its second class has HIV and cancer, two of three records of level 1, where α "
        "is 0.4). So the second is marked as extra: it is shown because suppression at α = 0.2 and "
        "0.3, which the paper reports, appears only with it.",
    ),
    OpenPoint(
        "Which classes count in the distance of sensitivity?",
        (
            Reading(
                "classes with level 1 or 2 count",
                (
                    Quote(
                        "equation 7",
                        "为含有敏感级别为 L1 或 L2 的等价类",
                        "the classes that hold level L1 or L2",
                    ),
                ),
            ),
            Reading(
                "classes with level 1 and 2 count",
                (
                    Quote(
                        "section 5.3",
                        "实验选择含有 L1 和 L2 2 个级别的等价类",
                        "the experiment chooses classes that hold the two levels L1 and L2",
                    ),
                ),
                counting({"sensitivity_distance": "sensitivity_distance_and"}),
            ),
        ),
        "The equation is the measure; the sentence before it says “and”. Both are reported "
        "(figures 5 and 5b).",
    ),
    OpenPoint(
        "What does “often the same high level” mean?",
        (
            Reading(
                "two or more records of a high level in a class",
                (
                    Quote(
                        "section 4.1",
                        "有 2 个高敏感性的敏感值",
                        "in the second class there are two highly sensitive values",
                    ),
                ),
            ),
            Reading(
                "all records of a class of one level",
                (
                    Quote(
                        "section 2.2",
                        "的敏感值都属于高风险的敏感属性值",
                        "the values of all three records are of high risk",
                    ),
                ),
                counting({"same_high_level": "one_level"}),
            ),
        ),
        "Section 4.1 says of table 5 what is bad about it: two of three records, not all. By that "
        "count (αᵢ,k)-GCA is no better on Adult: level 2 has 39% of all records, so classes of "
        "five hold two of them on average.",
    ),
    OpenPoint(
        "What does the time of a method include?",
        (
            Reading(
                "time includes making the published tables",
                (
                    Quote(
                        "line 21",
                        "将所有等价类以 T_QI,T_SA 2 张表输出",
                        "output all classes as the two tables T_QI and T_SA",
                    ),
                ),
            ),
            Reading(
                "time of the grouping alone",
                (
                    Quote(
                        "section 5.2",
                        "对本文算法没有影响",
                        "|QI| has no effect on our algorithm",
                    ),
                ),
                counting({"cpu_seconds": "grouping_seconds"}),
            ),
        ),
        "Line 21 belongs to the algorithm. Top-Down's time includes its generalized table, too.",
    ),
)
"""The open points, one by one."""

OFFERS = (
    '`LeveledGCA(spend="even")`, ours: records sorted by level and value are dealt to the classes '
    "like cards. Classes are as small as k and the αᵢ allow, nothing is left over, and the worst "
    "class mixes levels better (see its questions and figures G and H).",
    "[COUNT queries](../measures/count_query_error.md) as a measure that asks one generalized "
    "table and two tables the same questions; the reconstruction distance does not.",
    '`LeveledAlphaK(…, scope="level")`, which bounds the share of a whole level; it may suppress '
    "much.",
)
"""What Shoal has where the paper's own procedure does not reach its aim."""
