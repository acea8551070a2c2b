"""Local recoding by rounds: CPU time, and what it loses beside methods of other families."""

from __future__ import annotations

import numpy as np

import shoal
from benchmarks.lattice import _laddered
from benchmarks.timing import Figures, cpu
from shoal.measures import Pair, measure_all
from shoal.methods import Method
from shoal.publications.groups.grouping import Grouping
from shoal.publications.recoding import generalize

__all__ = ["local_recoding"]


def local_recoding() -> Figures:
    """Local recoding: Adult's 30,162 rows and `census`, 9 QIs, bundled hierarchies.

    The loss is that of cells which are lowest common nodes, ages too; then with least intervals for
    ages. Not comparable with figures of other hierarchies of Adult, such as ARX's.
    """
    nine = ["age", "workclass", "education", "marital-status", "occupation", "race", "sex"]
    nine += ["native-country", "salary-class"]
    adult = _laddered(shoal.datasets.adult().head(32_561).select(nine).drop_nulls(), nine)
    million = _laddered(shoal.datasets.census(1_000_000), nine)
    rounds = [shoal.LocalRecoding(share=share) for share in (0.01, 0.002, 0.0)]
    others: list[Method] = [
        shoal.GAACP(picks="first"),
        shoal.KACA(picks="first"),
        shoal.Mondrian("relaxed"),
        shoal.FullDomain(suppression_limit=1.0),
    ]
    small = adult.select(np.arange(4000))
    figures: Figures = {}
    for k in (5, 10):
        for name, table in {"Adult 30,162": adult, "census 1,000,000": million}.items():
            for method in [*rounds, *others] if table is adult else rounds[:2]:
                case = f"{name}, k = {k}: {method.name}"
                if isinstance(method, shoal.LocalRecoding):
                    case += f", share {method.share:g}"
                method.group(small, [shoal.KAnonymity(k)], rng=np.random.default_rng(0))
                made: list[Grouping] = []
                figures[f"{case} (s CPU)"] = cpu(
                    lambda method=method, table=table, k=k, made=made: made.append(
                        method.group(table, [shoal.KAnonymity(k)], rng=np.random.default_rng(0))
                    )
                )
                forms = ("tree",) if made[0].levels is not None else ("tree", "intervals")
                for numbers in forms:
                    recoded = generalize(table, made[0], bounds="observed", numbers=numbers)
                    loss = measure_all(Pair(table, recoded))["loss"]
                    figures[f"{case}: loss, ages as {numbers}"] = loss
    return figures
