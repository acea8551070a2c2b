"""What may be known about a release in public."""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping, Sequence
from dataclasses import replace
from importlib.metadata import version
from math import prod
from types import MappingProxyType
from typing import TYPE_CHECKING, Any, Protocol

import numpy as np
import numpy.typing as npt
import polars as pl

from shoal.base.cells import STAR, texts
from shoal.base.rounding import towards
from shoal.judging.verification import Verification
from shoal.measures import Pair
from shoal.models import Requirement
from shoal.models.exact.shares import exact
from shoal.plan import Plan
from shoal.release.guard import (
    Guard,
    least_count,
    loss_facts,
    measure_facts,
    noise_facts,
    search_facts,
    weight_facts,
)
from shoal.release.head_counts import HeadCounts, Removed
from shoal.release.missing_facts import Dropped, missing_facts
from shoal.release.promise import stated
from shoal.table.schema import Kind, Schema, is_missing

if TYPE_CHECKING:
    from shoal.methods import Method
    from shoal.publications import Publication
    from shoal.release import Release


def public_facts(release: Release, proof: Verification | None = None) -> dict[str, Any]:
    """Collect what ``release.json`` says; see `Release.facts`.

    ``proof``: a verification to tell of instead of the release's own: that of the written files.
    """
    heads, guard = _guard(release)
    made = {
        **_facts(release, heads, guard),
        "verification": verification_facts(proof or release.verification, release.require),
    }
    return {**made, "stated": stated(made)}


def exact_facts(release: Release, proof: Verification | None = None) -> dict[str, Any]:
    """Collect the same exactly, with nothing rounded or hidden: for the private folder."""
    return {
        **_facts(release, None, Guard.none()),
        "verification": (proof or release.verification).to_dict(),
    }


def _facts(release: Release, heads: HeadCounts | None, guard: Guard) -> dict[str, Any]:
    """Collect what a guard lets through."""
    form, ends, earlier = release.publication, release.unique_end_points, release.earlier
    shown, layout = _published_only(release), form.facts(release.published)
    gone = Removed(release.n_dropped, release.n_suppressed) if heads is None else heads
    held = {name: release.pair.table.coded[name].values for name in release.schema.sensitive}
    return {
        **description(
            release,
            held,
            bounds=_bounds(release),
            blocks=release.plan.blocks,
            refined_by=None if release.refinement is None else release.refinement.measure,
            tables={form.key(): layout} if layout else {},
            end_points={"lone_ends": ends.shares(least_count(release.require))} if ends else {},
            again={"again": {"previous": earlier.release.facts.get("id")}} if earlier else {},
        ),
        **_weight_facts(release, guard),
        **_search_facts(release, guard),
        "missing": missing_of(release, guard, heads),
        **missing_texts(release.schema, held),
        "rows": {
            "published": release.published.coded.height,
            "dropped": guard.count(release.n_dropped, gone.dropped),
            # Rows that could not be placed tell nothing of cells that are missing.
            "suppressed": guard.apart.count(release.n_suppressed, gone.suppressed),
        },
        **measure_facts(
            guard,
            release.measures,
            shown,
            weighed=release.plan.weights is not None,
            countable=release.published.counterfeit_rows is None,
        ),
        **_noise_facts(release, guard),
        "loss": loss_facts(guard, release.outcomes, shown),
        **_bound_facts(release, guard),
    }


class Described(Protocol):
    """What all engines know of a release, to describe it: its plan as it was given, and so on."""

    @property
    def plan(self) -> Plan: ...  # noqa: D102
    @property
    def schema(self) -> Schema: ...  # noqa: D102
    @property
    def publication(self) -> Publication: ...  # noqa: D102
    @property
    def require(self) -> Sequence[Requirement]: ...  # noqa: D102
    @property
    def method(self) -> Method: ...  # noqa: D102
    @property
    def verification(self) -> Verification: ...  # noqa: D102
    @property
    def remarks(self) -> Sequence[str]: ...  # noqa: D102


