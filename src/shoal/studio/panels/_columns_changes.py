"""Changes of what a plan says of columns: roles, kinds, people, missing texts, preparation."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from shoal.base.cells import STAR
from shoal.errors import ParameterError
from shoal.plan.plan import UNANSWERED
from shoal.steward.proposal.rarity import draft_levels as by_rarity
from shoal.steward.proposal.roles import MOST_LEVELED
from shoal.studio.loaded import LoadedTable
from shoal.table.schema import is_missing
from shoal.table.sensitive import SensitiveColumn

KEPT = ("", STAR)
"""Texts that always mean missing: an empty cell, and what a release writes for one."""

NUMBERS = ("top", "bottom", "round_to")

Data = dict[str, Any]


def set_role(data: Data, table: LoadedTable, name: str, role: str) -> None:
    """Give a column a role, with what a proposal would give it; what no longer fits is gone."""
    settings = data["columns"][name]
    if settings["role"] == role:
        return
    data["columns"][name] = _proposed(data, table, name, role)
    if role != "identifier":
        _no_entity(data, name)


def set_kind(data: Data, table: LoadedTable, name: str, kind: str) -> None:
    """Make a quasi-identifier numeric, categorical or a date."""
    settings = data["columns"][name]
    if settings.get("kind") != kind or "age_at" in settings:
        data["columns"][name] = _kept(settings, _proposed(data, table, name, "quasi", kind=kind))


def put_back(data: Data, table: LoadedTable, names: Sequence[str]) -> None:
    """Let columns be what was proposed."""
    for name in names:
        if name in table.proposed["columns"]:
            made = dict(table.proposed["columns"][name])
            data["columns"][name] = made
            if made["role"] != "identifier":
                _no_entity(data, name)


def set_entity(data: Data, table: LoadedTable, entity: str | None) -> None:
    """Say which column tells people apart, that nobody has two rows, or nothing."""
    data.pop("entity", None)
    if entity in data["columns"]:
        assert entity is not None
        set_role(data, table, entity, "identifier")
    else:
        data.pop("linkage", None)  # it speaks of several rows of a person
    if entity is not None:
        data["entity"] = entity


def toggle_missing(
    data: Data, table: LoadedTable, name: str, token: str, *, means_missing: bool
) -> None:
    """Say of one column whether a text means missing."""
    settings = data["columns"][name]
    before = list(settings.get("missing", _shared(data)))
    after = _toggled(before, token, means_missing)
    if after == before:
        return
    if settings["role"] == "quasi":
        old = table.column_as(name, "quasi", missing=_shared(data), own=before)
        if all(settings.get(key) == old.get(key) for key in ("kind", "hierarchy", "format")):
            made = table.column_as(name, "quasi", missing=_shared(data), own=after)
            data["columns"][name] = _kept(settings, made)  # nobody chose otherwise
    data["columns"][name]["missing"] = after


def toggle_missing_everywhere(
    data: Data, table: LoadedTable, token: str, *, means_missing: bool
) -> None:
    """Say whether a text means missing, in whichever column it stands."""
    shared = _shared(data)
    for name, settings in data["columns"].items():
        if "missing" in settings or (
            settings["role"] == "quasi"
            and token not in KEPT
            and is_missing(table.table[name].values, [token]).any()
        ):
            toggle_missing(data, table, name, token, means_missing=means_missing)
    after = _toggled(shared, token, means_missing)
    data.setdefault("input", {})["missing"] = after
    for settings in data["columns"].values():
        if settings.get("missing") == after:
            del settings["missing"]


def set_prepared(data: Data, table: LoadedTable, name: str, form: Mapping[str, str]) -> None:
    """Cut numbers off, round them, or count ages at a day, as a form says."""
    settings = data["columns"][name]
    for key in NUMBERS:
        if key in form:
            settings.pop(key, None)
            if (text := form[key].strip()) != "":
                settings[key] = _number(text)
    if "age_at" not in form:
        return
    day = form["age_at"].strip()
    if day:
        for gone in ("kind", "hierarchy", "draft"):
            settings.pop(gone, None)
        settings["age_at"] = day
    elif "age_at" in settings:
        data["columns"][name] = _kept(settings, _proposed(data, table, name, "quasi"))


def draft_levels(data: Data, table: LoadedTable, name: str) -> None:
    """Draft levels of sensitive values from their rarity, which somebody asked for."""
    tokens = data["columns"][name].get("missing", _shared(data))
    values = SensitiveColumn.encode(table.table.cells(name), tuple(tokens))
    if len(values.labels) > MOST_LEVELED:
        raise ParameterError(
            f"More than {MOST_LEVELED:,} different values are too many: a person must check the "
            "level of each.",
            "Make them coarser first, with a hierarchy.",
        )
    made = by_rarity(name, "", values, k=table.proposal.k)
    if made is None:
        raise ParameterError(
            "All values are equally frequent, so rarity cannot order them.",
            "Write levels into the plan by hand.",
        )
    data["columns"][name]["levels"] = dict(made.levels)


def set_levels(data: Data, name: str, numbers: Sequence[str]) -> None:
    """Take the levels of a form, in the order of the values; without any, there are none."""
    settings = data["columns"][name]
    values = list(settings.get("levels", {}))
    if not numbers:
        settings.pop("levels", None)
        return
    if len(numbers) != len(values) or not all(each.strip().isdecimal() for each in numbers):
        raise ParameterError("A level is a whole number from 1 on.", "1 is the most sensitive.")
    settings["levels"] = {value: int(number) for value, number in zip(values, numbers, strict=True)}


def _proposed(
    data: Data, table: LoadedTable, name: str, role: str, kind: str | None = None
) -> dict[str, Any]:
    own = data["columns"][name].get("missing")
    return table.column_as(name, role, kind=kind, missing=_shared(data), own=own)


def _kept(before: Mapping[str, Any], made: dict[str, Any]) -> dict[str, Any]:
    """Keep how much the column counts, and the ends of its numbers if it has numbers still."""
    kept = ("weight", *NUMBERS) if made["kind"] == before.get("kind") else ("weight",)
    return {**{key: before[key] for key in kept if key in before}, **made}


def _no_entity(data: Data, name: str) -> None:
    """Ask again who has several rows, once the column that told is published."""
    if data.get("entity") == name:
        data["entity"] = UNANSWERED


def _shared(data: Data) -> list[str]:
    return list(data.get("input", {}).get("missing", KEPT))


def _toggled(tokens: Sequence[str], token: str, means_missing: bool) -> list[str]:
    if not means_missing and token in KEPT:
        raise ParameterError("An empty cell and * always mean missing.", "Leave them as they are.")
    rest = [each for each in tokens if each != token]
    if not means_missing:
        return rest
    return list(tokens) if token in tokens else [*rest, token]


def _number(text: str) -> int | float:
    try:
        return int(text)
    except ValueError:
        pass
    try:
        return float(text)
    except ValueError:
        raise ParameterError("This is not a number.", "Such as 90, or 0.5.") from None
