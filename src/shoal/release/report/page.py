"""The public report: public facts in, HTML out."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from shoal.judging.verification import COUNTED_RULE
from shoal.measures import INFORMED_LOSSES, MEASURES, summary
from shoal.publications import Publication, from_facts
from shoal.release.cost import OF_PUBLISHED, Cost
from shoal.release.promise import Promise, stated, suppressed_columns
from shoal.release.report.cells import COLOURS, OUTCOMES, cell_bar
from shoal.release.report.missing import MissingCells
from shoal.release.report.numbers import value
from shoal.release.report.rendering import render
from shoal.release.report.search import Searched, weighings

SECTIONS = ("asked", "counted", "columns", "search", "weights", "cost", "missing", "files")
"""The sections of the public report, in their order."""

ROLES = {
    "identifier": "removed",
    "sensitive": "its values are published unchanged; the link to people is hidden",
    "other": "published unchanged; nothing protects it",
}
BOUNDS = {
    "observed": "The ends of ranges are values that occur in the table: exact values of people.",
    "rounded": "The ends of ranges are round numbers, not values of people.",
    "hierarchy": "The ends of ranges come from the hierarchies, whatever values occur.",
}

CENTRES = "replaced by the centre of its class"


def page(facts: Mapping[str, Any]) -> str:
    """Write the report of a release as one HTML page without scripts and outside requests.

    ``facts``: the public facts of a release: what ``release.json`` holds. The page is made from
        them and from nothing else, so it tells nothing that they do not.
    """
    return render("public.html", sections=SECTIONS, private=False, **shared_context(facts))


def shared_context(facts: Mapping[str, Any]) -> dict[str, Any]:
    """Collect what the sections show that both reports have."""
    form = from_facts(facts)
    return {
        "facts": facts,
        "proof": facts["verification"],
        "missing": facts["missing"],
        "promise": Promise.from_facts(facts),
        "cost": Cost.from_facts(facts),
        "linked": "class_column" in facts.get(form.key(), {}),
        "exact": form.exact,
        "told": [*stated(facts).values(), *form.sentences(facts)],
        "happened": _happened(facts, ROLES | form.roles),
        "bounds": _bounds(facts),
        "counted_rule": COUNTED_RULE.get(facts["counted"], ""),
        "method": _method(facts["method"]),
        "searched": Searched.of(facts["search"]) if "search" in facts else None,
        "weighings": weighings(facts),
        "measures": [
            *_measures(facts["measures"]),
            *_measures(facts.get(OF_PUBLISHED, {}), ", published rows alone"),
        ],
        "holes": MissingCells.of(facts["missing"]),
        "outcomes": _outcomes(form),
        "colours": COLOURS,
        "cells": {name: cell_bar(shares) for name, shares in facts["loss"].items()},
    }


def _bounds(facts: Mapping[str, Any]) -> str:
    """Say where ranges end, those of dates in words of their own."""
    dates = facts["bounds"] == "rounded" and facts.get("kinds")
    more = " Ranges of dates begin and end with whole weeks, months or years." if dates else ""
    return BOUNDS.get(facts["bounds"], "") + more


def _happened(facts: Mapping[str, Any], roles: Mapping[str, str]) -> dict[str, str]:
    """Say of each column what happened to it: how it was prepared, then what its role says."""
    made = {}
    for name, role in facts["columns"].items():
        made[name] = roles.get(role, "")
        if name in suppressed_columns(facts):
            made[name] = "published as * in every row, because cells of it are missing"
        if name in facts.get("kinds", {}):
            made[name] = made[name].replace("generalized,", "generalized to ranges of dates,")
        prepared = facts.get("prepared", {}).get(name)
        if prepared is not None:
            reported = made[name].replace("published unchanged", "published")
            made[name] = f"{'; '.join(prepared['says'])}. Then {reported}"
    return made


def _method(spec: Mapping[str, Any]) -> str:
    options = ", ".join(f"{name} = {option}" for name, option in spec.items() if name != "name")
    return f"{spec['name']} ({options})" if options else str(spec["name"])


def _outcomes(form: Publication) -> dict[str, str]:
    """Say what can become of cells in a form."""
    if form.exact:
        return {outcome: text for outcome, text in OUTCOMES.items() if outcome != "generalized"}
    return OUTCOMES | ({} if form.centre is None else {"generalized": CENTRES})


def _measures(values: Mapping[str, float], of: str = "") -> list[dict[str, str]]:
    """Say of each measure what it means.

    ``of``: what is put behind its name, where it is not of the whole release.
    """
    known = dict.fromkeys(INFORMED_LOSSES, "lower")
    known |= {name: str(each.better) for name, each in MEASURES.items()}
    return [
        {
            "name": f"{name}{of}",
            "value": value(number),
            "meaning": summary(name).replace("`", "") if name in known else "",
            "better": known.get(name, ""),
        }
        for name, number in values.items()
    ]
