"""What ``release.json`` claims, computed again: from the tables, the private folder, the original.

Nothing that a release says of itself is believed where it can be counted. What contradicts is
named, a sentence for each claim.
"""

from __future__ import annotations

import json
import math
import re
from collections.abc import Iterator, Mapping
from contextlib import suppress
from dataclasses import replace
from typing import TYPE_CHECKING, Any

import numpy as np
import polars as pl

from shoal.base.cells import STAR, texts
from shoal.base.plural import counted
from shoal.base.rounding import two_digits
from shoal.errors import ShoalError
from shoal.io.frames import Coded, to_coded
from shoal.judging.verification import MISSING_RULE, Finding, Verification
from shoal.judging.verification.counting import CLASS, values_of
from shoal.judging.verification.preparing import prepared_anew
from shoal.judging.verification.spellings import spelled_apart
from shoal.measures import MEASURES, Measure, Pair, cells_by_outcome, pair, pair_of_release, weighed
from shoal.models import Requirement
from shoal.publications import from_facts
from shoal.publications.published import Published
from shoal.release.accounting import same_version
from shoal.release.again import across
from shoal.release.promise import stated, suppressed_columns
from shoal.release.public_facts import most_frequent, release_id, verification_facts
from shoal.table.schema import Role, Schema, is_missing, other, quasi
from shoal.table.sensitive import binned

if TYPE_CHECKING:
    from shoal.plan import Plan
    from shoal.release.opened import OpenedRelease

_MOST = 8
_ROUNDED = 0.005
"""By how much a share of two digits may be off."""
_CELLS_ALONE = ("discernibility", "starred_rate")
"""Measures of the published rows that the published cells alone decide."""


def check_claims(
    opened: OpenedRelease,
    schema: Schema,
    require: list[Requirement],
    *,
    proof: Verification | None,
    original: Any,
) -> Finding:
    """Compute again what a release claims, as far as what is at hand allows.

    ``schema``, ``require``: the roles and requirements that the release claims.
    ``proof``: the recount by these; ``None`` if people cannot be counted with what was given.
    ``original``: the original table, where it was given.
    """
    try:
        found = list(_contradictions(opened, schema, require, proof, original))
    except (KeyError, TypeError, AttributeError, ValueError, ShoalError):
        found = ["it is damaged"]
    if len(found) > _MOST:
        found = [*found[:_MOST], f"and {counted(len(found) - _MOST, 'more claim')}"]
    return Finding(
        "claims of release.json", not found, "; ".join(found) or "all that can be recounted"
    )


def _contradictions(
    opened: OpenedRelease,
    schema: Schema,
    require: list[Requirement],
    proof: Verification | None,
    original: Any,
) -> Iterator[str]:
    facts, published = opened.facts, opened.published
    if "id" in facts and release_id(facts) != facts["id"]:
        yield "its id does not match its content"
    yield from _of_rows(facts, published)
    yield from _of_columns(facts, published)
    yield from _of_form(facts, published)
    yield from _of_missing(facts, schema, published)
    counterfeits = across(require) is not None and opened.files.links is None
    if proof is not None and not counterfeits:
        found = verification_facts(proof, require)
        yield from _of_proof(facts["verification"], found)
        yield from _of_words(facts, found)
        if facts["counted"] != proof.counted:
            yield f"it counts {facts['counted']}, but by its roles {proof.counted} count"
    if across(require) is None:  # no cell is of a counterfeit
        yield from _of_loss(facts, published)
    yield from _of_examples(facts, published)
    yield from _of_spellings(facts, published)
    yield from _of_private(opened)
    same_tables = not any(changed for _, changed in opened.files.changed)
    if same_tables:  # of other tables, other measures would be right
        yield from _of_measures(opened)
        if original is not None and opened.rows is not None:
            yield from _of_original(opened, to_coded(original))


def _of_rows(facts: Mapping[str, Any], published: Published) -> Iterator[str]:
    claimed, there = facts["rows"]["published"], published.coded.height
    if claimed != there:
        yield f"it claims {claimed!r} published rows, but there are {there}"


def _of_columns(facts: Mapping[str, Any], published: Published) -> Iterator[str]:
    """Ask whether every column that is said to be published is."""
    there = {*published.columns, *published.value_tables}
    for name, role in facts["columns"].items():
        if role != Role.IDENTIFIER and name not in there:
            yield f"it claims that '{name}' is {role}, but no table has that column"
    for name in suppressed_columns(facts):
        if name not in there or (texts(published.coded[name].values) != STAR).any():
            yield f"'{name}' is claimed to show {STAR} in every row, and does not"


