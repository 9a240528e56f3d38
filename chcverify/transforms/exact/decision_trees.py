"""Several clauses with the same predicates as one: a decision tree over the conditions that distinguish them.

Where one clause says c and the others deny it, their constraints and the arguments of their heads are joined by
if-then-else over c; where no condition distinguishes them, over a new Boolean variable. In contrast to a disjunction
that keeps equations for the arguments, what follows can substitute: a block of deterministic code remains a function of
its inputs. Beyer, Cimatti, Griggio, Keremoglu, Sebastiani: Software model checking via large-block encoding (FMCAD
2009).
"""

from collections.abc import Iterable, Mapping, Sequence
from itertools import count

import z3

from chcverify.quick_dataclass import dataclass
from chcverify.terms.native.arena import Arena, ArenaTerm
from chcverify.transforms.arena_clauses import ArenaClause, Atom, PassContext


@dataclass(frozen=True, eq=False)
class _Case:
    """parts: of the constraint, in order, as keys. arguments: of the head; none for queries."""

    parts: Mapping[ArenaTerm, None]
    arguments: tuple[ArenaTerm, ...]

    def without(self, parts: Iterable[ArenaTerm]) -> "_Case":
        gone = self.parts.keys() & parts
        return _Case({part: None for part in self.parts if part not in gone}, self.arguments) if gone else self


def merge_by_decision_tree(clause_rows: Sequence[ArenaClause], work: PassContext) -> ArenaClause:
    """The row that derives exactly what one of the rows derives; all have the same predicates in order."""
    first, arena = clause_rows[0], work.arena
    body = tuple(
        Atom(atom.predicate, tuple(arena.fresh(b"b", sort) for sort in atom.predicate.sorts)) for atom in first.body
    )
    pool = _Pool(arena)
    whole = _DecisionTree(arena).join([_over(clause_row, body, pool, work) for clause_row in clause_rows])
    head = None if first.head is None else Atom(first.head.predicate, whole.arguments)
    names = dict.fromkeys(clause_row.name for clause_row in clause_rows if clause_row.name)
    return ArenaClause(head, body, arena.conjunction(whole.parts), first.origin, " | ".join(names))


