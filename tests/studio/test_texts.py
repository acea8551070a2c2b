"""Every word that is shown stands in the file of each language, and nothing else does."""

from __future__ import annotations

import re
import string
from pathlib import Path

import pytest

import shoal.studio
from shoal.studio.texts import LANGUAGES, texts

HERE = Path(shoal.studio.__file__).parent
WORD = r"""["']([a-z0-9_.\-]+)["']"""
ASKED = re.compile(WORD)
"""Anything that could be a key: templates and panels hand keys on."""
BUILT = re.compile(r"""["']([a-z0-9_.\-]+[._])(?:["']\s*[~+]|\{)""")
"""The beginning of a key whose end is put to it."""
LITERAL = re.compile(r"\b(?:t|text|words)\(\s*" + WORD + r"(?!\s*[~+])")


def sources() -> str:
    files = [*HERE.rglob("*.html"), *HERE.rglob("*.py")]
    return "\n".join(path.read_text("utf-8") for path in files)


def named(text: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(text) if name is not None}


def test_chinese_is_the_second_language() -> None:
    assert {"en", "zh"} <= set(LANGUAGES)


@pytest.mark.parametrize("code", LANGUAGES)
def test_languages_say_the_same_things(code: str) -> None:
    english, other = texts("en").known, texts(code).known
    assert list(other) == list(english)
    for key, text in other.items():
        assert named(text) == named(english[key]), key
        assert text.strip(), key


def test_every_text_that_is_asked_for_is_there_and_no_other() -> None:
    known, written = texts("en").known, sources()
    assert set(LITERAL.findall(written)) - set(known) == set()
    asked, built = set(ASKED.findall(written)), tuple(set(BUILT.findall(written)))
    assert {key for key in known if key not in asked and not key.startswith(built)} == set()


def test_an_unknown_language_is_english() -> None:
    assert texts("xx").code == "en"
