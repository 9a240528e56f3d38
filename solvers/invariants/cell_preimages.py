"""What must hold of a cell before loops write it, so that queries hold: weakest preconditions at a symbolic index.

A loop that passes all indices changes the cell at index k in one iteration, the one whose counter i leads to k by the
index term t(i) = k. With that equation the counter is eliminated, and the weakest precondition of one clause is a
formula about k, the cells at k and the scalars that loops leave alone. Dijkstra: Guarded commands (CACM 1975); the
symbolic index is that of cell morphing, Monniaux, Gonnord (SAS 2016) [MonniauxGonnord2016].
"""

from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import chain, product

import z3

from chcverify.effort import LARGEST_ORDINARY_CONSTANT, MAX_COMBINED, MAX_FORMULAS, MOMENT_MS
from chcverify.horn.roles import Role
from chcverify.horn.system import Application, Clause, HornSystem, Predicate
from chcverify.terms.core.traversal import (
    conjunction,
    conjuncts,
    free_variables,
    is_variable,
    kind_of,
    substitute,
    subterms,
)
from solvers.abstract_interpretation.partitioning import conditions
from solvers.invariants.cell_terms import is_over, named_formals, solved_for

_FALSE = z3.BoolVal(False)
_COMPARISONS = frozenset({z3.Z3_OP_LE, z3.Z3_OP_GE, z3.Z3_OP_LT, z3.Z3_OP_GT})


class CellPreimages:
    """Weakest preconditions in a system whose predicates have cells at one integer index.

    counters: the names of the scalars that loops change. fixed: of the others. loop_ends: the terms over the names of
    fixed scalars that the clauses compare counters with.
    """

    def __init__(self, system: HornSystem) -> None:
        self._system = system
        self.counters = _changed_scalars(system)
        self.fixed = _named(system, Role.SCALAR) - self.counters
        self._cells = _named(system, Role.CELL)
        self.loop_ends = list(self._loop_ends())
        self.writes = [(clause, equations) for clause in system.clauses if (equations := _written_indices(clause))]

    def _loop_ends(self) -> Iterator[z3.ExprRef]:
        for predicate, atoms in conditions(self._system, MAX_FORMULAS).items():
            given = named_formals(predicate)
            counters = [formal for formal, name in given if str(name) in self.counters]
            fixed = _ids(formal for formal, name in given if str(name) in self.fixed)
            for atom, counter in product(chain.from_iterable(map(_with_values, atoms)), counters):
                end = solved_for(atom.arg(0) == atom.arg(1), counter) if kind_of(atom) in _COMPARISONS else None
                if end is not None and not z3.is_int_value(end) and not is_variable(end) and is_over(end, fixed):
                    yield substitute(end, given)

    def strides(self, most: int) -> dict[str, int]:
        """By the names of counters the number that a loop adds to them or subtracts, of those from 2 up to `most`."""
        found: dict[str, int] = {}
        for clause in self._system.clauses:
            for term in subterms(clause.constraint) if clause.head is not None else ():
                for name, number in _step(term, clause):
                    if name in self.counters and 1 < abs(number) <= most:
                        found.setdefault(name, abs(number))
        return found

    def is_about_cells(self, goal: z3.BoolRef) -> bool:
        """True if a cell occurs in a formula over names of arguments."""
        return any(str(variable) in self._cells for variable in free_variables(goal))

    def index_terms(self) -> list[z3.ExprRef]:
        """The terms over the names of scalars that lead to the cells which loops write or read."""
        found: dict[int, z3.ExprRef] = {}
        for clause, equations in self.writes:
            for atom in clause.body:
                pairs = _named_arguments(atom)
                scalars = _ids(a for i, (a, _) in enumerate(pairs) if atom.predicate.role(i) is Role.SCALAR)
                for equation in equations:
                    term = _index_term(clause, atom, equation)
                    if term is not None and is_over(term, scalars):
                        named = substitute(term, pairs)
                        found[named.get_id()] = named
        return list(found.values())

    def goals(self, most: int, depth: int) -> list[z3.BoolRef]:
        """Up to `most` formulas over names of arguments, those of the queries first.

        depth: of loops that a cell passes between where a formula holds and the query.
        """
        found: dict[int, z3.BoolRef] = {}
        queries = chain.from_iterable(_alternatives(self._system.clauses[index]) for index in self._system.queries)
        last = list(_new((goal for clause in queries for goal in self.before(clause, _FALSE, ())), found, most))
        for _ in range(depth):
            before = (
                goal
                for after in last
                for clause, equations in self.writes
                for equation in equations
                for goal in self.before_write(clause, equation, after)
            )
            last = list(_new(before, found, most))
        return list(found.values())

    def before_write(self, clause: Clause, equation: z3.BoolRef, goal: z3.BoolRef) -> Iterator[z3.BoolRef]:
        """The preconditions of a clause that writes the cell whose index satisfies the equation."""
        head = clause.head
        assert head is not None
        names = [name for _, name in named_formals(head.predicate)]  # alive while their ids are compared
        if is_over(goal, _ids(names)):
            yield from self.before(clause, _of(goal, head), [equation])

    def before(self, clause: Clause, goal: z3.BoolRef, equations: Sequence[z3.BoolRef]) -> Iterator[z3.BoolRef]:
        """The clause's premise and the equations imply the goal: as formulas over the names of one body atom each."""
        for atom in clause.body:
            if not _has_distinct_variables(atom):
                continue
            pairs = _named_arguments(atom)
            kept = _ids(argument for argument, name in pairs if str(name) not in self.counters)
            goal_there, parts = _eliminated(goal, [*conjuncts(clause.constraint), *equations], kept)
            if is_over(goal_there, kept):
                premises = [part for part in parts if is_over(part, kept) and not _is_bound_of_index(part, atom)]
                violation = _without_idle_bounds(without_choices([*premises, z3.Not(goal_there)]))
                found = _simplified_conjunction(violation, pairs)
                if not (z3.is_true(found) or z3.is_false(found)):
                    yield z3.Not(found)


