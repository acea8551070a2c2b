"""The JSON Schema of plan files: every method, requirement and form with its options."""

from __future__ import annotations

import dataclasses
from typing import Any

import pydantic

from shoal.base.members import first_line
from shoal.improve import Refinement
from shoal.improve.loss_bound import Bounding
from shoal.io import FORMATS
from shoal.methods import METHODS, Method
from shoal.models import MODELS, Requirement
from shoal.publications import FORMS


def json_schema(plan: type[pydantic.BaseModel]) -> dict[str, Any]:
    """Describe plan files for editors, with every method's and requirement's options."""
    made = plan.model_json_schema()
    made["$schema"] = "https://json-schema.org/draft/2020-12/schema"
    made["title"] = "Shoal plan"
    made["properties"]["require"]["items"] = {
        "oneOf": [_options(kind, "model") for kind in MODELS.values()]
    }
    made["properties"]["method"] = {
        "description": "How groups are found.",
        "oneOf": [_options(kind, "name") for kind in METHODS.values()],
    }
    for name, kind in (("refine", Refinement), ("bound", Bounding)):
        options = pydantic.TypeAdapter(kind).json_schema()
        made["properties"][name] = options | {
            "title": name,
            "description": made["properties"][name]["description"],
            "additionalProperties": False,
        }
    for part in ("InputPlan", "PopulationPlan"):
        made["$defs"][part]["properties"]["format"]["anyOf"][0]["enum"] = list(FORMATS)
    written = [name for name, format_ in FORMATS.items() if format_.write is not None]
    made["$defs"]["OutputPlan"]["properties"]["format"]["enum"] = written
    publication = made["$defs"]["PublicationPlan"]
    publication["properties"]["form"]["anyOf"][0]["enum"] = list(FORMS)
    publication["properties"] |= _form_options()
    publication["additionalProperties"] = False
    return made


def _options(kind: type[Requirement] | type[Method], key: str) -> dict[str, Any]:
    """Describe a dataclass's options, with its name under ``key``."""
    made = pydantic.TypeAdapter(kind).json_schema()
    made["title"] = kind.name
    made["description"] = first_line(kind)
    made["properties"] = {key: {"const": kind.name}, **made.get("properties", {})}
    left_open = {field.name for field in dataclasses.fields(kind) if field.metadata.get("open")}  # type: ignore[arg-type]
    made["required"] = [key, *(n for n in made.get("required", []) if n not in left_open)]
    made["additionalProperties"] = False
    return made


def _form_options() -> dict[str, Any]:
    """Describe the options of all forms of publication; of one that several have, all values."""
    made: dict[str, Any] = {}
    for kind in FORMS.values():
        described = pydantic.TypeAdapter(kind).json_schema()["properties"]
        for field in dataclasses.fields(kind):  # type: ignore[arg-type]
            option = {"description": field.metadata.get("description", ""), "anyOf": []}
            made.setdefault(field.name, option)["anyOf"].append(described[field.name])
    return made
