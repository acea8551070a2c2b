"""How pictures look: a palette for light and dark pages, one colour for one thing."""

from __future__ import annotations

from collections.abc import Iterable

__all__ = ["FONT", "PALETTE", "class_colour", "rules", "value_colour", "width_of"]

FONT = "system-ui, -apple-system, 'Segoe UI', Roboto, 'Helvetica Neue', Arial, sans-serif"

PALETTE: dict[str, tuple[str, str]] = {
    "paper": ("#ffffff", "#16191d"),
    "ink": ("#1d2329", "#e8eaed"),
    "faint": ("#59636e", "#a3adb8"),
    "line": ("#c3cad1", "#454d57"),
    "class-1": ("#1668b5", "#6cb2f2"),
    "class-2": ("#c86a00", "#f2a54a"),
    "class-3": ("#7d4bb0", "#c29bee"),
    "class-4": ("#0b8379", "#4fc7bb"),
    "class-5": ("#8a7400", "#d3bd4b"),
    "class-6": ("#b0407e", "#ee90c4"),
    "suppressed": ("#7b848d", "#8f98a3"),
    "missing": ("#7b848d", "#8f98a3"),
    "sensitive": ("#b3261e", "#f28b82"),
    "holds": ("#1f7a33", "#6fce86"),
    "fails": ("#b3261e", "#f28b82"),
    "value-1": ("#b3261e", "#f28b82"),
    "value-2": ("#1668b5", "#6cb2f2"),
    "value-3": ("#0b8379", "#4fc7bb"),
    "value-4": ("#7d4bb0", "#c29bee"),
    "value-5": ("#8a7400", "#d3bd4b"),
    "value-6": ("#c86a00", "#f2a54a"),
}
"""Each colour on a light and on a dark page. Words are dark on a tint of it, or light on dark."""

VALUES = {
    "HIV": "value-1",
    "flu": "value-2",
    "cold": "value-3",
    "cancer": "value-4",
    "ulcer": "value-5",
    "gout": "value-5",
    "TB": "value-6",
}
"""The colour of each sensitive value, the same in all pictures."""

NARROW = set("iljtfrI.,:;'|![]() ·/-")
WIDE = set("mwMW@%→≥≤—…")


def class_colour(label: int) -> str:
    """Give the colour of a class by its label; of a suppressed row, that of suppressed ones."""
    return "suppressed" if label < 0 else f"class-{label % 6 + 1}"


def value_colour(value: str | None) -> str:
    """Give the colour of a sensitive value."""
    return VALUES.get(value or "", "faint")


def width_of(words: str, size: float, bold: bool = False) -> float:
    """Say how wide words may get, by a wide font: readers' fonts differ."""
    em = 0.0
    for sign in words:
        if sign in NARROW:
            em += 0.38
        elif sign in WIDE:
            em += 0.95
        else:
            em += 0.68 if sign.isupper() else 0.62
    return em * size * (1.08 if bold else 1.0)


def rules(used: Iterable[str]) -> str:
    """Write the style of an SVG: the classes that it uses, light, then dark."""
    names = sorted(set(used))
    light = "".join(_rule(name, PALETTE[name[2:]][0]) for name in names)
    dark = "".join(_rule(name, PALETTE[name[2:]][1]) for name in names)
    return f"text{{font-family:{FONT}}}{light}@media (prefers-color-scheme:dark){{{dark}}}"


def _rule(name: str, colour: str) -> str:
    return f".{name}{{{'fill' if name.startswith('f-') else 'stroke'}:{colour}}}"