def _is_bound_of_index(part: z3.BoolRef, atom: Application) -> bool:
    """True for comparisons of the atom's scalars and indices, which ranges of indices have, too."""
    inner = part.arg(0) if z3.is_not(part) else part
    roles = {a.get_id(): atom.predicate.role(i) for i, a in enumerate(atom.arguments)}
    return kind_of(inner) in _COMPARISONS and all(
        roles[v.get_id()] in (Role.SCALAR, Role.INDEX) for v in free_variables(inner)
    )


def without_choices(parts: Iterable[z3.BoolRef]) -> list[z3.BoolRef]:
    """An equivalent conjunction without those if-then-else terms that the bounds of variables decide.

    With -10 <= x <= 9, `If(x <= 7, x + 2, x - 18) == 3` is `x + 2 == 3`: in words of a machine the equation has one
    solution. Else each loop that a goal passes would add such choices to it.
    """
    parts = [part for each in parts for part in conjuncts(z3.simplify(each))]
    bounds = [part for part in parts if len(free_variables(part)) == 1 and not _choices(part)]
    solver = z3.SimpleSolver()
    solver.set("timeout", MOMENT_MS)
    solver.add(*bounds)
    found = []
    for part in parts:
        if not _choices(part):
            found.append(part)
        # bounds & ~part
        elif solver.check(z3.Not(part)) != z3.unsat:
            found.append(z3.Not(_chosen(part.arg(0), solver)) if z3.is_not(part) else _chosen(part, solver))
    return found


def _without_idle_bounds(parts: Sequence[z3.BoolRef]) -> list[z3.BoolRef]:
    """Equivalent under EXISTS: the conjunction without bounds of variables that no other part is about."""
    used = {v.get_id() for part in parts if not is_bound_of_type(part) for v in free_variables(part)}
    return [part for part in parts if not is_bound_of_type(part) or free_variables(part)[0].get_id() in used]


def is_bound_of_type(part: z3.BoolRef) -> bool:
    """True for comparisons of one variable with the ends of a machine type."""
    inner = part.arg(0) if z3.is_not(part) else part
    return (
        kind_of(inner) in _COMPARISONS
        and len(free_variables(inner)) == 1
        and any(map(is_variable, inner.children()))
        and any(abs(number) > LARGEST_ORDINARY_CONSTANT for number in _numerals(inner))
    )


def _chosen(literal: z3.BoolRef, solver: z3.Solver) -> z3.BoolRef:
    """The literal without the choices whose condition has one value where it holds, within what the solver assumes."""
    for choice in _choices(literal)[:MAX_COMBINED]:
        condition, *values = choice.children()
        for value, excluded in zip(values, (z3.Not(condition), condition), strict=True):
            other = substitute(literal, [(choice, value)])
            # assumptions & (literal | other) & excluded
            if solver.check(z3.Or(literal, other), excluded) == z3.unsat:
                return _chosen(z3.simplify(other), solver)
    return literal


def _with_values(atom: z3.BoolRef) -> Iterator[z3.BoolRef]:
    """The atom, or one for each value of a choice in it; none where a value is far from what programs count to."""
    for choice in _choices(atom)[:1]:
        atoms = (z3.simplify(substitute(atom, [(choice, value)])) for value in choice.children()[1:])
        yield from (each for each in atoms if all(abs(n) <= LARGEST_ORDINARY_CONSTANT for n in _numerals(each)))
        return
    yield atom


