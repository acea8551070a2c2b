"""The engine of GCA and its kin: buckets by sensitive value, classes, left-overs."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Literal

import numpy as np

from shoal.base.arrays import Ints
from shoal.errors import InfeasibleError
from shoal.kernels.buckets import classes as buckets_, leftovers
from shoal.kernels.buckets.tallies import tallies
from shoal.kernels.clustering import boxes as boxes_
from shoal.kernels.clustering.prices import Open, open_class
from shoal.kernels.clustering.shapes import MEETING, Attributes
from shoal.kernels.collapse import collapse
from shoal.kernels.ordering import order_by
from shoal.methods._costs import attributes
from shoal.methods.base import Progress, unheard
from shoal.methods.buckets._terms import Terms
from shoal.methods.clustering._greedy import order_points
from shoal.publications.groups.grouping import SUPPRESSED, Grouping
from shoal.table import NumericColumn, Table

BUDGET = 200_000
"""Records taken, or classes looked at, between two looks at the clock."""

NEAR_BUDGET = 20_000
"""The same where the nearest record is looked for."""

QUEUES = 64
"""How many queues of classes are kept up to date with every left-over record."""


def bucket_classes(
    table: Table,
    terms: Terms,
    *,
    rule: int,
    order: Ints,
    near: bool = False,
    stop: Literal["exhausted", "paper"] = "exhausted",
    from_record: bool = False,
    progress: Progress = unheard,
) -> Grouping:
    """Make classes from buckets until no further one can be completed, then place the rest.

    - ``rule``: whose turn it is: `BY_LEVEL`, `BY_LEVEL_AGAIN`, `BY_SIZE` or `DISTINCT` of
      `shoal.kernels.buckets.classes`. With `DISTINCT` left-over rows stay without a class.
    - ``order``: all rows in the order in which they count as earlier or later.
    - ``near``: take the record of a bucket that is nearest to the class, not its first.
    - ``stop``: with ``"paper"`` no class is begun once fewer than k values have records left.
    - ``from_record``: let a left-over record join a class whose most sensitive level is far from
      the record's, not from the first level.
    """
    n = table.n_rows
    if stop == "paper":
        _require_values(terms)
    buckets = _buckets(table, terms, rule, order)
    index = _index(table, terms, order) if near else None
    while True:
        if index is None:
            state = buckets_.grow(buckets, rule, terms.k, BUDGET)
        else:
            state = buckets_.grow_near(*index, buckets, rule, terms.k, NEAR_BUDGET)
        if state == buckets_.DONE:
            break
        progress(n - int(buckets.counters[buckets_.LIVE]), n)
    found = buckets.labels
    classes = int(buckets.counters[buckets_.CLASSES])
    if stop == "paper":
        classes = _classes_as_printed(buckets, classes, terms.k)
    found[found >= classes] = SUPPRESSED
    progress(int((found != SUPPRESSED).sum()), n)
    if classes and rule != buckets_.DISTINCT:
        _place(table, terms, buckets, classes, from_record, progress)
    labels = np.empty(n, dtype=np.int32)
    labels[order] = found
    return Grouping(labels)


def _require_values(terms: Terms) -> None:
    """Refuse a column that never has k values: no class could be begun."""
    values = len(np.unique(terms.codes))
    if values < terms.k:
        raise InfeasibleError(
            f"stop = 'paper' starts a class only while {terms.k} distinct values are left, "
            f"but '{terms.column}' has {values}.",
            "Use stop = 'exhausted', or lower k.",
        )


def _classes_as_printed(buckets: buckets_.Buckets, classes: int, k: int) -> int:
    """Say how many classes were begun while k values had records left.

    A class does not depend on later ones, so those that line 4 forbids can be undone.
    """
    left = (buckets.labels == SUPPRESSED) | (buckets.labels >= classes)
    last = np.full(len(buckets.key), -1, dtype=np.int64)
    np.maximum.at(last, buckets.value, np.where(left, classes, buckets.labels))
    # When class c began, a value had records left if its last one went to c or later.
    return min(classes, int(np.sort(last)[-k]) + 1)


def _buckets(table: Table, terms: Terms, rule: int, order: Ints) -> buckets_.Buckets:
    """Lay the records out by value; a record's number is its place in the order."""
    n = table.n_rows
    value = terms.codes[order]
    values = len(terms.terms)
    size = np.bincount(value, minlength=values).astype(np.int64)
    end = np.cumsum(size)
    rows = order_by(value, values)
    first = rows[np.minimum(end - size, n - 1)]
    level = np.zeros(values, dtype=np.int64) if terms.level is None else terms.level
    lane = np.zeros(values, dtype=np.int64)
    if rule in (buckets_.BY_LEVEL, buckets_.BY_LEVEL_AGAIN):
        lane = np.unique(level, return_inverse=True)[1].astype(np.int64)
    lane_size = np.bincount(lane).astype(np.int64)
    person = np.arange(n) if table.people is None else table.people[order]
    most = n // max(terms.k, 1) + 1
    return buckets_.Buckets(
        rows=rows,
        end=end,
        head=end - size,
        key=-size,
        first=first[:, None],
        heap=np.lexsort((first, -size, lane)),  # sorted is a heap
        lane_start=np.cumsum(lane_size) - lane_size,
        lane_size=lane_size,
        lane=lane,
        aside=np.zeros(values + 1, dtype=np.int64),
        value=value,
        level=level,
        person=person,
        seen=np.full(int(person.max()) + 1, -1, dtype=np.int64),
        terms=terms.terms,
        above=np.array([share.numerator for share in terms.shares], dtype=np.int64),
        below=np.array([share.denominator for share in terms.shares], dtype=np.int64),
        tally=np.zeros(len(terms.shares), dtype=np.int64),
        labels=np.full(n, SUPPRESSED, dtype=np.int32),
        members=np.zeros(n, dtype=np.int64),
        people=np.zeros(most, dtype=np.int64),
        lowest=np.zeros(most, dtype=np.int64),
        counts=tallies(n * terms.terms.shape[1]),
        counters=np.array([0, n, 0, 0, 0, 0, 0, 0], dtype=np.int64),
    )


