"""The precision of the continuously refined generator, and its refinements.

Beyer, Dangl, Wendler: Boosting k-induction with continuously-refined invariants (CAV 2015) [BeyerDanglWendler2015],
section III-B: a triple (Y, n, w) of important variables, nesting depth of expressions, and whether to widen. Facts that
differ in an important variable are never merged. Deviation: a variable of the program is a class of argument positions
between which clauses copy values.
"""

from collections.abc import Iterator, Sequence

import z3

from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.quick_dataclass import dataclass
from chcverify.terms.core.traversal import conjuncts, free_variables, is_variable
from chcverify.terms.core.unionfind import UnionFind
from solvers.abstract_interpretation.partitioning import atoms

Position = tuple[str, int]  # predicate, argument
Variable = frozenset[Position]


@dataclass(frozen=True)
class Precision:
    """The triple (Y, n, w) of section III-B."""

    important: int
    """The number of important variables, counted from the first."""
    depth: int
    """Nesting depth of expressions."""
    widening: bool
    """True for widening, False for unions of intervals."""

    def __str__(self) -> str:
        return f"({self.important}, {self.depth}, {'t' if self.widening else 'f'})"


def refinements(variables: int) -> Iterator[Precision]:
    """The precisions in turn, ending where all variables are important.

    From (0, 1, true) on, the second refinement deepens expressions and the fourth ends widening; each other one adds
    important variables, first one and then as many as there are.
    """
    current = Precision(0, 1, True)
    yield current
    number = 0
    while number < 4 or current.important < variables:
        number += 1
        if number == 2:
            current = Precision(current.important, 2, current.widening)
        elif number == 4:
            current = Precision(current.important, current.depth, False)
        elif current.important < variables:
            count = min(variables, max(1, 2 * current.important))
            current = Precision(count, current.depth, current.widening)
        else:
            continue
        yield current


def important_variables(system: HornSystem) -> list[Variable]:
    """The variables that occur in conditions, those closest to a query first, by breadth-first search backwards."""
    variables = _variables(system)
    found: dict[Variable, None] = {}
    seen: set[Predicate] = set()
    level = [system.clauses[index] for index in system.queries]
    while level:
        for clause in level:
            found |= dict.fromkeys(variables[position] for position in _tested(clause))
        below = {atom.predicate: None for clause in level for atom in clause.body if atom.predicate not in seen}
        seen |= set(below)
        level = [system.clauses[index] for predicate in below for index in system.defining[predicate]]
    return list(found)


def splits(system: HornSystem, chosen: Sequence[Variable]) -> dict[Predicate, list[z3.ExprRef]]:
    """The arguments of each predicate that belong to the chosen variables, in their order."""
    table: dict[Predicate, list[z3.ExprRef]] = {}
    for predicate in system.predicates:
        indices = [i for variable in chosen for name, i in sorted(variable) if name == predicate.name]
        formals = [predicate.formals[i] for i in indices]
        table[predicate] = [f for f in formals if z3.is_arith(f) or z3.is_bool(f) or z3.is_bv(f)]
    return table


def _tested(clause: Clause) -> Iterator[Position]:
    """The body arguments whose variables the clause's conditions mention: atoms over body arguments alone."""
    positions = {
        argument.get_id(): (atom.predicate.name, i)
        for atom in clause.body
        for i, argument in enumerate(atom.arguments)
        if is_variable(argument)
    }
    for condition in atoms(clause.constraint):
        mentioned = [variable.get_id() for variable in free_variables(condition)]
        if mentioned and all(variable in positions for variable in mentioned):
            yield from (positions[variable] for variable in mentioned)


def _variables(system: HornSystem) -> dict[Position, Variable]:
    """Each position with its class under copying: a head argument that equals a body argument (union-find)."""
    copies: UnionFind[Position] = UnionFind()
    for clause in system.clauses:
        for target, source in _copies(clause):
            copies.union(target, source)
    positions = [(p.name, i) for p in system.predicates for i in range(p.arity)]
    classes = [frozenset(members) for members in copies.classes(positions).values()]
    return {position: members for members in classes for position in members}


def _copies(clause: Clause) -> Iterator[tuple[Position, Position]]:
    """The pairs (head position, body position) between which the clause copies a value."""
    if clause.head is None:
        return
    same = {}
    for equation in conjuncts(clause.constraint):
        if z3.is_eq(equation) and all(map(is_variable, equation.children())):
            same[equation.arg(0).get_id()] = equation.arg(1).get_id()
            same[equation.arg(1).get_id()] = equation.arg(0).get_id()
    sources = {a.get_id(): (atom.predicate.name, i) for atom in clause.body for i, a in enumerate(atom.arguments)}
    for i, argument in enumerate(clause.head.arguments):
        source = sources.get(argument.get_id()) or sources.get(same.get(argument.get_id(), -1))
        if source is not None:
            yield (clause.head.predicate.name, i), source
