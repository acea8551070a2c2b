"""Orders of words that everybody knows: sizes, grades, how often, how much."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

import polars as pl

from shoal.errors import HierarchyError
from shoal.table.hierarchies import Builder, Hierarchy, Order
from shoal.table.hierarchies.values import distinct_texts

_ORDERS = (
    "xxs, xs, s, m, l, xl, xxl, xxxl",
    "tiny, very small, small, medium, large, very large, huge",
    "winzig, sehr klein, klein, mittel, groß, sehr groß, riesig",
    "none, very low, low, lower, medium, moderate, middle, higher, high, very high",
    "keine, sehr niedrig, niedrig, gering, mittel, hoch, sehr hoch",
    "none, mild, slight, moderate, severe, very severe, critical, fatal",
    "keine, leicht, mittel, schwer, sehr schwer",
    "never, hardly ever, rarely, seldom, sometimes, occasionally, often, usually, very often, "
    "always",
    "nie, sehr selten, selten, manchmal, gelegentlich, oft, häufig, sehr oft, sehr häufig, immer",
    "daily, weekly, monthly, quarterly, yearly, never",
    "strongly disagree, disagree, rather disagree, neither, neutral, undecided, rather agree, "
    "agree, strongly agree",
    "very dissatisfied, dissatisfied, neutral, satisfied, very satisfied",
    "very poor, very bad, poor, bad, fair, average, good, very good, excellent",
    "sehr schlecht, schlecht, ungenügend, mangelhaft, ausreichend, mittelmäßig, befriedigend, "
    "gut, sehr gut",
    "very young, child, young, teenager, adult, middle aged, old, elderly, very old",
    "beginner, intermediate, advanced, expert, native",
    "no schooling, none, preschool, kindergarten, primary, primary school, elementary, "
    "elementary school, 1st 4th, 5th 6th, middle school, lower secondary, 7th 8th, 9th, 10th, "
    "11th, 12th, secondary, secondary school, upper secondary, high school, hs grad, some college, "
    "associate, assoc voc, assoc acdm, college, bachelor, bachelors, master, masters, university, "
    "tertiary, prof school, doctorate, phd",
    "ohne abschluss, kein abschluss, grundschule, volksschule, hauptschule, "
    "hauptschulabschluss, realschule, realschulabschluss, mittlere reife, fachhochschulreife, "
    "fachabitur, abitur, lehre, ausbildung, meister, bachelor, diplom, master, promotion",
    "很低, 低, 较低, 中, 中等, 较高, 高, 很高",
    "小, 中, 大",
    "从不, 很少, 有时, 经常, 总是",
    "文盲, 小学, 初中, 高中, 中专, 大专, 本科, 硕士, 博士",
)
_RANKS = tuple(
    {word: rank for rank, word in enumerate(re.split(r",\s*", order))} for order in _ORDERS
)
_FEWEST_WORDS = 3

MOST = max(map(len, _RANKS))
"""No order has more words."""


def known_order(values: Sequence[str]) -> tuple[str, ...] | None:
    """Put values in the order that their words have; ``None`` if they have none."""
    if len(values) < _FEWEST_WORDS:
        return None
    words = {value: " ".join(re.findall(r"\w+", value.lower())) for value in values}
    for ranks in _RANKS:
        if set(words.values()) <= ranks.keys():
            return tuple(sorted(values, key=lambda value: (ranks[words[value]], value)))
    return None


@dataclass(frozen=True)
class KnownOrder(Builder):
    """Join neighbours, two at a time, in the order that their words have.

    Examples
    --------
    >>> print(KnownOrder().build(pl.Series(["often", "never", "rarely", "always"])).show())
    * (4)
    ├── never..rarely (2)
    │   ├── never
    │   └── rarely
    └── often..always (2)
        ├── often
        └── always
    """

    name: ClassVar[str] = "known-order"

    def build(self, values: pl.Series) -> Hierarchy:
        """Put the values in order, and join them."""
        order = known_order(distinct_texts(values))
        if order is None:
            raise HierarchyError("The values have no known order.", "Choose another builder.")
        return Order(fan_out=2, order=order).build(values)
