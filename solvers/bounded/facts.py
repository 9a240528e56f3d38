"""What is known of a node's arguments, whatever the inputs: constants, intervals, known cells of arrays.

Known locally: it follows from what is known at the sources of its edges and the edges alone, so that each step of the
certificate shows it.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence

import z3

from chcverify.terms.arithmetic.bounds import Intervals, decided
from chcverify.terms.arithmetic.interval import WHOLE, Interval, hull
from chcverify.terms.core.traversal import fold
from chcverify.terms.evaluation.disjunctive_cases import bottom_up
from chcverify.terms.native.arena import Arena, ArenaTerm
from solvers.bounded.arrays import Reads
from solvers.bounded.graph import ArrayContents, Node, UnrolledEdge


class Facts:
    """Simplifies terms by the facts of nodes, and finds the facts of new ones."""

    def __init__(self, arena: Arena, reads: Reads) -> None:
        self.arena = arena
        self.reads = reads
        self._standard: dict[ArenaTerm, ArenaTerm] = {}
        self._comparisons: dict[tuple[ArenaTerm, Interval], list[ArenaTerm]] = {}

    def instance(
        self, node: Node | None, guard: Sequence[ArenaTerm], outputs: Sequence[ArenaTerm]
    ) -> tuple[list[ArenaTerm], list[ArenaTerm]]:
        """Guard and outputs as simple as the node's facts make them; the guard [false] if these contradict it."""
        arena = self.arena
        if node is None:
            return list(map(self.standard, guard)), list(map(self.standard, outputs))
        parts = [self.simplified(node, part) for part in guard]
        terms = [term if arena.is_variable(term) else self.simplified(node, term) for term in outputs]
        terms = [node.constants.get(term, term) for term in terms]
        if node.bounds and any(map(self._is_arithmetic, (*parts, *terms))):
            table = Intervals(arena, (), node.bounds).decided(parts)
            parts = [arena.simplify(arena.replace(part, table)) for part in parts] if table else parts
            parts, terms = decided(parts, arena, terms, node.bounds)
        flat = [self.standard(literal) for part in parts for literal in arena.conjuncts(arena.simplify(part))]
        return ([arena.false] if arena.false in flat else list(dict.fromkeys(flat))), list(map(self.standard, terms))

    def standard(self, term: ArenaTerm) -> ArenaTerm:
        """The term with the divisions of SMT-LIB: z3's simplifier uses operators of its own for them."""
        found = self._standard.get(term)
        if found is None:
            arena, found = self.arena, term
            kinds = {arena.kind(part) for part in bottom_up(arena, [term])}
            if not kinds.isdisjoint(_DIVISIONS):
                found = arena.handle(fold(arena.wrap(term), _with_divisions))
            self._standard[term] = found
        return found

    def comparisons(self, node: Node) -> list[ArenaTerm]:
        """The bounds as formulas."""
        return [part for term, bound in node.bounds.items() for part in self.within(term, bound)]

    def within(self, term: ArenaTerm, bound: Interval) -> list[ArenaTerm]:
        """lower <= term, term <= upper."""
        found = self._comparisons.get((term, bound))
        if found is None:
            (low, high), value = bound, self.arena.wrap(term)
            found = [] if low is None else [self.arena.handle(value >= low)]
            found += [] if high is None else [self.arena.handle(value <= high)]
            self._comparisons[term, bound] = found
        return found

    def simplified(self, node: Node, term: ArenaTerm) -> ArenaTerm:
        """The term with the node's constants and known cells."""
        arena = self.arena
        term = arena.simplify(arena.substitute(term, node.constants))
        while node.cells:
            table = {}
            for read in self.reads.at_numbers(term):
                array, index = arena.children(read)
                known = node.cells[array].get(index) if array in node.cells else None
                if known is not None:
                    table[read] = known
                    node.used_cells.add(read)
            if not table:
                break
            term = arena.simplify(arena.replace(term, table))
        return term

    def learn(self, node: Node) -> None:
        """Finds the facts of a node from those of the edges into it."""
        arena = self.arena
        intervals = [
            Intervals(arena, edge.guard, edge.source.bounds if edge.source is not None else None)
            for edge in node.entering
        ]
        for i, formal in enumerate(map(arena.handle, node.predicate.formals)):
            terms = {edge.outputs[i] for edge in node.entering}
            if node.predicate.sorts[i].kind() == z3.Z3_ARRAY_SORT:
                cells = _joined([self._cells(edge, edge.outputs[i]) for edge in node.entering])
                if cells.default is not None or cells.at:
                    node.cells[formal] = cells
            elif len(terms) == 1 and arena.is_value(*terms):
                (node.constants[formal],) = terms
            elif arena.is_integer(formal):
                bound = _hull(known.of(edge.outputs[i]) for known, edge in zip(intervals, node.entering, strict=True))
                if bound != WHOLE:
                    node.bounds[formal] = bound

    def _cells(self, edge: UnrolledEdge, term: ArenaTerm) -> ArrayContents:
        """Of an array, from the writes that make it and what is known of the one that they change."""
        arena = self.arena
        writes: dict[ArenaTerm, ArenaTerm | None] = {}
        while arena.kind(term) == z3.Z3_OP_STORE:
            term, *index, value = arena.children(term)
            if len(index) != 1 or not arena.is_value(index[0]):
                return ArrayContents(None, {i: v for i, v in writes.items() if v is not None})
            writes.setdefault(index[0], value if arena.is_value(value) else None)
        if arena.kind(term) == z3.Z3_OP_CONST_ARRAY:
            (value,) = arena.children(term)
            return ArrayContents(value if arena.is_value(value) else None, writes)
        known = edge.source.cells.get(term) if edge.source is not None else None
        if known is None:
            return ArrayContents(None, writes)
        return ArrayContents(known.default, {**known.at, **writes}) if writes else known

    def _is_arithmetic(self, term: ArenaTerm) -> bool:
        return bool(self.arena.variables(term)) and not self.arena.is_variable(term)


