"""The forms of publication to choose from, with their options."""

from __future__ import annotations

import dataclasses
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any, Literal, get_args, get_origin, get_type_hints

from shoal.base.members import first_line
from shoal.base.options import makes_sense
from shoal.errors import ParameterError
from shoal.plan import Plan, PublicationPlan
from shoal.plan.compatibility import Combination, refusals
from shoal.publications import FORMS
from shoal.table.schema import Schema


@dataclass(frozen=True)
class FormOption:
    """An option of a form that is a choice of words."""

    name: str
    description: str
    value: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class FormChoice:
    """A form: whether it is chosen, why it does not go with the rest, and its options."""

    name: str
    first_line: str
    chosen: bool
    refused: str
    options: tuple[FormOption, ...]


def forms(combination: Combination, schema: Schema | None) -> list[FormChoice]:
    """List the forms that are installed."""
    before = {each.problem for each in refusals(combination, schema) if each.part != "publication"}
    made = []
    for name, kind in FORMS.items():
        chosen = name == combination.publication.name
        form = combination.publication if chosen else kind()
        tried = replace(combination, publication=form, follows=False)
        why = [each.problem for each in refusals(tried, schema) if each.problem not in before]
        made.append(FormChoice(name, first_line(kind), chosen, (why or [""])[0], _options(form)))
    return made


def _options(form: Any) -> tuple[FormOption, ...]:
    hints = get_type_hints(type(form))
    made = []
    for field in dataclasses.fields(form):
        parts = [hints[field.name], *get_args(hints[field.name])]
        words = [w for each in parts if get_origin(each) is Literal for w in get_args(each)]
        if any(makes_sense(replace(form, **{field.name: word})) for word in words):
            value = str(getattr(form, field.name) or words[0])
            description = str(field.metadata.get("description", ""))
            made.append(FormOption(field.name, description, value, tuple(map(str, words))))
    return tuple(made)


def with_form(data: dict[str, Any], form: Mapping[str, str]) -> None:
    """Write a form and its options into a plan's data; other forms' options go."""
    now = Plan.from_dict(data).combination().publication
    name = form.get("form", "") or now.name
    if name not in FORMS:
        raise ParameterError("There is no such form.", "Load the page again.")
    beside = {key for key in PublicationPlan.model_fields if key != "form"}
    kept = {k: v for k, v in data.get("publication", {}).items() if k in beside}
    options = {k: v for k, v in form.items() if k != "form"} if name == now.name else {}
    known = {field.name for field in dataclasses.fields(FORMS[name])}  # type: ignore[arg-type]
    options_set = {k: v for k, v in options.items() if k in known}
    if not makes_sense(FORMS[name](**options_set)):  # such as ends of ranges where there are none
        options_set = {
            k: v for k, v in options_set.items() if getattr(FORMS[name](), k) is not None
        }
    data["publication"] = {**kept, "form": name, **options_set}