def _index(
    table: Table, terms: Terms, order: Ints
) -> tuple[Attributes, boxes_.Boxes, Open, buckets_.Points]:
    """Index all records by value and quasi-identifiers: attribute 0 is the value."""
    columns = sorted(table.quasi, key=lambda each: isinstance(each, NumericColumn))
    values = len(terms.terms)
    attrs = _with_value(attributes(columns, rule=MEETING, largest_class=table.n_rows), values)
    codes = np.stack([terms.codes, *(c.codes for c in columns)]).astype(np.int64)[:, order]
    sizes = np.array([values, *(c.size for c in columns)], dtype=np.int64)
    point = collapse(list(codes), (sizes + 1).tolist())
    tail = np.cumsum(np.bincount(point)).astype(np.int64)
    rows = order_by(point, len(tail))
    head = np.concatenate(([0], tail[:-1])).astype(np.int64)
    firsts = rows[head]
    near = order_points(columns, codes[1:, firsts])
    laid = near[np.argsort(codes[0, firsts[near]], kind="stable")]  # by value, near ones together
    tree = boxes_.make(attrs, codes[:, firsts], firsts, laid, sizes)
    boxes_.build(tree)
    made = open_class(attrs)
    buckets_.ask_for_one(made)
    points = buckets_.Points(
        point=point, rows=rows, head=head, tail=tail, codes=codes, people=table.people is not None
    )
    return attrs, tree, made, points


def _with_value(attrs: Attributes, values: int) -> Attributes:
    """Put an attribute of one node before the others; its costs are set by the search."""

    def before(first: Sequence[int], rest: Ints) -> Ints:
        return np.concatenate((np.array(first, dtype=np.int64), rest))

    return attrs._replace(
        numeric=np.concatenate(([False], attrs.numeric)),
        start=before([0], attrs.start + values + 1),
        place=before([0] * (values + 1), attrs.place),
        reach=before([0], attrs.reach),
        node_start=before([0], attrs.node_start + 1),
        depth=before([0], attrs.depth),
        parent=before([-1], attrs.parent),
        first=before([0], attrs.first),
        last=before([values - 1], attrs.last),
        unit=before([0], attrs.unit),
        near=before([0], attrs.near),
        far=before([0], attrs.far),
        move_start=before([0], attrs.move_start),
    )


