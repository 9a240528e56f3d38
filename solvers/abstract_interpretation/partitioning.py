"""Partitioning: one abstract value per valuation of a few conditions, which makes any domain disjunctive.

The conditions are atoms over one predicate's arguments that occur in the clauses: guards of loops, phases, flags.
"""

from collections.abc import Iterator, Mapping, Sequence

import z3

from chcverify.effort import MAX_COMBINED, MAX_COMPARED, MOMENT_MS
from chcverify.horn.system import Application, HornSystem, Predicate
from chcverify.terms.core.traversal import free_variables, is_variable, substitute, subterms
from solvers.abstract_interpretation.fixpoint import defined_head, evaluation_order, looping_clauses

NEAR_WORD_LIMIT = 2**30
"""Numbers from here on count as limits of a word: half of the positive ones of 32 bits, as in tests of n + n."""


def conditions(
    system: HornSystem,
    most: int = MAX_COMBINED,
    known: Mapping[Predicate, z3.BoolRef] | None = None,
    around_loops: bool = False,
    overflows: bool = True,
) -> dict[Predicate, list[z3.BoolRef]]:
    """For each predicate up to `most` atoms over its formals, the most frequent first; Boolean arguments count, too.

    known: invariants; with them, only conditions are kept that can be true and false, no two of them equal or opposite.
    around_loops: then come those that are tested further on in the same loop (`_add_later_ones`). overflows: with those
    that ask whether a sum leaves its word.
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
    ranked = {
        predicate: [condition for _, condition in sorted(found.values(), key=lambda item: -item[0])]
        for predicate, found in tally.items()
    }
    if not overflows:
        ranked = {p: [c for c in found if not _is_overflow_test(c)] for p, found in ranked.items()}
    if around_loops:
        _add_later_ones(system, ranked)
    return {
        predicate: found[:most] if known is None else discriminating(found, most, known.get(predicate))
        for predicate, found in ranked.items()
    }


def _is_overflow_test(condition: z3.BoolRef) -> bool:
    """Does it compare with a number near the limits of a word?"""
    numbers = [
        term.as_signed_long() if isinstance(term, z3.BitVecNumRef) else term.as_long()
        for term in subterms(condition)
        if isinstance(term, z3.IntNumRef | z3.BitVecNumRef)
    ]
    return any(abs(number) >= NEAR_WORD_LIMIT for number in numbers)


def _add_later_ones(system: HornSystem, ranked: dict[Predicate, list[z3.BoolRef]]) -> None:
    """Adds to each predicate what the clauses of its loop test later, as conditions on what they hand on.

    A loop with phases tests its counter at its head. Between two of its predicates, too, the facts of each phase must
    stay apart. A step may compute what is tested (`x + 1` for `x`) right before the test; further back only copies
    count, and not as far as the test itself.
    """
    looping = sorted(looping_clauses(system, evaluation_order(system)))
    heads = {index: defined_head(system.clauses[index]) for index in looping}
    tested = {predicate: {c.get_id(): predicate for c in found} for predicate, found in ranked.items()}
    changed = True
    while changed:
        changed = False
        for index in looping:
            head, body = system.clauses[index].head, system.clauses[index].body
            assert head is not None
            for condition in ranked[head.predicate][:MAX_COMPARED]:
                place = tested[head.predicate][condition.get_id()]
                for atom in body:
                    if atom.predicate in (head.predicate, place):
                        continue
                    earlier = _before_step(condition, head, heads[index], atom, copied=place != head.predicate)
                    if earlier is not None and earlier.get_id() not in tested[atom.predicate]:
                        tested[atom.predicate][earlier.get_id()] = place
                        ranked[atom.predicate].append(earlier)
                        changed = True


def _before_step(
    condition: z3.BoolRef, head: Application, values: Sequence[z3.ExprRef], atom: Application, copied: bool
) -> z3.BoolRef | None:
    """The condition on the head with these values as one on the atom of the body; None if it is none.

    copied: only if the values that it is about are variables.
    """
    pairs = list(zip(head.predicate.formals, values, strict=True))
    mentioned = {variable.get_id() for variable in free_variables(condition)}
    if copied and any(f.get_id() in mentioned and not is_variable(v) for f, v in pairs):
        return None
    instance = substitute(condition, pairs)
    own = {argument.get_id() for argument in atom.arguments if is_variable(argument)}
    if any(variable.get_id() not in own for variable in free_variables(instance)):
        return None
    return substitute(instance, zip(atom.arguments, atom.predicate.formals, strict=True))


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