def _of_form(facts: Mapping[str, Any], published: Published) -> Iterator[str]:
    """Say again how the tables are to be read."""
    form = from_facts(facts)
    claimed = facts.get(form.key(), {})
    for name, found in form.facts(published).items():
        recorded = claimed.get(name, claimed.get(name.removesuffix("_cells")))  # its older name
        if recorded != found:
            yield f"its '{form.key()}.{name}' is not what its tables show"
    if published.linked and not form.exact:
        names = [name for name, role in facts["columns"].items() if role == Role.QUASI]
        cells = published.frame.select(published.ids.alias(CLASS), *names).unique()
        if cells[CLASS].is_duplicated().any():
            yield "it claims that cells are generalized, but classes show cells that differ"


def _of_missing(facts: Mapping[str, Any], schema: Schema, published: Published) -> Iterator[str]:
    """Count missing cells again, as readers see them; what is guarded is no number."""
    missing, table = facts["missing"], published.coded
    if missing["rule"] != MISSING_RULE:
        yield "its 'missing.rule' is not the rule that holds"
    for name, each in missing["columns"].items():
        if name in table.columns and isinstance(each["missing"], int):
            stars = int(table[name].counts[texts(table[name].values) == STAR].sum())
            if each["missing"] > stars:
                yield f"it claims {each['missing']} missing cells of '{name}', but shows {stars}"
    added = published.counterfeits or published.counterfeit_rows is not None
    for name, each in missing["sensitive"].items():
        apart = published.value_tables.get(name)
        countable = apart is None or not (published.by_column and apart.once)
        held = table[name] if apart is None else apart
        if isinstance(each["missing"], int) and countable and not added:
            absent = is_missing(held.values, schema.missing_of(name)).to_numpy()
            there = int(np.asarray(held.counts)[absent].sum())
            if each["missing"] != there:
                yield f"it claims {each['missing']} missing cells of '{name}', but shows {there}"


