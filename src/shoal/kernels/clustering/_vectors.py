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

from shoal.kernels.clustering.boxes import GROUP, LANES, LINE, SHARED
from shoal.kernels.clustering.lanes import (
    BEGINS,
    ENDS,
    FACTOR,
    FIRST,
    FROM,
    GAP,
    HOLE,
    HOLED,
    LAST,
    NEAR,
    OWN,
    RINGS,
    STEP,
    TO,
    WAY,
    WAYS,
    WHICH,
)

__all__ = ["fetching", "filling", "lowest_bit", "vectors_of"]

CELL, INT, WORD = ir.IntType(16), ir.IntType(32), ir.IntType(64)
CELLS, INTS = (ir.VectorType(kind, LANES) for kind in (CELL, INT))

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

QUERY = ("counts", "rings", "bands", "ways", "roads", "holed", "gaps", "whole", "exact", "rough")
"""What the parts of `Query` are called here."""


def vectors_of(side: int, boxes: bool) -> Any:
    """Make the function that stands for `Lanes` in other kernels."""

    @intrinsic
    def lanes(
        typingctx: Any, cells: Any, group: Any, holes: Any, query: Any, limit: Any, bounds: Any
    ) -> Any:
        whole = types.int64
        signature = whole(cells, whole, holes, query, whole, bounds)

        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            return _Writer(context, builder, signature.args, args, side, boxes).write()

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


