"""Terms over a node's arguments as terms over the run's inputs; what is read at numbers is what was written there."""

from collections.abc import Callable, Mapping

import z3

from chcverify.terms.native.arena import Arena, ArenaTerm
from solvers.bounded.graph import Node


class Reads:
    """Looks up cells of arrays that are written at numbers, or merged, without making array terms."""

    def __init__(self, arena: Arena) -> None:
        self.arena = arena
        self._known: dict[tuple[ArenaTerm, ArenaTerm], ArenaTerm] = {}
        self._at_numbers: dict[ArenaTerm, tuple[ArenaTerm, ...]] = {}

    def instance(self, node: Node | None, inputs: Mapping[ArenaTerm, ArenaTerm]) -> Callable[[ArenaTerm], ArenaTerm]:
        """What maps a term over formals and inputs of a clause to one over the run's inputs."""
        arena = self.arena
        table: dict[ArenaTerm, ArenaTerm] = dict(inputs)
        if node is not None:
            formals = map(arena.handle, node.predicate.formals)
            table.update(zip(formals, node.values, strict=True))

        def instance(term: ArenaTerm) -> ArenaTerm:
            if arena.is_variable(term):
                return table.get(term, term)
            reads = self.at_numbers(term)
            if not reads:
                return arena.substitute(term, table)
            changes = {variable: table[variable] for variable in arena.variables(term) if variable in table}
            for read in reads:
                array, index = arena.children(read)
                changes[read] = self.read(table.get(array, array), index)
            return arena.replace(term, changes)

        return instance

    def at_numbers(self, term: ArenaTerm) -> tuple[ArenaTerm, ...]:
        """The subterms that read a variable array at a number."""
        found = self._at_numbers.get(term)
        if found is None:
            arena, stack, seen, reads = self.arena, [term], {term}, []
            while stack:
                part = stack.pop()
                below = arena.children(part)
                if arena.kind(part) == z3.Z3_OP_SELECT and len(below) == 2:
                    array, index = below
                    if arena.is_variable(array) and arena.is_value(index):
                        reads.append(part)
                new = [child for child in below if child not in seen]
                seen.update(new)
                stack += new
            found = self._at_numbers[term] = tuple(reads)
        return found

    def read(self, array: ArenaTerm, index: ArenaTerm) -> ArenaTerm:
        """The value of the cell: from the last write there, both sides of choices."""
        arena, known = self.arena, self._known
        stack = [array]
        while stack:
            term = stack[-1]
            if (term, index) in known:
                stack.pop()
                continue
            kind, below = arena.kind(term), arena.children(term)
            if kind == z3.Z3_OP_STORE and len(below) == 3:
                base, place, value = below
                if place == index:
                    known[term, index] = value
                elif (base, index) not in known:
                    stack.append(base)
                elif arena.is_value(place):
                    known[term, index] = known[base, index]
                else:
                    same = arena.equation(place, index)
                    known[term, index] = arena.ite(same, value, known[base, index])
            elif kind == z3.Z3_OP_ITE:
                condition, then, otherwise = below
                missing = [side for side in (then, otherwise) if (side, index) not in known]
                stack += missing
                if not missing:
                    one, other = known[then, index], known[otherwise, index]
                    known[term, index] = one if one == other else arena.ite(condition, one, other)
            elif kind == z3.Z3_OP_CONST_ARRAY:
                known[term, index] = below[0]
            else:
                known[term, index] = arena.select(term, index)
        return known[array, index]
