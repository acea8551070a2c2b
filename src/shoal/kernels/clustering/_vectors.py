"""What `shoal.kernels.clustering.lanes` says, in the compiler's own language.

Imported when a kernel is compiled, never before: Numba takes a second.
"""

from __future__ import annotations

import functools
from typing import Any

import numba
from llvmlite import ir
from numba import extending
from numba.core import cgutils as utilities, types
from numba.np import arrayobj

from shoal.kernels.clustering.boxes import SHARED
from shoal.kernels.clustering.lanes import (
    BASE,
    BEGINS,
    ENDS,
    FACTOR,
    HOLE,
    HOLED,
    NEAR,
    RINGS,
    WAYS,
)

__all__ = ["fetching", "lowest_bit", "vectors_of"]

INT, WORD, FLOAT = ir.IntType(32), ir.IntType(64), ir.FloatType()

cgutils: Any = utilities
intrinsic: Any = extending.intrinsic
make_array: Any = arrayobj.make_array
compile_inline: Any = functools.partial(
    numba.njit,
    forceinline=True,
    nogil=True,
    no_cfunc_wrapper=True,
    no_cpython_wrapper=True,
    _nrt=False,
)

LINE = 64
"""Bytes that a processor reads at once."""

PROGRAM = ("above", "start", "ring", "steps", "sums")
QUERY = ("counts", "base", "rings", "ring_steps", "ways", "holed", "whole", "exact", "rough")
"""What the parts of `Program` and `Query` are called here."""


def vectors_of(width: int, side: int, boxes: bool) -> Any:
    """Make the function that stands for `Lanes` in other kernels."""

    @intrinsic
    def lanes(
        typingctx: Any,
        cells: Any,
        categories: Any,
        group: Any,
        holes: Any,
        gap: Any,
        program: Any,
        query: Any,
        limit: Any,
        bounds: Any,
    ) -> Any:
        whole, number = types.int64, types.float32
        signature = whole(cells, whole, whole, holes, gap, program, query, number, bounds)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _Writer(context, builder, signature.args, args, width).write(side, boxes)

        return signature, codegen

    @compile_inline()
    def call(*given: Any) -> Any:
        return lanes(*given)

    return call


