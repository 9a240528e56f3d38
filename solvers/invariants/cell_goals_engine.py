"""Engine `cell-goals`: at the indices that a loop has passed, cells are related as queries demand.

For the variant `cells`. A loop that writes c[i] = f(a[i], b[i]), and one that compares c[i] with f(a[i], b[i]), need
the invariant 0 <= k < i => c[k] = f(a[k], b[k]) for the symbolic index k. No abstract domain knows every f, but the
query names it: goals are what queries demand of cells, ranges of indices come from the terms that index them, and
Houdini keeps the implications that are inductive. Flanagan, Leino: Houdini (FME 2001) [FlanaganLeino2001].
"""

from collections.abc import Iterable, Iterator
from itertools import chain, islice, product
from typing import Any

import z3

from chcverify.certificate.search.houdini import inductive_subset
from chcverify.horn.roles import Role
from chcverify.horn.system import HornSystem, Predicate
from chcverify.lazy_dataclass import dataclass
from chcverify.results.result import Result, Unknown
from chcverify.terms.core.traversal import conjuncts, free_variables, is_variable, kind_of, substitute, subterms
from solvers.abstract_interpretation.engine import analysis_passes
from solvers.abstract_interpretation.fixpoint import Invariants
from solvers.abstract_interpretation.partitioning import conditions
from solvers.engine import Context, Requirements
from solvers.invariants.houdini_engine import first_that_excludes, strengthened


@dataclass(frozen=True)
class CellGoalsTuning:
    """Limits of `cell-goals`. Chosen by hand on loops over one to three arrays; no measurement is recorded.

    max_atoms: comparisons of the clauses that are looked at for index terms. max_goals: that are taken from queries.
    max_ends: terms that ranges of indices begin or end at, for one predicate. max_constants: numbers of the clauses
    that may take the place of a variable in such a term. max_candidates: implications for one predicate.
    bounds_time_fraction: of the time left, for the bounds of the other arguments.
    """

    max_atoms: int = 300
    max_goals: int = 6
    max_ends: int = 40
    max_constants: int = 6
    max_candidates: int = 300
    bounds_time_fraction: float = 0.3


TUNING = CellGoalsTuning()
_WRAPS = frozenset({1 << 32, 1 << 64})  # what a cast of an unsigned index to a signed one subtracts


class CellGoals:
    """Safe when implications from ranges of indices to goals exclude every query."""

    name = "cell-goals"
    description = "relations of cells that the queries demand, at the indices that loops have passed"
    requires = Requirements()

    def solve(self, system: HornSystem, context: Context) -> Result:
        """The first pass of bounds with which the implications exclude every query."""
        named = _Named(system)
        if not named.goals:
            return Unknown(f"{self.name}: no query is about cells at one index")
        return first_that_excludes(_rounds(system, named, context), system, self.name, context)


def _rounds(system: HornSystem, named: "_Named", context: Context) -> Iterator[Invariants]:
    candidates = {predicate: list(named.candidates(predicate)) for predicate in system.predicates}
    for known in analysis_passes(system, "df-boxes-eq", context.first(TUNING.bounds_time_fraction)):
        yield strengthened(known, inductive_subset(system, candidates, context.deadline, known))


class _Named:
    """Goals and index terms of a system over the names of arguments, which predicates share."""

    def __init__(self, system: HornSystem) -> None:
        self.goals = _goals(system)
        self.constants = _constants(system)
        self.terms = _index_terms(system)

    def candidates(self, predicate: Predicate) -> Iterator[z3.BoolRef]:
        """Implications from a range of indices to a goal, over the predicate's formals."""
        back = [(constant, formal) for formal, constant in _pairs(predicate)]
        own = {constant.get_id() for constant, _ in back}
        goals = [substitute(goal, back) for goal in self.goals if _is_over(goal, own)]
        indices = [f for i, f in enumerate(predicate.formals) if predicate.role(i) is Role.INDEX and z3.is_int(f)]
        if not goals or len(indices) != 1:
            return iter(())
        ends = _distinct((substitute(t, back) for t in self._ends(predicate) if _is_over(t, own)), TUNING.max_ends)
        ranges = _ranges(indices[0], ends)
        return islice((z3.Or(z3.Not(part), goal) for part in ranges for goal in goals), TUNING.max_candidates)

    def _ends(self, predicate: Predicate) -> Iterator[z3.ExprRef]:
        """Index terms, as they are and with a value of the loop's begin or end for one variable; and scalars."""
        scalars = [constant for i, (_, constant) in enumerate(_pairs(predicate)) if _is_counter(predicate, i)]
        yield from self.terms
        yield from scalars
        for term in self.terms:
            for variable in free_variables(term):
                yield from (z3.simplify(substitute(term, [(variable, other)])) for other in (z3.IntVal(0), *scalars))
        for term in self.terms:
            for variable in free_variables(term):
                for number in self.constants:
                    rest = substitute(term, [(variable, number)])
                    yield z3.simplify(rest)
                    yield from (z3.simplify(substitute(rest, [(v, z3.IntVal(0))])) for v in free_variables(rest))
        yield from self.constants


def _is_counter(predicate: Predicate, position: int) -> bool:
    return predicate.role(position) is Role.SCALAR and z3.is_int(predicate.formals[position])


