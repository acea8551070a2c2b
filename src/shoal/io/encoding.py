"""Which encoding a file has, and its text as UTF-8."""

from __future__ import annotations

import codecs
import contextlib
import unicodedata
from collections.abc import Iterable
from typing import NamedTuple

from shoal.errors import InputError

_BOMS = (
    (codecs.BOM_UTF8, "utf-8-sig"),
    (codecs.BOM_UTF32_LE, "utf-32"),  # before UTF-16, whose mark it begins with
    (codecs.BOM_UTF32_BE, "utf-32"),
    (codecs.BOM_UTF16_LE, "utf-16"),
    (codecs.BOM_UTF16_BE, "utf-16"),
)
# In order of preference, for texts that fit several.
_LATIN = ["cp1252", "cp1250", "iso8859_2", "iso8859_15"]
_PLAUSIBLE = [*_LATIN, "cp1251", "cp1253", "cp1254", "koi8_r"]
_PLAUSIBLE += ["cp932", "euc_jp", "gb18030", "big5", "cp949"]
_ALPHABETS = {
    "cp1252": (
        "äöüß",  # German
        "àâæçéèêëîïôœùûüÿ",  # French
        "áéíñóúüºª",  # Spanish
        "áâãàçéêíóôõúü",  # Portuguese
        "àèéìîòù",  # Italian
        "åäöé",  # Swedish, Finnish
        "åæøéòô",  # Danish, Norwegian
        "áéëèïöüó",  # Dutch
        "àçéèíïóòúü",  # Catalan
        "áðéíóúýþæö",  # Icelandic
        "áðíóúýæø",  # Faroese
    ),
    "cp1254": ("çğıöşüâîû",),  # Turkish
    "cp1250": (
        "áčďéěíňóřšťúůýž",  # Czech
        "áäčďéíĺľňóôŕšťúýž",  # Slovak
        "ąćęłńóśźż",  # Polish
        "áéíóöőúüű",  # Hungarian
        "ăâîşţ",  # Romanian
        "čćđšž",  # Croatian, Slovene, Serbian
    ),
}
"""Letters beyond a to z of languages that a table is made for."""
_SAME_LETTERS = {"iso8859_15": "cp1252", "iso8859_2": "cp1250"}
_AFTER_THORN = "aáeéiíoóuúyýæöjrv"
_EVIDENCE = 65_536
_CHUNK = 16 << 20
_NAME_IT = "Name the encoding, for example encoding = 'cp1252'."


def known_encoding(name: str) -> str:
    """Give Python's name of an encoding, or say that it is unknown.

    >>> known_encoding("UTF8"), known_encoding("Latin-1")
    ('utf-8', 'iso8859-1')
    """
    try:
        codec = codecs.lookup(name)
    except (LookupError, ValueError):
        codec = None
    if codec is None or not getattr(codec, "_is_text_encoding", True):
        raise InputError(f"Unknown encoding '{name}'.", "Try utf-8, cp1252, latin-1 or utf-16.")
    return codec.name


class Detected(NamedTuple):
    """An encoding, and others that fit as well and would give another text."""

    encoding: str
    also_fit: tuple[str, ...] = ()


def detect_encoding(sample: bytes, *, truncated: bool, source: str) -> Detected:
    r"""Find the encoding of a sample: its mark, UTF-8, or the most plausible other one.

    >>> detect_encoding("name\nMüller".encode(), truncated=False, source="x.csv").encoding
    'utf-8'
    >>> detect_encoding("ad\nAyşe".encode("cp1254"), truncated=False, source="x.csv")
    Detected(encoding='cp1252', also_fit=('cp1250', 'cp1254'))
    >>> detect_encoding("ad\nAyşe Gündüz".encode("cp1254"), truncated=False, source="x.csv")
    Detected(encoding='cp1254', also_fit=())
    """
    for mark, name in _BOMS:
        if sample.startswith(mark):
            return Detected(name)
    if b"\0" in sample:
        return Detected(_utf16_without_mark(sample))
    if first_bad_utf8(sample, final=not truncated) is None:
        return Detected("utf-8")
    found = _guess(sample, truncated)
    if found is None:
        raise InputError(f"No known encoding fits '{source}'.", _NAME_IT)
    return found


