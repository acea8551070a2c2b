"""The learning attack: a model of who has what, learned from the publication itself."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from shoal.base.arguments import require_whole
from shoal.base.arrays import Bools, Floats, Ints, numbered, runs
from shoal.judging.risk.attacking.probability import share_limits
from shoal.judging.risk.base import Attack, attack
from shoal.judging.risk.control import SEED
from shoal.judging.risk.sight import Sight, sight
from shoal.table import NumericColumn, QuasiColumn
from shoal.table.schema import SchemaLike

ROUNDS = 5
"""Default number of rounds; after these, the guesses hardly change."""

_BALANCING = 10
"""How often rows and values of a class are balanced in a round."""

_BINS = 64
"""Numbers of more different values are taken by ranges with equally many rows."""

_MOST_CATEGORIES = 1_000
"""A category of more different values is too nearly a name to learn from."""

_AT_MOST = 2_000_000
"""So many pairs of a row and a value are looked at; of larger tables, a sample of classes."""


@attack(needs=("original",))
def learning(
    published: Any,
    schema: SchemaLike | None = None,
    *,
    column: str | None = None,
    original: Any = None,
    rows: npt.ArrayLike | None = None,
    rounds: int = ROUNDS,
    seed: int = SEED,
) -> Attack:
    """Count the people whose value is guessed right by a model learned from the publication.

    A class says which values its people have, and not who has which. But all classes together
    show what kind of people have which values. The attacker, who knows everyone's
    quasi-identifiers, learns that (naive Bayes), guesses with it who has which value in each
    class, learns from the guesses again (expectation maximisation), and so on. No value that is
    not published is used; the original only counts the right guesses. The result is private.

    Parameters
    ----------
    published, schema, original, rows, column
        As in `sight`; the sensitive column may be left out where there is one.
    rounds
        How often it learns from its own guesses.
    seed
        Draws the control, and the sample of classes where the table is too large for all.

    Returns
    -------
    Attack
        Its control is the same attack with the quasi-identifiers permuted, so that they tell
        nothing. Its promise is the largest share of a class that is required. Details:
        ``counting``, the share guessed right by the most frequent value of each class;
        ``prior``, by that of the whole table; ``rows``, how many were looked at.

    Examples
    --------
    >>> import polars as pl, shoal
    >>> pairs = [("f", "f"), ("f", "m"), ("m", "m")] * 20
    >>> ills = [("breast", "flu"), ("breast", "flu"), ("flu", "cold")] * 20
    >>> original = pl.DataFrame({"sex": [sex for pair in pairs for sex in pair],
    ...                          "ill": [ill for pair in ills for ill in pair]})
    >>> schema = shoal.Schema({"sex": shoal.quasi(), "ill": shoal.sensitive()})
    >>> group = pl.Series("group", [row // 2 for row in range(120)])
    >>> quasi, ill = original.select("sex", group), original.select("ill", group)
    >>> tables = {"quasi": quasi, "sensitive": ill}
    >>> attack = shoal.risk.learning(tables, schema, original=original)
    >>> attack.share > attack.details["counting"]  # breast cancer is seen where women are
    True

    References
    ----------
    D. Kifer: Attacks on privacy and deFinetti's theorem, SIGMOD 2009; G. Cormode: Personal
    privacy vs population privacy: learning to attack anonymization, KDD 2011.
    """
    require_whole("rounds", rounds, 1, "5 is enough.")
    seen = sight(published, schema, original=original, rows=rows)
    name, found = seen.column(column)
    rng = np.random.default_rng(seed)
    puzzle = _Puzzle.of(seen, name, rng)
    places = seen.pair.recoded.rows[puzzle.rows]
    tried = [_feature(each, places) for each in seen.pair.table.quasi]
    features = [each for each in tried if each is not None]
    right = puzzle.right(puzzle.learn(features, rounds))
    mixed = rng.permutation(len(puzzle.rows))
    control = puzzle.right(puzzle.learn([each[mixed] for each in features], rounds))
    people, total = _people(seen, puzzle.rows, right)
    by_chance, _ = _people(seen, puzzle.rows, control)
    counting = puzzle.right(puzzle.share.copy())
    prior = float(found.totals.max() / found.totals.sum())
    details = {
        "counting": float(counting.mean()),
        "prior": prior,
        "rows": len(puzzle.rows),
        "of_rows": len(seen.classes),
        "columns": len(features),
    }
    meaning = "a model learned from the publication itself guesses the value right"
    remark = f"; {counting.mean():.1%} by the most frequent value of each class"
    limits = (limit for _, found in share_limits(seen, name, seen.require) for limit in found)
    promise = max((float(share) for each in limits for share in each.largest), default=None)
    more = {"remark": remark, "promise": promise}
    return Attack.counted("learning", name, people, by_chance, total, meaning, details, **more)


@dataclass(frozen=True, eq=False)
class _Puzzle:
    """Who has which value: pairs of a row and a value that its class shows.

    ``pair_row``, ``pair_value`` and ``pair_entry`` say of each pair the row (by position), the
    value, and which entry of the histogram it is; ``expected`` how many rows of a class have the
    entry's value; ``share`` how likely a pair is by counting alone.
    """

    rows: Ints
    pair_row: Ints
    pair_value: Ints
    pair_entry: Ints
    expected: Floats
    share: Floats
    first: Ints
    truth: Ints
    n_values: int

    @classmethod
    def of(cls, seen: Sight, name: str, rng: np.random.Generator) -> _Puzzle:
        found = seen.histograms[name]
        size = found.different(seen.n_classes)
        crowd = np.bincount(seen.classes, minlength=seen.n_classes)
        rows = np.arange(len(seen.classes))
        work = size * crowd
        if work.sum() > _AT_MOST:
            order = rng.permutation(seen.n_classes)
            kept = np.zeros(seen.n_classes, dtype=np.bool_)
            kept[order[: max(1, int(np.searchsorted(np.cumsum(work[order]), _AT_MOST)))]] = True
            rows = np.flatnonzero(kept[seen.classes])
        mine = seen.classes[rows]
        sizes = size[mine]
        pair_row, pair_entry = runs((np.cumsum(size) - size)[mine], sizes)
        held = np.maximum(found.held(seen.n_classes), 1)
        likely = found.counts / held[found.group]
        return cls(
            rows,
            pair_row,
            found.value[pair_entry],
            pair_entry,
            likely * crowd[found.group],
            likely[pair_entry],
            np.cumsum(sizes) - sizes,
            seen.truth(name)[rows],
            len(found.labels),
        )

    def learn(self, features: list[Ints], rounds: int) -> Floats:
        """Say how likely each pair is, after some rounds of learning from the last answer."""
        weight = self.share.copy()
        places = []
        for codes in features:
            width = int(codes.max(initial=0)) + 1
            known = np.bincount(codes, minlength=width) / max(len(codes), 1)
            places.append((self.pair_value * width + codes[self.pair_row], known))
        for _ in range(rounds):
            score = np.zeros(len(weight))
            for place, known in places:
                shape = (self.n_values, len(known))
                counted = np.bincount(place, weight, minlength=shape[0] * shape[1])
                likelihood = counted.reshape(shape) + known  # one more row, spread as all rows are
                likelihood = likelihood / likelihood.sum(axis=1, keepdims=True)
                score += np.log(np.maximum(likelihood, 1e-12)).reshape(-1)[place]
            weight = self._balanced(score)
        return weight

    def _balanced(self, score: Floats) -> Floats:
        """Make every row have one value in all, and every class the values that it shows."""
        best = np.maximum.reduceat(score, self.first)
        weight = np.exp(score - best[self.pair_row]) * self.expected[self.pair_entry]
        entries = len(self.expected)
        for _ in range(_BALANCING):
            weight /= np.bincount(self.pair_row, weight)[self.pair_row]
            shown = np.bincount(self.pair_entry, weight, minlength=entries)
            weight *= (self.expected / np.maximum(shown, 1e-300))[self.pair_entry]
        return np.asarray(weight / np.bincount(self.pair_row, weight)[self.pair_row])

    def right(self, weight: Floats) -> Bools:
        """Say of which rows the likeliest value is the true one."""
        best = np.lexsort((-weight, self.pair_row))[self.first]
        return np.asarray(self.pair_value[best] == self.truth)


def _feature(column: QuasiColumn, rows: npt.NDArray[np.intp]) -> Ints | None:
    """Give the exact cells of a column as small numbers; ``None`` if they nearly are names."""
    codes = np.asarray(column.codes)[rows].astype(np.int64)
    if isinstance(column, NumericColumn) and column.size > _BINS:
        counts = np.bincount(codes, minlength=column.size + 1)
        middle = np.cumsum(counts) - counts / 2
        codes = (middle * _BINS / len(codes)).astype(np.int64)[codes]
    codes = numbered(codes)
    return codes if int(codes.max(initial=0)) < _MOST_CATEGORIES else None


def _people(seen: Sight, rows: Ints, right: Bools) -> tuple[int, int]:
    """Count the people for whom a row is guessed right, and all that were examined."""
    if seen.people is None:
        return int(right.sum()), len(rows)
    return len(np.unique(seen.people[rows][right])), len(np.unique(seen.people[rows]))
