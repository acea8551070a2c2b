"""Is a release signed, by which key, and does the signature cover every public file?

A signature that is there proves nothing by itself: anyone can sign. Only a public key that the
reader has from elsewhere says who did.
"""

from __future__ import annotations

import hashlib
import json
import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from shoal.errors import InputError, ParameterError, a_type, require_extra
from shoal.judging.verification.result import Finding
from shoal.publications.published.folder import RELEASE_SIGNATURE

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey

CHECK = "signed by this key"
_GET_ONE = "Make it from the private key: `openssl pkey -in key.pem -pubout -out public.pem`."
_MOST = 5
_KEYS = {"algorithm", "files", "key", "signature", "signs"}


@dataclass(frozen=True)
class PublicKey:
    """A key that signatures are checked with, and its fingerprint."""

    key: Ed25519PublicKey
    fingerprint: str

    @classmethod
    def read(cls, path: str | os.PathLike[str]) -> PublicKey:
        """Read it from a PEM file (raises `InputError` if there is none of Ed25519)."""
        if not isinstance(path, str | os.PathLike):
            raise ParameterError(f"A key must be a file, not {a_type(path)}.", "Give its path.")
        require_extra("evidence", "cryptography")
        from cryptography.exceptions import UnsupportedAlgorithm
        from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PublicKey
        from cryptography.hazmat.primitives.serialization import (
            Encoding,
            PublicFormat,
            load_pem_public_key,
        )

        try:
            data = Path(path).read_bytes()
        except (OSError, ValueError) as error:
            reason = getattr(error, "strerror", None) or "it is not a file name"
            raise InputError(f"The key '{path}' cannot be read: {reason}.", _GET_ONE) from None
        try:
            key = load_pem_public_key(data)
        except (ValueError, UnsupportedAlgorithm):
            raise InputError(f"'{path}' holds no public key in PEM.", _GET_ONE) from None
        if not isinstance(key, Ed25519PublicKey):
            raise InputError(f"The key '{path}' is not an Ed25519 key.", _GET_ONE)
        encoded = key.public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
        return cls(key, f"SHA256:{hashlib.sha256(encoded).hexdigest()}")

    def signed(self, claimed: Mapping[str, Any]) -> bool:
        """Say whether this key signed what a signature file says."""
        from cryptography.exceptions import InvalidSignature

        text = _one_form({name: claimed[name] for name in claimed if name != "signature"})
        try:
            self.key.verify(bytes.fromhex(claimed["signature"]), text.encode("ascii"))
        except InvalidSignature:
            return False
        return True


def check_signature(folder: Path, key: PublicKey | None) -> tuple[list[Finding], list[str]]:
    """Check the signature of a release's public folder; also give what people must know of it.

    The key must have signed it; with ``None`` a signature is only mentioned, and named as wrong if
    it is damaged or of other files.
    """
    if not os.path.lexists(folder / RELEASE_SIGNATURE):
        unsigned = Finding(CHECK, False, f"it has no signature ({RELEASE_SIGNATURE})")
        return [] if key is None else [unsigned], []
    claimed = _read(folder / RELEASE_SIGNATURE)
    check = RELEASE_SIGNATURE if key is None else CHECK
    if claimed is None:
        return [Finding(check, False, f"{RELEASE_SIGNATURE} is damaged")], []
    by = claimed["key"]
    if key is not None and by != key.fingerprint:
        return [Finding(check, False, f"it was signed with another key, {by}")], []
    if key is not None and not key.signed(claimed):
        return [Finding(check, False, "the signature does not match this key")], []
    wrong = _uncovered(folder, claimed["files"])
    if wrong:
        return [Finding(check, False, wrong)], []
    if key is not None:
        return [Finding(check, True, f"all {len(claimed['files'])} files, by {by}")], []
    return [], [
        f"Its signature names the key {by} and was not checked. Give the signer's public key "
        "with --key; anyone can sign."
    ]


def _read(path: Path) -> dict[str, Any] | None:
    """Read a signature file; ``None`` if it is not, byte for byte, one that could be ours."""
    try:
        text = path.read_bytes().decode("ascii")
        claimed = json.loads(text)
        same = text == json.dumps(claimed, sort_keys=True, indent=2) + "\n"
        known = set(claimed) == _KEYS and (claimed["algorithm"], claimed["signs"]) == (
            "Ed25519",
            "shoal release 1",
        )
        digests = all(re.fullmatch("[0-9a-f]{64}", each) for each in claimed["files"].values())
        signer = re.fullmatch("SHA256:[0-9a-f]{64}", claimed["key"])
        sound = known and digests and signer and re.fullmatch("[0-9a-f]{128}", claimed["signature"])
    except (OSError, ValueError, KeyError, TypeError, AttributeError, RecursionError):
        return None
    return claimed if same and sound else None


def _uncovered(folder: Path, signed: Mapping[str, str]) -> str:
    """Name files that are not as they were signed; folders count by what is in them."""
    there = {
        path.relative_to(folder).as_posix(): path
        for path in folder.rglob("*")
        if path.is_symlink() or not path.is_dir()  # a linked folder is not looked into
    }
    del there[RELEASE_SIGNATURE]
    changed = [name for name in signed if name in there and _digest(there[name]) != signed[name]]
    found = (
        (changed, "changed since signing"),
        (sorted(set(signed) - set(there)), "signed, but missing"),
        (sorted(set(there) - set(signed)), "not signed"),
    )
    return "; ".join(f"{_listed(names)}: {how}" for names, how in found if names)


def _digest(path: Path) -> str | None:
    """Give the SHA-256 of a file; ``None`` of what is none, such as a pipe."""
    return hashlib.sha256(path.read_bytes()).hexdigest() if path.is_file() else None


def _one_form(claimed: Mapping[str, Any]) -> str:
    return json.dumps(claimed, sort_keys=True, separators=(",", ":"))


def _listed(names: list[str]) -> str:
    shown = ", ".join(f"'{name}'" for name in names[:_MOST])
    return f"{shown} and {len(names) - _MOST} more" if len(names) > _MOST else shown
