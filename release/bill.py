"""A bill of materials (CycloneDX): what an environment with Shoal holds, and what needs what."""

from __future__ import annotations

import json
import re
import uuid
from datetime import UTC, datetime
from typing import Any

from release.environments import Environment

__all__ = ["bill_of_materials"]

ASK = """
import json
from importlib.metadata import distributions
print(json.dumps([{
    "name": d.metadata["Name"],
    "version": d.version,
    "summary": d.metadata["Summary"] or "",
    "licence": d.metadata["License-Expression"] or "",
    "classified": [c for c in d.metadata.get_all("Classifier") or () if c.startswith("License ::")],
    "words": (d.metadata["License"] or "").partition("\\n")[0],
    "requires": d.requires or [],
} for d in distributions()]))
"""


def bill_of_materials(environment: Environment, product: str, time: int) -> str:
    """Write the bill of an environment in which a product and what it needs are installed.

    Parameters
    ----------
    environment
        The environment; it holds nothing else.
    product
        The name of the product.
    time
        When its commit was made: the same commit gives the same bill for the same packages.
    """
    found = {_normal(each["name"]): each for each in json.loads(environment.answer("-c", ASK))}
    parts = {name: _component(name, each) for name, each in sorted(found.items())}
    made: dict[str, Any] = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.6",
        "version": 1,
        "metadata": {
            "timestamp": datetime.fromtimestamp(time, UTC).strftime("%Y-%m-%dT%H:%M:%SZ"),
            "component": parts.pop(_normal(product)),
        },
        "components": [*parts.values()],
        "dependencies": [
            {
                "ref": _purl(name, each),
                "dependsOn": [_purl(on, found[on]) for on in _needs(each, found)],
            }
            for name, each in sorted(found.items())
        ],
    }
    named = uuid.uuid5(uuid.NAMESPACE_OID, json.dumps(made))
    return json.dumps({"serialNumber": f"urn:uuid:{named}", **made}, indent=2) + "\n"


def _component(name: str, each: dict[str, Any]) -> dict[str, Any]:
    purl = _purl(name, each)
    made = {"type": "library", "bom-ref": purl, "name": each["name"], "version": each["version"]}
    licence = ", ".join(c.rpartition(" :: ")[2] for c in each["classified"]) or each["words"]
    if each["licence"]:
        made["licenses"] = [{"expression": each["licence"]}]
    elif licence:
        made["licenses"] = [{"license": {"name": licence}}]
    return {**made, "description": each["summary"], "purl": purl}


def _needs(each: dict[str, Any], found: dict[str, Any]) -> list[str]:
    """List what a package needs of what is there, except by its extras."""
    always = [text for text in each["requires"] if "extra ==" not in text]
    names = {_normal(re.match(r"[\w.-]+", text)[0]) for text in always}  # type: ignore[index]
    return sorted(names & found.keys())


def _purl(name: str, each: dict[str, Any]) -> str:
    return f"pkg:pypi/{name}@{each['version']}"


def _normal(name: str) -> str:
    return re.sub(r"[-_.]+", "-", name).lower()
