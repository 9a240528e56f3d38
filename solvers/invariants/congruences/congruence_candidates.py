"""Candidate congruences: equations modulo 2^w that queries compare, carried backwards through the clauses.

Where machine integers wrap around, an equality of two terms is not a polynomial one, but modulo 2^w it is. Equations
that programs assert are mostly inductive in this form. Compare Mueller-Olm, Seidl: Analysis of modular arithmetic (ESOP
2005) [MullerOlmSeidl2005], where the candidates are computed instead of read off the queries.
"""

from collections.abc import Iterator, Mapping

import z3

from chcverify.effort import MAX_CASES, MAX_COMPARED
from chcverify.horn.system import Clause, HornSystem, Predicate
from chcverify.terms.arithmetic.modular_polynomials import ModularPolynomials
from chcverify.terms.core.traversal import conjuncts, free_variables, is_variable, substitute, subterms

Congruences = Mapping[Predicate, list[z3.ArithRef]]
"""Terms over each predicate's formals that are 0 modulo m."""


_Found = tuple[Predicate, z3.ArithRef]


def congruences(system: HornSystem, modulus: int) -> Congruences:
    """Candidates over the formals, as sums of products that are 0 modulo `modulus`; those of queries first."""
    found: dict[Predicate, dict[int, z3.ArithRef]] = {predicate: {} for predicate in system.predicates}
    latest = [item for index in system.queries for item in _asked(system.clauses[index], modulus)]
    for _ in range(3):  # as they are, and carried backwards through one and through two clauses
        fresh = []
        for predicate, total in latest:
            known = found[predicate]
            if len(known) < MAX_CASES and total.get_id() not in known:
                known[total.get_id()] = total
                fresh.append((predicate, total))
        latest = [item for start in fresh for clause in system.clauses for item in _before(clause, *start, modulus)]
    return {predicate: list(terms.values()) for predicate, terms in found.items()}


def definitions(clause: Clause) -> Iterator[tuple[z3.ExprRef, z3.ExprRef]]:
    """Pairs (variable, value) of the equations for variables that are no body arguments."""
    given = {argument.get_id() for atom in clause.body for argument in atom.arguments}
    for part in conjuncts(clause.constraint):
        if z3.is_eq(part):
            sides = part.children()
            for variable, value in (sides, reversed(sides)):
                if is_variable(variable) and variable.get_id() not in given:
                    given.add(variable.get_id())
                    yield variable, value
                    break


def _asked(clause: Clause, modulus: int) -> Iterator[_Found]:
    """The differences of the integer terms that the query compares for equality."""
    for term in subterms(clause.constraint):
        is_compared = z3.is_eq(term) or (z3.is_distinct(term) and term.num_args() == 2)
        if is_compared and z3.is_int(term.arg(0)):
            yield from _over_atoms(clause, term.arg(0) - term.arg(1), modulus)


def _before(clause: Clause, predicate: Predicate, total: z3.ArithRef, modulus: int) -> Iterator[_Found]:
    """The precondition of `total` = 0 under the clause, if it is a sum over one body atom."""
    if clause.head is not None and clause.head.predicate == predicate:
        yield from _over_atoms(clause, clause.head.instance(total), modulus)


def _over_atoms(clause: Clause, term: z3.ArithRef, modulus: int) -> Iterator[_Found]:
    """The term modulo m, if it is a sum over the arguments of one of the body's atoms."""
    known = list(definitions(clause))
    residues = ModularPolynomials(modulus)
    polynomial = residues.of(substitute(substitute(term, known), known))
    if not any(polynomial) or len(polynomial) > MAX_COMPARED:
        return
    total = residues.term(polynomial)
    variables = {variable.get_id() for variable in free_variables(total)}
    for atom in clause.body:
        pairs = [(a, f) for a, f in zip(atom.arguments, atom.predicate.formals, strict=True) if is_variable(a)]
        if variables <= {argument.get_id() for argument, _ in pairs}:
            yield atom.predicate, substitute(total, pairs)
