"""Partitioning: one abstract value per valuation of a few conditions, which makes any domain disjunctive.

The conditions are atoms over one predicate's arguments that occur in the clauses: guards of loops, phases, flags.
"""

from collections.abc import Iterator

import z3

from chcverify.horn.system import HornSystem, Predicate
from chcverify.terms.walk import free_variables, is_variable, substitute, subterms

MOST_CONDITIONS = 4


def conditions(system: HornSystem, most: int = MOST_CONDITIONS) -> dict[Predicate, list[z3.BoolRef]]:
    """For each predicate up to `most` atoms over its formals, the most frequent first; Boolean arguments count, too."""
    tally: dict[Predicate, dict[int, tuple[int, z3.BoolRef]]] = {predicate: {} for predicate in system.predicates}
    for clause in system.clauses:
        tested = list(atoms(clause.constraint))
        for application in clause.body:
            own = {argument.get_id() for argument in application.arguments if is_variable(argument)}
            pairs = list(zip(application.arguments, application.predicate.formals, strict=True))
            for atom in tested:
                if all(variable.get_id() in own for variable in free_variables(atom)):
                    condition = substitute(atom, pairs)
                    count, _ = tally[application.predicate].get(condition.get_id(), (0, condition))
                    tally[application.predicate][condition.get_id()] = (count + 1, condition)
    return {
        predicate: [condition for _, condition in sorted(found.values(), key=lambda item: -item[0])[:most]]
        for predicate, found in tally.items()
    }


def atoms(formula: z3.BoolRef) -> Iterator[z3.BoolRef]:
    """The comparisons and Boolean variables of the formula, each once."""
    return (term for term in subterms(formula) if _is_atom(term))


def _is_atom(term: z3.ExprRef) -> bool:
    """A comparison or Boolean variable, not one that is always true or false."""
    if not z3.is_bool(term):
        return False
    if is_variable(term):
        return True
    if z3.is_eq(term):
        return not z3.is_bool(term.arg(0)) and not z3.is_array(term.arg(0))
    return bool(z3.is_le(term) or z3.is_lt(term) or z3.is_ge(term) or z3.is_gt(term))
