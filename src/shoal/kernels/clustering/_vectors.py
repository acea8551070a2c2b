"""What `shoal.kernels.clustering.lanes` says, in the compiler's own language.

Imported when a kernel is compiled, never before: Numba takes a second.
"""

from __future__ import annotations

from typing import Any

import numba
from llvmlite import ir
from numba.core import cgutils, types
from numba.extending import intrinsic
from numba.np.arrayobj import make_array

from shoal.kernels.clustering.boxes import SHARED
from shoal.kernels.clustering.lanes import BASE, BEGINS, ENDS, FACTOR, HOLE, NEAR

__all__ = ["vectors_of"]

INT, WORD, FLOAT = ir.IntType(32), ir.IntType(64), ir.FloatType()

INLINE = {
    "forceinline": True,
    "nogil": True,
    "no_cfunc_wrapper": True,
    "no_cpython_wrapper": True,
    "_nrt": False,
}

COUNT, START, RING, STEPS, SUMS = range(5)
"""Places in a `Program`."""


def vectors_of(width: int, side: int, boxes: bool) -> Any:
    """Make the function that stands for `Lanes` in other kernels."""

    @intrinsic  # type: ignore[untyped-decorator]
    def lanes(
        typingctx: Any,
        cells: Any,
        categories: Any,
        group: Any,
        holes: Any,
        gap: Any,
        program: Any,
        limit: Any,
        bounds: Any,
    ) -> Any:
        whole, number = types.int64, types.float32
        signature = whole(cells, whole, whole, holes, gap, program, number, bounds)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _Writer(context, builder, signature.args, args, width).write(side, boxes)

        return signature, codegen

    @numba.njit(**INLINE)  # type: ignore[untyped-decorator]
    def call(  # type: ignore[no-untyped-def]
        cells, categories, group, holes, gap, program, limit, bounds
    ):
        return lanes(cells, categories, group, holes, gap, program, limit, bounds)

    return call