def fetching() -> Any:
    """Make the function that stands for `Fetch` in other kernels."""

    @intrinsic
    def fetch(typingctx: Any, cells: Any, group: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array = make_array(signature.args[0])(context, builder, args[0])
            stride = builder.extract_value(array.strides, 0)
            byte = ir.IntType(8)
            begin = builder.bitcast(array.data, byte.as_pointer())
            begin = builder.gep(begin, [builder.mul(args[1], stride)])
            kind = ir.FunctionType(ir.VoidType(), [byte.as_pointer(), INT, INT, INT])
            ask = cgutils.get_or_insert_function(builder.module, kind, "llvm.prefetch.p0")
            lines = builder.lshr(builder.add(stride, _word(LINE - 1)), _word(6))
            with cgutils.for_range(builder, lines) as loop:
                line = builder.gep(begin, [builder.mul(loop.index, _word(LINE))])
                builder.call(ask, [line, *(ir.Constant(INT, part) for part in (0, 3, 1))])
            return context.get_dummy_value()

        return types.void(cells, types.int64), codegen

    @compile_inline()
    def call(cells: Any, group: Any) -> None:
        fetch(cells, group)

    return call


def lowest_bit() -> Any:
    """Make the function that stands for `Lowest` in other kernels."""

    @intrinsic
    def lowest(typingctx: Any, bits: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return builder.cttz(args[0], ir.Constant(ir.IntType(1), 1))

        return types.int64(types.int64), codegen

    @compile_inline()
    def call(bits: Any) -> Any:
        return lowest(bits)

    return call


class _Writer:
    """Writes one call."""

    def __init__(self, context: Any, builder: Any, kinds: Any, args: Any, width: int) -> None:
        self.builder, self.width = builder, width
        self.ints = ir.VectorType(INT, width)
        self.floats = ir.VectorType(FLOAT, width)
        names = (
            *("cells", "categories", "group", "holes", "gap", "program", "query", "limit"),
            "bounds",
        )
        self.given = dict(zip(names, args, strict=True))
        self.arrays = {
            name: make_array(kind)(context, builder, value)
            for name, kind, value in zip(names, kinds, args, strict=True)
            if isinstance(kind, types.Array)
        }
        for whole, parts in (("program", PROGRAM), ("query", QUERY)):
            for at, (name, kind) in enumerate(zip(parts, kinds[names.index(whole)], strict=True)):
                value = builder.extract_value(self.given[whole], at)
                self.arrays[name] = make_array(kind)(context, builder, value)

    def write(self, side: int, boxes: bool) -> Any:
        """Sum up all attributes, and compare the sums to the limit."""
        builder = self.builder
        self.side, self.on_boxes = side, boxes
        self.row = builder.mul(self.given["group"], self._size("cells", 1))
        total = cgutils.alloca_once_value(builder, self._all(self._item("base", _word(0))))
        self._add_rings(total)
        with cgutils.for_range(builder, self._item("counts", _word(WAYS))) as loop:
            j = self._item("ways", loop.index)
            self._add(self._way(j, *self._cells(j)), total)
        with cgutils.for_range(builder, self._item("counts", _word(HOLED))) as loop:
            self._add_holed(self._item("holed", loop.index), total)
        sums = builder.load(total)
        if boxes:
            room = builder.bitcast(self.arrays["bounds"].data, self.floats.as_pointer())
            builder.store(sums, room).align = 4
        sign = "<=" if side == NEAR else ">="
        found = builder.fcmp_ordered(sign, sums, self._all(self.given["limit"]))
        return builder.zext(builder.bitcast(found, ir.IntType(self.width)), WORD)

    def _add_rings(self, total: Any) -> None:
        """Add a step for each ring that a lane lies outside of, in two sums that need not wait."""
        builder = self.builder
        other = cgutils.alloca_once_value(builder, ir.Constant(self.floats, None))
        pairs = builder.lshr(self._item("counts", _word(RINGS)), _word(1))
        with cgutils.for_range(builder, pairs) as loop:
            for odd, into in ((0, total), (1, other)):
                at = builder.add(builder.shl(loop.index, _word(1)), _word(odd))
                row = builder.mul(at, _word(3))
                j, first, last = (
                    self._item("rings", builder.add(row, _word(part))) for part in range(3)
                )
                cells = self._cells(builder.sext(j, WORD))
                step = self._item("ring_steps", at)
                self._add(self._step(*cells, first, last, step), into)
        self._add(builder.load(other), total)

    def _add_holed(self, j: Any, total: Any) -> None:
        """Add the part of an attribute of which cells are missing."""
        builder = self.builder
        one, other = self._cells(j)
        part = cgutils.alloca_once(builder, self.floats)
        builder.store(self._all(self._sum(j, BASE + self.side)), part)
        is_number = builder.icmp_signed(">=", j, self.given["categories"])
        with builder.if_then(is_number):
            self._add(self._way(j, one, other), part)
        begin = self._item("start", j)
        with cgutils.for_range(builder, self._item("above", j)) as loop:
            at = builder.add(begin, loop.index)
            row = builder.shl(at, _word(1))
            first = self._item("ring", row)
            last = self._item("ring", builder.add(row, _word(1)))
            if self.side == NEAR:
                step = self._item("steps", at)
            else:
                step = self._item("steps", builder.add(at, self._size("steps", 1)))
            self._add(self._step(one, other, first, last, step), part)
        self._allow_for_missing(j, one, part)
        self._add(builder.load(part), total)

    def _cells(self, j: Any) -> tuple[Any, Any]:
        """Load both sides of boxes, those first that face the class if near; or points, twice."""
        builder = self.builder
        at = builder.add(self.row, j)
        if not self.on_boxes:
            found = self._lanes(builder.mul(at, _word(self.width)), 0)
            return found, found
        at = builder.mul(at, _word(2 * self.width))
        least, most = self._lanes(at, 0), self._lanes(at, self.width)
        return (least, most) if self.side == NEAR else (most, least)

    def _step(self, one: Any, other: Any, first: Any, last: Any, step: Any) -> Any:
        """Give the step of lanes that lie outside of a ring."""
        builder = self.builder
        outside = builder.or_(
            builder.icmp_signed(">", one, self._all(last)),
            builder.icmp_signed("<", other, self._all(first)),
        )
        return builder.select(outside, self._all(step), ir.Constant(self.floats, None))

    def _way(self, j: Any, one: Any, other: Any) -> Any:
        """Give what the way from the class to a number costs."""
        builder = self.builder
        one, other = builder.sitofp(one, self.floats), builder.sitofp(other, self.floats)
        right = builder.fsub(one, self._all(self._sum(j, ENDS)))
        left = builder.fsub(self._all(self._sum(j, BEGINS)), other)
        way = self._larger(self._larger(right, left), ir.Constant(self.floats, None))
        return builder.fmul(way, self._all(self._sum(j, FACTOR)))

    def _add(self, value: Any, total: Any) -> None:
        self.builder.store(self.builder.fadd(self.builder.load(total), value), total)

    def _allow_for_missing(self, j: Any, one: Any, part: Any) -> None:
        """Let a missing cell bound the part of boxes that have one; a lane of no other costs it."""
        builder = self.builder
        now, hole = builder.load(part), self._all(self._sum(j, HOLE))
        if self.on_boxes:
            shared = _word(SHARED)
            bit = builder.select(builder.icmp_signed("<", j, shared), j, shared)
            bit = builder.shl(ir.Constant(INT, 1), builder.trunc(bit, INT))
            first = builder.mul(self.given["group"], _word(self.width))
            words = self._load("holes", first, self.ints, 4)
            held = builder.and_(words, self._all(bit))
            some = builder.icmp_signed("!=", held, ir.Constant(self.ints, None))
            less = builder.fcmp_ordered("<" if self.side == NEAR else ">", hole, now)
            now = builder.select(builder.and_(some, less), hole, now)
        every = builder.icmp_signed("==", one, self._all(self._item("gap", j)))
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
        at = self.builder.add(at, _word(further))
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
        row = self.builder.mul(j, self._size("sums", 1))
        return self._item("sums", self.builder.add(row, _word(part)))

    def _size(self, name: Any, axis: int) -> Any:
        return self.builder.extract_value(self.arrays[name].shape, axis)


def _word(value: int) -> Any:
    return ir.Constant(WORD, value)
