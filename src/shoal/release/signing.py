"""Sign a release with an Ed25519 key, so that readers can tell who made it.

The signature lies beside the public files (``release.sig``). What is signed is that file without
its signature, as JSON in one form: sorted keys, no spaces, ASCII.
`shoal.judging.verification.signature` reads it, and shares no code with this.
"""

from __future__ import annotations

import hashlib
import json
import os
from pathlib import Path
from typing import TYPE_CHECKING

from shoal.errors import InputError, ParameterError, a_type, require_extra
from shoal.publications.published.files import digest
from shoal.publications.published.folder import RELEASE_SIGNATURE

if TYPE_CHECKING:
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey

KEY_PASSWORD = "SHOAL_KEY_PASSWORD"
"""The environment variable with the password of a protected key; an argument would be seen."""
_MAKE_ONE = "Make one with `openssl genpkey -algorithm ed25519 -out key.pem`."


def read_private_key(path: str | os.PathLike[str] | None) -> Ed25519PrivateKey | None:
    """Read the key that releases are signed with; ``None`` where nobody asks for a signature.

    Raises `InputError` if the file is missing, holds no Ed25519 private key, or its password is
    wrong.
    """
    if path is None:
        return None
    if not isinstance(path, str | os.PathLike):
        raise ParameterError(f"A key must be a file, not {a_type(path)}.", "Give its path.")
    if "PRIVATE KEY" in str(path):  # errors name the path, and must not show this
        raise ParameterError(
            "The private key itself was given instead of its file.",
            "Write it to a file that only you can read, and give its path.",
        )
    require_extra("evidence", "cryptography")
    from cryptography.exceptions import UnsupportedAlgorithm
    from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
    from cryptography.hazmat.primitives.serialization import load_pem_private_key

    try:
        data = Path(path).read_bytes()
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or "it is not a file name"
        raise InputError(f"The key '{path}' cannot be read: {reason}.", _MAKE_ONE) from None
    password = os.environ.get(KEY_PASSWORD)
    try:
        try:
            key = load_pem_private_key(data, None)
        except TypeError:  # it is protected
            if not password:
                raise InputError(
                    f"The key '{path}' is protected by a password.",
                    f"Set the environment variable {KEY_PASSWORD}.",
                ) from None
            key = load_pem_private_key(data, password.encode())
    except (ValueError, TypeError, UnsupportedAlgorithm):
        if b"ENCRYPTED" in data and password:
            raise InputError(
                f"The key '{path}' is damaged, or the password in {KEY_PASSWORD} is wrong.",
                "Set the one that it was made with.",
            ) from None
        raise InputError(f"'{path}' holds no private key in PEM.", _MAKE_ONE) from None
    if not isinstance(key, Ed25519PrivateKey):
        raise InputError(f"The key '{path}' is not an Ed25519 key.", _MAKE_ONE)
    return key


def sign_files(folder: Path, key: Ed25519PrivateKey | None) -> None:
    """Write the signature of all files of a folder into it; nothing without a key.

    The same files and the same key give the same bytes.
    """
    if key is None:
        return
    from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

    files = sorted(path for path in folder.rglob("*") if path.is_file())
    public = key.public_key().public_bytes(Encoding.DER, PublicFormat.SubjectPublicKeyInfo)
    signed = {
        "algorithm": "Ed25519",
        "files": {path.relative_to(folder).as_posix(): digest(path) for path in files},
        "key": f"SHA256:{hashlib.sha256(public).hexdigest()}",
        "signs": "shoal release 1",  # so that it cannot stand for anything else
    }
    text = json.dumps(signed, sort_keys=True, separators=(",", ":"))
    made = {**signed, "signature": key.sign(text.encode("ascii")).hex()}
    written = json.dumps(made, sort_keys=True, indent=2) + "\n"
    (folder / RELEASE_SIGNATURE).write_text(written, encoding="ascii", newline="\n")
