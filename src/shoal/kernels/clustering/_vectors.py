"""What `shoal.kernels.clustering.lanes` does with vectors, in the compiler's own language.

Imported when a kernel is compiled, never before: Numba takes a second.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable
from typing import Any

from llvmlite import ir
from numba import extending
from numba.core import cgutils as utilities, types
from numba.core.registry import cpu_target
from numba.np import arrayobj

from shoal.kernels.clustering.boxes import LANES

BIT, CELL, INT, WORD = (ir.IntType(width) for width in (1, 16, 32, 64))
CELLS, INTS = (ir.VectorType(kind, LANES) for kind in (CELL, INT))
NONE = ir.Constant(CELLS, None)

cgutils: Any = utilities
numba_types: Any = types
models: Any = extending.models
make_array: Any = arrayobj.make_array


class _Lanes(numba_types.Type):  # type: ignore[misc]
    """The type of a vector of cells."""


VECTOR = _Lanes("lanes")


@extending.register_model(_Lanes)
class _Model(models.PrimitiveModel):  # type: ignore[misc]
    def __init__(self, manager: Any, kind: Any) -> None:
        super().__init__(manager, kind, CELLS)


def _form(gives: Any, write: Callable[..., Any]) -> Any:
    """Make a function of kernels of what writes its code: arrays come with their kind."""

    def typed(typingctx: Any, *kinds: Any) -> Any:
        # Anything but arrays and vectors is a whole number.
        plain = (k if isinstance(k, types.Array | _Lanes) else types.int64 for k in kinds)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            given = [
                make_array(kind)(context, builder, value)
                if isinstance(kind, types.Array)
                else value
                for kind, value in zip(signature.args, args, strict=True)
            ]
            made = write(builder, *given)
            return context.get_dummy_value() if gives is types.void else made

        return gives(*plain), codegen

    typed.__signature__ = inspect.signature(write)  # type: ignore[attr-defined]
    made = extending.intrinsic(typed)
    context = cpu_target.typing_context
    context.refresh()
    return context.resolve_value_type(made)


def _place(builder: Any, array: Any, at: Any, kind: Any) -> Any:
    return builder.bitcast(builder.gep(array.data, [at]), kind.as_pointer())


def _load(builder: Any, array: Any, at: Any) -> Any:
    found = builder.load(_place(builder, array, at, CELLS))
    found.align = 2
    return found


def _store(builder: Any, array: Any, at: Any, lanes: Any) -> None:
    builder.store(lanes, _place(builder, array, at, CELLS)).align = 2


def _every(builder: Any, value: Any) -> Any:
    return _spread(builder, builder.trunc(value, CELL))


def _spread(builder: Any, value: Any) -> Any:
    none = ir.Constant(ir.VectorType(value.type, LANES), ir.Undefined)
    one = builder.insert_element(none, value, ir.Constant(INT, 0))
    return builder.shuffle_vector(one, none, ir.Constant(INTS, [0] * LANES))


def _saturating(name: str) -> Callable[..., Any]:
    def write(builder: Any, one: Any, other: Any) -> Any:
        kind = ir.FunctionType(CELLS, [CELLS, CELLS])
        known = cgutils.get_or_insert_function(builder.module, kind, f"llvm.{name}.sat.v{LANES}i16")
        return builder.call(known, [one, other])

    return write


def _share(builder: Any, lanes: Any, factor: Any) -> Any:
    product = builder.mul(builder.zext(lanes, INTS), builder.zext(factor, INTS))
    return builder.trunc(builder.lshr(product, ir.Constant(INTS, [16] * LANES)), CELLS)


def _none(builder: Any, lanes: Any) -> Any:
    return builder.sext(builder.icmp_unsigned("==", lanes, NONE), CELLS)


def _bits(builder: Any, lanes: Any) -> Any:
    found = builder.icmp_unsigned("==", lanes, NONE)
    return builder.zext(builder.bitcast(found, CELL), WORD)


def _marked(builder: Any, missing_bits: Any, at: Any, bit: Any) -> Any:
    mask = _spread(builder, builder.shl(ir.Constant(INT, 1), builder.trunc(bit, INT)))
    found = builder.load(_place(builder, missing_bits, at, INTS))
    found.align = 4
    some = builder.icmp_signed("!=", builder.and_(found, mask), ir.Constant(INTS, None))
    return builder.sext(some, CELLS)


def _lowest(builder: Any, bits: Any) -> Any:
    return builder.cttz(bits, ir.Constant(BIT, 1))


FORMS = {
    "load": _form(VECTOR, _load),
    "store": _form(types.void, _store),
    "every": _form(VECTOR, _every),
    "plus": _form(VECTOR, _saturating("uadd")),
    "minus": _form(VECTOR, _saturating("usub")),
    "share": _form(VECTOR, _share),
    "none": _form(VECTOR, _none),
    "bits": _form(types.int64, _bits),
    "marked": _form(VECTOR, _marked),
    "lowest": _form(types.int64, _lowest),
}