def first_alike(words: Iterable[str], encoding: str) -> str:
    """Find the first encoding in which texts are the same bytes as in one that was guessed.

    So the encoding that a release names follows from what is published alone.

    >>> [first_alike([name], "cp1254") for name in ("Ayse", "Gül", "Ayşe")]
    ['utf-8', 'cp1252', 'cp1254']
    """
    if encoding not in _PLAUSIBLE:  # a mark says it, or every second byte
        return encoding
    text = "\n".join(word for word in words if not word.isascii())
    data = text.encode(encoding, "ignore")  # labels of a plan may have other letters
    text = data.decode(encoding)
    for name in () if text.isascii() else _PLAUSIBLE:
        with contextlib.suppress(UnicodeDecodeError):
            if data.decode(name) == text:
                return name
    return "utf-8"


def first_bad_utf8(data: bytes, *, final: bool = True) -> int | None:
    r"""Find the offset of the first byte that is not UTF-8.

    >>> first_bad_utf8(b"abc\xff"), first_bad_utf8("é".encode())
    (3, None)
    >>> first_bad_utf8("é".encode()[:1], final=False) is None
    True
    """
    if data.isascii():
        return None
    decoder = codecs.getincrementaldecoder("utf-8")()
    for start in range(0, len(data), _CHUNK):
        chunk = data[start : start + _CHUNK]
        try:
            decoder.decode(chunk, final and start + _CHUNK >= len(data))
        except UnicodeDecodeError as error:
            return start - (len(error.object) - len(chunk)) + error.start
    return None


def sample_text(sample: bytes, encoding: str) -> str:
    """Decode a sample that may end in the middle of a character, whatever is in it."""
    encoding, skip = _byte_order(sample, encoding)
    try:
        text = codecs.getincrementaldecoder(encoding)("replace").decode(sample[skip:])
    except UnicodeError:  # an encoding that cannot replace; the whole file will be refused
        text = sample.decode("latin-1")
    return text.removeprefix("\ufeff")


def to_utf8(data: bytes, encoding: str, *, source: str) -> bytes:
    """Recode a file as UTF-8 without a byte order mark; refuse bytes that do not fit.

    >>> to_utf8("é".encode("latin-1"), "latin-1", source="x.csv").decode()
    'é'
    """
    encoding = known_encoding(encoding)
    if encoding in ("utf-8", "utf-8-sig"):
        bad = first_bad_utf8(data)
        if bad is not None:
            raise _undecodable(source, encoding, data.count(b"\n", 0, bad) + 1, bad)
        return data.removeprefix(codecs.BOM_UTF8)
    encoding, skip = _byte_order(data, encoding)
    decoder = codecs.getincrementaldecoder(encoding)()
    parts: list[bytes] = []
    for start in range(skip, len(data), _CHUNK):
        chunk = data[start : start + _CHUNK]
        try:
            parts.append(decoder.decode(chunk, start + _CHUNK >= len(data)).encode())
        except UnicodeError as error:
            line, offset = sum(part.count(b"\n") for part in parts) + 1, start
            if isinstance(error, UnicodeDecodeError):
                line += error.object[: error.start].decode(encoding, "ignore").count("\n")
                offset += error.start - (len(error.object) - len(chunk))
            raise _undecodable(source, encoding, line, offset) from None
    return b"".join(parts).removeprefix(codecs.BOM_UTF8)


def _undecodable(source: str, encoding: str, line: int, offset: int) -> InputError:
    return InputError(
        f"Line {line} of '{source}' (byte {offset}) is not text in the encoding {encoding}.",
        f"Repair the line, or: {_NAME_IT[0].lower()}{_NAME_IT[1:]}",
    )