def _of_proof(claimed: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
    """Set what was verified beside what is recounted now."""
    for name in ("rows", "classes", "counted"):
        if claimed[name] != found[name]:
            yield f"it claims {name} = {claimed[name]}, but the recount gives {found[name]}"
    if claimed["achieved"].keys() != found["achieved"].keys():
        yield "its levels differ from those of its requirements"
    for name, level in found["achieved"].items():
        claimed_level = claimed["achieved"].get(name, level)
        if not _close(claimed_level, level):
            yield f"it claims {name} = {claimed_level}, but the recount gives {name} = {level}"
    judged, again = claimed["judgements"], found["judgements"]
    if [each["requirement"] for each in judged] != [each["requirement"] for each in again]:
        yield "the requirements it claims to have verified are not those it names"
        return
    for ours, theirs in zip(again, judged, strict=True):
        keys = ("passed", "achieved", "failing_classes", "failing_rows")
        wrong = [
            key for key in keys if ours["passed"] is not None and not _alike(ours, theirs, key)
        ]
        if wrong:
            yield f"of '{ours['requirement']}' it claims another {' and another '.join(wrong)}"


def _of_words(facts: Mapping[str, Any], found: Mapping[str, Any]) -> Iterator[str]:
    """Set the sentences of a release beside those that this version makes of it."""
    if not same_version(facts):
        return
    claimed = facts["verification"]
    recorded, again = (
        [each["description"] for each in made["judgements"]] for made in (claimed, found)
    )
    counted_now = [each for each in found["findings"] if each["passed"]]  # others are named alone
    same = {
        "stated": facts["stated"] == stated(facts),
        "counted_rule": facts["counted_rule"] == found["counted_rule"],
        "verification.counted_rule": claimed["counted_rule"] == found["counted_rule"],
        "verification.missing_rule": claimed["missing_rule"] == found["missing_rule"],
        "verification.judgements": recorded == again,
        "verification.passed": claimed["passed"] is True,  # others are not written
        "verification.findings": all(each in claimed["findings"] for each in counted_now)
        and all(each["passed"] is True for each in claimed["findings"]),
    }
    for name, right in same.items():
        if not right:
            yield f"its '{name}' is not what is said of such a release"


def _alike(ours: Mapping[str, Any], theirs: Mapping[str, Any], key: str) -> bool:
    if key != "achieved":
        return bool(ours[key] == theirs[key])
    mine, recorded = ours[key], theirs[key]
    return mine.keys() == recorded.keys() and all(
        _close(mine[name], recorded[name]) for name in mine
    )


def _close(one: Any, other: Any) -> bool:
    """Say whether two numbers are one, but for the order in which sums were made."""
    numbers = all(isinstance(each, int | float) for each in (one, other))
    return math.isclose(one, other, rel_tol=1e-9, abs_tol=1e-12) if numbers else one == other


def _of_loss(facts: Mapping[str, Any], published: Published) -> Iterator[str]:
    """Ask whether shares of cells make a whole, and have as many ``*`` as the table shows."""
    for name, shares in (facts["loss"] or {}).items():
        values, counts = published.coded[name].values, published.coded[name].counts
        shown = int(np.asarray(counts)[(texts(values) == STAR).to_numpy()].sum())
        rate = shown / max(published.coded.height, 1) * (1 - shares["removed"])
        whole = abs(sum(shares.values()) - 1) <= _ROUNDED * len(shares)
        if not whole or abs(shares["starred"] + shares["already_missing"] - rate) > 4 * _ROUNDED:
            yield f"its 'loss.{name}' is not what its table shows"


def _of_examples(facts: Mapping[str, Any], published: Published) -> Iterator[str]:
    """Find the most frequent cell of each column again that a search gives as an example."""
    for name, cell in (facts.get("search") or {}).get("examples", {}).items():
        found = published.coded[name]
        if cell == STAR or most_frequent(found.values.cast(pl.String), found.counts) != cell:
            yield f"its typical cell of '{name}' is not the most frequent one"


def _of_spellings(facts: Mapping[str, Any], published: Published) -> Iterator[str]:
    """Ask whether texts are one that are said to be."""
    for name, recorded in facts.get("prepared", {}).items():
        there = published.value_tables[name].values if name in published.value_tables else None
        if there is None and name in published.coded.columns:
            there = published.coded[name].values
        alike = 0 if there is None or not recorded.get("normalize") else spelled_apart(there)
        if alike:
            yield (
                f"it claims that '{name}' is normalized, but {alike} values differ only in spelling"
            )


def _of_private(opened: OpenedRelease) -> Iterator[str]:
    """Set it beside the plan and the counts of the private folder."""
    plan, manifest, facts = opened.private_plan, opened.files.manifest, opened.facts
    if plan is not None:
        schema = plan.schema_()
        roles = {name: column.role.value for name, column in schema.items()}
        for name in sorted({*roles, *facts["columns"]}):
            claimed, planned = facts["columns"].get(name), roles.get(name)
            if claimed != planned:
                yield f"it claims that '{name}' is {claimed}, but the plan says {planned}"
        if facts.get("entity") != schema.entity:
            yield "its entity is not the one in the plan"
        yield from _of_settings(facts, plan)
        yield from _of_requirements(facts["require"], [e.bind(schema) for e in plan.requirements()])
    rows = {} if manifest is None else manifest["rows"]
    for name in ("published", "dropped", "suppressed") if rows else ():
        claimed = facts["rows"][name]
        if not _says(claimed, rows[name]):
            yield f"it claims {claimed!r} {name} rows, but the private folder has another number"


def _of_settings(facts: Mapping[str, Any], plan: Plan) -> Iterator[str]:
    """Compare what was done with what the plan asks for."""
    method = plan.build_method()
    settings: dict[str, tuple[Any, Any]] = {
        "method.name": (facts["method"].get("name"), method.name),
        "missing.policy": (facts["missing"]["policy"], plan.publication.missing),
    }
    if facts["bounds"] in ("rounded", "observed"):
        settings["bounds"] = facts["bounds"], plan.publication.build(method).bounds
    for name, (claimed, planned) in settings.items():
        if claimed != planned:
            yield f"it claims {name} = {claimed}, but the plan says {planned}"


def _of_requirements(claimed: list[Any], planned: list[Requirement]) -> Iterator[str]:
    if len(claimed) != len(planned):
        yield f"it claims {counted(len(claimed), 'requirement')}, but the plan has {len(planned)}"
        return
    for recorded, each in zip(claimed, planned, strict=True):
        if type(each).published is Requirement.published:
            same = json.loads(json.dumps(each.to_spec())) == recorded
        else:  # values that are not published are left out of it
            names = (each.name, "k-anonymity")
            same = recorded["model"] in names and recorded.get("k") == each.to_spec().get("k")
        if not same:
            yield f"it claims another '{recorded['model']}' than the plan requires"


def _says(claimed: Any, count: int) -> bool:
    """Say whether a count that the guard showed can be this one."""
    if not isinstance(claimed, str):
        return bool(claimed == count)
    if claimed.endswith("people"):
        return count > 0
    numbers = [int(each.replace(",", "")) for each in re.findall(r"\d[\d,]*", claimed)]
    if claimed.startswith("about "):
        return numbers == [two_digits(count)]
    if claimed.endswith(" or more"):
        return len(numbers) == 1 and count >= numbers[0]
    return len(numbers) == 2 and numbers[0] <= count <= numbers[1]


def _of_measures(opened: OpenedRelease) -> Iterator[str]:
    """Take the measures again that anyone can take."""
    if opened.published.counterfeit_rows is not None or across(opened.require) is not None:
        return  # nobody can count which rows people hold
    for name, claimed in opened.facts["measures"].items():
        known = MEASURES.get(name)
        if known is not None and known.public == "recomputable":
            found = measure_public(opened, known)
            if not _close(claimed, found):
                yield f"it claims {name} = {claimed}, but the measured value is {found:g}"
    of_published = opened.facts.get("measures_of_published", {})
    for name in (each for each in _CELLS_ALONE if of_published.get(each) is not None):
        found = two_digits(MEASURES[name].of(replace(_its_own(opened), published_only=True)))
        if not _close(of_published[name], found):
            yield f"it claims {name} = {of_published[name]}, but the measured value is {found:g}"


def measure_public(opened: OpenedRelease, measure: Measure) -> float:
    """Measure a written release that is its own original: all that its readers have."""
    return measure.of(_its_own(opened))


def _its_own(opened: OpenedRelease) -> Pair:
    """Set a published table beside itself."""
    table, facts = opened.table, opened.facts
    groups = opened.published.ids.to_numpy() if opened.published.linked else None
    roles = {name: Role(facts["columns"].get(name, "other")) for name in table.columns}
    schema = Schema(
        {
            name: quasi(kind="categorical") if role is Role.QUASI else other()
            for name, role in roles.items()
        },
        missing=[STAR],  # other texts are cells like any
    )
    return pair(table, table, schema, groups=groups)


def _of_original(opened: OpenedRelease, original: Coded) -> Iterator[str]:
    """Take the measures again that need the original, and count the values that were added."""
    facts, rows = opened.facts, opened.rows
    assert rows is not None, "checked before"
    yield from _of_noise(opened, original, rows)
    if not same_version(facts):
        return
    with suppress(ShoalError):  # what cannot be set beside each other is found elsewhere
        pairings = [*_pairs(opened, original, rows)]
        for name, claimed in [
            *facts["measures"].items(),
            *facts.get("measures_of_published", {}).items(),
        ]:
            rounded = name in MEASURES and MEASURES[name].public == "rounded"
            if rounded and not any(_gives(MEASURES[name], each, claimed) for each in pairings):
                yield f"it claims {name} = {claimed}, but the original gives another value"
        outcomes = [cells_by_outcome(each) for each in pairings]
        for name, claimed in (facts["loss"] or {}).items():
            found = [
                {n: two_digits(share) for n, share in f[name].shares().items()} for f in outcomes
            ]
            if claimed not in found:
                yield f"its 'loss.{name}' is not what the original gives"
        known = pairings[0].table.missingness.columns
        for name, each in facts["missing"]["columns"].items():
            stated_count = each["missing"]
            if stated_count not in (None, "all") and not _says(stated_count, known[name]):
                yield f"it claims other missing cells of '{name}' than the original has"


def _pairs(opened: OpenedRelease, original: Coded, rows: Any) -> Iterator[Pair]:
    """Set tables beside each other as public measures take them: all rows, or published ones."""
    schema, plan, kept = opened.schema, opened.private_plan, original.take(rows)
    if plan is not None and plan.weights is not None:  # they are found in the published rows
        schema = weighed(kept, schema, plan.weights.kind, plan.weights.label)
    whole = pair_of_release(original, opened.published, schema, rows=rows)
    for each in (whole, replace(whole, removed=0)):
        yield each
        yield replace(each, published_only=True)
        # Columns count alike where the table weighed them.
        columns = tuple(replace(column, weight=1.0) for column in each.table.quasi)
        yield replace(each, table=replace(each.table, quasi=columns), published_only=True)


def _gives(measure: Measure, both: Pair, claimed: Any) -> bool:
    if (both.published_only and not measure.of_published) or not measure.applies(both):
        return False
    value = measure.of(both)  # where sums in another order end, another digit may come of it
    return any(_close(two_digits(value * near), claimed) for near in (1, 1 - 1e-9, 1 + 1e-9))


def _of_noise(opened: OpenedRelease, original: Coded, rows: Any) -> Iterator[str]:
    """Count values that no row of their class holds; the private folder knows the number."""
    recorded, published = (opened.files.manifest or {}).get("noise"), opened.published
    if recorded is None or not published.by_column:
        return
    source, schema = binned(*prepared_anew(original.take(rows), opened.schema))
    for name, table in published.value_tables.items():
        if not table.once:
            continue
        own = values_of(source.cells(name), schema, name)
        held = pl.DataFrame({"class": published.ids, "value": own}).unique()
        if (table.frame.height - held.height) != recorded.get(name, 0):
            yield (
                f"the number of values added to '{name}' differs from the one in the private folder"
            )
