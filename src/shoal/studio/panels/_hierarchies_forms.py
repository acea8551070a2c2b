"""Builders as small forms: their options are the fields of their dataclass."""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import MISSING, Field, dataclass, fields
from typing import Any

from shoal.errors import ParameterError
from shoal.table import ColumnValues
from shoal.table.hierarchies import BUILDERS, Builder, from_spec
from shoal.table.hierarchies.values import as_number, natural_order
from shoal.table.schema import Kind

WRITTEN = ("csv", "tree")
"""Builders without a form: files are imported, and trees are edited."""

MOST_LISTED = 300
"""An order of more values is not written into the form."""

KINDS = {
    "int": "whole",
    "float": "number",
    "str": "text",
    "Sequence[float]": "numbers",
    "Sequence[str]": "texts",
}
"""What a field takes, by its type."""


@dataclass(frozen=True)
class Option:
    """A field of a form."""

    name: str
    """Of the option."""
    kind: str
    """``whole``, ``number``, ``text``, ``numbers``, ``texts`` or ``lines``."""
    value: str
    """What stands in it at first."""


def builders(values: ColumnValues) -> list[str]:
    """Name the builders that have a form and can fit the column, best first."""
    known = [name for name in BUILDERS if name not in WRITTEN]
    if values.kind is Kind.NUMERIC:
        return ["intervals", "auto"]
    return ["dates"] if values.kind is Kind.DATE else sorted(known, key=_order)


def _order(name: str) -> tuple[int, str]:
    usual = ("prefixes", "dates", "intervals", "order", "auto", "flat")
    return (usual.index(name) if name in usual else len(usual), name)


def options(name: str, values: ColumnValues, spec: Mapping[str, Any] | None) -> list[Option]:
    """List the options of a builder, filled with what the plan says or with what is usual."""
    chosen = dict(spec) if isinstance(spec, Mapping) and spec.get("builder") == name else {}
    if name == "intervals" and not chosen:
        chosen = {"bins": 16} if values.kind is Kind.NUMERIC else {"width": 10}
    made = []
    for each, kind in _fields(name):
        usual = None if each.default is MISSING else each.default
        value = chosen.get(each.name, usual)
        if kind == "lines" and value is None and len(values) <= MOST_LISTED:
            value = natural_order(values.values.to_list())
        made.append(Option(each.name, kind, _text(value, kind)))
    return made


def builder_of(name: str, form: Mapping[str, str], values: ColumnValues) -> Builder:
    """Read a form (raises `ParameterError` where a field cannot be read)."""
    if name not in builders(values):
        raise ParameterError("There is no such builder for this column.", "Choose another one.")
    spec: dict[str, Any] = {"builder": name}
    for each, kind in _fields(name):
        text = form.get(f"option-{each.name}", "")
        if not text.strip():
            continue
        value = _read(text, kind, each.name)
        usual = list(each.default) if isinstance(each.default, tuple) else each.default
        natural = kind == "lines" and value == natural_order(values.values.to_list())
        if value != usual and not natural:
            spec[each.name] = value
    return from_spec(spec)


def _fields(builder: str) -> Iterator[tuple[Field[Any], str]]:
    """List the options that a form has, with what each takes by the type that is declared."""
    for each in fields(BUILDERS[builder]):
        kind = KINDS.get(str(each.type).removesuffix(" | None"))
        if kind is not None:
            yield each, "lines" if builder == each.name == "order" else kind


def _text(value: Any, kind: str) -> str:
    if value is None:
        return ""
    if isinstance(value, list | tuple):
        return ("\n" if kind == "lines" else ", ").join(str(each) for each in value)
    return str(value)


def _read(text: str, kind: str, name: str) -> Any:
    if kind == "text":
        return text
    if kind == "lines":
        return [line for line in text.replace("\r\n", "\n").split("\n") if line]
    parts = [part for part in re.split(r"[,;\s]+", text.strip()) if part]
    if kind == "texts":
        return parts
    numbers = [as_number(part) for part in parts]
    if None in numbers or (kind in ("whole", "number") and len(numbers) != 1):
        raise ParameterError(f"{name} is not a number.", "Write digits, such as 10 or 2.5.")
    if kind == "whole" and not isinstance(numbers[0], int):
        raise ParameterError(f"{name} is not a whole number.", "Write digits, such as 10.")
    return numbers if kind == "numbers" else numbers[0]