def filling() -> Any:
    """Make the function that stands for `Fill` in other kernels."""

    @intrinsic
    def fill(typingctx: Any, lanes: Any, row: Any, one: Any, two: Any, three: Any) -> Any:
        def codegen(context: Any, builder: Any, signature: Any, args: Any) -> Any:
            array = make_array(signature.args[0])(context, builder, args[0])
            begin = builder.mul(args[1], _word(3 * LANES))
            for part, value in enumerate(args[2:]):
                at = builder.gep(array.data, [builder.add(begin, _word(part * LANES))])
                every = _all(builder, builder.trunc(value, CELL))
                builder.store(every, builder.bitcast(at, CELLS.as_pointer())).align = 2
            return context.get_dummy_value()

        return types.void(lanes, *[types.int64] * 4), codegen

    @compile_inline()
    def call(lanes: Any, row: Any, one: Any, two: Any, three: Any) -> None:
        fill(lanes, row, one, two, three)

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

    def __init__(
        self, context: Any, builder: Any, kinds: Any, args: Any, side: int, boxes: bool
    ) -> None:
        self.builder, self.side, self.boxes = builder, side, boxes
        names = ("cells", "group", "holes", "query", "limit", "bounds")
        self.given = dict(zip(names, args, strict=True))
        self.arrays = {
            name: make_array(kind)(context, builder, value)
            for name, kind, value in zip(names, kinds, args, strict=True)
            if isinstance(kind, types.Array)
        }
        for at, (name, kind) in enumerate(zip(QUERY, kinds[names.index("query")], strict=True)):
            value = builder.extract_value(self.given["query"], at)
            self.arrays[name] = make_array(kind)(context, builder, value)
        self.none = ir.Constant(CELLS, None)

    def write(self) -> Any:
        """Sum up all attributes, and compare the sums to the limit."""
        builder = self.builder
        shape = self.arrays["cells"].shape
        self.row = builder.mul(self.given["group"], builder.extract_value(shape, 1))
        total = cgutils.alloca_once_value(builder, self.none)
        with cgutils.for_range(builder, self._item("counts", _word(RINGS))) as loop:
            self._add(self._step(loop.index), total)
        with cgutils.for_range(builder, self._item("counts", _word(WAYS))) as loop:
            self._add(self._way(loop.index), total)
        with cgutils.for_range(builder, self._item("counts", _word(HOLED))) as loop:
            self._add(self._holed(loop.index), total)
        sums = builder.load(total)
        limit = _all(builder, builder.trunc(self.given["limit"], CELL))
        if self.boxes:
            room = builder.bitcast(self.arrays["bounds"].data, CELLS.as_pointer())
            builder.store(sums, room).align = 2
        beyond = self._less(sums, limit) if self.side == NEAR else self._less(limit, sums)
        found = builder.icmp_unsigned("==", beyond, self.none)
        return builder.zext(builder.bitcast(found, CELL), WORD)

    def _step(self, r: Any) -> Any:
        """Give the step of lanes that lie outside of a ring."""
        builder = self.builder
        j = self._item("rings", builder.mul(r, _word(3)))
        one, other = self._cells(builder.sext(j, WORD))
        first, last, step = (self._lanes("bands", r, part) for part in (FIRST, LAST, STEP))
        beyond = builder.or_(self._less(one, last), self._less(first, other))
        inside = builder.sext(builder.icmp_unsigned("==", beyond, self.none), CELLS)
        return self._less(step, inside)  # inside are all bits, more than any step

    def _way(self, w: Any) -> Any:
        """Give what the way from the class to a number costs."""
        builder = self.builder
        one, other = self._cells(self._item("ways", w))
        begins, ends, factor = (self._lanes("roads", w, part) for part in (BEGINS, ENDS, FACTOR))
        right, left = self._less(one, ends), self._less(begins, other)
        way = builder.select(builder.icmp_unsigned(">", right, left), right, left)
        cost = builder.mul(builder.zext(way, INTS), builder.zext(factor, INTS))
        return builder.trunc(builder.lshr(cost, ir.Constant(INTS, [16] * LANES)), CELLS)

    def _holed(self, h: Any) -> Any:
        """Give the part of an attribute of which cells are missing."""
        builder = self.builder
        which, begin, end, way = (
            self._item("holed", builder.add(builder.shl(h, _word(2)), _word(part)))
            for part in (WHICH, FROM, TO, WAY)
        )
        own, hole, gap = (self._lanes("gaps", h, part) for part in (OWN, HOLE, GAP))
        total = cgutils.alloca_once(builder, CELLS)
        builder.store(own, total)
        with cgutils.for_range(builder, builder.sub(end, begin)) as loop:
            self._add(self._step(builder.add(begin, loop.index)), total)
        with builder.if_then(builder.icmp_signed(">=", way, _word(0))):
            self._add(self._way(way), total)
        part = builder.load(total)
        if self.boxes:
            shared = _word(SHARED)
            bit = builder.select(builder.icmp_signed("<", which, shared), which, shared)
            bit = builder.shl(ir.Constant(INT, 1), builder.trunc(bit, INT))
            first = builder.mul(self.given["group"], _word(GROUP))
            held = builder.and_(self._load("holes", first, INTS, 4), _all(builder, bit))
            some = builder.icmp_signed("!=", held, ir.Constant(INTS, None))
            sign = "<" if self.side == NEAR else ">"
            better = builder.icmp_unsigned(sign, hole, part)
            part = builder.select(builder.and_(some, better), hole, part)
        every = builder.icmp_unsigned("==", self._cells(which)[0], gap)
        return builder.select(every, hole, part)

    def _cells(self, j: Any) -> tuple[Any, Any]:
        """Load both sides of boxes, those first that face the class if near; or points, twice."""
        builder = self.builder
        at = builder.mul(builder.add(self.row, j), _word(LANES * (2 if self.boxes else 1)))
        least = self._load("cells", at, CELLS, 2)
        if not self.boxes:
            return least, least
        most = self._load("cells", builder.add(at, _word(LANES)), CELLS, 2)
        return (least, most) if self.side == NEAR else (most, least)

    def _add(self, value: Any, total: Any) -> None:
        self.builder.store(self._call("uadd", self.builder.load(total), value), total)

    def _less(self, one: Any, other: Any) -> Any:
        """Subtract; what would be less than nothing is 0."""
        return self._call("usub", one, other)

    def _call(self, name: str, one: Any, other: Any) -> Any:
        """Add or subtract so that what does not fit stays at the end of the range."""
        kind = ir.FunctionType(CELLS, [CELLS, CELLS])
        name = f"llvm.{name}.sat.v{LANES}i16"
        return self.builder.call(
            cgutils.get_or_insert_function(self.builder.module, kind, name), [one, other]
        )

    def _lanes(self, name: str, row: Any, part: int) -> Any:
        """Load what stands in a query once for each lane."""
        at = self.builder.add(self.builder.mul(row, _word(3 * LANES)), _word(part * LANES))
        return self._load(name, at, CELLS, 2)

    def _load(self, name: str, at: Any, kind: Any, align: int) -> Any:
        begin = self.builder.gep(self.arrays[name].data, [at])
        found = self.builder.load(self.builder.bitcast(begin, kind.as_pointer()))
        found.align = align
        return found

    def _item(self, name: str, at: Any) -> Any:
        """Load an entry of an array, counted from its beginning."""
        return self.builder.load(self.builder.gep(self.arrays[name].data, [at]))


def _all(builder: Any, value: Any) -> Any:
    """Put one value into all lanes."""
    none = ir.Constant(ir.VectorType(value.type, LANES), ir.Undefined)
    one = builder.insert_element(none, value, ir.Constant(INT, 0))
    return builder.shuffle_vector(one, none, ir.Constant(INTS, [0] * LANES))


def _word(value: int) -> Any:
    return ir.Constant(WORD, value)
