"""The clauses of an implementation for its violations: definitions of functions are unfolded instead of assumed."""

from dataclasses import replace

from chcverify.horn.system import Clause, HornSystem
from chcverify.terms.core.traversal import conjunction, conjuncts
from encoders.boogie.definitions.terminating_functions import (
    NotUnfolded,
    TerminatingFunction,
    definitions_among,
    unfolded,
)
from encoders.boogie.encoded_bodies import EncodedImplementation

DEPTH = 6
"""Calls of calls of a function that is applied in a clause. Chosen by hand: only larger arguments need more."""


def with_unfolded_definitions(encoded: EncodedImplementation) -> EncodedImplementation | None:
    """The implementation with clauses whose derivations are runs of it, though not all: the functions have the values
    of their definitions, where these are found within some calls. No model of these clauses proves anything.

    None if no axiom defines a function so that its calls end, and where such a function is applied below a quantifier.
    """
    definitions, others = definitions_among(encoded.axiom_list)
    if not definitions:
        return None
    kept = frozenset(other.get_id() for axiom in others for other in conjuncts(axiom))
    dropped = frozenset(part.get_id() for axiom in encoded.axiom_list for part in conjuncts(axiom)) - kept
    try:
        clauses = [_unfolded_clause(clause, definitions, dropped) for clause in encoded.system.clauses]
    except NotUnfolded:
        return None
    system = HornSystem(encoded.system.predicates, tuple(clauses))
    return replace(encoded, system=system, axiom_list=tuple(others), definitions=tuple(definitions))


def _unfolded_clause(clause: Clause, definitions: list[TerminatingFunction], dropped: frozenset[int]) -> Clause:
    constraint = conjunction([part for part in conjuncts(clause.constraint) if part.get_id() not in dropped])
    functions = [definition.function for definition in definitions]
    atoms = (*clause.body, *(() if clause.head is None else (clause.head,)))
    terms = [term for atom in atoms for term in atom.arguments if not any(term.eq(function) for function in functions)]
    return replace(clause, constraint=unfolded(constraint, terms, definitions, DEPTH))