class _Writer:
    """Writes one call."""

    def __init__(self, context: Any, builder: Any, kinds: Any, args: Any, width: int) -> None:
        self.builder, self.width = builder, width
        self.ints = ir.VectorType(INT, width)
        self.floats = ir.VectorType(FLOAT, width)
        names = ("cells", "categories", "group", "holes", "gap", "program", "limit", "bounds")
        self.given = dict(zip(names, args, strict=True))
        self.arrays = {
            name: make_array(kind)(context, builder, value)
            for name, kind, value in zip(names, kinds, args, strict=True)
            if isinstance(kind, types.Array)
        }
        kind = kinds[names.index("program")]
        for part in (COUNT, START, RING, STEPS, SUMS):
            value = builder.extract_value(self.given["program"], part)
            self.arrays[part] = make_array(kind[part])(context, builder, value)

    def write(self, side: int, boxes: bool) -> Any:
        """Sum up all attributes, and compare the sums to the limit."""
        builder = self.builder
        self.side, self.on_boxes = side, boxes
        total = cgutils.alloca_once_value(builder, ir.Constant(self.floats, [0.0] * self.width))
        categories, attributes = self.given["categories"], self._size("cells", 1)
        self._each(ir.Constant(WORD, 0), categories, self._climb, total)
        self._each(categories, attributes, self._go, total)
        sign = "<=" if side == NEAR else ">="
        limit = self._all(self.given["limit"])
        sums = builder.load(total)
        if boxes:
            room = builder.bitcast(self.arrays["bounds"].data, self.floats.as_pointer())
            builder.store(sums, room).align = 4
        found = builder.fcmp_ordered(sign, sums, limit)
        return builder.zext(builder.bitcast(found, ir.IntType(self.width)), WORD)

    def _each(self, begin: Any, end: Any, add: Any, total: Any) -> None:
        """Add the part of each attribute of one kind."""
        builder = self.builder
        row = builder.mul(self.given["group"], self._size("cells", 1))
        with cgutils.for_range_slice(builder, begin, end, ir.Constant(WORD, 1)) as (j, _):
            at = builder.add(row, j)
            if self.on_boxes:  # to find the nearest, the sides that face the class from both ends
                at = builder.mul(at, ir.Constant(WORD, 2 * self.width))
                least, most = self._lanes(at, 0), self._lanes(at, self.width)
                one, other = (least, most) if self.side == NEAR else (most, least)
            else:
                one = other = self._lanes(builder.mul(at, ir.Constant(WORD, self.width)), 0)
            base = self._all(self._sum(j, BASE + self.side))
            part = cgutils.alloca_once_value(builder, base)
            add(j, one, other, part)
            gap = self._item("gap", j)
            with builder.if_then(builder.icmp_signed(">=", gap, ir.Constant(INT, 0))):
                self._allow_for_missing(j, one, gap, part)
            builder.store(builder.fadd(builder.load(total), builder.load(part)), total)

    def _climb(self, j: Any, one: Any, other: Any, part: Any) -> None:
        """Add a step for each ancestor that a lane lies outside of."""
        builder = self.builder
        begin = self._item(START, j)
        with cgutils.for_range(builder, self._item(COUNT, j)) as loop:
            at = builder.add(begin, loop.index)
            row = builder.mul(at, ir.Constant(WORD, 2))
            first = self._all(self._item(RING, row))
            last = self._all(self._item(RING, builder.add(row, ir.Constant(WORD, 1))))
            outside = builder.or_(
                builder.icmp_signed(">", one, last), builder.icmp_signed("<", other, first)
            )
            if self.side == NEAR:
                step = self._item(STEPS, at)
            else:
                step = self._item(STEPS, builder.add(at, self._size(STEPS, 1)))
            added = builder.select(outside, self._all(step), ir.Constant(self.floats, None))
            builder.store(builder.fadd(builder.load(part), added), part)

    def _go(self, j: Any, one: Any, other: Any, part: Any) -> None:
        """Add what the way from the class to a number costs."""
        builder = self.builder
        one, other = builder.sitofp(one, self.floats), builder.sitofp(other, self.floats)
        right = builder.fsub(one, self._all(self._sum(j, ENDS)))
        left = builder.fsub(self._all(self._sum(j, BEGINS)), other)
        way = self._larger(self._larger(right, left), ir.Constant(self.floats, None))
        added = builder.fmul(way, self._all(self._sum(j, FACTOR)))
        builder.store(builder.fadd(builder.load(part), added), part)

    def _allow_for_missing(self, j: Any, one: Any, gap: Any, part: Any) -> None:
        """Let a missing cell bound the part of boxes that have one, and be all there is to others."""
        builder = self.builder
        now, hole = builder.load(part), self._all(self._sum(j, HOLE))
        if self.on_boxes:
            shared = ir.Constant(WORD, SHARED)
            bit = builder.select(builder.icmp_signed("<", j, shared), j, shared)
            bit = builder.shl(ir.Constant(INT, 1), builder.trunc(bit, INT))
            first = builder.mul(self.given["group"], ir.Constant(WORD, self.width))
            words = self._load("holes", first, self.ints, 4)
            held = builder.and_(words, self._all(bit))
            some = builder.icmp_signed("!=", held, ir.Constant(self.ints, None))
            less = builder.fcmp_ordered("<" if self.side == NEAR else ">", hole, now)
            now = builder.select(builder.and_(some, less), hole, now)
        every = builder.icmp_signed("==", one, self._all(gap))
        builder.store(builder.select(every, hole, now), part)

    def _larger(self, one: Any, other: Any) -> Any:
        return self.builder.select(self.builder.fcmp_ordered(">", one, other), one, other)

    def _all(self, value: Any) -> Any:
        """Put one value into all lanes."""
        kind = ir.VectorType(value.type, self.width)
        none = ir.Constant(kind, ir.Undefined)
        one = self.builder.insert_element(none, value, ir.Constant(INT, 0))
        return self.builder.shuffle_vector(
            one, none, ir.Constant(ir.VectorType(INT, self.width), [0] * self.width)
        )

    def _lanes(self, at: Any, further: int) -> Any:
        """Load codes or spots, as whole numbers of 32 bits."""
        at = self.builder.add(at, ir.Constant(WORD, further))
        code = self.arrays["cells"].data.type.pointee
        codes = self._load("cells", at, ir.VectorType(code, self.width), code.width // 8)
        return codes if code == INT else self.builder.zext(codes, self.ints)

    def _load(self, name: str, at: Any, kind: Any, align: int) -> Any:
        begin = self.builder.gep(self.arrays[name].data, [at])
        found = self.builder.load(self.builder.bitcast(begin, kind.as_pointer()))
        found.align = align
        return found

    def _item(self, name: Any, at: Any) -> Any:
        """Load an entry of an array, counted from its beginning."""
        return self.builder.load(self.builder.gep(self.arrays[name].data, [at]))

    def _sum(self, j: Any, part: int) -> Any:
        """Load a number of the program's sums."""
        row = self.builder.mul(j, self._size(SUMS, 1))
        return self._item(SUMS, self.builder.add(row, ir.Constant(WORD, part)))

    def _size(self, name: Any, axis: int) -> Any:
        return self.builder.extract_value(self.arrays[name].shape, axis)