def description(
    release: Described,
    held: Mapping[str, pl.Series],
    *,
    bounds: str | None,
    blocks: int | str | None,
    refined_by: str | None = None,
    engine: Mapping[str, Any] = MappingProxyType({}),
    tables: Mapping[str, Any] = MappingProxyType({}),
    end_points: Mapping[str, Any] = MappingProxyType({}),
    again: Mapping[str, Any] = MappingProxyType({}),
) -> dict[str, Any]:
    """Say what a release is, whichever engine made it: no number of its rows.

    ``held``: the different values of each sensitive column that published rows hold.
    ``bounds``: where ranges end.
    ``blocks``: as required: how many there were depends on hidden rows, too.
    ``refined_by``: the measure by which groups were refined.
    ``engine``, ``tables``, ``end_points``, ``again``: further facts, each in its place.
    """
    schema, values = release.schema, published_values(release.schema, held)
    about = release.plan.about
    method = {k: v for k, v in release.method.to_spec().items() if k not in ("seed", "picks")}
    if isinstance(method.get("weights"), Mapping):
        method["weights"] = "given"  # they are among the facts of the search
    if refined_by is not None and method.get("measure") != refined_by:
        method["refined_by"] = refined_by
    if blocks is not None:
        method["blocks"] = blocks
    return {
        "shoal": version("shoal"),
        **({} if about is None or about.title is None else {"title": about.title}),
        **engine,
        "publication": release.publication.name,
        **tables,
        "remarks": list(release.remarks),
        "bounds": bounds,
        **end_points,
        "columns": {name: column.role.value for name, column in schema.items()},
        **column_facts(schema),
        "entity": schema.entity,
        **({"linkage": "all-rows"} if schema.linkage == "all-rows" else {}),
        "counted": release.verification.counted,
        "counted_rule": release.verification.counted_rule,
        **again,
        "require": [each.published(values).to_spec() for each in release.require],
        "method": method,
    }


def verification_facts(proof: Verification, require: Sequence[Requirement]) -> dict[str, Any]:
    """Say what was verified.

    Everyone can count published rows again. Nobody else can count people, so what was reached
    in people has two digits, and is never said to be better than it is. Nor can anybody count what
    people ask for themselves, or a population: what was reached of that is not said.
    """
    made = proof.to_dict()
    del made["remarks"]  # they stand among those of the release
    made["achieved"] = {}
    for judged, each in zip(made["judgements"], require, strict=True):
        if each.private_columns or "population" in each.needs:
            judged["achieved"] = {}
        elif proof.counted == "people":
            asked, achieved = each.to_spec(), judged["achieved"]
            reached = {n: _reached(level, asked.get(n)) for n, level in achieved.items()}
            judged["achieved"] = {n: level for n, level in reached.items() if level is not None}
        made["achieved"] |= judged["achieved"]
    return made


def _reached(level: float | int, demanded: Any) -> float | int | None:
    """Round what was reached towards what was asked; ``None`` if nobody knows the direction."""
    required = exact(demanded)
    if required is None:
        return level if isinstance(level, int) and level < 100 else None
    return type(level)(towards(level, float(required)))


def column_facts(schema: Schema) -> dict[str, Any]:
    """Say which columns show dates, and what became of cells before anything else was done."""
    dates = [n for n in schema.quasi if schema[n].kind is Kind.DATE]
    demanded = {name: column.preparation for name, column in schema.items()}
    changed = {name: each.to_facts() for name, each in demanded.items() if each.changes}
    return {
        **({"kinds": dict.fromkeys(dates, Kind.DATE.value)} if dates else {}),
        **({"prepared": changed} if changed else {}),
    }


def _weight_facts(release: Release, guard: Guard) -> dict[str, Any]:
    """Say how columns were weighed, where the table decided it."""
    found = release.plan.weights
    if found is None:
        return {}
    return {"weights": {**found.model_dump(), "columns": weight_facts(guard, release.weights)}}


def _bounds(release: Release) -> str | None:
    """Say where ranges end: at values, at round numbers, or where hierarchies say."""
    if release.publication.exact or release.publication.centre is not None:
        return None
    return "hierarchy" if release.method.numbers == "tree" else release.publication.bounds


def _bound_facts(release: Release, guard: Guard) -> dict[str, Any]:
    """Say with two digits what was lost, and what any such table loses at least."""
    bound = release.bound
    if bound is None:
        return {}
    if guard.hides or (release.n_suppressed and not guard.exact):  # it is of all rows
        return {"lower_bound": None}
    lost, least = (bound.lost, bound.least) if guard.exact else bound.rounded()
    stated = {"measure": bound.measure, "k": bound.k, "lost": lost, "least": least}
    return {"lower_bound": {"says": str(bound), **stated}}


def _search_facts(release: Release, guard: Guard) -> dict[str, Any]:
    """Say how far the levels are proven to be the best, where a lattice was searched."""
    found = release.grouping.search
    if found is None:
        return {}
    everyone = found["rows"] == len(release.rows)
    made, named = search_facts(guard, found, everyone=everyone), release.plan.weights
    if not guard.exact:
        trees = {each.name: each.hierarchy for each in release.pair.table.trees}
        made["heights"] = {n: t.height for n, t in trees.items() if n in made["heights"]}
        made["lattice"] = prod(height + 1 for height in made["heights"].values())
    if named is not None and made["weights"] and made["weights"]["kind"] == "schema":
        made["weights"] |= named.model_dump()
    return {"search": made | {"examples": _examples(release)}}


