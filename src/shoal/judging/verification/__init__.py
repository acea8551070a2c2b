"""The independent recount: is a published table what it claims to be?

Nothing here calls the methods, the recoding, the groupings or the kernels: classes are
counted again from the published cells alone, by other code.
"""

from shoal.judging.verification.order import row_order
from shoal.judging.verification.result import (
    COUNTED_RULE,
    MISSING_RULE,
    UNRECOUNTED,
    Finding,
    Judgement,
    Verification,
)
from shoal.judging.verification.verify import verify

__all__ = [
    "COUNTED_RULE",
    "MISSING_RULE",
    "UNRECOUNTED",
    "Finding",
    "Judgement",
    "Verification",
    "row_order",
    "verify",
]
