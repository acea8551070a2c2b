"""What pydantic finds wrong with a plan, as a sentence and a way out."""

from __future__ import annotations

from collections.abc import Mapping

import pydantic

from shoal.errors import did_you_mean

SEE_SCHEMA = "`shoal plan --json-schema` shows what is allowed there."

_KINDS = {"tuple_type": "a list", "dict_type": "a table of keys", "string_type": "a text"}
"""What pydantic calls by Python's names, as people who write TOML call it."""

_HINTS = {
    "weighs_twice": "Leave one of the two out.",
    "limits_twice": "Write suppression_limit = {lower} under [publication], and nothing under "
    "[method].",
    "unknown_numbers": "List columns of the plan in numbers under [input].",
}
"""What to do about each finding of our own."""

_COLUMN_HINTS = {
    "hierarchy": "Name a file, or a table such as {builder = 'prefixes'}.",
    "levels": "Name a file, or give each value a whole number from 1 (most sensitive) on: "
    "{HIV = 1, Flu = 4}.",
    "degrees": "Name a file, or give some values a number of 0 or more: {HIV = 9.0}.",
}
"""What each key of a column takes that may be a file."""


def explained(
    error: pydantic.ValidationError, parts: Mapping[str, type[pydantic.BaseModel]]
) -> tuple[str, str]:
    """Turn the first finding of pydantic into a sentence and a way out."""
    found = error.errors(include_url=False)
    # A misspelt key also leaves the right one absent: name the misspelling first.
    first = min(found, key=lambda each: each["type"] != "extra_forbidden")
    where = ".".join(str(part) for part in first["loc"])
    if first["type"] in _HINTS:
        return first["msg"], _HINTS[first["type"]].format(**first.get("ctx", {}))
    if first["type"] == "unpreparable":
        context = first["ctx"]
        return f"Column '{first['loc'][1]}': {context['problem']}", context["hint"]
    if not where:
        return "The plan is not a table of keys.", "Write it as TOML, as `shoal plan` does."
    # What follows in the place is a value of the column.
    column_key = first["loc"][2] if first["loc"][:1] == ("columns",) and first["loc"][2:] else ""
    if column_key in _COLUMN_HINTS:
        place = ".".join(map(str, first["loc"][:3]))
        return f"The plan's '{place}' is not valid.", _COLUMN_HINTS[str(column_key)]
    if first["type"] == "extra_forbidden":
        known = parts[str(first["loc"][0]) if first["loc"][1:] else ""].model_fields
        return f"The plan has an unknown key '{where}'.", did_you_mean(str(first["loc"][-1]), known)
    if first["type"] == "missing":
        return f"The plan lacks '{where}'.", "Add it."
    if first["type"] in _KINDS:
        return f"The plan's '{where}' must be {_KINDS[first['type']]}.", SEE_SCHEMA
    reason = first["msg"].removeprefix("Value error, ")
    return f"The plan's '{where}' is not valid: {reason[:1].lower()}{reason[1:]}.", SEE_SCHEMA
