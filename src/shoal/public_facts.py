"""What may be known about a release in public."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from importlib.metadata import version
from typing import TYPE_CHECKING, Any

from shoal.cells import STAR, texts
from shoal.disclosure import (
    Guard,
    loss_facts,
    measure_facts,
    missing_facts,
    noise_facts,
    search_facts,
    weight_facts,
)
from shoal.schema import is_missing

if TYPE_CHECKING:
    from shoal.release import Release

__all__ = ["missing_of", "public_facts"]


def public_facts(release: Release) -> dict[str, Any]:
    """Collect what ``release.json`` says; see `Release.facts`."""
    guard, values = _guard(release), _published_values(release)
    return {
        "shoal": version("shoal"),
        "publication": release.plan.publication.form,
        **_linked_facts(release),
        "remarks": list(release.remarks),
        "bounds": _bounds(release),
        "columns": {name: column.role.value for name, column in release.schema.items()},
        "entity": release.schema.entity,
        "counted": release.verification.counted,
        "require": [each.published(values).to_spec() for each in release.require],
        "method": _method_facts(release),
        **_weight_facts(release, guard),
        **_search_facts(release, guard),
        "missing": missing_of(release, guard),
        **_missing_texts(release),
        "rows": {
            "published": release.frame.height,
            "dropped": guard.count(release.n_dropped),
            "suppressed": guard.count(release.n_suppressed),
        },
        **measure_facts(guard, release.measures, noise=release.n_noise, weights=release.weights),
        **_noise_facts(release, guard),
        "loss": loss_facts(guard, release.fates),
        "verification": release.verification.to_dict(),
    }


def _linked_facts(release: Release) -> dict[str, Any]:
    """Say how several tables are to be read."""
    if release.linked is None:
        return {}
    made: dict[str, Any] = {
        "class_column": release.linked.class_column,
        "quasi": release.plan.publication.quasi or "exact",
        "sensitive": release.plan.publication.values,
    }
    if release.linked.count_column is not None:
        made["count_column"] = release.linked.count_column
    return {"sensitive_groups" if release.linked.by_column else "two_table": made}


def _weight_facts(release: Release, guard: Guard) -> dict[str, Any]:
    """Say how columns were weighed, where the table decided it."""
    found = release.plan.weights
    if found is None:
        return {}
    return {"weights": {**found.model_dump(), "columns": weight_facts(guard, release.weights)}}


def _bounds(release: Release) -> str | None:
    """Say where ranges end: at values, at round numbers, or where hierarchies say."""
    if release.plan.publication.exact:
        return None
    return "hierarchy" if release.method.numbers == "tree" else release.plan.publication.bounds


def _method_facts(release: Release) -> dict[str, Any]:
    """Name the method and its options; given weights are among the facts of the search."""
    hidden = ("seed", "picks")
    made = {k: v for k, v in release.method.to_spec().items() if k not in hidden}
    if isinstance(made.get("weights"), Mapping):
        made["weights"] = "given"
    return made


def _search_facts(release: Release, guard: Guard) -> dict[str, Any]:
    """Say how far the levels are proven to be the best, where a lattice was searched."""
    found = release.grouping.search
    if found is None:
        return {}
    made, named = search_facts(guard, found), release.plan.weights
    if named is not None and made["weights"] and made["weights"]["kind"] == "schema":
        made["weights"] |= named.model_dump()
    return {"search": made | {"examples": _examples(release)}}


def _examples(release: Release) -> dict[str, str]:
    """Give the most frequent published cell of each column that was searched, if it is not *.

    Anyone finds it in the published table. Columns that are published as they are have none.
    """
    if release.plan.publication.exact or not release.frame.height:
        return {}
    made = {}
    for name in release.grouping.levels or {}:
        counts = texts(release.frame[name]).rename("cell").value_counts()
        cell = counts.sort(["count", "cell"], descending=[True, False])["cell"][0]
        if cell is not None and cell != STAR:
            made[name] = str(cell)
    return made


def _noise_facts(release: Release, guard: Guard) -> dict[str, Any]:
    """Say which share of noise the groups hold, where groups can hold noise."""
    if release.linked is None or not release.linked.by_column:
        return {}
    return noise_facts(guard, release.n_noise)


def _values_once(release: Release) -> bool:
    """Whether nobody can count in the publication how often a value occurs."""
    return release.linked is not None and bool(release.linked.recoded.shown)


def _published_values(release: Release) -> dict[str, set[str | None]]:
    """List the values of each sensitive column that are published; ``None`` is missing."""
    made = {}
    for name in release.schema.sensitive:
        values = release.source[name].gather(release.rows)
        absent = is_missing(values, release.schema.missing_of(name))
        made[name] = set(texts(values).set(absent, None).unique())
    return made


def _missing_texts(release: Release) -> dict[str, Any]:
    """Say which published sensitive values mean missing, where a reader would not think so."""
    made = {}
    for name in release.schema.sensitive:
        held = set(texts(release.source[name].gather(release.rows)))
        tokens = release.schema.missing_of(name)
        usual = ("", STAR)
        meant = [token for token in tokens if token in usual or token in held]
        if set(meant) != set(usual):
            made[name] = meant
    return {"missing_texts": made} if made else {}


def _guard(release: Release) -> Guard:
    """Stand before every number of the public facts."""
    least = int(max(r.to_spec().get("k", 0) for r in release.require))
    return Guard.over(_counts(release), least=least, rows=release.missingness.rows)


def _counts(release: Release) -> Iterator[int]:
    """List the counts that the public facts, or differences of them, would show."""
    holes, removed = release.missingness, release.grouping.n_suppressed
    yield from (release.n_dropped, release.n_suppressed, removed)
    for pattern in holes.patterns:
        yield pattern.rows
    for name, fates in release.fates.items():
        missing = holes.columns[name]
        unpublished = missing - fates.already_missing
        yield from (missing, holes.rows - missing, fates.starred, fates.already_missing)
        yield from (unpublished, removed - unpublished)
    if _values_once(release):
        for absent in _missing_secrets(release).values():
            yield from (absent, release.frame.height - absent)


def _missing_secrets(release: Release) -> dict[str, int]:
    """Count the missing cells of the published rows, per sensitive column."""
    made = {}
    for name in release.schema.sensitive:
        absent = is_missing(release.source[name], release.schema.missing_of(name))
        made[name] = int(absent.gather(release.rows).sum())
    return made


def missing_of(release: Release, guard: Guard) -> dict[str, Any]:
    """Say what was missing and what was done about it."""
    return missing_facts(
        guard,
        release.missingness,
        release.fates,
        policy=release.plan.publication.missing,
        rule=release.verification.missing_rule,
        suppressed_columns=release.suppressed_columns,
        sensitive=_missing_secrets(release),
        countable=not _values_once(release),
    )
