"""Formulas over bounded integers as formulas over bit-vectors, equisatisfiable, for solvers that look at bits.

Each integer becomes a signed bit-vector that is wide enough for every value that it can have (integers_to_bits.py).
Where a choice says at length how a number wraps around, its last bits are taken instead.
"""

from collections.abc import Mapping, Sequence

import z3

from chcverify.effort import MAX_COMBINED
from chcverify.terms.arithmetic.bounds import Intervals
from chcverify.terms.array_reads import NumberTable, expanded_reads
from chcverify.terms.bitvectors.bit_tables import BitTables
from chcverify.terms.bitvectors.integers_to_bits import Bits, NoBits, over_bits, resized, value_bits, width
from chcverify.terms.core.traversal import conjunction, conjuncts, free_variables, substitute, subterms
from chcverify.terms.native.arena import Arena, ArenaTerm

_SUMS = {z3.Z3_OP_ADD, z3.Z3_OP_SUB, z3.Z3_OP_UMINUS, z3.Z3_OP_MUL}


def bounded_bits(formula: z3.BoolRef) -> tuple[z3.BoolRef, Mapping[str, z3.ArithRef]]:
    """A formula that is satisfiable iff this one is, and what the signed values of its new constants, by name, are
    values of. The formula's conjuncts bound its integer variables by numbers; NoBits otherwise. Reads of arrays that
    are written are expanded."""
    tables: dict[int, NumberTable] = {}
    return _Conversion(expanded_reads(formula, tables), tables).result()


class _Conversion:
    def __init__(self, formula: z3.BoolRef, tables: Mapping[int, NumberTable]) -> None:
        self.tables = BitTables(tables)
        self.formula = _with_numerals(formula)
        self.arena = Arena(formula.ctx)
        # What a table reads must not be known from the part that says so: that part would become true.
        parts = [self.arena.handle(part) for part in conjuncts(self.formula) if not self.tables.is_in(part)]
        self.intervals = Intervals(self.arena, [part for part in parts if self.arena.size(part) <= 4])
        self.bits: dict[int, Bits] = {}
        self.wrapped: dict[int, z3.BitVecRef] = {}  # terms that are signed numbers of so many bits, and no more

    def result(self) -> tuple[z3.BoolRef, Mapping[str, z3.ArithRef]]:
        variables, bounds, names = {}, [], {}
        for variable in free_variables(self.formula):
            if z3.is_int(variable):
                low, high = self.intervals.of(self.arena.handle(variable))
                if low is None or high is None:
                    raise NoBits(f"{variable} has no bounds")
                new = z3.BitVec(f"{variable.decl().name()}~{variable.get_id()}", width(low, high))
                variables[variable.get_id()] = (new, True)
                names[str(new.decl().name())] = variable
                bounds += [new >= low, new <= high]
        found = over_bits(self.formula, variables, self._with, self.tables.applied)
        if self.tables.is_in(found):
            raise NoBits("a table is read at no bits")
        return conjunction([found, *bounds]), names

    def _with(self, term: z3.ExprRef, found: Bits) -> Bits:
        """The same number in as few bits as its interval needs."""
        handle = self.arena.handle(term)
        low, high = self.intervals.of(handle)
        low = found.low if low is None else max(low, found.low)
        high = found.high if high is None else min(high, found.high)
        if low > high:  # where it is of no concern
            low, high = found.low, found.high
        if low == high:
            result = value_bits(low)
        elif (vector := self._wrapped(handle, low, high)) is not None:
            result = Bits(vector, low, high)
            self.wrapped[handle] = vector
        else:
            size = width(low, high)
            result = Bits(resized(found, size) if size < found.term.size() else found.term, low, high)
        self.bits[handle] = result
        return result

    def _wrapped(self, term: ArenaTerm, low: int, high: int) -> z3.BitVecRef | None:
        """The last bits of t, if the term is a choice among t + c, c multiples of 2^bits: then it is their number."""
        arena = self.arena
        if arena.kind(term) != z3.Z3_OP_ITE:
            return None
        leaves = self._leaves(term)
        if len(leaves) < 2:
            return None
        first = min(leaves, key=arena.size)
        distances = [arena.number(arena.simplify(arena.sum(leaf, first, -1))) for leaf in leaves]
        size = width(low, high)
        if any(distance is None or distance % (1 << size) for distance in distances):
            return None
        return self._last_bits(first, size)

    def _leaves(self, term: ArenaTerm) -> Sequence[ArenaTerm]:
        """What the choice is among; [] if it is too much."""
        leaves: list[ArenaTerm] = []
        stack = [term]
        while stack:
            part = stack.pop()
            if self.arena.kind(part) == z3.Z3_OP_ITE and part not in self.wrapped:
                stack += self.arena.children(part)[1:]
            else:
                leaves.append(part)
            if len(leaves) + len(stack) > MAX_COMBINED:
                return []
        return leaves

    def _last_bits(self, term: ArenaTerm, size: int) -> z3.BitVecRef:
        """Of sums and products those of the operands are enough."""
        arena = self.arena
        if (number := arena.number(term)) is not None:
            return z3.BitVecVal(number, size)
        known = self.wrapped.get(term)
        if known is not None and known.size() == size:
            return known
        kind = arena.kind(term)
        if kind not in _SUMS:
            return resized(self.bits[term], size)
        first, *others = (self._last_bits(child, size) for child in arena.children(term))
        if kind == z3.Z3_OP_UMINUS:
            return -first
        for other in others:
            first = first + other if kind == z3.Z3_OP_ADD else first - other if kind == z3.Z3_OP_SUB else first * other
        return first


def _with_numerals(formula: z3.BoolRef) -> z3.BoolRef:
    """-5 as a number and not as the negation of one, as parsers give it."""
    found = [t for t in subterms(formula) if z3.is_app_of(t, z3.Z3_OP_UMINUS) and z3.is_int_value(t.arg(0))]
    return substitute(formula, [(term, z3.IntVal(-term.arg(0).as_long())) for term in found])
