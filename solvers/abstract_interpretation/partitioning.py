"""Partitioning: one abstract value per valuation of a few conditions, which makes any domain disjunctive.

The conditions are atoms over one predicate's arguments that occur in the clauses: guards of loops, phases, flags.
"""

from collections.abc import Iterator, Mapping, Sequence

import z3

from chcverify.effort import MAX_COMBINED, MAX_COMPARED, MOMENT_MS
from chcverify.horn.system import HornSystem, Predicate
from chcverify.terms.core.traversal import free_variables, is_variable, substitute, subterms


def conditions(
    system: HornSystem, most: int = MAX_COMBINED, known: Mapping[Predicate, z3.BoolRef] | None = None
) -> dict[Predicate, list[z3.BoolRef]]:
    """For each predicate up to `most` atoms over its formals, the most frequent first; Boolean arguments count, too.

    known: invariants; with them, only conditions are kept that can be true and false, no two of them equal or opposite.
    """
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
    table = {}
    for predicate, found in tally.items():
        ranked = [condition for _, condition in sorted(found.values(), key=lambda item: -item[0])]
        table[predicate] = ranked[:most] if known is None else discriminating(ranked, most, known.get(predicate))
    return table


def discriminating(
    ranked: Sequence[z3.BoolRef], most: int, known: z3.BoolRef | None, before: Sequence[z3.BoolRef] = ()
) -> list[z3.BoolRef]:
    """The first conditions that can be true and false within `known` and differ from those chosen before."""
    solver = z3.SimpleSolver()
    solver.set("timeout", MOMENT_MS)
    solver.add(z3.BoolVal(True) if known is None else known)
    chosen: list[z3.BoolRef] = []
    for condition in ranked[:MAX_COMPARED]:
        if len(chosen) == most:
            break
        # known & condition = other, with true, false, each chosen condition and its negation as the other
        others = [z3.BoolVal(True), *before, *chosen]
        if all(solver.check(condition == o) != z3.unsat != solver.check(condition != o) for o in others):
            chosen.append(condition)
    return chosen


def atoms(formula: z3.BoolRef) -> Iterator[z3.BoolRef]:
    """The comparisons and Boolean variables of the formula, each once."""
    return (term for term in subterms(formula) if isinstance(term, z3.BoolRef) and _is_atom(term))


_ORDERS = {
    z3.Z3_OP_LE, z3.Z3_OP_LT, z3.Z3_OP_GE, z3.Z3_OP_GT,
    z3.Z3_OP_ULEQ, z3.Z3_OP_ULT, z3.Z3_OP_UGEQ, z3.Z3_OP_UGT,
    z3.Z3_OP_SLEQ, z3.Z3_OP_SLT, z3.Z3_OP_SGEQ, z3.Z3_OP_SGT,
}  # fmt: skip


def _is_atom(term: z3.ExprRef) -> bool:
    """True for comparisons and Boolean variables, except for true, false and equalities of Booleans or arrays."""
    if not z3.is_bool(term):
        return False
    if is_variable(term):
        return True
    if z3.is_eq(term):
        return not z3.is_bool(term.arg(0)) and not z3.is_array(term.arg(0))
    return bool(z3.is_app(term) and term.decl().kind() in _ORDERS)
