"""A signed release is the one that the owner of the key wrote, byte by byte."""

from __future__ import annotations

import json
import shutil
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from cryptography.hazmat.primitives.asymmetric import rsa
from cryptography.hazmat.primitives.asymmetric.ed25519 import Ed25519PrivateKey
from cryptography.hazmat.primitives.serialization import (
    BestAvailableEncryption,
    Encoding,
    NoEncryption,
    PrivateFormat,
    PublicFormat,
)
from typer.testing import CliRunner

import shoal
from shoal.checks.tables import SCHEMA, mixed
from shoal.cli import app
from shoal.engines import pipeline
from shoal.errors import InputError, ParameterError
from tests.kill import Killed, kill_at

CHECK = "signed by this key"
PASSWORD = "SHOAL_KEY_PASSWORD"
PLAN = """\
[input]
path = "in.parquet"
[output]
path = "out"
{output}
[columns]
{columns}
[[require]]
model = "k-anonymity"
k = 3
"""


def pem(key: Any, password: bytes = b"") -> bytes:
    how = BestAvailableEncryption(password) if password else NoEncryption()
    made: bytes = key.private_bytes(Encoding.PEM, PrivateFormat.PKCS8, how)
    return made


def public(key: Any) -> bytes:
    made: bytes = key.public_key().public_bytes(Encoding.PEM, PublicFormat.SubjectPublicKeyInfo)
    return made


@pytest.fixture(scope="module")
def release() -> shoal.Release:
    method = shoal.GAACP(seed=1)
    return shoal.anonymize(mixed(60), SCHEMA, require=[shoal.KAnonymity(3)], method=method)


