"""What a plan says of the release itself: what it is, for whom, and who answers for it."""

from __future__ import annotations

import datetime
from typing import Annotated, Any

import pydantic
from pydantic import Field, StringConstraints
from pydantic_core import PydanticCustomError

from shoal.plan.base import Strict

LINE = Annotated[str, StringConstraints(strict=True, min_length=1, max_length=200)]
TEXT = Annotated[str, StringConstraints(strict=True, min_length=1, max_length=2000)]


class AboutPlan(Strict):
    """What the release is, in words of those who make it; nothing is computed from it."""

    title: LINE | None = Field(
        None, description="What the table is: the title of both reports (public)."
    )
    purpose: TEXT | None = Field(None, description="The purpose of the release (private report).")
    recipient: LINE | None = Field(None, description="Who receives the release (private report).")
    author: LINE | None = Field(
        None, description="Who is responsible for the release (private report)."
    )
    date: LINE | None = Field(
        None, description="The date of the data, as text or date (private report)."
    )

    @pydantic.field_validator("date", mode="before")
    @classmethod
    def _as_text(cls, given: Any) -> Any:
        return given.isoformat() if isinstance(given, datetime.date) else given

    @pydantic.field_validator("*", mode="after")
    @classmethod
    def _is_plain(cls, given: str | None) -> str | None:
        if given is not None and not all(each.isprintable() or each == "\n" for each in given):
            raise PydanticCustomError(
                "plain_text", "It holds characters that cannot be shown, such as tabs"
            )
        return given