def _hull(intervals: Iterable[Interval]) -> Interval:
    """The least interval with all of them in it; WHOLE of none."""
    bound: Interval | None = None
    for interval in intervals:
        bound = interval if bound is None else hull(bound, interval)
        if bound == WHOLE:
            break
    return WHOLE if bound is None else bound


def _joined(several: Sequence[ArrayContents]) -> ArrayContents:
    """What all agree on."""
    first, *others = several
    for other in others:
        if other is first:
            continue
        default = first.default if first.default == other.default else None
        at: dict[ArenaTerm, ArenaTerm | None] = {}
        for index in {**first.at, **other.at}:
            value = first.get(index)
            value = value if value == other.get(index) else None
            if value != default:
                at[index] = value
        first = ArrayContents(default, at)
    return first


_DIVISIONS: Mapping[int, Callable[[z3.BitVecRef, z3.BitVecRef], z3.BitVecRef]] = {
    z3.Z3_OP_BUDIV_I: z3.UDiv,
    z3.Z3_OP_BUREM_I: z3.URem,
    z3.Z3_OP_BSDIV_I: lambda a, b: a / b,
    z3.Z3_OP_BSREM_I: z3.SRem,
    z3.Z3_OP_BSMOD_I: lambda a, b: a % b,
}


def _with_divisions(term: z3.ExprRef, parts: list[z3.ExprRef]) -> z3.ExprRef:
    make = _DIVISIONS.get(term.decl().kind()) if z3.is_app(term) else None
    if make is not None:
        left, right = parts
        assert z3.is_bv(left) and z3.is_bv(right)
        return make(left, right)
    same = all(part.eq(child) for part, child in zip(parts, term.children(), strict=True))
    return term if same else term.update(*parts)