@pytest.fixture(autouse=True)
def keys(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Put two pairs of keys where a test works: ours, and another's."""
    monkeypatch.chdir(tmp_path)
    monkeypatch.delenv(PASSWORD, raising=False)
    for name, seed in (("ours", 1), ("other", 2)):
        key = Ed25519PrivateKey.from_private_bytes(bytes([seed]) * 32)
        Path(f"{name}.pem").write_bytes(pem(key))
        Path(f"{name}.pub").write_bytes(public(key))


def plan_file(output: str = "") -> Path:
    mixed(60).write_parquet("in.parquet")
    roles = "\n".join(f'{name}.role = "{column.role.value}"' for name, column in SCHEMA.items())
    Path("plan.toml").write_text(PLAN.format(output=output, columns=roles))
    return Path("plan.toml")


def refused(folder: Path, key: str = "ours.pub") -> dict[str, str]:
    found = shoal.open_release(folder).verify(key=key)
    return {each.check: each.detail for each in found.findings if not each.passed}


def shoal_says(*words: object) -> tuple[int, str]:
    done = CliRunner().invoke(app, [str(word) for word in words])
    assert "Traceback" not in done.output
    return done.exit_code, " ".join(done.output.split())


def alone(folder: Path) -> Path:
    """Take the private folder away, which would find every change by itself."""
    shutil.rmtree(folder.with_name(f"{folder.name}.private"))
    return folder


@pytest.mark.parametrize("kind", ["csv", "parquet", "xlsx"])
def test_a_signed_release_verifies(tmp_path: Path, release: shoal.Release, kind: Any) -> None:
    folder = release.write(tmp_path / "out", format=kind, sign="ours.pem")
    told = json.loads((folder / "release.sig").read_text())
    assert set(told["files"]) == {f"table.{kind}", "release.json", "report.html"}
    for _ in range(2):
        assert refused(folder) == {}
        assert shoal.open_release(folder).verify().passed
        folder = folder if not folder.with_name("out.private").exists() else alone(folder)
    release.write(folder, sign="ours.pem")  # a signed one may be replaced


def test_the_same_key_and_bytes_give_the_same_signature(
    tmp_path: Path, release: shoal.Release
) -> None:
    one, two = (release.write(tmp_path / name, sign="ours.pem") for name in ("one", "two"))
    assert (one / "release.sig").read_bytes() == (two / "release.sig").read_bytes()


def test_without_a_key_a_signature_is_mentioned_and_not_trusted(
    tmp_path: Path, release: shoal.Release
) -> None:
    folder = release.write(tmp_path / "out", sign="ours.pem")
    fingerprint = json.loads((folder / "release.sig").read_text())["key"]
    found = shoal.open_release(folder).verify()
    assert all("sign" not in each.check for each in found.findings)
    assert [fingerprint in each and "not checked" in each for each in found.remarks] == [True]
    code, said = shoal_says("verify", folder)
    assert code == 0
    assert "not checked" in said


def test_the_command_line_signs_and_checks(tmp_path: Path) -> None:
    plan_file()
    code, said = shoal_says("run", "plan.toml", "--sign", "ours.pem")
    assert code == 0, said
    assert "release.sig" in said
    assert shoal_says("verify", "out", "--key", "ours.pub")[0] == 0
    code, said = shoal_says("verify", "out", "--key", "other.pub")
    assert code == 1
    assert "another key" in said
    text = "".join(p.read_text("utf-8", "replace") for p in Path("out.private").glob("*.*"))
    assert "ours.pem" not in text
    for extra in (["--dry-run"], ["-o", "-"]):
        code, said = shoal_says("run", "plan.toml", "--sign", "ours.pem", *extra)
        assert code == 2
        assert "--sign" in said


def test_a_plan_names_its_key_from_where_it_lies(tmp_path: Path) -> None:
    Path("below").mkdir()
    plan_file('sign = "../ours.pem"').rename("below/plan.toml")
    Path("in.parquet").rename("below/in.parquet")
    pipeline.run(shoal.Plan.read("below/plan.toml"))
    assert refused(tmp_path / "below" / "out") == {}
    again = shoal.Plan.read("below/out.private/plan.toml")
    assert again.output.sign is None


def test_each_public_byte_is_covered(tmp_path: Path, release: shoal.Release) -> None:
    from shoal.judging.verification.signature import PublicKey, check_signature

    folder = release.write(tmp_path / "out", sign="ours.pem")
    key = PublicKey.read("ours.pub")
    assert check_signature(folder, key)[0][0].passed
    for path in sorted(folder.iterdir()):
        whole = path.read_bytes()
        step = 1 if path.suffix == ".sig" else max(1, len(whole) // 97)
        for at in {*range(0, len(whole), step), len(whole) - 1}:
            path.write_bytes(whole[:at] + bytes([whole[at] ^ 1]) + whole[at + 1 :])
            (found,) = check_signature(folder, key)[0]
            assert (found.check, found.passed) == (CHECK, False), (path.name, at)
        path.write_bytes(whole)
    assert check_signature(folder, key)[0][0].passed


def resign(folder: Path) -> None:
    """Sign as somebody would who has another key and covers it up."""
    from shoal.release.signing import read_private_key, sign_files

    (folder / "release.sig").unlink()
    sign_files(folder, read_private_key("other.pem"))


def name_our_key(folder: Path) -> None:
    told = json.loads((folder / "release.sig").read_text())
    resign(folder)
    made = json.loads((folder / "release.sig").read_text()) | {"key": told["key"]}
    text = json.dumps(made, sort_keys=True, indent=2) + "\n"
    (folder / "release.sig").write_text(text)


def damage(change: Callable[[dict[str, Any]], object]) -> Callable[[Path], object]:
    def edit(folder: Path) -> None:
        told = json.loads((folder / "release.sig").read_text())
        change(told)
        (folder / "release.sig").write_text(json.dumps(told, sort_keys=True, indent=2) + "\n")

    return edit


def shorten(table: Path) -> None:
    table.write_text("".join(table.read_text().splitlines(keepends=True)[:-1]))


TAMPERED: dict[str, tuple[Callable[[Path], object], str]] = {
    "a table": (lambda f: shorten(f / "table.csv"), "'table.csv': changed since signing"),
    "a report": (
        lambda f: (f / "report.html").write_text(""),
        "'report.html': changed since signing",
    ),
    "no report": (lambda f: (f / "report.html").unlink(), "'report.html': signed, but missing"),
    "a file more": (lambda f: (f / "raw.csv").write_text(""), "'raw.csv': not signed"),
    "a link": (lambda f: (f / "raw").symlink_to(f.parent), "'raw': not signed"),
    "none": (lambda f: (f / "release.sig").unlink(), "no signature"),
    "a folder": (lambda f: ((f / "release.sig").unlink(), (f / "release.sig").mkdir()), "damaged"),
    "no JSON": (lambda f: (f / "release.sig").write_text("{"), "damaged"),
    "deep": (lambda f: (f / "release.sig").write_text("[" * 99_999), "damaged"),
    "a list": (lambda f: (f / "release.sig").write_text("[]\n"), "damaged"),
    "more in it": (damage(lambda told: told.update(raw="Ann, 34, flu")), "damaged"),
    "spaces": (
        lambda f: (f / "release.sig").write_text((f / "release.sig").read_text() + " "),
        "damaged",
    ),
    "a name less": (damage(lambda told: told["files"].popitem()), "does not match this key"),
    "no text": (damage(lambda told: told.update(signature=3)), "damaged"),
    "zeros": (damage(lambda told: told.update(signature="0" * 128)), "does not match this key"),
    "another key": (resign, "it was signed with another key"),
    "under our name": (name_our_key, "does not match this key"),
}


@pytest.mark.parametrize("what", TAMPERED)
def test_what_was_not_signed_is_named(tmp_path: Path, release: shoal.Release, what: str) -> None:
    folder = alone(release.write(tmp_path / "out", sign="ours.pem"))
    change, said = TAMPERED[what]
    change(folder)
    code, told = shoal_says("verify", folder, "--key", "ours.pub", "--json")
    assert code == 1
    (found,) = [each for each in json.loads(told)["findings"] if each["check"] == CHECK]
    assert said in found["detail"]
    assert found["passed"] is False


@pytest.mark.parametrize("what", ["a report", "a file more", "more in it", "no JSON"])
def test_a_signature_that_does_not_fit_is_named_without_a_key(
    tmp_path: Path, release: shoal.Release, what: str
) -> None:
    folder = alone(release.write(tmp_path / "out", sign="ours.pem"))
    TAMPERED[what][0](folder)
    found = shoal.open_release(folder).verify()
    assert TAMPERED[what][1] in " ".join(found.reasons())
    assert "release.sig" in [each.check for each in found.findings if not each.passed]


def test_the_signature_of_another_release_is_none(tmp_path: Path, release: shoal.Release) -> None:
    ours = alone(release.write(tmp_path / "out", sign="ours.pem"))
    rows = shoal.anonymize(mixed(48), SCHEMA, require=[shoal.KAnonymity(3)], method="kaca", seed=2)
    theirs = rows.write(tmp_path / "other", sign="ours.pem")
    shutil.copy(theirs / "release.sig", ours / "release.sig")
    assert "changed since signing" in refused(ours)[CHECK]


def test_the_private_folder_knows_the_signature(tmp_path: Path, release: shoal.Release) -> None:
    folder = release.write(tmp_path / "out", sign="ours.pem")
    resign(folder)
    assert "release.sig" in refused(folder, "other.pub")["files of the release"]


def test_a_protected_key_takes_its_password_from_the_environment(
    tmp_path: Path, release: shoal.Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    key = Ed25519PrivateKey.from_private_bytes(bytes([1]) * 32)
    Path("locked.pem").write_bytes(pem(key, b"pearl"))
    for password in ("", "wrong"):
        monkeypatch.setenv(PASSWORD, password)
        with pytest.raises(InputError, match=PASSWORD):
            release.write(tmp_path / "out", sign="locked.pem")
        assert not (tmp_path / "out").exists()
    monkeypatch.setenv(PASSWORD, "pearl")
    assert refused(release.write(tmp_path / "out", sign="locked.pem")) == {}
    release.write(tmp_path / "plain", sign="ours.pem")  # which needs none
    one, two = (tmp_path / name / "release.sig" for name in ("out", "plain"))
    assert one.read_bytes() == two.read_bytes()


BAD: dict[str, tuple[Callable[[Path], object], str]] = {
    "missing": (lambda path: None, "cannot be read"),
    "a folder": (lambda path: path.mkdir(), "cannot be read"),
    "no PEM": (lambda path: path.write_bytes(b"\0key"), "no private key in PEM"),
    "half": (lambda path: path.write_bytes(Path("ours.pem").read_bytes()[:60]), "no private key"),
    "a public key": (lambda path: path.write_bytes(Path("ours.pub").read_bytes()), "no private"),
    "RSA": (
        lambda path: path.write_bytes(pem(rsa.generate_private_key(65537, 2048))),
        "not an Ed25519 key",
    ),
}


@pytest.mark.parametrize("what", BAD)
def test_a_bad_key_is_refused_before_any_work(
    tmp_path: Path, release: shoal.Release, what: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    make, said = BAD[what]
    make(Path("bad.pem"))
    old = release.write(tmp_path / "out")
    before = {path: path.read_bytes() for path in old.iterdir()}
    with pytest.raises(InputError, match=said):
        release.write(old, sign="bad.pem")
    plan_file()
    monkeypatch.setattr("shoal.engines.pipeline.anonymize", None)  # no work is begun
    code, told = shoal_says("run", "plan.toml", "--sign", "bad.pem")
    assert code == 2
    assert said in told
    assert {path: path.read_bytes() for path in old.iterdir()} == before
    assert {path.name for path in tmp_path.glob("out*")} == {"out", "out.private"}


@pytest.mark.parametrize("name", ["missing.pub", "ours.pem", "in.txt", "rsa.pub"])
def test_a_bad_public_key_is_an_error_of_the_call(
    tmp_path: Path, release: shoal.Release, name: str
) -> None:
    Path("in.txt").write_text("no key")
    Path("rsa.pub").write_bytes(public(rsa.generate_private_key(65537, 2048)))
    folder = release.write(tmp_path / "out", sign="ours.pem")
    code, said = shoal_says("verify", folder, "--key", name)
    assert code == 2
    assert "openssl pkey" in said


def test_a_key_is_refused_where_there_is_no_release(tmp_path: Path, release: shoal.Release) -> None:
    release.table.write_csv("table.csv")
    asked = ("--quasi", "age", "--k", 1, "--key", "ours.pub")
    code, said = shoal_says("verify", "table.csv", *asked)
    assert code == 2
    assert "signature of a release" in said
    with pytest.raises(ParameterError, match="A key must be a file, not an int"):
        release.write("out", sign=3)  # type: ignore[arg-type]
    secret = Path("ours.pem").read_text()
    with pytest.raises(ParameterError, match="key itself") as error:
        release.write("out", sign=secret)
    assert secret.splitlines()[1] not in str(error.value)
    folder = release.write("out")
    with pytest.raises(ParameterError, match="A key must be a file, not an int"):
        shoal.open_release(folder).verify(key=3)  # type: ignore[arg-type]


def test_a_kill_leaves_a_release_with_its_own_signature(
    tmp_path: Path, release: shoal.Release, monkeypatch: pytest.MonkeyPatch
) -> None:
    folder = release.write(tmp_path / "out", sign="other.pem")
    for renames in range(1, 9):
        with monkeypatch.context() as inner:
            kill_at(renames, inner, "rename")
            try:
                release.write(folder, sign="ours.pem")
                break
            except Killed:
                pass
        assert [refused(folder, key) for key in ("ours.pub", "other.pub")].count({}) == 1
    assert refused(folder) == {}
