"""Things by name: methods and requirements as plans ask for them."""

from __future__ import annotations

from dataclasses import dataclass, field

import pytest

from shoal import GAACP, KAnonymity, methods, models
from shoal.base.options import build, from_spec
from shoal.errors import ParameterError


@dataclass
class Net:
    mesh: int
    colour: str = "green"
    knots: list[int] = field(default_factory=list)
    private: int = 0
    made: int = field(default=1, init=False)


@dataclass
class Bare:
    pass


KNOWN = {"net": Net, "bare": Bare}


def test_a_name_and_its_options() -> None:
    assert from_spec(KNOWN, "name", {"name": "net", "mesh": 3}, noun="tool") == Net(3)
    assert from_spec(KNOWN, "name", {"name": "bare"}, noun="tool") == Bare()


def test_the_spec_is_not_changed() -> None:
    spec = {"name": "net", "mesh": 3}
    from_spec(KNOWN, "name", spec, noun="tool")
    assert spec == {"name": "net", "mesh": 3}


@pytest.mark.parametrize(
    ("spec", "match"),
    [
        ({}, "A tool must be named by 'name'. Known: bare, net."),
        ({"name": 3}, "A tool must be named by 'name'"),
        ({"name": ["net"]}, "A tool must be named by 'name'"),
        ({"name": "nett"}, "There is no tool 'nett'. Did you mean 'net'?"),
        ({"name": "Zzz"}, "There is no tool 'Zzz'. Known: bare, net."),
        ({"name": "net"}, "'net' needs the option 'mesh'"),
        ({"name": "net", "mesh": 3, "color": "red"}, "no option 'color'. Did you mean 'colour'?"),
        ({"name": "net", "mesh": 3, "made": 2}, "no option 'made'"),
        ({"name": "net", "mesh": 3, "private": 2}, "no option 'private'"),
        ({"name": "bare", "mesh": 3}, "'bare' has no option 'mesh'. It has none."),
    ],
)
def test_refusals_say_what_there_is(spec: dict[str, object], match: str) -> None:
    with pytest.raises(ParameterError) as caught:
        from_spec(KNOWN, "name", spec, noun="tool", hidden=["private"])
    assert match in str(caught.value)


def test_options_that_are_no_text() -> None:
    with pytest.raises(ParameterError, match="no option '1'"):
        build(Net, "net", {1: 2})  # type: ignore[dict-item]


@pytest.mark.parametrize(
    "method",
    [
        GAACP(),
        GAACP(seed=0),
        GAACP(distance="loss", picks="first", seed=5),
    ],
)
def test_a_method_comes_back_from_its_spec(method: GAACP) -> None:
    assert methods.from_spec(method.to_spec()) == method


def test_a_requirement_comes_back_from_its_spec() -> None:
    assert models.from_spec(KAnonymity(7).to_spec()) == KAnonymity(7)


@pytest.mark.parametrize("seed", ["x", 1.5, -1, True])
def test_a_seed_is_a_whole_number_of_at_least_0(seed: object) -> None:
    with pytest.raises(ParameterError, match="seed"):
        GAACP(seed=seed).validate()  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [{"distance": "papers"}, {"picks": "last"}, {"distance": 3}])
def test_words_of_a_method(options: dict[str, object]) -> None:
    with pytest.raises(ParameterError, match="must be one of"):
        methods.from_spec({"name": "gaa-cp", **options}).validate()
