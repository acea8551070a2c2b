"""What pydantic finds wrong with a plan, as a sentence and a way out."""

from __future__ import annotations

from collections.abc import Mapping

import pydantic

from shoal.errors import did_you_mean

SEE_SCHEMA = "`shoal plan --json-schema` shows what is allowed there."

_KINDS = {"tuple_type": "a list", "dict_type": "a table of keys", "string_type": "a text"}
"""What pydantic calls by Python's names, as people who write TOML call it."""


def explained(
    error: pydantic.ValidationError, parts: Mapping[str, type[pydantic.BaseModel]]
) -> tuple[str, str]:
    """Turn the first finding of pydantic into a sentence and a way out."""
    found = error.errors(include_url=False)
    # A misspelt key also leaves the right one absent: name the misspelling first.
    first = min(found, key=lambda each: each["type"] != "extra_forbidden")
    where = ".".join(str(part) for part in first["loc"])
    if first["type"] == "weighs_twice":
        return first["msg"], "Leave one of the two out."
    if first["type"] == "limits_twice":
        lower = first["ctx"]["lower"]
        hint = f"Write suppression_limit = {lower} under [publication], and nothing under [method]."
        return first["msg"], hint
    if first["type"] == "unknown_numbers":
        return first["msg"], "List columns of the plan in numbers under [input]."
    if first["type"] == "unpreparable":
        context = first["ctx"]
        return f"Column '{first['loc'][1]}': {context['problem']}", context["hint"]
    if not where:
        return "The plan is not a table of keys.", "Write it as TOML, as `shoal plan` does."
    if first["loc"][-2:-1] == ("hierarchy",):
        return (
            f"The plan's '{'.'.join(map(str, first['loc'][:-1]))}' is not valid.",
            "Name a file, or a table such as {builder = 'prefixes'}.",
        )
    if first["loc"][:1] == ("columns",) and first["loc"][2:3] == ("levels",):
        # What follows in the place is a value of the column.
        return (
            f"The plan's '{'.'.join(map(str, first['loc'][:3]))}' is not valid.",
            "Name a file, or give each value a whole number from 1 (most sensitive) on: "
            "{HIV = 1, Flu = 4}.",
        )
    if first["loc"][:1] == ("columns",) and first["loc"][2:3] == ("degrees",):
        return (
            f"The plan's '{'.'.join(map(str, first['loc'][:3]))}' is not valid.",
            "Name a file, or give some values a number of 0 or more: {HIV = 9.0}.",
        )
    if first["type"] == "extra_forbidden":
        place = first["loc"][:-1]
        known = parts[str(place[0]) if place else ""].model_fields
        return f"The plan has an unknown key '{where}'.", did_you_mean(str(first["loc"][-1]), known)
    if first["type"] == "missing":
        return f"The plan lacks '{where}'.", "Add it."
    if first["type"] in _KINDS:
        return f"The plan's '{where}' must be {_KINDS[first['type']]}.", SEE_SCHEMA
    reason = first["msg"].removeprefix("Value error, ")
    return f"The plan's '{where}' is not valid: {reason[:1].lower()}{reason[1:]}.", SEE_SCHEMA