def _numerals(term: z3.ExprRef) -> Iterator[int]:
    return (each.as_long() for each in subterms(term) if z3.is_int_value(each))


def _choices(term: z3.BoolRef) -> list[z3.ExprRef]:
    """The numbers that depend on a condition, inner ones first."""
    return [each for each in subterms(term) if kind_of(each) == z3.Z3_OP_ITE and z3.is_int(each)]


def _simplified_conjunction(parts: Iterable[z3.BoolRef], pairs: list[tuple[z3.ExprRef, z3.ExprRef]]) -> z3.BoolRef:
    """The conjunction under the substitution, without parts that its other parts imply syntactically."""
    formula = z3.simplify(substitute(z3.And(list(parts)), pairs))
    distinct = {part.get_id(): part for part in conjuncts(formula)}
    found: z3.BoolRef = z3.Tactic("ctx-simplify", ctx=formula.ctx)(conjunction(distinct.values())).as_expr()
    return conjunction({part.get_id(): part for part in conjuncts(z3.simplify(found))}.values())


def _named(system: HornSystem, role: Role) -> frozenset[str]:
    """The names of all arguments with this role."""
    named = ((p, enumerate(named_formals(p))) for p in system.predicates)
    return frozenset(str(name) for p, formals in named for i, (_, name) in formals if p.role(i) is role)


def _step(term: z3.ExprRef, clause: Clause) -> Iterator[tuple[str, int]]:
    """For the sum of a variable and a number: the names of the arguments of body atoms that the variable is, and it."""
    if z3.is_add(term) and term.num_args() == 2 and z3.is_int_value(term.arg(0)) and is_variable(term.arg(1)):
        for atom in clause.body:
            for argument, name in _named_arguments(atom):
                if argument.eq(term.arg(1)):
                    yield str(name), term.arg(0).as_long()


def _new(goals: Iterable[z3.BoolRef], found: dict[int, z3.BoolRef], most: int) -> Iterator[z3.BoolRef]:
    """The goals that are about a cell and not among those found, which they join, up to `most` in all."""
    for goal in goals:
        if len(found) >= most:
            return
        if goal.get_id() not in found:
            found[goal.get_id()] = goal
            yield goal


def _alternatives(query: Clause) -> list[Clause]:
    """A query for each case of a disjunction in one about several facts: then each case may be about one of them."""
    parts = conjuncts(query.constraint)
    cases = [_disjuncts(part) for part in parts] if len(query.body) > 1 else []
    position = next((i for i, found in enumerate(cases) if 1 < len(found) <= MAX_COMBINED), None)
    if position is None:
        return [query]
    rest = [part for i, part in enumerate(parts) if i != position]
    return [replace(query, constraint=conjunction([*rest, case])) for case in cases[position]]


def _disjuncts(formula: z3.BoolRef) -> list[z3.BoolRef]:
    """The formulas of a disjunction, or of a negated conjunction; of others the formula."""
    if z3.is_or(formula):
        return formula.children()
    if z3.is_not(formula) and z3.is_and(formula.arg(0)):
        return [z3.simplify(z3.Not(part)) for part in formula.arg(0).children()]
    return [formula]


def _of(formula: z3.BoolRef, atom: Application) -> z3.BoolRef:
    """A formula over names, of the atom's arguments."""
    names = (name for _, name in named_formals(atom.predicate))
    return substitute(formula, list(zip(names, atom.arguments, strict=True)))


def _eliminated(
    goal: z3.BoolRef, parts: Sequence[z3.BoolRef], kept: Collection[int]
) -> tuple[z3.BoolRef, list[z3.BoolRef]]:
    """Equivalent under EXISTS: the goal and the conjuncts without the variables that equations define.

    kept: ids of variables that stay.
    """
    left = [_PremisePart(part) for part in parts]
    while True:
        position = next((i for i, part in enumerate(left) if part.definition(kept) is not None), None)
        if position is None:
            return goal, [part.formula for part in left]
        pair = left.pop(position).definition(kept)
        assert pair is not None
        left = [part for each in left for part in each.without(pair)]
        if any(pair[0].eq(variable) for variable in free_variables(goal)):
            goal = z3.simplify(substitute(goal, [pair]))


class _PremisePart:
    """A conjunct, with what elimination asks about it again and again: most steps leave most conjuncts alone."""

    def __init__(self, formula: z3.BoolRef) -> None:
        self.formula = formula
        self._variables = _ids(free_variables(formula))
        self._definition: tuple[z3.ExprRef, z3.ExprRef] | None = None
        self._is_asked = False

    def definition(self, kept: Collection[int]) -> tuple[z3.ExprRef, z3.ExprRef] | None:
        """`_definition` of the conjunct; `kept` is the same in all calls."""
        if not self._is_asked:
            self._definition, self._is_asked = _definition(self.formula, kept), True
        return self._definition

    def without(self, pair: tuple[z3.ExprRef, z3.ExprRef]) -> "Iterable[_PremisePart]":
        """The conjuncts of the formula with the variable of the pair replaced by its term."""
        if pair[0].get_id() not in self._variables:
            return (self,)
        formula = z3.simplify(substitute(self.formula, [pair]))
        return (_PremisePart(part) for part in conjuncts(formula) if not z3.is_true(part))