def _place(
    table: Table,
    terms: Terms,
    buckets: buckets_.Buckets,
    classes: int,
    from_record: bool,
    progress: Progress,
) -> None:
    """Let left-over records, in their order, into classes that stay valid with them."""
    n = table.n_rows
    rows = np.flatnonzero(buckets.labels == SUPPRESSED)
    queues = _queues(table, terms, buckets, classes, rows, from_record)
    for queue in range(len(queues.value)):
        leftovers.build(buckets, queues, queue)
        progress(n - len(rows), n)
    done = 0
    while done < len(rows):
        done = leftovers.place(buckets, queues, rows, done, BUDGET)
        progress(n - len(rows) + done, n)


def _queues(
    table: Table,
    terms: Terms,
    buckets: buckets_.Buckets,
    classes: int,
    rows: Ints,
    from_record: bool,
) -> leftovers.Queues:
    """Decide which values get a queue of their own, and which share one with their kind."""
    values = len(terms.terms)
    left = np.bincount(buckets.value[rows], minlength=values).astype(np.int64)
    total = np.bincount(buckets.value, minlength=values)
    wanted = np.flatnonzero(left)
    # The most frequent values first: they are in most classes.
    wanted = wanted[np.argsort(-total[wanted], kind="stable")]
    most = max(2, min(QUEUES, 8 * table.n_rows // classes))
    queue = np.full(values, -1, dtype=np.int64)
    shared: list[Ints] = []
    alone = wanted
    if len(wanted) > most:
        kinds = _kinds(terms)
        sums = np.bincount(kinds, left).astype(np.int64)
        chosen = np.argsort(-sums, kind="stable")[: most // 2]
        shared = [np.flatnonzero((kinds == kind) & (left > 0)) for kind in chosen if sums[kind]]
        alone = wanted[: most - len(shared)]
    for at, kind_values in enumerate(shared):
        queue[kind_values] = len(alone) + at
    queue[alone] = np.arange(len(alone))
    shared = [mine[queue[mine] >= len(alone)] for mine in shared]
    shape = (len(alone) + len(shared), classes)
    firsts = [int(mine[0]) if len(mine) else 0 for mine in shared]
    own_start = own = np.zeros(0, dtype=np.int64)
    if table.people is not None:
        own = np.argsort(buckets.person, kind="stable")
        own_start = np.concatenate(([0], np.cumsum(np.bincount(buckets.person)))).astype(np.int64)
    level = terms.level
    return leftovers.Queues(
        heap=np.zeros(shape, dtype=np.int32),
        at=np.zeros(shape, dtype=np.int32),
        rank=np.zeros(shape, dtype=np.int64),
        value=np.array([*alone.tolist(), *firsts], dtype=np.int64),
        shared=np.arange(shape[0]) >= len(alone),
        queue=queue,
        left=np.array(
            [*left[alone].tolist(), *(int(left[mine].sum()) for mine in shared)], dtype=np.int64
        ),
        number=np.arange(classes)[:, None],
        frontier=np.zeros(classes, dtype=np.int64),
        size=np.zeros(1, dtype=np.int64),
        mine=np.full(classes, -1, dtype=np.int64),
        paired=np.full(classes, -1, dtype=np.int64),
        own_start=own_start,
        own=own,
        far=-1 if level is None else int(level.max() - level.min()),
        origin=-1 if level is None or from_record else int(level.min()),
    )


def _kinds(terms: Terms) -> Ints:
    """Number the kinds of values: of one kind are those with equal bounds in equal sets."""
    share: dict[object, int] = {}
    bound = [share.setdefault(terms.shares[v], len(share)) for v in range(len(terms.terms))]
    keys = np.column_stack((np.array(bound, dtype=np.int64), terms.terms[:, 1:]))
    return np.unique(keys, axis=0, return_inverse=True)[1].reshape(-1).astype(np.int64)
