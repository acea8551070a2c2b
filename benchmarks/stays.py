"""Hospital stays, made up: a table of another shape than Adult's.

Three numbers and four categories of 5 to 2,000 leaves, all of them correlated: where one lives
goes with the age, the illness and the insurance with it too, the days with the illness, the cost
with both. The tree of illnesses is of uneven depth. Nothing in it is drawn from people.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt
import polars as pl

import shoal
from shoal.table.hierarchies import Hierarchy

__all__ = ["illnesses", "schema", "stays"]

Codes = npt.NDArray[np.int64]

INSURANCES = ("public", "private", "company", "student", "none")
CHAPTERS, BLOCKS, CATEGORIES = 20, 5, 5  # each category has up to 6 codes
REGIONS, DISTRICTS, TOWNS = 8, 6, 10
JOBS = (4, 3, 4)


def stays(rows: int = 50_000, seed: int = 0) -> pl.DataFrame:
    """Make so many stays; the same seed gives the same table.

    Examples
    --------
    >>> table = stays(1000)
    >>> table.columns
    ['age', 'days', 'cost', 'insurance', 'job', 'town', 'illness']
    """
    rng = np.random.default_rng(seed)
    age = np.clip(
        np.where(rng.random(rows) < 0.2, rng.normal(8, 6, rows), rng.normal(56, 19, rows)), 0, 99
    )
    age = age.astype(np.int64)
    # Towns of very different size; large ones are younger.
    n_towns = REGIONS * DISTRICTS * TOWNS
    size = 1.0 / (1 + np.arange(n_towns))
    size = size[np.random.default_rng(1).permutation(n_towns)]
    town = rng.choice(n_towns, rows, p=size / size.sum())
    moved = (size[town] > np.median(size[town])) & (age > 40)
    age = np.where(moved, age - rng.integers(0, 12, rows), age)
    insurance = _insurance(age, rng)
    job = _job(age, insurance, rng)
    illness = _illness(age, rng)
    tree = illnesses()
    chapter = tree.ancestors[tree.leaf_nodes[illness], 1]
    severity = rng.gamma(2.0, 1.0, rows) * (0.5 + (chapter % 7) / 3) * (1 + age / 60)
    days = np.clip(np.rint(severity), 0, 120).astype(np.int64)
    price = 400 + 650 * days + 300 * (chapter % 5) + 900 * (insurance == 1)
    cost = np.rint(price * rng.lognormal(0, 0.25, rows) / 10).astype(np.int64) * 10
    return pl.DataFrame(
        {
            "age": age,
            "days": days,
            "cost": cost,
            "insurance": np.array(INSURANCES)[insurance],
            "job": np.array(_tree("J", JOBS).leaves)[job],
            "town": np.array(_tree("T", (REGIONS, DISTRICTS, TOWNS)).leaves)[town],
            "illness": np.array(tree.leaves)[illness],
        }
    )


def schema() -> shoal.Schema:
    """Say what the columns are."""
    return shoal.Schema(
        {
            "age": shoal.quasi(kind="numeric"),
            "days": shoal.quasi(kind="numeric"),
            "cost": shoal.quasi(kind="numeric"),
            "insurance": shoal.quasi(
                hierarchy=Hierarchy.from_dict({each: {} for each in INSURANCES})
            ),
            "job": shoal.quasi(hierarchy=_tree("J", JOBS)),
            "town": shoal.quasi(hierarchy=_tree("T", (REGIONS, DISTRICTS, TOWNS))),
            "illness": shoal.quasi(hierarchy=illnesses()),
        }
    )


def illnesses() -> Hierarchy:
    """Build a tree of about 2,000 codes: chapters, blocks, categories, and codes below most."""
    made: dict[str, object] = {}
    for chapter in range(CHAPTERS):
        blocks: dict[str, object] = {}
        for block in range(BLOCKS):
            categories: dict[str, object] = {}
            for category in range(CATEGORIES):
                name = f"I{chapter:02}{block}{category}"
                below = (chapter * 7 + block * 3 + category) % 7  # none: the category is a leaf
                categories[name] = {f"{name}.{code}": {} for code in range(below and below + 1)}
            blocks[f"I{chapter:02}{block}"] = categories
        made[f"I{chapter:02}"] = blocks
    return Hierarchy.from_dict(made)


def _tree(name: str, shape: tuple[int, ...]) -> Hierarchy:
    def below(prefix: str, rest: tuple[int, ...]) -> dict[str, object]:
        if not rest:
            return {}
        return {f"{prefix}.{i}": below(f"{prefix}.{i}", rest[1:]) for i in range(rest[0])}

    return Hierarchy.from_dict(below(name, shape))


def _insurance(age: Codes, rng: np.random.Generator) -> Codes:
    adult = np.array([0.62, 0.14, 0.2, 0.01, 0.03])
    young = np.array([0.45, 0.1, 0.15, 0.27, 0.03])
    old = np.array([0.8, 0.15, 0.03, 0.0, 0.02])
    chances = np.where(
        (age < 28)[:, None], young, np.where((age > 66)[:, None], old, adult)
    ).cumsum(axis=1)
    return np.asarray((rng.random(len(age))[:, None] > chances[:, :-1]).sum(axis=1))


def _job(age: Codes, insurance: Codes, rng: np.random.Generator) -> Codes:
    """Draw one of 48 jobs: the private insured have other ones, and the old few."""
    n_jobs = int(np.prod(JOBS))
    place = rng.beta(1.2, 2.2, len(age)) + 0.25 * (insurance == 1) + 0.1 * (age > 60)
    job = np.minimum((place * n_jobs).astype(np.int64), n_jobs - 1)
    return np.where(age < 16, 0, job)


def _illness(age: Codes, rng: np.random.Generator) -> Codes:
    """Draw a code: ages have chapters of their own, and in each some codes are frequent."""
    tree = illnesses()
    band = np.minimum(age // 10, 9)
    codes = np.zeros(len(age), dtype=np.int64)
    ranks = np.random.default_rng(2).permutation(tree.n_leaves)
    chapter = tree.ancestors[tree.leaf_nodes, 1]
    order = {node: place for place, node in enumerate(np.unique(chapter).tolist())}
    chapters = np.array([order[node] for node in chapter.tolist()])
    for each in range(10):
        away = np.abs(chapters - 2 * each) % CHAPTERS
        weight = np.exp(-np.minimum(away, CHAPTERS - away) / 3) / (1 + ranks) ** 1.1
        rows = band == each
        codes[rows] = rng.choice(tree.n_leaves, int(rows.sum()), p=weight / weight.sum())
    return codes
