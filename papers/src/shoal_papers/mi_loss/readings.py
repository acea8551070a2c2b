"""How section 4 of Gu and Dong (2022) is read, and what other readings make of it."""

from __future__ import annotations

from collections.abc import Sequence

import polars as pl

from shoal_papers.mi_loss.claims import (
    EQUATION_4,
    GAIN_RATIO,
    LINEAR,
    MODELS,
    PUBLISHED,
    STARRED,
    UNLIMITED,
    Grid,
    claims,
)
from shoal_papers.readings import OpenPoint, Quote, Reading, View, counting, replacing
from shoal_papers.results import SEED, Results

__all__ = ["readings"]

LIMITED = {
    5: Quote(
        "section 4.1",
        "可以由用户自定义匿名化模型、数据转化规则",
        "users of ARX define the anonymity model and the rules of transformation themselves",
    ),
    0: Quote(
        "section 4.1, step 2",
        "按照泛化层级关系自底向上逐级泛化",
        "generalizes from below, level by level, by the hierarchies",
    ),
}
"""What speaks for a limit, in per cent."""


def readings(grid: Grid, limits: Sequence[int], repetitions: int) -> list[OpenPoint]:
    """List the open points; other limits were run with so many repetitions."""
    return [
        OpenPoint(
            "How many rows may be suppressed?",
            (
                Reading(
                    "rows are suppressed without a limit",
                    (
                        Quote(
                            "section 3.2",
                            "将所有满足 k-匿名模型的数据集加入解空间",
                            "adds all data sets that satisfy k-anonymity to the solutions",
                        ),
                        Quote(
                            "section 1.2",
                            "抑制(suppression)是程度最高的泛化",
                            "suppression is the highest degree of generalization",
                        ),
                    ),
                ),
                *(
                    Reading(
                        f"at most {limit} % of the rows are suppressed",
                        (LIMITED[limit],),
                        view=_limited(limit, repetitions),
                    )
                    for limit in limits
                    if limit in LIMITED
                ),
            ),
            "The paper neither gives a limit nor excludes one. It searches all data sets that are "
            "k-anonymous, and a limit would leave some of them out. For a limit speaks only that "
            "users of ARX may set one, and for 0 % that step 2 speaks of generalization alone. "
            "**This reading was found after 0 % and 5 % had not reproduced figure 3**; all three "
            "are therefore shown with their verdicts.",
            "With 0 % most columns are generalized to nothing, since a single rare record forces "
            "the whole table up, and models fall to the most frequent class (figure 3c).",
        ),
        OpenPoint(
            "Are suppressed rows learnt from, and tested?",
            (
                Reading(
                    "suppressed rows are left out",
                    (
                        Quote(
                            "section 1.1",
                            "每条记录至少要与k-1条记录拥有相同的准标识符值",
                            "in the published data set each record equals at least k − 1 others",
                        ),
                    ),
                ),
                Reading(
                    "suppressed rows stay, as rows of *",
                    (
                        Quote(
                            "section 1.2",
                            "来代替原始值,使原始值失效",
                            "suppression puts a symbol in the place of the value",
                        ),
                    ),
                    view=_starred(repetitions),
                ),
            ),
            "The text speaks of suppressed values, and does not say what becomes of a row that "
            "shows none: ARX keeps it, Shoal does not publish it. The default is what was measured "
            "under limits of 0 % and 5 %, too. Rows of * were added after the results of the "
            "default had been seen.",
        ),
        OpenPoint(
            "Which weights has MI Loss in figure 3?",
            (
                Reading(
                    "MI Loss has the weights of table 2, which are gain ratios",
                    (
                        Quote(
                            "section 4.1, step 3",
                            "准标识符的可用性权重如表2所示",
                            "the weights of the quasi-identifiers are those of table 2",
                        ),
                    ),
                ),
                Reading(
                    "MI Loss has the weights of equation 4",
                    (
                        Quote(
                            "section 3.1",
                            "最后通过标准化式(4)得到准标识符",
                            "normalizing by equation 4 gives the weight",
                        ),
                    ),
                    view=replacing("method", {GAIN_RATIO: EQUATION_4}),
                    claims=claims(grid, "mutual-information"),
                ),
            ),
            "Step 3 of the experiment names table 2. Its column is mutual information over the "
            "column's entropy, normalized, not mutual information alone (table 2 below).",
        ),
        OpenPoint(
            "Which model is learnt?",
            (
                Reading(
                    "logistic regression is learnt",
                    (
                        Quote(
                            "section 4.2",
                            "分别训练分类器",
                            "trains a classifier on each",
                        ),
                    ),
                ),
                Reading(
                    "linear regression is learnt, and cut at one half",
                    (Quote("section 4.2", "使用线性回归", "uses linear regression"),),
                    view=counting({PUBLISHED: LINEAR}),
                ),
            ),
            "Classifiers are trained, and judged by accuracy. Linear regression is not one until "
            "someone says where to cut it, which the paper does not; logistic regression is the "
            "linear model of two classes.",
        ),
        OpenPoint(
            "When does accuracy fall as k grows?",
            (
                Reading(
                    "the largest k has less than the smallest",
                    (
                        Quote(
                            "section 4.2",
                            "分类器的表现都随着数据可用性的降低有所下降",
                            "as k grows, all classifiers get somewhat worse",
                        ),
                    ),
                ),
                Reading(
                    "no step of k raises accuracy",
                    (
                        Quote(
                            "section 4.2",
                            "随着k值的增加,满足k-匿名模型的难度也随之增大",
                            "as k grows, so does the difficulty of being k-anonymous: with each k",
                        ),
                    ),
                    claims=claims(grid, falling="steps"),
                ),
            ),
            "The sentence says that accuracies fall somewhat, not that none of them ever rises "
            "between neighbouring k. The stricter rule was the only one at first, and the claim "
            "failed by it; the sentence's own rule was added after that had been seen.",
        ),
    ]


def _starred(repetitions: int) -> View:
    """Show the accuracy with rows of ``*``, at the repetitions that have it."""
    shown = counting({PUBLISHED: STARRED})

    def view(results: Results) -> Results:
        return shown(Results(results.runs.filter(pl.col(SEED) <= repetitions), results.numbers))

    return view


def _limited(limit: int, repetitions: int) -> View:
    """Show the optima of a limit in the place of those without one."""

    def view(results: Results) -> Results:
        optimum = pl.col("method").is_in(list(MODELS))
        runs = results.runs.filter(
            pl.col(SEED) <= repetitions, ~optimum | (pl.col("limit") == limit)
        )
        shown = pl.when(optimum).then(pl.lit(UNLIMITED)).otherwise("limit")
        return Results(runs.with_columns(limit=shown.cast(runs.schema["limit"])), results.numbers)

    return view