def _byte_order(data: bytes, encoding: str) -> tuple[str, int]:
    """Name an encoding with the order of its bytes, if it has one, and the length of its mark."""
    if encoding not in ("utf-16", "utf-32"):
        return encoding, 0
    mark = next((m for m, name in _BOMS if name == encoding and data.startswith(m)), b"")
    big = mark in (codecs.BOM_UTF16_BE, codecs.BOM_UTF32_BE)
    return f"{encoding}-{'be' if big else 'le'}", len(mark)


def _utf16_without_mark(sample: bytes) -> str:
    pairs = max(1, len(sample) // 2)
    high, low = sample[0::2].count(0) / pairs, sample[1::2].count(0) / pairs
    if low > 0.4 and high < 0.05:
        return "utf-16-le"
    if high > 0.4 and low < 0.05:
        return "utf-16-be"
    return "utf-8"  # the reader names the line of the NUL


def _guess(sample: bytes, truncated: bool) -> Detected | None:
    from charset_normalizer import from_bytes

    lines = sample.split(b"\n")
    if truncated and len(lines) > 1:
        lines.pop()
    evidence, size = [], 0
    for line in lines:
        if not line.isascii() and size < _EVIDENCE:
            evidence.append(line)
            size += len(line)
    text = b"\n".join(evidence)
    matches = {match.encoding: match for match in from_bytes(text, cp_isolation=_PLAUSIBLE)}
    if not matches:
        return None
    fits = {"cp1252": (0.0, 0.0)}  # the usual one, though short texts can look too odd for it
    for match in matches.values():
        for name in match.could_be_from_charset:
            fits[name] = -round(match.coherence, 1), round(match.chaos, 2)
    ranked, texts = [], {}
    for place, name in enumerate(_PLAUSIBLE):
        if name in fits:
            try:
                texts[name] = text.decode(name)
            except UnicodeDecodeError:
                continue
            odd, strange = _oddness(texts[name]), _strangeness(texts[name], name)
            ranked.append((round(odd, 2), round(strange, 1), *fits[name], place, name))
    if not ranked:
        return None
    ranked.sort()
    best = ranked[0][-1]
    also = {texts[row[-1]]: row[-1] for row in reversed(ranked) if row[:2] == ranked[0][:2]}
    also.pop(texts[best])
    return Detected(best, tuple(sorted(also.values(), key=_PLAUSIBLE.index)))


def _strangeness(text: str, encoding: str) -> float:
    """Share of the Latin letters beyond a to z that no single language of the encoding has."""
    used = [char for char in text.lower() if "\u007f" < char < "\u0250" and char.isalpha()]
    alphabets = _ALPHABETS.get(_SAME_LETTERS.get(encoding, encoding))
    if not used or alphabets is None:
        return 0.0
    return min(sum(char not in letters for char in used) for letters in alphabets) / len(used)


def _oddness(text: str) -> float:
    """Share of the non-ASCII characters that stand where no language puts them."""
    odd = total = 0
    for left, char, right in zip(f" {text}", text, f"{text[1:]} ", strict=False):
        if char.isascii():
            continue
        total += 1
        kind = unicodedata.category(char)
        latin = any(other.isascii() and other.isalpha() for other in (left, right))
        odd += (
            kind in ("Cc", "Cn", "Co")  # controls and characters nobody defined
            or (char >= "\u0370" and kind[0] == "L" and latin)  # two scripts in one word
            or (kind[0] in "SN" and right.isalpha())  # a sign before a letter
            or (left.islower() and char.isupper())
            or char == "\u0192"  # the florin sign: half of a Japanese syllable
            or (char == "þ" and right.lower() not in _AFTER_THORN)  # a Turkish ş
            or (char < "\u0370" and _accented(left) and _accented(char) and _accented(right))
        )
    return odd / max(1, total)


def _accented(char: str) -> bool:
    return char.isalpha() and not char.isascii()