def _pairs(predicate: Predicate) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
    """Each formal with a constant of the argument's name; of its position, where there are no names."""
    names = predicate.names or tuple(f"x{i}" for i in range(predicate.arity))
    pairs = zip(predicate.formals, names, strict=True)
    return [(formal, z3.Const(f"{name}!named", formal.sort())) for formal, name in pairs]


def _is_over(term: z3.ExprRef, ids: set[int]) -> bool:
    return all(variable.get_id() in ids for variable in free_variables(term))


def _distinct(terms: Iterable[z3.ExprRef], most: int) -> list[z3.ExprRef]:
    found: dict[int, z3.ExprRef] = {}
    for term in terms:
        found.setdefault(term.get_id(), term)
        if len(found) >= most:
            break
    return list(found.values())


def _goals(system: HornSystem) -> list[z3.BoolRef]:
    """The negated parts of queries with one body atom that are about cells only, over names: those about several cells,
    or, where there are none, about one."""
    found: dict[int, tuple[bool, z3.BoolRef]] = {}
    for index in system.queries:
        clause = system.clauses[index]
        if len(clause.body) != 1:
            continue
        atom = clause.body[0]
        given = [
            (argument, constant)
            for i, (argument, (_, constant)) in enumerate(zip(atom.arguments, _pairs(atom.predicate), strict=True))
            if is_variable(argument) and atom.predicate.role(i) is Role.CELL
        ]
        own = {argument.get_id() for argument, _ in given}
        for part in conjuncts(clause.constraint):
            variables = {variable.get_id() for variable in free_variables(part)}
            if variables and variables <= own:
                goal = substitute(z3.Not(part), given)
                found[goal.get_id()] = (len(variables) > 1, goal)
    relates = any(several for several, _ in found.values())
    return [goal for several, goal in found.values() if several is relates][: TUNING.max_goals]


def _index_terms(system: HornSystem) -> list[z3.ExprRef]:
    """The terms over scalars, by names, that clauses compare symbolic indices with; of casts of a variable that too."""
    found: dict[int, z3.ExprRef] = {}
    for predicate, atoms in conditions(system, TUNING.max_atoms).items():
        given = _pairs(predicate)
        kinds = [predicate.role(i) for i in range(predicate.arity)]
        scalar_ids = {f.get_id() for f, kind in zip(predicate.formals, kinds, strict=True) if kind is Role.SCALAR}
        indices = [f for f, kind in zip(predicate.formals, kinds, strict=True) if kind is Role.INDEX]
        for atom, index in product(atoms, indices):
            term = _solved(atom, index)
            if term is not None and _is_over(term, scalar_ids):
                named = [substitute(each, given) for each in (term, *_cast(term))]
                found |= {each.get_id(): each for each in named}
    return list(found.values())


def _solved(atom: z3.BoolRef, index: z3.ExprRef) -> z3.ExprRef | None:
    """The term that a linear equation makes the index equal to; None for other atoms."""
    if not (z3.is_eq(atom) and z3.is_int(atom.arg(0)) and z3.is_int(index)):
        return None
    if all(index.get_id() != variable.get_id() for variable in free_variables(atom)):
        return None
    difference = atom.arg(0) - atom.arg(1)
    at_0, at_1 = (substitute(difference, [(index, z3.IntVal(number))]) for number in (0, 1))
    factor = z3.simplify(at_1 - at_0, som=True)
    if not z3.is_int_value(factor) or abs(factor.as_long()) != 1:
        return None
    term: z3.ExprRef = z3.simplify(-factor.as_long() * at_0)
    return term


def _cast(term: z3.ExprRef) -> list[z3.ExprRef]:
    """The variable of an unsigned index that is read as a signed number; [] for other terms."""
    return [term.arg(1)] if z3.is_app_of(term, z3.Z3_OP_ITE) and is_variable(term.arg(1)) else []


def _constants(system: HornSystem) -> list[z3.IntNumRef]:
    """The numbers that variables are compared with, those of larger amount last; and their neighbours above."""
    numbers: set[int] = set()
    for clause in system.clauses:
        for term in subterms(clause.constraint):
            if kind_of(term) in (z3.Z3_OP_LE, z3.Z3_OP_GE, z3.Z3_OP_EQ):
                sides = (term.arg(1), term.arg(0))
                numbers |= {side.as_long() for side in sides if z3.is_int_value(side)}
    positive = sorted({n + d for n in numbers for d in (0, 1) if 1 < n + d < (1 << 31) - 1}, reverse=True)
    return [z3.IntVal(number) for number in positive[: TUNING.max_constants]]


def _ranges(index: z3.ArithRef, ends: list[Any]) -> Iterator[z3.BoolRef]:
    """0 <= index < end, also of an index that is the signed reading of an unsigned one; from one end to another."""
    for end in ends:
        yield z3.And(index >= 0, index < end)
    numerals = {abs(term.as_long()) for end in ends for term in subterms(end) if z3.is_int_value(term)}
    for wrap in sorted(numerals & _WRAPS):
        unsigned = z3.If(index < 0, index + wrap, index)
        signed = z3.And(index >= -(wrap // 2), index < wrap // 2)
        yield from (z3.And(signed, unsigned < end) for end in ends if is_variable(end) or z3.is_int_value(end))
    yield from chain.from_iterable(
        (z3.And(low < index, index <= high), z3.And(low <= index, index < high))
        for low in ends
        for high in ends
        if low.get_id() != high.get_id() and not z3.is_int_value(low)
    )