def _definition(part: z3.BoolRef, kept: Collection[int]) -> tuple[z3.ExprRef, z3.ExprRef] | None:
    """A variable that is not kept and the term that the equation makes it equal to; None for other formulas."""
    if not z3.is_eq(part):
        return None
    for variable in free_variables(part):
        if variable.get_id() in kept:
            continue
        for left, right in (part.children(), reversed(part.children())):
            if left.eq(variable) and not any(variable.eq(other) for other in free_variables(right)):
                return variable, right
        term = solved_for(part, variable)
        if term is not None:
            return variable, term
    return None


def _changed_scalars(system: HornSystem) -> frozenset[str]:
    """The names of scalars that a clause from a predicate to itself may change."""
    changed: set[str] = set()
    for clause in system.clauses:
        head = clause.head
        for atom in clause.body if head is not None else ():
            assert head is not None
            if atom.predicate == head.predicate and _has_distinct_variables(atom):
                same = _unchanged(clause, atom)
                formals = enumerate(named_formals(head.predicate))
                changed |= {str(n) for i, (_, n) in formals if i not in same and head.predicate.role(i) is Role.SCALAR}
    return frozenset(changed)


def _unchanged(clause: Clause, atom: Application) -> frozenset[int]:
    """The positions at which the head has the argument of the atom, one of the same predicate."""
    assert clause.head is not None
    kept = _ids(atom.arguments)
    after = [z3.FreshConst(argument.sort()) for argument in clause.head.arguments]
    heads = conjunction(new == argument for new, argument in zip(after, clause.head.arguments, strict=True))
    values, _ = _eliminated(heads, conjuncts(clause.constraint), {*kept, *_ids(after)})
    found = conjuncts(z3.simplify(values))  # alive while their ids are compared
    ids = _ids(found)
    pairs = enumerate(zip(after, atom.arguments, strict=True))
    return frozenset(i for i, (new, old) in pairs if z3.simplify(new == old).get_id() in ids)


def _written_indices(clause: Clause) -> list[z3.BoolRef]:
    """Equations of indices in a clause that may change cells: what an index must be to be that of a read or a write."""
    head = clause.head
    if head is None or not clause.body or _index_position(head.predicate) < 0:
        return []
    cells = {i for i in range(head.predicate.arity) if head.predicate.role(i) is Role.CELL}
    tracked = [atom for atom in clause.body if atom.predicate == head.predicate and _has_distinct_variables(atom)]
    if not tracked or any(cells <= _unchanged(clause, atom) for atom in tracked):
        return []
    indices = _ids(atom.arguments[_index_position(atom.predicate)] for atom in tracked)
    equations = (term for term in subterms(clause.constraint) if z3.is_eq(term) and z3.is_int(term.arg(0)))
    found = (
        e for e in equations if len(free_variables(e)) > 1 and any(v.get_id() in indices for v in free_variables(e))
    )
    conjoined = _ids(conjuncts(clause.constraint))
    return [equation for equation in found if equation.get_id() not in conjoined]


def _index_term(clause: Clause, atom: Application, equation: z3.BoolRef) -> z3.ExprRef | None:
    """The term over the atom's arguments that the equation makes the atom's index equal to."""
    index = atom.arguments[_index_position(atom.predicate)]
    value = z3.FreshConst(index.sort())
    kept = _ids(atom.arguments) - {index.get_id()}
    result, _ = _eliminated(value == index, [*conjuncts(clause.constraint), equation], {*kept, value.get_id()})
    return solved_for(result, value)


def _named_arguments(atom: Application) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
    """Each argument with the name of its position."""
    return list(zip(atom.arguments, (name for _, name in named_formals(atom.predicate)), strict=True))


def _index_position(predicate: Predicate) -> int:
    """The position of the only index, an integer; -1 if there is none or are several."""
    found = [i for i, formal in enumerate(predicate.formals) if predicate.role(i) is Role.INDEX]
    return found[0] if len(found) == 1 and z3.is_int(predicate.formals[found[0]]) else -1


def _has_distinct_variables(atom: Application) -> bool:
    return all(map(is_variable, atom.arguments)) and len(_ids(atom.arguments)) == len(atom.arguments)


def _ids(terms: Iterable[z3.ExprRef]) -> set[int]:
    return {term.get_id() for term in terms}
