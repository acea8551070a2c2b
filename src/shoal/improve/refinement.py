"""What a refinement is asked for: by which measure, and how long."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from math import inf
from typing import Any, ClassVar, Literal, Self

from shoal.base.arguments import Optioned, is_number, one_of, require_budget
from shoal.errors import ParameterError, a_type
from shoal.measures import MEASURES, Measure


class Budget(metaclass=Optioned):
    """How long to search, and by which measure: the base of `Refinement` and `Bounding`."""

    unit: ClassVar[str]
    """The option that holds how many steps to take."""
    words: ClassVar[tuple[str, str, str]]
    """What it is, what to say where something else is given, and an example."""
    measure: str
    seconds: float | None
    times: float | None

    @classmethod
    def of(cls, given: Self | Mapping[str, Any]) -> Self:
        """Take one, or a plan's table of its options."""
        if not isinstance(given, cls | Mapping):
            raise ParameterError(f"{cls.words[1]}, but it is {a_type(given)}.", cls.words[2])
        made = cls(**given) if isinstance(given, Mapping) else given
        made.validate()
        return made

    def validate(self) -> None:
        """Refuse options that make no sense (raises `ParameterError`)."""
        steps = {self.unit: getattr(self, self.unit)}
        require_budget(self.words[0], seconds=self.seconds, times=self.times, **steps)
        one_of("measure", self.measure, [n for n, each in MEASURES.items() if each.additive])

    @property
    def measured(self) -> Measure:
        """The measure that is meant."""
        return MEASURES[self.measure]

    def in_steps(self, usual: Self) -> Self | None:
        """Turn `times` into steps, or looks; ``None`` if there are none.

        Parameters
        ----------
        usual
            What is taken once; what else is not given is taken from it, too.

        Examples
        --------
        >>> Refinement(times=0.5, measure="loss").in_steps(Refinement(steps=300, within=0.02))
        Refinement(steps=150, seconds=None, measure='loss', within=0.02, on_interrupt='stop',
            times=None)
        """
        steps = getattr(usual, self.unit)
        if self.times is None:
            return self
        if not self.times or steps is None:
            return None
        spec = {**usual.to_spec(), **self.to_spec(), self.unit: max(round(self.times * steps), 1)}
        return type(self)(**{**spec, "times": None})

    def to_spec(self) -> dict[str, Any]:
        """Write it as a plan's table."""
        options: Any = self
        return {name: value for name, value in asdict(options).items() if value is not None}


@dataclass(frozen=True)
class Refinement(Budget):
    """Refine groups after a method has found them: the loss falls, and never rises.

    Groups near each other are dissolved and their rows grouped anew; the result is kept if it
    loses no more. Every requirement holds after each step. Which rows are suppressed stays as it
    is.

    Parameters
    ----------
    steps
        How many times some groups are dissolved. The same steps and the same seed give the same
        groups, whatever the machine.
    seconds
        How long to go on; the result then depends on the machine. It ends earlier where nothing
        has been gained for long.
    measure
        What must fall: ``"iloss"``, ``"iloss_rate"`` or ``"loss"``, which counts columns by their
        weights; or any other measure that is a sum over cells.
    within
        Stop as soon as the loss is proven to be within this share of the best possible: 0.05 means
        no more than 5 % above the lower bound. It needs a bound (`shoal.Bounding`).
    on_interrupt
        What Ctrl-C does: ``"stop"`` everything, or ``"keep"`` what is found so far, and publish
        it.
    times
        How many times as many steps as `shoal.Auto` takes of such a table, instead of a number of
        them; 0 is not at all.

    Examples
    --------
    >>> import shoal
    >>> release = shoal.anonymize(shoal.datasets.patients(1), k=2, drop="name",
    ...     sensitive="disease", quasi=["age", "sex", "zip"], refine=shoal.Refinement(steps=50),
    ...     seed=1)
    >>> release
    Release(5 rows, 2 classes, k = 2, verified)
    """

    steps: int | None = None
    seconds: float | None = None
    measure: str = "iloss"
    within: float | None = None
    on_interrupt: Literal["stop", "keep"] = "stop"
    times: float | None = None

    unit: ClassVar[str] = "steps"
    words: ClassVar[tuple[str, str, str]] = (
        "A refinement",
        "refine must set how long to refine",
        'Such as {"seconds": 10} or shoal.Refinement(steps=20_000).',
    )

    def validate(self) -> None:
        """Refuse options that make no sense (raises `ParameterError`)."""
        known = MEASURES.get(self.measure) if isinstance(self.measure, str) else None
        if known is not None and known.additive is None:
            sums = [name for name, each in MEASURES.items() if each.additive is not None]
            raise ParameterError(
                f"Groups cannot be refined by '{self.measure}': it is not a sum over cells.",
                f"Use one of: {', '.join(sums)}.",
            )
        super().validate()
        if self.within is not None and not (is_number(self.within) and 0 <= self.within < inf):
            raise ParameterError(
                f"within must be a number from 0 on, not {self.within!r}.",
                "Such as 0.05: no more than 5 % above the lower bound.",
            )
        one_of("on_interrupt", self.on_interrupt, ("stop", "keep"))

    def describe(self) -> str:
        """Say in words how long groups are refined, and by what."""
        if self.times is not None:
            return f"refined by {self.measure} for {self.times:g} times the usual time"
        if self.steps is not None:
            return f"refined by {self.measure} in {self.steps:,} steps"
        return f"refined by {self.measure} for {self.seconds:g} s"