def _examples(release: Release) -> dict[str, str]:
    """Give the most frequent published cell of each column that was searched, if it is not *.

    Anyone finds it in the published table. Columns that are published as they are have none.
    """
    if release.publication.exact or not release.published.coded.height:
        return {}
    made = {}
    for name in release.grouping.levels or {}:
        found = release.published.coded[name].map(texts)
        cell = most_frequent(found.values, found.counts)
        if cell is not None:
            made[name] = cell
    return made


def most_frequent(cells: Sequence[str] | pl.Series, counts: npt.NDArray[Any]) -> str | None:
    """Find the cell that most rows show, the first by name of several; ``None`` if it is ``*``.

    >>> most_frequent(["b", "a", "c"], np.array([2, 2, 1]))
    'a'
    """
    held = pl.DataFrame({"cell": cells, "count": counts})
    first = held.sort(["count", "cell"], descending=[True, False])["cell"].head(1).to_list()
    return None if first in ([], [None], [STAR]) else str(first[0])


def _noise_facts(release: Release, guard: Guard) -> dict[str, Any]:
    """Say which share of noise the groups hold, where groups can hold noise."""
    if not release.publication.carries_padding and release.published.counterfeit_rows is None:
        return {}
    return noise_facts(guard, release.n_noise, release.published.coded.height)


def published_values(schema: Schema, held: Mapping[str, pl.Series]) -> dict[str, set[str | None]]:
    """Write the values of sensitive columns as texts; ``None`` is missing."""
    return {
        name: set(texts(values).set(is_missing(values, schema.missing_of(name)), None))
        for name, values in held.items()
    }


def missing_texts(schema: Schema, held: Mapping[str, pl.Series]) -> dict[str, Any]:
    """Say which published sensitive values mean missing, where a reader would not think so."""
    made, usual = {}, ("", STAR)
    for name, values in held.items():
        words = set(texts(values))
        meant = [token for token in schema.missing_of(name) if token in usual or token in words]
        if set(meant) != set(usual):
            made[name] = meant
    return {"missing_texts": made} if made else {}


def _guard(release: Release) -> tuple[HeadCounts, Guard]:
    """Stand before every number of the public facts."""
    out = np.ones(release.input_rows, dtype=np.bool_)
    out[release.rows] = False
    dropped = np.asarray(release.whole.missing.any(axis=1) & (release.n_dropped > 0))
    heads = HeadCounts.of(
        release.pair,
        removed=Removed.of(dropped, out & ~dropped, release.people),
        values_once=bool(release.pair.recoded.shown),
        beside=release.beside_missing,
    )
    return heads, Guard.before(heads, least=least_count(release.require))


def _published_only(release: Release) -> Pair:
    """Take the published rows alone; columns count alike where the table decided how they count."""
    table = release.pair.table
    if release.plan.weights is not None:
        table = replace(table, quasi=tuple(replace(each, weight=1.0) for each in table.quasi))
    return replace(release.pair, table=table, published_only=True)


def missing_of(release: Release, guard: Guard, heads: HeadCounts | None = None) -> dict[str, Any]:
    """Say what was missing and what was done about it."""
    policy, suppressed = release.plan.publication.missing, release.suppressed_columns
    small = heads is not None and any(map(guard.small, heads.beside))
    columns = release.pair.table.sensitive
    as_they_are = release.publication.exact and policy == "keep" and not guard.exact
    return missing_facts(
        guard,
        release.missingness if guard.exact else release.pair.table.missingness,
        release.outcomes,
        dropped=Dropped(
            release.n_dropped, release.input_rows, None if heads is None else heads.dropped
        ),
        policy=policy,
        rule=release.verification.missing_rule,
        suppressed_columns=suppressed,
        sensitive={n: int(columns[n].missing.sum()) for n in release.schema.sensitive},
        lost=None if small else release.missing_cost.cells,
        heads=None if heads is None else heads.missing,
        readable=[n for n in release.schema.quasi if n not in suppressed] if as_they_are else [],
        countable=not release.pair.recoded.shown,
        rated=release.published.centres is None,
    )


def release_id(facts: Mapping[str, Any]) -> str:
    """Give the id of a release, which its private folder has, too.

    It is a hash of what the release says in public, the hashes of its tables among it, so it
    tells nothing else, and anyone can compute it again.

    >>> one = release_id({"rows": 3, "files": {"table.csv": "ab12"}})
    >>> one == release_id({"id": one, "files": {"table.csv": "ab12"}, "rows": 3})
    True
    """
    stated = {key: value for key, value in facts.items() if key != "id"}
    read = json.loads(json.dumps(stated))  # as it comes back from the file
    text = json.dumps(read, sort_keys=True, ensure_ascii=False)
    return hashlib.sha256(text.encode()).hexdigest()[:32]