class _Pool:
    """Local variables that the cases share: only one case counts at a time."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._made: dict[tuple[str, int], ArenaTerm] = {}

    def names(self, variables: Sequence[ArenaTerm]) -> dict[ArenaTerm, ArenaTerm]:
        """A variable of the pool for each of these."""
        numbers: dict[str, count[int]] = {}
        table = {}
        for variable in variables:
            sort = self._arena.wrap(variable).sort().sexpr()
            key = sort, next(numbers.setdefault(sort, count()))
            if key not in self._made:
                self._made[key] = self._arena.fresh_like(b"l", variable)
            table[variable] = self._made[key]
        return table


def _over(clause_row: ArenaClause, body: Sequence[Atom], pool: _Pool, work: PassContext) -> _Case:
    """The row over these body variables and locals of the pool, with equations for its arguments that are terms."""
    arena = work.arena
    table: dict[ArenaTerm, ArenaTerm] = {}
    equations: list[tuple[ArenaTerm, ArenaTerm]] = []
    for old, new in zip(clause_row.body, body, strict=True):
        for argument, variable in zip(old.arguments, new.arguments, strict=True):
            if arena.is_variable(argument) and argument not in table:
                table[argument] = variable
            else:
                equations.append((variable, argument))
    table |= pool.names(arena.in_order(work.variables(clause_row) - table.keys()))
    parts = [arena.equation(variable, arena.substitute(term, table)) for variable, term in equations]
    parts += arena.conjuncts(arena.substitute(clause_row.constraint, table))
    shaped = (_oriented(arena.simplify(part), arena) for part in parts)
    head = () if clause_row.head is None else tuple(arena.substitute(a, table) for a in clause_row.head.arguments)
    return _Case({part: None for part in shaped if part != arena.true}, head)


def _oriented(part: ArenaTerm, arena: Arena) -> ArenaTerm:
    """With sides of equations in one order: then a condition and its negation have the same shape."""
    if arena.kind(part) == z3.Z3_OP_NOT:
        inside = arena.children(part)[0]
        other = _oriented(inside, arena)
        return part if other == inside else arena.negate(other)
    if arena.kind(part) != z3.Z3_OP_EQ:
        return part
    left, right = arena.children(part)
    if arena.is_value(right) or (not arena.is_value(left) and arena.in_order((left, right)) == [left, right]):
        return part
    return arena.equation(right, left)


class _DecisionTree:
    """Builds the decision tree, without recursion: it may be as deep as there are cases."""

    def __init__(self, arena: Arena) -> None:
        self._arena = arena
        self._values: dict[
            ArenaTerm, tuple[ArenaTerm, ArenaTerm] | None
        ] = {}  # of `_fixed`, which is asked for every pair of cases

    def join(self, cases: Sequence[_Case]) -> _Case:
        """The case that is the disjunction of these."""
        todo: list[tuple[Sequence[_Case], tuple[ArenaTerm, Sequence[ArenaTerm]] | None]] = [(cases, None)]
        done: list[_Case] = []
        while todo:
            group, split = todo.pop()
            if split is not None:
                otherwise, then = done.pop(), done.pop()
                done.append(self._choice(*split, then, otherwise))
            elif len(group) == 1:
                done.append(group[0])
            else:
                common = [part for part in group[0].parts if all(part in case.parts for case in group[1:])]
                condition, left, right = self._split([case.without(common) for case in group])
                todo += [(group, (condition, common)), (right, None), (left, None)]
        return done.pop()

    def _choice(self, condition: ArenaTerm, common: Sequence[ArenaTerm], then: _Case, otherwise: _Case) -> _Case:
        """common & if condition then .. else .."""
        arena = self._arena
        sides = arena.conjunction(then.parts), arena.conjunction(otherwise.parts)
        rest = [] if sides == (arena.true, arena.true) else [arena.ite(condition, *sides)]
        pairs = zip(then.arguments, otherwise.arguments, strict=True)
        arguments = tuple(a if a == b else arena.ite(condition, a, b) for a, b in pairs)
        return _Case(dict.fromkeys([*common, *rest]), arguments)

    def _split(self, cases: Sequence[_Case]) -> tuple[ArenaTerm, Sequence[_Case], Sequence[_Case]]:
        """A condition, the cases in which it holds, and those in which it does not, both without it."""
        arena = self._arena
        said: dict[ArenaTerm, int] = {}  # of each literal, in how many cases
        for case in cases:
            for part in case.parts:
                said[part] = said.get(part, 0) + 1
        for literal in sorted(said, key=lambda part: -said[part]):
            opposite = arena.negate(literal)
            others = [case for case in cases if literal not in case.parts]
            if others and all(opposite in case.parts or self._differs(literal, case) for case in others):
                left = [case.without([literal]) for case in cases if literal in case.parts]
                return literal, left, [case.without([opposite]) for case in others]
        middle = len(cases) // 2
        return arena.fresh(b"c", z3.BoolSort(arena.context)), cases[:middle], cases[middle:]

    def _differs(self, literal: ArenaTerm, case: _Case) -> bool:
        """True if the literal is an equation x = v, and the case has x = w for another value w."""
        fixed = self._fixed(literal)
        if fixed is None:
            return False
        others = (self._fixed(part) for part in case.parts)
        return any(other is not None and other[0] == fixed[0] and other[1] != fixed[1] for other in others)

    def _fixed(self, part: ArenaTerm) -> tuple[ArenaTerm, ArenaTerm] | None:
        """(x, v) if the part is x = v for a value v; values are on the right of equations here."""
        if part not in self._values:
            sides = self._arena.children(part) if self._arena.kind(part) == z3.Z3_OP_EQ else ()
            self._values[part] = (sides[0], sides[1]) if sides and self._arena.is_value(sides[1]) else None
        return self._values[part]
