"""Terms of clauses that relate cells of arrays: names of arguments, indices, numbers."""

from collections.abc import Iterable, Iterator
from itertools import islice, product
from typing import TypeVar

import z3

from chcverify.effort import LARGEST_ORDINARY_CONSTANT
from chcverify.horn.roles import Role
from chcverify.horn.system import HornSystem, Predicate
from chcverify.terms.core.traversal import free_variables, is_variable, kind_of, substitute, subterms
from solvers.abstract_interpretation.partitioning import conditions

E = TypeVar("E", bound=z3.ExprRef)


def named_formals(predicate: Predicate) -> list[tuple[z3.ExprRef, z3.ExprRef]]:
    """Each formal with a constant of the argument's name; of its position, where there are no names."""
    pairs = zip(predicate.formals, predicate.argument_names, strict=True)
    return [(formal, z3.Const(f"{name}!named", formal.sort())) for formal, name in pairs]


def is_over(term: z3.ExprRef, ids: set[int]) -> bool:
    """True if all variables of the term are among those with these ids."""
    return all(variable.get_id() in ids for variable in free_variables(term))


def over_formals(terms: Iterable[E], predicate: Predicate) -> Iterator[E]:
    """Those of the terms by names that are over the predicate's arguments, over its formals."""
    formals = [(constant, formal) for formal, constant in named_formals(predicate)]
    ids = {constant.get_id() for constant, _ in formals}
    return (substitute(term, formals) for term in terms if is_over(term, ids))


def index_formals(predicate: Predicate) -> list[z3.ArithRef]:
    """The formals that are symbolic indices of cells, of integers."""
    return [f for i, f in enumerate(predicate.formals) if predicate.role(i) is Role.INDEX and z3.is_int(f)]


def distinct(terms: Iterable[E], most: int) -> list[E]:
    """The first `most` different terms."""
    found: dict[int, E] = {}
    for term in terms:
        found.setdefault(term.get_id(), term)
        if len(found) >= most:
            break
    return list(found.values())


def index_terms(system: HornSystem, most_atoms: int) -> list[z3.ExprRef]:
    """The terms over scalars, by names, that clauses compare symbolic indices with; of casts of a variable that too.

    most_atoms: comparisons that are looked at for each predicate.
    """
    found: dict[int, z3.ExprRef] = {}
    for predicate, atoms in conditions(system, most_atoms).items():
        given = named_formals(predicate)
        kinds = [predicate.role(i) for i in range(predicate.arity)]
        scalar_ids = {f.get_id() for f, kind in zip(predicate.formals, kinds, strict=True) if kind is Role.SCALAR}
        indices = [f for f, kind in zip(predicate.formals, kinds, strict=True) if kind is Role.INDEX]
        for atom, index in product(atoms, indices):
            term = solved_for(atom, index)
            if term is not None and is_over(term, scalar_ids):
                named = [substitute(each, given) for each in (term, *_cast(term))]
                found |= {each.get_id(): each for each in named}
    return list(found.values())


def solved_for(atom: z3.BoolRef, variable: z3.ExprRef) -> z3.ExprRef | None:
    """The term that a linear equation of integers makes the variable equal to; None for other atoms."""
    if not (z3.is_eq(atom) and z3.is_int(atom.arg(0)) and z3.is_int(variable)):
        return None
    if all(other.get_id() != variable.get_id() for other in free_variables(atom)):
        return None
    difference = atom.arg(0) - atom.arg(1)
    at_0, at_1 = (substitute(difference, [(variable, z3.IntVal(number))]) for number in (0, 1))
    factor = z3.simplify(at_1 - at_0, som=True)
    if not z3.is_int_value(factor) or abs(factor.as_long()) != 1:
        return None
    rest = z3.simplify(difference - factor * variable - at_0, som=True)
    if not z3.is_int_value(rest) or rest.as_long() != 0:  # not linear in the variable, such as variable % 2
        return None
    term: z3.ExprRef = z3.simplify(-factor.as_long() * at_0)
    return term


def _cast(term: z3.ExprRef) -> list[z3.ExprRef]:
    """The variable of an unsigned index that is read as a signed number; [] for other terms."""
    return [term.arg(1)] if z3.is_app_of(term, z3.Z3_OP_ITE) and is_variable(term.arg(1)) else []


def constants(system: HornSystem, most: int) -> list[z3.IntNumRef]:
    """The numbers that variables are compared with, the largest first; and their neighbours above."""
    numbers: set[int] = set()
    for clause in system.clauses:
        for term in subterms(clause.constraint):
            if kind_of(term) in (z3.Z3_OP_LE, z3.Z3_OP_GE, z3.Z3_OP_EQ):
                sides = (term.arg(1), term.arg(0))
                numbers |= {side.as_long() for side in sides if z3.is_int_value(side)}
    positive = sorted({n + d for n in numbers for d in (0, 1) if 1 < n + d <= LARGEST_ORDINARY_CONSTANT}, reverse=True)
    return [z3.IntVal(number) for number in positive[:most]]


def states(predicate: Predicate, atoms: Iterable[z3.BoolRef]) -> list[z3.BoolRef]:
    """The first of the atoms that is a Boolean argument, or an equation of one argument with a number."""
    scalars = {f.get_id() for i, f in enumerate(predicate.formals) if predicate.role(i) is Role.SCALAR}
    found = (a for a in atoms if (is_variable(a) or _is_state(a)) and is_over(a, scalars))
    return list(islice(found, 1))


def _is_state(atom: z3.BoolRef) -> bool:
    return z3.is_eq(atom) and any(map(is_variable, atom.children())) and any(map(z3.is_int_value, atom.children()))


def signed(atoms: Iterable[z3.BoolRef]) -> list[z3.BoolRef]:
    """Each atom and its negation."""
    return [literal for atom in atoms for literal in (atom, z3.Not(atom))]
